package siemload.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes broken files of whole ones. The same random numbers make the same of the same. Used by one thread. */
final class Mutations {
    /** Strings, numbers and words, whether of JSON or of CSV; keys are strings with a colon behind. */
    private static final Pattern VALUE =
            Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*+\"(?!\\s*:)|-?\\d[\\d.eE+-]*|\\b(?:true|false|null)\\b");

    private static final Pattern KEY = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*+\"(?=\\s*:)");

    private static final List<String> ODD_VALUES = List.of(
            "null",
            "\"\"",
            "\"NaN\"",
            "NaN",
            "Infinity",
            "1e999",
            "-1e999",
            "1e300",
            "1e-320",
            "-1",
            "0",
            "9223372036854775807",
            "-9223372036854775808",
            "9007199254740993",
            "2147483648",
            "123456789012345678901234567890",
            "1e-999999999",
            "[]",
            "{}",
            "[null]",
            "{\"a\":null}",
            "true",
            "\"../../etc/passwd\"",
            "\"/etc/passwd\"",
            "\"a\\u0000b\"",
            "\"\\ud800\"",
            "\"%s%n%d\"",
            "\"+1000000000-12-31T23:59:59.999999999Z\"",
            "\"-1000000000-01-01T00:00:00Z\"");

    private static final int DEEP = 5_000;

    private final SplittableRandom random;

    Mutations(SplittableRandom random) {
        this.random = random;
    }

    /** One to three things that went wrong with the file. */
    byte[] of(byte[] whole) {
        byte[] broken = whole;
        for (int i = random.nextInt(3); i >= 0; i--) {
            broken = one(broken);
        }
        return broken;
    }

    private byte[] one(byte[] bytes) {
        return switch (random.nextInt(12)) {
            case 0 -> flipped(bytes);
            case 1 -> Arrays.copyOf(bytes, place(bytes));
            case 2 -> inserted(bytes, noise());
            case 3 -> withoutSlice(bytes);
            case 4 -> inserted(bytes, slice(bytes));
            case 5 -> inserted(bytes, deep());
            case 6 -> renamedKey(bytes);
            case 7 -> HistogramMutations.of(bytes, random);
            default -> withOtherValue(bytes);
        };
    }

    private int place(byte[] bytes) {
        return random.nextInt(bytes.length + 1);
    }

    private byte[] flipped(byte[] bytes) {
        byte[] copy = bytes.clone();
        for (int i = random.nextInt(4); i >= 0 && copy.length > 0; i--) {
            copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return copy;
    }

    private byte[] noise() {
        byte[] noise = new byte[1 + random.nextInt(20)];
        random.nextBytes(noise);
        return noise;
    }

    private byte[] deep() {
        String start = random.nextBoolean() ? "[" : "{\"a\":";
        return start.repeat(1 + random.nextInt(DEEP)).getBytes(StandardCharsets.UTF_8);
    }

    private byte[] slice(byte[] bytes) {
        int from = place(bytes);
        return Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + random.nextInt(400)));
    }

    private byte[] withoutSlice(byte[] bytes) {
        int from = place(bytes);
        return replaced(bytes, from, Math.min(bytes.length, from + random.nextInt(400)), new byte[0]);
    }

    private byte[] inserted(byte[] bytes, byte[] more) {
        int at = place(bytes);
        return replaced(bytes, at, at, more);
    }

    private static byte[] replaced(byte[] bytes, int from, int until, byte[] by) {
        byte[] copy = Arrays.copyOf(bytes, from + by.length + bytes.length - until);
        System.arraycopy(by, 0, copy, from, by.length);
        System.arraycopy(bytes, until, copy, from + by.length, bytes.length - until);
        return copy;
    }

    /** One value becomes an odd one, or another one of the same file. */
    private byte[] withOtherValue(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        List<MatchResult> values = found(VALUE, text);
        String other = values.isEmpty() || random.nextInt(4) > 0
                ? oddValue()
                : any(values).group();
        return values.isEmpty() ? flipped(bytes) : replaced(text, any(values), other);
    }

    private byte[] renamedKey(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        List<MatchResult> keys = found(KEY, text);
        return keys.isEmpty()
                ? flipped(bytes)
                : replaced(text, any(keys), any(keys).group());
    }

    private String oddValue() {
        return ODD_VALUES.get(random.nextInt(ODD_VALUES.size()));
    }

    private MatchResult any(List<MatchResult> found) {
        return found.get(random.nextInt(found.size()));
    }

    private static byte[] replaced(String text, MatchResult place, String by) {
        return (text.substring(0, place.start()) + by + text.substring(place.end()))
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static List<MatchResult> found(Pattern pattern, String text) {
        List<MatchResult> found = new ArrayList<>();
        for (Matcher matcher = pattern.matcher(text); matcher.find(); ) {
            found.add(matcher.toMatchResult());
        }
        return found;
    }
}
