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
 * A kind of value with its range, which turns texts from files, options and the environment into values. Immutable.
 *
 * @param allowed the allowed values, for messages: {@code whole number, 1 to 100}
 * @param standIn any valid value: after an invalid value, reading continues with this one, so that all problems are found
 * @param parser returns the value of a text, or throws an IllegalArgumentException whose message says what was found and what is allowed
 */
public record ValueType<T>(String allowed, T standIn, Function<String, T> parser) {
    private static final int SHOWN_CHARACTERS = 60;
    private static final String WHOLE = "[+-]?[0-9]+(_[0-9]+)*";
    private static final String DECIMAL = "[+-]?([0-9]+(_[0-9]+)*(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]{1,3})?";
    private static final Pattern BYTE_SIZE = Pattern.compile("([0-9]{1,6})([mgtMGT])[bB]?");
    private static final Pattern BETWEEN_ASSIGNMENTS = Pattern.compile(",(?=\\s*[A-Za-z_][\\w.$-]*\\s*=)");
    private static final Pattern ASSIGNMENT = Pattern.compile("\\s*([A-Za-z_][\\w.$-]*)\\s*=\\s*(\\S(?:.*\\S)?)\\s*");

    /** Refuses a value with this message if a condition does not hold. @throws IllegalArgumentException in that case */
    public static void require(boolean holds, String why) {
        if (!holds) {
            throw new IllegalArgumentException(why);
        }
    }

    /** Returns a type for any text that is not blank. */
    public static ValueType<String> text() {
        return new ValueType<>("text", "", text -> {
            require(!text.isBlank(), "is empty (write some text)");
            return text;
        });
    }

    /** Returns a type for whole numbers in this range; digits may be grouped as in {@code 200_000}. */
    public static ValueType<Integer> wholeNumber(int min, int max) {
        return wholeNumber((long) min, (long) max).to(Math::toIntExact);
    }

    /** Returns a type for whole numbers in this range; digits may be grouped as in {@code 200_000}. */
    public static ValueType<Long> wholeNumber(long min, long max) {
        boolean isOpen = max == Integer.MAX_VALUE || (max == Long.MAX_VALUE && min > Long.MIN_VALUE);
        String range = min + (isOpen ? " or more" : " to " + max);
        return number("whole number", WHOLE, BigDecimal.valueOf(min), BigDecimal.valueOf(max), range)
                .to(BigDecimal::longValueExact);
    }

    /** Returns a type for decimal numbers in this range, both ends included. */
    public static ValueType<Double> number(double min, double max) {
        String range = plain(min) + (max == Double.MAX_VALUE ? " or more" : " to " + plain(max));
        return number("number", DECIMAL, BigDecimal.valueOf(min), BigDecimal.valueOf(max), range)
                .to(BigDecimal::doubleValue);
    }

    /** Returns a type for ratios from 0 to 1. */
    public static ValueType<Double> ratio() {
        return number("ratio", DECIMAL, BigDecimal.ZERO, BigDecimal.ONE, "0 to 1")
                .to(BigDecimal::doubleValue);
    }

    private static ValueType<BigDecimal> number(
            String kind, String form, BigDecimal min, BigDecimal max, String range) {
        Function<String, Optional<BigDecimal>> parser = text -> Optional.of(text)
                .filter(some -> some.length() <= SHOWN_CHARACTERS && some.matches(form))
                .map(digits -> new BigDecimal(digits.replace("_", "")));
        return ranged(kind, min, max, range, "", parser);
    }

    /** Returns a type for the size of something in bytes, as Docker and fio write it: {@code 512m}, {@code 2g}. */
    public static ValueType<Long> byteSize(String of) {
        return ranged("size of " + of, 256L << 20, 64L << 40, "256m to 64t", ", for example 512m, 2g", text -> {
            Optional<Matcher> written = Optional.of(BYTE_SIZE.matcher(text)).filter(Matcher::matches);
            return written.map(form -> Long.parseLong(form.group(1))
                    << (20 + 10 * "mgt".indexOf(form.group(2).toLowerCase(Locale.ROOT))));
        });
    }

    /**
     * Returns a type for names with values, at least one: {@code work_mem=64MB,jit=off}. A comma belongs to a value unless another name
     * follows the comma, so that {@code search_path=a,b,jit=off} has two names.
     */
    public static ValueType<SortedMap<String, String>> assignments() {
        return new ValueType<>("name=value,name=value", new TreeMap<>(), text -> {
            SortedMap<String, String> values = new TreeMap<>();
            for (String part : BETWEEN_ASSIGNMENTS.split(text, -1)) {
                Matcher form = ASSIGNMENT.matcher(part);
                String unlike = quoted(part.strip()) + " is not name=value (write for example work_mem=64MB,jit=off)";
                require(form.matches(), unlike);
                require(values.put(form.group(1), form.group(2)) == null, "'" + form.group(1) + "' is given twice");
            }
            return Collections.unmodifiableSortedMap(values);
        });
    }

    /** Returns a type for durations in this range, both ends included; see {@link Durations} for the notation. */
    public static ValueType<Duration> duration(Duration min, Duration max) {
        String range = Durations.format(min) + " to " + Durations.format(max);
        return ranged("duration", min, max, range, ", for example 500ms, 30s, 5m, 1h30m, 7d", Durations::parse);
    }

    /** @param parser returns empty for texts that are not of this kind */
    private static <T extends Comparable<T>> ValueType<T> ranged(
            String kind, T min, T max, String range, String examples, Function<String, Optional<T>> parser) {
        return new ValueType<>(kind + ", " + range, min, text -> {
            T value = parser.apply(text)
                    .orElseThrow(() -> new IllegalArgumentException(
                            quoted(text) + " is not a " + kind + " (allowed: " + range + examples + ")"));
            boolean isSmall = value.compareTo(min) < 0;
            String size = text + " is too " + (isSmall ? "small" : "large") + " (allowed: " + range + ")";
            require(!isSmall && value.compareTo(max) <= 0, size);
            return value;
        });
    }

    /** Returns a type for instants with their offset from UTC, as in RFC 3339. */
    public static ValueType<Instant> instant() {
        Function<String, Instant> parser = text -> OffsetDateTime.parse(text).toInstant();
        return ofTimes("an instant", Instant.EPOCH, parser, "2016-06-06T12:00:00Z");
    }

    /** Returns a type for time zones: regions or offsets. */
    public static ValueType<ZoneId> zone() {
        return ofTimes("a time zone", ZoneOffset.UTC, ZoneId::of, "UTC or Europe/Prague");
    }

    /** Returns a type for offsets from UTC that are the same all year. */
    public static ValueType<ZoneOffset> offset() {
        Function<String, ZoneOffset> parser =
                text -> ZoneId.of(text).normalized() instanceof ZoneOffset fixed ? fixed : ZoneOffset.of(text);
        return ofTimes("an offset", ZoneOffset.UTC, parser, "+05:30");
    }

    /** Returns a type for values that a parser of java.time reads; {@code kind} includes its article. */
    public static <T> ValueType<T> ofTimes(String kind, T standIn, Function<String, T> parser, String example) {
        return new ValueType<>(kind.substring(kind.indexOf(' ') + 1), standIn, text -> {
            try {
                return parser.apply(text);
            } catch (DateTimeException | IllegalArgumentException | ClassCastException e) {
                // Java casts wrongly where a pattern pads a year that follows a number without a blank (ddspy).
                throw new IllegalArgumentException(
                        quoted(text) + " is not " + kind + " (write for example " + example + ")", e);
            }
        });
    }

    /** Returns a type for paths of files or directories, which need not exist. */
    public static ValueType<Path> path() {
        return new ValueType<>("path", Path.of(""), text -> {
            try {
                return Path.of(text().parse(text));
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException(quoted(text) + " is not a path: " + e.getReason(), e);
            }
        });
    }

    /** Returns a type for {@code true} and {@code false}. */
    public static ValueType<Boolean> trueOrFalse() {
        return choice(Choices.names(List.of("true", "false"))).to(Boolean::valueOf);
    }

    /** Returns a type whose values a function makes from the values of this type. */
    public <U> ValueType<U> to(Function<T, U> further) {
        return new ValueType<>(allowed, further.apply(standIn), text -> further.apply(parse(text)));
    }

    /** Returns whether the value is a switch: {@code --name} without a value then means {@code --name true}. */
    public boolean isSwitch() {
        return standIn instanceof Boolean;
    }

    /** Returns a type for a choice of names. */
    public static <T> ValueType<T> choice(Choices<T> choices) {
        String allowed = String.join(" | ", choices.byName().keySet());
        T first = choices.byName().values().iterator().next();
        Function<String, T> parser = text -> choices.find(text)
                .orElseThrow(
                        () -> new IllegalArgumentException(quoted(text) + " is unknown (" + choices.help(text) + ")"));
        return new ValueType<>(allowed, first, parser);
    }

    /** Returns the value of a text, or throws an {@link IllegalArgumentException} that says what was found and what is allowed. */
    public T parse(String text) {
        return parser.apply(text);
    }

    /** Returns the value of a text; empty for an invalid text, which other code reports. */
    public Optional<T> tryParse(String text) {
        return new Problems().collect(new Origin.Default(), () -> parser.apply(text));
    }

    /** Returns the text as messages show it: in quotes, on one line, and shortened if it is long. */
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
}
