package siemload.results.statistics;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import siemload.results.LatencyLogReader;
import siemload.results.LoggedInterval;
import siemload.results.MicrosInterval;
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
        return of(reader -> LatencyLogReader.read(directory, metric, reader), groups);
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
                DistinctTimes distinct = DistinctTimes.of(interval.times());
                groups.apply(interval)
                        .forEach(group -> Objects.requireNonNull(times.get(group), "known from the first round")
                                .count(second(interval) / secondsOfSpan, distinct));
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
}
