package siemload.scenario;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.config.ValueType;

/**
 * A rate of events or of users, as a pure function of time: what is due at an instant depends only on that instant, never on what happened
 * before. Time is in seconds from the start of the warm-up, negative before it. {@code toString} returns the notation of scenario files:
 *
 * <pre>
 * 200/s                                              also 200, 30/m and 100/h
 * ramp from 50/s to 500/s in 5m                      in 100 equal steps, and 500/s from then on
 * steps 100/s for 1m, 200/s for 1m                   and the last one from then on
 * </pre>
 *
 * Immutable and thread-safe.
 *
 * @param steps one or more, in order; the last one never ends
 */
public record Rate(List<Step> steps, String text) {
    private static final String EXAMPLES = "200/s, ramp from 50/s to 500/s in 5m, steps 100/s for 1m, 200/s for 1m";
    private static final Pattern CONSTANT = Pattern.compile("([0-9_.]+)/([smh])");
    private static final Pattern STEP = Pattern.compile(CONSTANT + " for (\\S+)");
    private static final String STEPS = "steps ";
    private static final Pattern RAMP = Pattern.compile("ramp from " + CONSTANT + " to " + CONSTANT + " in (\\S+)");
    private static final int RAMP_STEPS = 100;
    private static final ValueType<Duration> TIME = ValueType.duration(Duration.ofMillis(1), Duration.ofDays(3660));
    private static final int MOST_STEPS = 1_000;
    /** A time so long that it means never, yet differences of instants do not overflow. */
    private static final double LONGEST_NANOS = 1L << 61;

    /** The rate at which nothing ever happens. */
    public static final Rate NONE = constant(0);

    /**
     * A constant rate for some time.
     *
     * @param start when the step begins, in seconds
     * @param before how many events or users are due until the step begins
     * @param perSecond events or users per second, 0 or more
     * @param seconds how long the step lasts, if another step follows
     */
    record Step(double start, double before, double perSecond, double seconds) {}

    /** Returns a rate that never changes, 0 or more. */
    public static Rate constant(double perSecond) {
        BigDecimal rounded = BigDecimal.valueOf(perSecond).setScale(9, RoundingMode.HALF_EVEN);
        String text = rounded.stripTrailingZeros().toPlainString() + "/s";
        return new Rate(List.of(new Step(0, 0, perSecond, 0)), text);
    }

    /** Returns the notation of rates up to this many events or users per second. */
    public static ValueType<Rate> type(double mostPerSecond) {
        ValueType<Double> number = ValueType.number(0, mostPerSecond);
        return new ValueType<>("rate, for example " + EXAMPLES, NONE, text -> {
            if (text.matches("[-+0-9_.eE]+")) {
                return constant(number.parse(text));
            }
            Rate rate = parse(text.strip().replaceAll("\\s+", " "), mostPerSecond);
            return rate.dueUntil(1e9) == 0 ? NONE : rate;
        });
    }

    private static Rate parse(String text, double most) {
        Matcher constant = CONSTANT.matcher(text);
        if (constant.matches()) {
            return constant(amount(constant, 1, most));
        }
        List<Step> steps = new ArrayList<>();
        Matcher ramp = RAMP.matcher(text);
        if (ramp.matches()) {
            double from = amount(ramp, 1, most);
            double to = amount(ramp, 3, most);
            double seconds = seconds(ramp.group(5)) / RAMP_STEPS;
            for (int i = 0; i < RAMP_STEPS; i++) {
                add(steps, from + (to - from) * (i + 0.5) / RAMP_STEPS, seconds);
            }
            add(steps, to, 0);
            return new Rate(List.copyOf(steps), text);
        } else if (!text.startsWith(STEPS)) {
            throw new IllegalArgumentException(
                    ValueType.quoted(text) + " is not a rate (write for example " + EXAMPLES + ")");
        }
        for (String written : text.substring(STEPS.length()).split(", ?", -1)) {
            Matcher step = STEP.matcher(written);
            String unlike = " is not a step (write for example 100/s for 1m, at most " + MOST_STEPS + " times)";
            ValueType.require(step.matches() && steps.size() < MOST_STEPS, ValueType.quoted(written) + unlike);
            add(steps, amount(step, 1, most), seconds(step.group(3)));
        }
        return new Rate(List.copyOf(steps), text);
    }

    private static void add(List<Step> steps, double perSecond, double seconds) {
        Step last = steps.isEmpty() ? new Step(0, 0, 0, 0) : steps.get(steps.size() - 1);
        steps.add(new Step(last.start + last.seconds, last.before + last.perSecond * last.seconds, perSecond, seconds));
    }

    private static double seconds(String written) {
        return TIME.parse(written).toNanos() / 1e9;
    }

    /** Returns the rate per second of the number in this group, with the unit in the next group: second, minute or hour. */
    private static double amount(Matcher written, int group, double most) {
        double perUnit = ValueType.number(0, Double.MAX_VALUE).parse(written.group(group));
        String unit = written.group(group + 1);
        double perSecond = unit.equals("s") ? perUnit : unit.equals("m") ? perUnit / 60 : perUnit / 3600;
        String fast = written.group(group) + "/" + unit + " is too fast (allowed: up to " + constant(most) + ")";
        ValueType.require(perSecond <= most, fast);
        return perSecond;
    }

    /** Returns whether the rate is constant. */
    public boolean isConstant() {
        return steps.size() == 1;
    }

    /** Returns whether nothing ever happens at this rate. */
    public boolean isNone() {
        return equals(NONE);
    }

    /** Returns the mean rate per second between two instants, of which {@code untilSeconds} is the later one. */
    public double mean(double fromSeconds, double untilSeconds) {
        return isConstant()
                ? steps.get(0).perSecond
                : (dueUntil(untilSeconds) - dueUntil(fromSeconds)) / (untilSeconds - fromSeconds);
    }

    /**
     * Returns how many events or users are due from the start until this instant; the number never decreases. For an instant before the
     * start, the result is minus the number that would have been due between that instant and the start.
     */
    public double dueUntil(double at) {
        Step step = last(Step::start, Math.nextUp(at));
        return step.before + step.perSecond * (at - step.start);
    }

    /**
     * Returns the first instant, in seconds, by which this many events or users are due; infinite if they never are. This is the inverse of
     * {@link #dueUntil}: the number need not be whole, and is negative before the start.
     */
    double secondsOf(double count) {
        Step step = last(Step::before, count);
        return count == step.before ? step.start : step.start + (count - step.before) / step.perSecond;
    }

    /** Returns {@link #secondsOf} in whole nanoseconds, at most 73 years before or after the start. */
    public long nanosOf(double count) {
        return Math.round(Math.max(-LONGEST_NANOS, Math.min(LONGEST_NANOS, secondsOf(count) * 1e9)));
    }

    /** Returns the last step that begins before this end, or the first step. */
    private Step last(ToDoubleFunction<Step> begin, double end) {
        Step last = steps.get(0);
        for (int i = 1; i < steps.size() && begin.applyAsDouble(steps.get(i)) < end; i++) {
            last = steps.get(i);
        }
        return last;
    }

    @Override
    public String toString() {
        return text;
    }
}
