package siemload.config;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them: {@code 500ms}, {@code 30s}, {@code 1.5s}, {@code 5m}, {@code 1h30m}, {@code 7d}, or
 * ISO-8601 ({@code PT30S}). Stateless and thread-safe.
 */
public final class Durations {
    private static final Pattern PARTS = Pattern.compile(
            "(?:([0-9.]+)d)?(?:([0-9.]+)h)?(?:([0-9.]+)m)?(?:([0-9.]+)s)?" + "(?:([0-9.]+)ms)?(?:([0-9.]+)us)?");
    private static final Pattern AMOUNT = Pattern.compile("[0-9]{1,15}(\\.[0-9]{1,9})?");
    private static final String[] UNITS = {"d", "h", "m", "s", "ms", "us"};
    private static final long[] UNIT_NANOS = {
        86_400_000_000_000L, 3_600_000_000_000L, 60_000_000_000L, 1_000_000_000L, 1_000_000L, 1_000L
    };

    /** Arithmetic takes longer than linear time. */
    private static final int MOST_CHARACTERS = 100;

    private Durations() {}

    /** The duration that is written here, 0 or more, or nothing if it is none. */
    public static Optional<Duration> parse(String text) {
        if (text.length() > MOST_CHARACTERS) {
            return Optional.empty();
        }
        try {
            return text.toUpperCase(Locale.ROOT).startsWith("P") ? iso(text) : parts(text);
        } catch (DateTimeException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    /** As {@link #parse} reads it: {@code 1h30m}, {@code 500ms}; below a microsecond nothing is shown. */
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

    private static Optional<Duration> iso(String text) {
        return Optional.of(Duration.parse(text)).filter(duration -> !duration.isNegative());
    }

    private static Optional<Duration> parts(String text) {
        Matcher matcher = PARTS.matcher(text);
        if (text.isEmpty() || !matcher.matches()) {
            return Optional.empty();
        }
        Duration sum = Duration.ZERO;
        for (int unit = 0; unit < UNITS.length; unit++) {
            String amount = matcher.group(unit + 1);
            if (amount != null) {
                if (!AMOUNT.matcher(amount).matches()) {
                    return Optional.empty();
                }
                sum = sum.plus(times(new BigDecimal(amount), UNIT_NANOS[unit]));
            }
        }
        return Optional.of(sum);
    }

    private static Duration times(BigDecimal amount, long unitNanos) {
        BigDecimal nanos = amount.multiply(BigDecimal.valueOf(unitNanos));
        BigDecimal[] parts = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000L));
        return Duration.ofSeconds(parts[0].longValueExact(), parts[1].longValue());
    }
}
