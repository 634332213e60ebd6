package siemload.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.compare.experiment.History.HistoryEntry;
import siemload.config.ConfigException;
import siemload.results.report.ExampleRun;
import siemload.results.report.RunReports;

/**
 * Breaks at random what siemload reads of a run's results; what users write or bring is in {@link KeptInputsTest}. {@code
 * -Dfuzz.cases=100000} for long, {@code -Dfuzz.seed=N -Dfuzz.cases=1} for the one case that a failure names.
 */
@Tag("any-java")
class FuzzTest {
    private static final long FIRST_SEED = Long.getLong("fuzz.seed", 1);
    private static final long CASES = Long.getLong("fuzz.cases", 16);
    private static final int LONGEST_LINE = 3_000;
    /** Strings, numbers and words, whether of JSON or of CSV, and keys. */
    private static final Pattern VALUE =
            Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*+\"|-?\\d[\\d.eE+-]*|\\b(?:true|false|null)\\b");

    private static final List<String> ODD_VALUES = List.of(("null \"\" \"NaN\" NaN Infinity 1e999 -1e999 1e300 1e-320 -1 0"
                    + " 9223372036854775807 -9223372036854775808 9007199254740993 2147483648 123456789012345678901234567890"
                    + " 1e-999999999 [] {} [null] {\"a\":null} true \"../../etc/passwd\" \"a\\u0000b\" \"\\ud800\" \"%s%n%d\""
                    + " \"+1000000000-12-31T23:59:59.999999999Z\" \"-1000000000-01-01T00:00:00Z\"")
            .split(" "));

    @TempDir
    private Path directory = Path.of("");

    @Test
    void whateverAFileOfResultsHoldsItIsReadOrRefusedInOneLine() throws IOException {
        Path run = ExampleRun.copyWithShortLogsTo(directory);
        List<Path> files;
        try (Stream<Path> all = Files.walk(run)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        List<String> failures = new ArrayList<>();
        for (long seed = FIRST_SEED; seed < FIRST_SEED + CASES; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Path file = files.get(random.nextInt(files.size()));
            byte[] whole = Files.readAllBytes(file);
            Files.write(file, broken(whole, random));
            String name = "seed " + seed + ", " + directory.relativize(file) + ": ";
            try {
                RunReports.write(run);
                HistoryEntry unused = HistoryEntry.read(run);
            } catch (IOException | UncheckedIOException | ConfigException refused) {
                String message = String.valueOf(refused.getMessage());
                boolean leads = message.contains(directory.toString())
                        || message.contains(file.getFileName().toString());
                if (!leads || message.length() > LONGEST_LINE || message.lines().count() > 1) {
                    failures.add(name + "a poor message: " + message);
                }
            } catch (RuntimeException fault) {
                failures.add(
                        name + fault + " at " + List.of(fault.getStackTrace()).subList(0, 4));
            }
            Files.write(file, whole);
        }
        assertThat(failures).isEmpty();
    }

    /** One to three things went wrong with it: bits, its end, a part that is gone or stands somewhere else, a value. */
    private static byte[] broken(byte[] whole, SplittableRandom random) {
        StringBuilder text = new StringBuilder(new String(whole, StandardCharsets.ISO_8859_1));
        for (int i = random.nextInt(3); i >= 0 && !text.isEmpty(); i--) {
            int at = random.nextInt(text.length());
            int until = Math.min(text.length(), at + random.nextInt(400));
            Matcher value = VALUE.matcher(text);
            switch (random.nextInt(8)) {
                case 0 -> text.setCharAt(at, (char) (text.charAt(at) ^ 1 << random.nextInt(8)));
                case 1 -> text.setLength(at);
                case 2 -> text.delete(at, until);
                case 3 -> text.insert(random.nextInt(text.length()), text.substring(at, until));
                case 4 -> text.insert(at, "[".repeat(random.nextInt(5_000)));
                default -> {
                    if (value.find(at)) {
                        text.replace(value.start(), value.end(), ODD_VALUES.get(random.nextInt(ODD_VALUES.size())));
                    }
                }
            }
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
