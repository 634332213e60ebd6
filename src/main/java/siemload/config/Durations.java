package siemload.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Durations as people write them: {@code 500ms}, {@code 30s}, {@code 1.5s}, {@code 5m}, {@code 1h30m}, {@code 7d}. Stateless and
 * thread-safe.
 */
public final class Durations {
    private static final String[] UNITS = {"d", "h", "m", "s", "ms", "us"};
    private static final long[] UNIT_NANOS = {
        86_400_000_000_000L, 3_600_000_000_000L, 60_000_000_000L, 1_000_000_000L, 1_000_000L, 1_000L
    };

    /** The number of digits is limited, so that the sum of all parts fits into a duration. */
    private static final String AMOUNT = "([0-9]{1,14}(?:\\.[0-9]{1,9})?)";

    private static final Pattern PARTS = Pattern.compile(
            Stream.of(UNITS).map(unit -> "(?:" + AMOUNT + unit + ")?").collect(Collectors.joining()));

    private Durations() {}

    /** Reads a duration of 0 or more; returns empty if the text is not a duration. */
    public static Optional<Duration> parse(String text) {
        Matcher parts = PARTS.matcher(text);
        if (text.isEmpty() || !parts.matches()) {
            return Optional.empty();
        }
        BigDecimal nanos = BigDecimal.ZERO;
        for (int unit = 0; unit < UNITS.length; unit++) {
            String amount = Objects.requireNonNullElse(parts.group(unit + 1), "0");
            nanos = nanos.add(new BigDecimal(amount).multiply(BigDecimal.valueOf(UNIT_NANOS[unit])));
        }
        BigDecimal[] whole = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000L));
        return Optional.of(Duration.ofSeconds(whole[0].longValueExact(), whole[1].longValue()));
    }

    /** Writes a duration as {@link #parse} reads it: {@code 1h30m}, {@code 500ms}; parts below a microsecond are dropped. */
    public static String format(Duration duration) {
        StringBuilder text = new StringBuilder();
        Duration rest = duration;
        for (int unit = 0; unit < UNITS.length; unit++) {
            Duration length = Duration.ofNanos(UNIT_NANOS[unit]);
            long count = rest.dividedBy(length);
            if (count > 0) {
                text.append(count).append(UNITS[unit]);
                rest = rest.minus(length.multipliedBy(count));
            }
        }
        return text.isEmpty() ? "0s" : text.toString();
    }
}
