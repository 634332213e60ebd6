package siemload.config;

import java.math.BigDecimal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kind of value and its range: how a text becomes a value, the same in files, options and the environment. Immutable.
 *
 * @param <T> the type of the value
 * @param allowed what is allowed, for people: {@code whole number, 1 to 100}
 * @param standIn any good value: reading continues with it after a bad one, so that all problems can be found first
 * @param parser throws an IllegalArgumentException whose message says what was found and what is allowed
 */
public record ValueType<T>(String allowed, T standIn, Function<String, T> parser) {
    private static final int SHOWN_CHARACTERS = 60;
    private static final String WHOLE = "[+-]?[0-9]+(_[0-9]+)*";
    private static final String DECIMAL = "[+-]?([0-9]+(_[0-9]+)*(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]{1,3})?";
    private static final Pattern BYTE_SIZE = Pattern.compile("([0-9]{1,6})([mgtMGT])[bB]?");
    private static final Pattern BETWEEN_ASSIGNMENTS = Pattern.compile(",(?=\\s*[A-Za-z_][\\w.$-]*\\s*=)");
    private static final Pattern ASSIGNMENT = Pattern.compile("\\s*([A-Za-z_][\\w.$-]*)\\s*=\\s*(\\S(?:.*\\S)?)\\s*");

    /** Any text that is not blank. */
    public static ValueType<String> text() {
        return new ValueType<>("text", "", text -> {
            if (text.isBlank()) {
                throw new IllegalArgumentException("is empty (write some text)");
            }
            return text;
        });
    }

    /** A whole number in this range; digits may be grouped as in {@code 200_000}. */
    public static ValueType<Integer> wholeNumber(int min, int max) {
        return wholeNumber((long) min, (long) max).to(Math::toIntExact);
    }

    /** A whole number in this range; digits may be grouped as in {@code 200_000}. */
    public static ValueType<Long> wholeNumber(long min, long max) {
        String range = max == Long.MAX_VALUE || max == Integer.MAX_VALUE ? min + " or more" : min + " to " + max;
        return number("whole number", WHOLE, BigDecimal.valueOf(min), BigDecimal.valueOf(max), range)
                .to(BigDecimal::longValueExact);
    }

    /** A decimal number in this range, both ends included. */
    public static ValueType<Double> number(double min, double max) {
        String range = plain(min) + (max == Double.MAX_VALUE ? " or more" : " to " + plain(max));
        return number("number", DECIMAL, BigDecimal.valueOf(min), BigDecimal.valueOf(max), range)
                .to(BigDecimal::doubleValue);
    }

    /** A ratio, 0 to 1. */
    public static ValueType<Double> ratio() {
        return number("ratio", DECIMAL, BigDecimal.ZERO, BigDecimal.ONE, "0 to 1")
                .to(BigDecimal::doubleValue);
    }

    private static ValueType<BigDecimal> number(
            String kind, String form, BigDecimal min, BigDecimal max, String range) {
        return ranged(
                kind,
                min,
                max,
                range,
                "",
                text -> Optional.of(text)
                        .filter(some -> some.length() <= SHOWN_CHARACTERS && some.matches(form))
                        .map(digits -> new BigDecimal(digits.replace("_", ""))));
    }

    /**
     * A number of bytes as Docker and fio write it: {@code 512m}, {@code 2g}.
     *
     * @param of what has the size, for messages: {@code memory}
     */
    public static ValueType<Long> byteSize(String of) {
        return ranged("size of " + of, 256L << 20, 64L << 40, "256m to 64t", ", for example 512m, 2g", text -> {
            Optional<Matcher> written = Optional.of(BYTE_SIZE.matcher(text)).filter(Matcher::matches);
            return written.map(form -> Long.parseLong(form.group(1))
                    << (20 + 10 * "mgt".indexOf(form.group(2).toLowerCase(Locale.ROOT))));
        });
    }

    /**
     * Names with values, {@code work_mem=64MB,jit=off}; never empty. A comma belongs to a value unless another name follows it, so that
     * {@code search_path=a,b,jit=off} has two names.
     */
    public static ValueType<SortedMap<String, String>> assignments() {
        return new ValueType<>("name=value,name=value", new TreeMap<>(), text -> {
            SortedMap<String, String> values = new TreeMap<>();
            for (String part : BETWEEN_ASSIGNMENTS.split(text, -1)) {
                Matcher form = ASSIGNMENT.matcher(part);
                if (!form.matches()) {
                    throw new IllegalArgumentException(
                            quoted(part.strip()) + " is not name=value (write for example work_mem=64MB,jit=off)");
                }
                if (values.put(form.group(1), form.group(2)) != null) {
                    throw new IllegalArgumentException("'" + form.group(1) + "' is given twice");
                }
            }
            return Collections.unmodifiableSortedMap(values);
        });
    }

    /** A duration in this range, both ends included; see {@link Durations} for the notation. */
    public static ValueType<Duration> duration(Duration min, Duration max) {
        String range = Durations.format(min) + " to " + Durations.format(max);
        return ranged("duration", min, max, range, ", for example 500ms, 30s, 5m, 1h30m, 7d", Durations::parse);
    }

    /** @param parser returns nothing for texts that are not of this kind */
    private static <T extends Comparable<T>> ValueType<T> ranged(
            String kind, T min, T max, String range, String examples, Function<String, Optional<T>> parser) {
        return new ValueType<>(kind + ", " + range, min, text -> {
            T value = parser.apply(text)
                    .orElseThrow(() -> new IllegalArgumentException(
                            quoted(text) + " is not a " + kind + " (allowed: " + range + examples + ")"));
            if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
                throw new IllegalArgumentException(text + " is too " + (value.compareTo(min) < 0 ? "small" : "large")
                        + " (allowed: " + range + ")");
            }
            return value;
        });
    }

    /** An instant with its offset from UTC, as in RFC 3339. */
    public static ValueType<Instant> instant() {
        Function<String, Instant> parser = text -> OffsetDateTime.parse(text).toInstant();
        return ofTimes("an instant", Instant.EPOCH, parser, "2016-06-06T12:00:00Z");
    }

    /** A time zone: a region or an offset. */
    public static ValueType<ZoneId> zone() {
        return ofTimes("a time zone", ZoneOffset.UTC, ZoneId::of, "UTC or Europe/Prague");
    }

    /** An offset from UTC, whatever the season. */
    public static ValueType<ZoneOffset> offset() {
        return ofTimes("an offset", ZoneOffset.UTC, ZoneOffset::of, "+05:30");
    }

    /** A value that a parser of java.time reads; the kind has its article. */
    public static <T> ValueType<T> ofTimes(String kind, T standIn, Function<String, T> parser, String example) {
        return new ValueType<>(kind.substring(kind.indexOf(' ') + 1), standIn, text -> {
            try {
                return parser.apply(text);
            } catch (DateTimeException | IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        quoted(text) + " is not " + kind + " (write for example " + example + ")", e);
            }
        });
    }

    /** The path of a file or directory, which need not be there. */
    public static ValueType<Path> path() {
        return new ValueType<>("path", Path.of(""), text -> {
            try {
                return Path.of(text().parse(text));
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException(quoted(text) + " is not a path: " + e.getReason(), e);
            }
        });
    }

    /** {@code true} or {@code false}. */
    public static ValueType<Boolean> trueOrFalse() {
        return choice(Choices.names(List.of("true", "false"))).to(Boolean::valueOf);
    }

    /** A type whose values are made from the values of this one. */
    public <U> ValueType<U> to(Function<T, U> further) {
        return new ValueType<>(allowed, further.apply(standIn), text -> further.apply(parse(text)));
    }

    /** Whether the value is a switch: {@code --name} without a value then means {@code --name true}. */
    public boolean isSwitch() {
        return standIn instanceof Boolean;
    }

    /** A choice of names. */
    public static <T> ValueType<T> choice(Choices<T> choices) {
        String allowed = String.join(" | ", choices.byName().keySet());
        T first = choices.byName().values().iterator().next();
        return new ValueType<>(
                allowed,
                first,
                text -> choices.find(text)
                        .orElseThrow(() -> new IllegalArgumentException(
                                quoted(text) + " is unknown (" + choices.help(text) + ")")));
    }

    /** The value of a text; throws {@link IllegalArgumentException} with what was found and what is allowed. */
    public T parse(String text) {
        return parser.apply(text);
    }

    /** The value of a text; empty for a bad text, which is reported elsewhere. */
    public Optional<T> tryParse(String text) {
        return new Problems().collect(new Origin.Default(), () -> parser.apply(text));
    }

    /** The text as messages show it: in quotes, on one line, not too long. */
    public static String quoted(String text) {
        return "'" + brief(text).replaceAll("\\p{Cntrl}", " ") + "'";
    }

    /** Shortens a text that is too long to be shown. */
    static String brief(String text) {
        return text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) + "..." : text;
    }

    private static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    /** A problem in a part of a text, which begins at this character, 0 for the first. */
    public static class WrongPlace extends IllegalArgumentException {
        private static final long serialVersionUID = 1;
        /** In place of an offset, if the problem concerns the whole text. */
        static final int ALL = -1;

        private final int offset;

        public WrongPlace(int offset, String message) {
            super(message);
            this.offset = offset;
        }

        public final int offset() {
            return offset;
        }
    }
}
