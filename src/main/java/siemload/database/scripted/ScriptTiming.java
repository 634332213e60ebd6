package siemload.database.scripted;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.query.SearchName;

/**
 * How fast a script goes, as the parameters of the run say: so that two variants differ by exactly what is known.
 *
 * <ul>
 *   <li>{@code delay=500us} or {@code delay=10%}: how much longer each answer takes; 0 unless given.
 *   <li>{@code median=5ms}: answers take times drawn from a log-normal distribution with this median in place of those of
 *       {@link Behaviour}; the same ones in the same order in each run.
 *   <li>{@code sigma=0.4}: the standard deviation of their logarithm, 0 to 2.
 *   <li>{@code seed=1}: what they are drawn from.
 *   <li>{@code workers=8}: how many searches the server works on at once, others wait there for one of them to end; all of
 *       them unless given.
 * </ul>
 *
 * Immutable and thread-safe.
 *
 * @param workers 0 where there is no limit
 * @param medianNanos 0 for the times of {@link Behaviour}
 * @param delayRatio how much longer an answer takes, as a part of its time
 * @param delayNanos how much longer an answer takes beside that
 */
record ScriptTiming(int workers, long medianNanos, double sigma, long seed, double delayRatio, long delayNanos) {
    /** The times of {@link Behaviour}, as they are. */
    static final ScriptTiming BY_SEARCH = new ScriptTiming(0, 0, 0.4, 1, 0, 0);

    private static final Pattern AMOUNT = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)(us|ms|s|%|)");
    private static final double MOST_SIGMA = 2;
    /** Odd, near the golden ratio: neighbouring numbers lead to seeds far apart. */
    private static final long STEP = 0x9E37_79B9_7F4A_7C15L;

    /** Why these are no parameters of a script; empty if they are. */
    static Optional<String> refusal(Map<String, String> parameters) {
        List<String> problems = new ArrayList<>();
        parameters.forEach((name, value) -> {
            boolean good = switch (name) {
                case "delay" -> amount(value).filter(unit -> !unit.equals("")).isPresent();
                case "median" ->
                    amount(value)
                            .filter(unit -> !unit.equals("") && !unit.equals("%"))
                            .isPresent();
                case "sigma" -> amount(value).filter(""::equals).isPresent() && Double.parseDouble(value) <= MOST_SIGMA;
                case "workers" -> value.matches("[1-9]\\d{0,3}");
                case "seed" -> value.matches("\\d{1,18}");
                default -> false;
            };
            if (!good) {
                problems.add(name + "=" + value);
            }
        });
        return problems.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "'" + problems.get(0) + "' is not understood (allowed: delay=500us or delay=10%, median=5ms,"
                                + " sigma=0.4 from 0 to 2, seed=1, workers=8 from 1 to 9999)");
    }

    /** What the parameters say, which are not refused. */
    static ScriptTiming of(Map<String, String> parameters) {
        String delay = parameters.getOrDefault("delay", "0us");
        boolean relative = delay.endsWith("%");
        return new ScriptTiming(
                Integer.parseInt(parameters.getOrDefault("workers", "0")),
                nanos(parameters.getOrDefault("median", "0us")),
                Double.parseDouble(parameters.getOrDefault("sigma", Double.toString(BY_SEARCH.sigma))),
                Long.parseLong(parameters.getOrDefault("seed", Long.toString(BY_SEARCH.seed))),
                relative ? Double.parseDouble(delay.substring(0, delay.length() - 1)) / 100 : 0,
                relative ? 0 : nanos(delay));
    }

    /** Whether the times are drawn, and not those of {@link Behaviour}. */
    boolean isDrawn() {
        return medianNanos > 0;
    }

    /** The time of one answer without the delay. */
    long drawn(SearchName search, long number) {
        long stream = seed * STEP + search.name().hashCode();
        double normal = new SplittableRandom((stream * STEP + number) * STEP).nextGaussian();
        return Math.round(medianNanos * Math.exp(sigma * normal));
    }

    /** A time with the delay. */
    long delayed(long nanos) {
        return Math.round(nanos * (1 + delayRatio)) + delayNanos;
    }

    /** The unit of an amount; empty where it is none. */
    private static Optional<String> amount(String text) {
        Matcher amount = AMOUNT.matcher(text);
        return amount.matches() ? Optional.of(amount.group(2)) : Optional.empty();
    }

    private static long nanos(String text) {
        Matcher amount = AMOUNT.matcher(text);
        if (!amount.matches()) {
            throw new IllegalArgumentException(String.format(Locale.ROOT, "no time: %s", text));
        }
        long unit = switch (amount.group(2)) {
            case "us" -> Duration.ofNanos(1_000).toNanos();
            case "ms" -> Duration.ofMillis(1).toNanos();
            default -> Duration.ofSeconds(1).toNanos();
        };
        return Math.round(Double.parseDouble(amount.group(1)) * unit);
    }
}
