package siemload.results.statistics;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.hipparchus.special.Beta;
import siemload.results.LoggedInterval;
import siemload.results.MicrosSummary.MicrosInterval;
import siemload.results.TimeMetric;

/**
 * The 95 % intervals of percentiles from the times of each second: {@link PercentileRanks order statistics} of as many
 * independent times as those of the run are worth by their {@link DesignEffect}. Simulated coverage is in docs/adr/031. What a
 * run did not meet, such as a stall in every tenth minute, no interval of it can tell. Stateless.
 */
public final class PercentileIntervals {
    /** Longer runs are counted by spans of several seconds, so that a day costs no more than ten minutes. */
    private static final int MOST_SPANS = 600;

    /** Fewer do not show whether seconds are alike. */
    private static final int FEWEST_SECONDS = 4;

    private PercentileIntervals() {}

    /** Times, to be gone through twice. */
    @FunctionalInterface
    public interface Source {
        void read(Consumer<LoggedInterval> reader) throws IOException;
    }

    /**
     * Reads one log of a run twice.
     *
     * @param groups what the times of an interval are counted with, by any names
     * @return the intervals of each group by the name of the percentile, as {@link siemload.results.MicrosSummary} has it; none for runs of less
     *     than four seconds
     * @throws IOException if the log cannot be read
     */
    public static Map<String, Map<String, MicrosInterval>> read(
            Path directory, TimeMetric metric, Function<LoggedInterval, Collection<String>> groups) throws IOException {
        return of(reader -> LoggedInterval.read(directory, metric, reader), groups);
    }

    /** The same of times that are in no log; intervals may come in any order. */
    public static Map<String, Map<String, MicrosInterval>> of(
            Source source, Function<LoggedInterval, Collection<String>> groups) throws IOException {
        Map<String, SecondsOfTimes> times = new TreeMap<>();
        int[] seconds = new int[1];
        source.read(interval -> {
            seconds[0] = Math.max(seconds[0], second(interval) + 1);
            groups.apply(interval)
                    .forEach(group -> times.computeIfAbsent(group, unused -> new SecondsOfTimes())
                            .add(interval.times()));
        });
        Map<String, Map<String, MicrosInterval>> intervals = new TreeMap<>();
        if (seconds[0] >= FEWEST_SECONDS) {
            int secondsOfSpan = (seconds[0] + MOST_SPANS - 1) / MOST_SPANS;
            times.values().forEach(one -> one.startCounting((seconds[0] + secondsOfSpan - 1) / secondsOfSpan));
            source.read(interval -> {
                List<SecondsOfTimes> counting = groups.apply(interval).stream()
                        .map(group -> Objects.requireNonNull(times.get(group), "known from the first round"))
                        .toList();
                int span = second(interval) / secondsOfSpan;
                // Once for all groups: a histogram has thousands of cells for a handful of searches.
                for (HistogramIterationValue value : interval.times().recordedValues()) {
                    counting.forEach(
                            one -> one.count(span, value.getValueIteratedTo(), value.getCountAtValueIteratedTo()));
                }
            });
            times.forEach((group, one) -> intervals.put(group, one.intervals()));
        }
        return intervals;
    }

    /** How many independent times a percentile, between 0 and 1, takes so that its interval has an upper end. */
    public static long fewest(double percentile) {
        return PercentileRanks.fewest(percentile);
    }

    /** In which second of the measured phase an interval ended, from 0 on. */
    private static int second(LoggedInterval interval) {
        return (int) Math.max(0, Math.round(interval.endSecond()) - 1);
    }

    /**
     * Times of one kind, to be gone through twice: all of them are {@link #add added}, then each second's are {@link #count counted}
     * against the percentiles of all. Used by one thread.
     */
    private static final class SecondsOfTimes {
        private static final Map<String, Double> PERCENTILES =
                new TreeMap<>(Map.of("p50", 0.5, "p90", 0.9, "p95", 0.95, "p99", 0.99, "p999", 0.999));
        private static final double PERCENT = 100;
        private static final double HALF = 0.5;

        private final Histogram all = new Histogram(3);
        private final List<Percentile> percentiles = new ArrayList<>();
        /** How many times there are in each span. */
        private long[] counts = {};

        /** How many times of each span are above one percentile, and how many are equal to it. */
        private record Percentile(String name, double share, long micros, List<long[]> aboveAndEqual) {}

        /** Adds times in the first round. */
        void add(Histogram times) {
            all.add(times);
        }

        /**
         * Ends the first round.
         *
         * @param spans how many spans of seconds are counted apart
         */
        void startCounting(int spans) {
            counts = new long[spans];
            PERCENTILES.forEach((name, share) -> percentiles.add(new Percentile(
                    name,
                    share,
                    all.getValueAtPercentile(PERCENT * share),
                    List.of(new long[spans], new long[spans]))));
        }

        /** Adds equal times of a span in the second round. */
        void count(int span, long time, long times) {
            long micros = all.highestEquivalentValue(time);
            counts[span] += times;
            for (Percentile percentile : percentiles) {
                if (micros >= percentile.micros) {
                    percentile.aboveAndEqual.get(micros > percentile.micros ? 0 : 1)[span] += times;
                }
            }
        }

        /** The interval of each percentile by its name, after both rounds; none of no times. */
        Map<String, MicrosInterval> intervals() {
            Map<String, MicrosInterval> intervals = new TreeMap<>();
            for (Percentile one : all.getTotalCount() == 0 ? List.<Percentile>of() : percentiles) {
                double independent = all.getTotalCount() / designEffect(one);
                double low = PercentileRanks.lower(one.share, independent).orElse(0);
                double high = PercentileRanks.upper(one.share, independent).orElse(1);
                intervals.put(one.name, new MicrosInterval(at(low, 0), at(high, MicrosInterval.OPEN)));
            }
            return intervals;
        }

        /**
         * Of those equal to the percentile, such a part counts as above it that exactly the share does which is above a
         * percentile: the deviations add up to 0.
         */
        private double designEffect(Percentile of) {
            long[] above = of.aboveAndEqual.get(0);
            long[] equal = of.aboveAndEqual.get(1);
            double total = LongStream.of(counts).sum();
            double part = ((1 - of.share) * total - LongStream.of(above).sum())
                    / LongStream.of(equal).sum();
            double[] deviations = new double[counts.length];
            for (int i = 0; i < deviations.length; i++) {
                deviations[i] = above[i] + part * equal[i] - (1 - of.share) * counts[i];
            }
            return DesignEffect.of(deviations, of.share * (1 - of.share) * total);
        }

        /** The time at this share of n + 1, between two ranks in proportion. */
        private long at(double share, long beyond) {
            double rank = (all.getTotalCount() + 1) * share;
            long below = (long) rank;
            if (below < 1 || rank > all.getTotalCount()) {
                return beyond;
            }
            double lower = atRank(below);
            return Math.round(lower + (rank - below) * (atRank(Math.min(below + 1, all.getTotalCount())) - lower));
        }

        /** Half a rank less, as the histogram goes up to the next whole rank. */
        private long atRank(long rank) {
            return all.getValueAtPercentile(PERCENT * (rank - HALF) / all.getTotalCount());
        }
    }

    /**
     * Between which ranks a percentile lies with 95 %: order statistics, at ranks between the whole ones, too (Hutson, Calculating
     * nonparametric confidence intervals for quantiles using fractional order statistics, Journal of Applied Statistics 26, 1999).
     * The share of all times at or below the one of rank {@code (n + 1) u} has the distribution Beta((n + 1) u, (n + 1) (1 - u)).
     * Stateless.
     */
    static final class PercentileRanks {
        private static final double TAIL = 0.025;
        private static final int HALVINGS = 45;

        private PercentileRanks() {}

        /**
         * The lower end, as a share of {@code n + 1}.
         *
         * @param percentile 0 to 1, without both
         * @param times how many independent times there are
         * @return empty if there are too few: all of them may lie above the percentile
         */
        static OptionalDouble lower(double percentile, double times) {
            return Math.pow(1 - percentile, times) > TAIL
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(share(percentile, times, 1 - TAIL));
        }

        /** The upper end, likewise. */
        static OptionalDouble upper(double percentile, double times) {
            return Math.pow(percentile, times) > TAIL
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(share(percentile, times, TAIL));
        }

        /** With how many independent times there is an upper end. */
        static long fewest(double percentile) {
            return (long) Math.ceil(Math.log(TAIL) / Math.log(percentile));
        }

        /** The share at which the percentile is no less than a time of that rank with this probability. */
        private static double share(double percentile, double times, double probability) {
            double from = 0;
            double to = 1;
            for (int i = 0; i < HALVINGS; i++) {
                double middle = (from + to) / 2;
                double below = Beta.regularizedBeta(percentile, (times + 1) * middle, (times + 1) * (1 - middle));
                if (below > probability) {
                    from = middle;
                } else {
                    to = middle;
                }
            }
            return (from + to) / 2;
        }
    }
}
