package siemload.scenario.rate;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.config.ValueType;

/**
 * How fast things happen, as a pure function of time: what is due at an instant depends on that instant alone, never on
 * what happened before. Time is in seconds from the start of the warm-up, negative before it. {@code toString} is how the
 * rate is written in a scenario file:
 *
 * <pre>
 * 200/s                                              also 200, 30/m and 100/h
 * ramp from 50/s to 500/s in 5m                      and 500/s from then on
 * steps 100/s for 1m, 200/s for 1m                   and the last one from then on; or ..., repeated
 * </pre>
 *
 * These are straight lines, one after the other; what is not repeated ends with one that goes on for ever. Immutable and thread-safe.
 */
public final class Rate {
    private static final String EXAMPLES =
            "200/s, ramp from 50/s to 500/s in 5m, steps 100/s for 1m, 200/s for 1m, repeated";
    private static final String AMOUNT = "([0-9_.]+)/([smh])";
    private static final Pattern CONSTANT = Pattern.compile(AMOUNT);
    private static final Pattern RAMP = Pattern.compile("ramp from " + AMOUNT + " to " + AMOUNT + " in (\\S+)");
    private static final Pattern STEPS = Pattern.compile("steps (.+?)(, ?repeated)?");
    private static final Pattern STEP = Pattern.compile(AMOUNT + " for (\\S+)");
    private static final ValueType<Duration> TIME = ValueType.duration(Duration.ofMillis(1), Duration.ofDays(3660));
    private static final int MOST_STEPS = 1_000;

    /** Nothing ever happens. */
    public static final Rate NONE = constant(0);

    private final List<Segment> segments;
    private final boolean isRepeated;
    private final String text;
    /** When each segment starts, and when the last one ends, in seconds. */
    private final double[] seconds;
    /** How many things are due by each of these times. */
    private final double[] due;

    /**
     * A straight line.
     *
     * @param from things a second at its start, 0 or more
     * @param to things a second at its end, 0 or more
     * @param seconds how long it takes, above 0, or for ever
     */
    private record Segment(double from, double to, double seconds) {
        static Segment forEver(double perSecond) {
            return new Segment(perSecond, perSecond, Double.POSITIVE_INFINITY);
        }

        /** How many things are due this long after its start. */
        double dueUntil(double at) {
            return from * at + (to - from) * at * at / (2 * seconds);
        }

        /** The first instant after its start by which this many things are due; they are, within it. */
        double secondsOf(double count) {
            if (count <= 0) {
                return 0;
            }
            double slope = (to - from) / seconds;
            double root = Math.sqrt(Math.max(0, from * from + 2 * slope * count));
            return Math.min(seconds, 2 * count / (from + root));
        }
    }

    /** @param segments at least one, and where they are repeated, one of them above 0 */
    private Rate(List<Segment> segments, boolean isRepeated, String text) {
        this.segments = segments;
        this.isRepeated = isRepeated;
        this.text = text;
        seconds = new double[segments.size() + 1];
        due = new double[segments.size() + 1];
        for (int i = 0; i < segments.size(); i++) {
            Segment segment = segments.get(i);
            seconds[i + 1] = seconds[i] + segment.seconds();
            due[i + 1] = due[i] + (segment.from() + segment.to()) / 2 * segment.seconds();
        }
    }

    /** The same rate all the time, 0 or more. */
    public static Rate constant(double perSecond) {
        BigDecimal rounded = BigDecimal.valueOf(perSecond).setScale(9, RoundingMode.HALF_EVEN);
        String text = rounded.stripTrailingZeros().toPlainString() + "/s";
        return new Rate(List.of(Segment.forEver(perSecond)), false, text);
    }

    /**
     * The rates of one thing.
     *
     * @param mostPerSecond the highest rate that is let through
     */
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
        Matcher ramp = RAMP.matcher(text);
        Matcher steps = STEPS.matcher(text);
        if (constant.matches()) {
            return constant(amount(constant, 1, most));
        } else if (ramp.matches()) {
            double to = amount(ramp, 3, most);
            Segment line = segment(amount(ramp, 1, most), to, ramp.group(5));
            return new Rate(List.of(line, Segment.forEver(to)), false, text);
        } else if (!steps.matches()) {
            throw new IllegalArgumentException(
                    ValueType.quoted(text) + " is not a rate (write for example " + EXAMPLES + ")");
        }
        List<Segment> segments = new ArrayList<>();
        for (String written : steps.group(1).split(", ?", -1)) {
            Matcher step = STEP.matcher(written);
            if (!step.matches() || segments.size() == MOST_STEPS) {
                throw new IllegalArgumentException(ValueType.quoted(written)
                        + " is not a step (write for example 100/s for 1m, at most " + MOST_STEPS + " times)");
            }
            double amount = amount(step, 1, most);
            segments.add(segment(amount, amount, step.group(3)));
        }
        boolean isRepeated = steps.group(2) != null;
        if (!isRepeated) {
            segments.add(Segment.forEver(segments.get(segments.size() - 1).to()));
        }
        return new Rate(segments, isRepeated, text);
    }

    private static Segment segment(double from, double to, String time) {
        return new Segment(from, to, TIME.parse(time).toNanos() / 1e9);
    }

    /** The amount and its unit, a second, a minute or an hour, that begin with this group. */
    private static double amount(Matcher written, int group, double most) {
        double perUnit = ValueType.number(0, Double.MAX_VALUE).parse(written.group(group));
        String unit = written.group(group + 1);
        double perSecond = unit.equals("s") ? perUnit : unit.equals("m") ? perUnit / 60 : perUnit / 3600;
        if (perSecond > most) {
            throw new IllegalArgumentException(
                    written.group(group) + "/" + unit + " is too fast (allowed: up to " + constant(most) + ")");
        }
        return perSecond;
    }

    /** Whether it is the same all the time. */
    public boolean isConstant() {
        return Double.isInfinite(seconds[1]);
    }

    /** Whether nothing ever happens. */
    public boolean isNone() {
        return equals(NONE);
    }

    /** How many things a second are due on average between two instants, of which the second is the later one. */
    public double mean(double fromSeconds, double untilSeconds) {
        return isConstant()
                ? segments.get(0).from()
                : (dueUntil(untilSeconds) - dueUntil(fromSeconds)) / (untilSeconds - fromSeconds);
    }

    /**
     * How many things are due from the start until this instant; it never falls. Before the start, minus the number of those
     * that would have been due from then on.
     */
    public double dueUntil(double at) {
        if (!isRepeated) {
            return dueInRound(at);
        }
        double round = Math.floor(at / last(seconds));
        return round * last(due) + dueInRound(at - round * last(seconds));
    }

    private double dueInRound(double at) {
        if (at < 0) {
            return at * segments.get(0).from();
        }
        int segment = 0;
        while (segment < segments.size() - 1 && seconds[segment + 1] <= at) {
            segment++;
        }
        return due[segment] + segments.get(segment).dueUntil(at - seconds[segment]);
    }

    /**
     * The first instant by which this many things are due; the inverse of {@link #dueUntil}.
     *
     * @param count need not be a whole number, and is negative for things before the start
     * @return infinite where that many never are
     */
    public double secondsOf(double count) {
        if (!isRepeated || count == 0) {
            return secondsInRound(count);
        }
        // The first instant by which all of a round are due is in that round, not at the start of the next one.
        double round = Math.ceil(count / last(due)) - 1;
        return round * last(seconds) + secondsInRound(count - round * last(due));
    }

    private double secondsInRound(double count) {
        if (count < 0) {
            return count / segments.get(0).from();
        }
        int segment = 0;
        while (segment < segments.size() - 1 && due[segment + 1] < count) {
            segment++;
        }
        return seconds[segment] + segments.get(segment).secondsOf(count - due[segment]);
    }

    private static double last(double[] values) {
        return values[values.length - 1];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Rate rate && rate.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
