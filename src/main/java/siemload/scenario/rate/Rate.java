package siemload.scenario.rate;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.config.ValueType;
import siemload.dataset.FeedEvents.CapturedTimes;

/**
 * How fast things happen, as a pure function of time: what is due at an instant depends on that instant alone, never on
 * what happened before. Time is in seconds from the start of the warm-up, negative before it. {@code toString} is how the
 * rate is written in a scenario file:
 *
 * <pre>
 * 200/s                                              also 30/m and 100/h; of events also 200
 * ramp from 50/s to 500/s in 5m                      and 500/s from then on
 * steps 100/s for 1m, 200/s for 1m                   and the last one from then on; or ..., repeated
 * as captured x 2                                    as the data set was recorded, twice as fast; of events alone
 * </pre>
 *
 * Immutable and thread-safe.
 */
public sealed interface Rate permits ConstantRate, Rate.Captured, Rate.Segments {
    /**
     * How many things are due from the start until this instant; it never falls. Before the start, minus the number of those
     * that would have been due from then on.
     */
    double dueUntil(double seconds);

    /**
     * The first instant by which this many things are due; the inverse of {@link #dueUntil}.
     *
     * @param count need not be a whole number, and is negative for things before the start
     * @return infinite where that many never are
     */
    double secondsOf(double count);

    /** How many things a second are due on average between two instants, of which the second is the later one. */
    default double mean(double fromSeconds, double untilSeconds) {
        return (dueUntil(untilSeconds) - dueUntil(fromSeconds)) / (untilSeconds - fromSeconds);
    }

    /** Whether nothing ever happens. */
    default boolean isNone() {
        return equals(ConstantRate.NONE);
    }

    /**
     * The rates of one thing.
     *
     * @param mostPerSecond the highest rate that is let through
     */
    static ValueType<Rate> type(double mostPerSecond) {
        return Written.type(Written.EXAMPLES, mostPerSecond);
    }

    /** The rates of events, which may be written as a number, and, where some were captured, come as they did then. */
    static ValueType<Rate> ofEvents(double mostPerSecond) {
        ValueType<Double> number = ValueType.number(0, mostPerSecond);
        ValueType<Rate> others = type(mostPerSecond);
        return ValueType.of("rate, for example 200, as captured, " + Written.EXAMPLES, ConstantRate.NONE, text -> {
            Matcher captured = Written.CAPTURED.matcher(Written.tidy(text));
            if (captured.matches()) {
                double times = captured.group(1) == null ? 1 : Written.TIMES.parse(captured.group(1));
                return new Captured(times, Optional.empty());
            }
            return text.matches("[-+0-9_.eE]+") ? new ConstantRate(number.parse(text)) : others.parse(text);
        });
    }

    /**
     * Events come as they were captured, with the gaps between them, a number of times as fast; the recording begins again after
     * its end. Whose recording is not known from the text alone: what is due can be asked once there is one, see {@link #of}.
     *
     * @param times as fast as captured, above 0
     * @param captured when the events came, once known
     */
    record Captured(double times, Optional<CapturedTimes> captured) implements Rate {
        private static final double MICROS = 1e6;

        /** The rate at which these events came. */
        public Rate of(CapturedTimes events) {
            return new Captured(times, Optional.of(events));
        }

        @Override
        public double dueUntil(double seconds) {
            return captured.orElseThrow().countUntil(seconds * MICROS * times);
        }

        /** The first of the events is due at the start, and each of them at once: between two counts, none is. */
        @Override
        public double secondsOf(double count) {
            return captured.orElseThrow().micros((long) Math.ceil(count) - 1) / MICROS / times;
        }

        @Override
        public boolean isNone() {
            return false;
        }

        @Override
        public String toString() {
            String factor = BigDecimal.valueOf(times).stripTrailingZeros().toPlainString();
            return times == 1 ? "as captured" : "as captured x " + factor;
        }
    }

    /** Straight lines, one after the other. The last one's end is held for ever, or all of them come again and again; likewise before the start. */
    final class Segments implements Rate {
        private final List<Segment> segments;
        private final boolean isRepeated;
        private final String text;
        /** When each segment starts, and when the last one ends, in seconds. */
        private final double[] seconds;
        /** How many things are due by each of these times. */
        private final double[] due;

        private final double length;
        private final double total;

        /**
         * A straight line.
         *
         * @param from things a second at its start, 0 or more
         * @param to things a second at its end, 0 or more
         * @param seconds how long it takes, above 0
         */
        private record Segment(double from, double to, double seconds) {
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
        private Segments(List<Segment> segments, boolean isRepeated, String text) {
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
            length = seconds[segments.size()];
            total = due[segments.size()];
        }

        @Override
        public double dueUntil(double at) {
            double round = isRepeated ? Math.floor(at / length) : 0;
            double inRound = at - round * length;
            return round * total + dueInRound(inRound);
        }

        private double dueInRound(double at) {
            if (at < 0) {
                return at * segments.get(0).from();
            }
            if (at >= length) {
                return total + (at - length) * last().to();
            }
            int segment = 0;
            while (segment < segments.size() - 1 && seconds[segment + 1] <= at) {
                segment++;
            }
            return due[segment] + segments.get(segment).dueUntil(at - seconds[segment]);
        }

        @Override
        public double secondsOf(double count) {
            // The first instant by which all of a round are due is in that round, not at the start of the next one.
            double round = isRepeated && count != 0 ? Math.ceil(count / total) - 1 : 0;
            return round * length + secondsInRound(count - round * total);
        }

        private double secondsInRound(double count) {
            if (count < 0) {
                return new ConstantRate(segments.get(0).from()).secondsOf(count);
            }
            if (count > total) {
                return length + new ConstantRate(last().to()).secondsOf(count - total);
            }
            int segment = 0;
            while (due[segment + 1] < count) {
                segment++;
            }
            return seconds[segment] + segments.get(segment).secondsOf(count - due[segment]);
        }

        private Segment last() {
            return segments.get(segments.size() - 1);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Segments rate && rate.text.equals(text);
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

    /** Rates as people write them. */
    final class Written {
        private static final String EXAMPLES =
                "200/s, ramp from 50/s to 500/s in 5m, steps 100/s for 1m, 200/s for 1m, repeated";
        private static final String AMOUNT = "([0-9_.]+)/([smh])";
        private static final Pattern CONSTANT = Pattern.compile(AMOUNT);
        private static final Pattern RAMP = Pattern.compile("ramp from " + AMOUNT + " to " + AMOUNT + " in (\\S+)");
        private static final Pattern STEPS = Pattern.compile("steps (.+?)(, ?repeated)?");
        private static final Pattern STEP = Pattern.compile(AMOUNT + " for (\\S+)");
        private static final Pattern CAPTURED = Pattern.compile("as captured(?: x ([0-9_.]+))?");
        private static final ValueType<Double> TIMES = ValueType.number(0.001, 1_000_000);
        private static final ValueType<Duration> TIME = ValueType.duration(Duration.ofMillis(1), Duration.ofDays(3660));
        private static final int MOST_STEPS = 1_000;

        private Written() {}

        private static ValueType<Rate> type(String examples, double mostPerSecond) {
            return ValueType.of("rate, for example " + examples, ConstantRate.NONE, text -> {
                Rate rate = parse(tidy(text), mostPerSecond);
                return rate.dueUntil(1e9) == 0 ? ConstantRate.NONE : rate;
            });
        }

        private static String tidy(String text) {
            return text.strip().replaceAll("\\s+", " ");
        }

        private static Rate parse(String text, double most) {
            Matcher constant = CONSTANT.matcher(text);
            Matcher ramp = RAMP.matcher(text);
            Matcher steps = STEPS.matcher(text);
            if (constant.matches()) {
                return new ConstantRate(amount(constant, 1, most));
            } else if (ramp.matches()) {
                double from = amount(ramp, 1, most);
                return new Segments(List.of(segment(from, amount(ramp, 3, most), ramp.group(5))), false, text);
            } else if (!steps.matches()) {
                throw new IllegalArgumentException(
                        ValueType.quoted(text) + " is not a rate (write for example " + EXAMPLES + ")");
            }
            List<Segments.Segment> segments = new ArrayList<>();
            for (String written : steps.group(1).split(", ?", -1)) {
                Matcher step = STEP.matcher(written);
                if (!step.matches() || segments.size() == MOST_STEPS) {
                    throw new IllegalArgumentException(ValueType.quoted(written)
                            + " is no step (write for example 100/s for 1m, at most " + MOST_STEPS + " times)");
                }
                double amount = amount(step, 1, most);
                segments.add(segment(amount, amount, step.group(3)));
            }
            return new Segments(segments, steps.group(2) != null, text);
        }

        private static Segments.Segment segment(double from, double to, String time) {
            return new Segments.Segment(from, to, TIME.parse(time).toNanos() / 1e9);
        }

        /** The amount and its unit, a second, a minute or an hour, that begin with this group. */
        private static double amount(Matcher written, int group, double most) {
            double perUnit = ValueType.number(0, Double.MAX_VALUE).parse(written.group(group));
            String unit = written.group(group + 1);
            double perSecond = unit.equals("s") ? perUnit : unit.equals("m") ? perUnit / 60 : perUnit / 3600;
            if (perSecond > most) {
                throw new IllegalArgumentException(written.group(group) + "/" + unit + " is too fast (allowed: up to "
                        + new ConstantRate(most) + ")");
            }
            return perSecond;
        }
    }
}
