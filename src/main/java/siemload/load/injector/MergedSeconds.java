package siemload.load.injector;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleConsumer;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.run.InjectorSecond;

/**
 * Adds up what injectors measured in the same second, in the order of the seconds: a second is complete when each injector has
 * told a later one, or has ended. Histograms are added, so that the recorders hold what one process would have recorded. Used by
 * one thread.
 */
final class MergedSeconds {
    private final LatencyRecorder searches;
    private final FeederRecorder feeder;
    private final DoubleConsumer ended;
    private final long[] last;
    private final SortedMap<Long, List<InjectorSecond>> pending = new TreeMap<>();

    /**
     * Merges seconds into recorders that nobody else records with.
     *
     * @param ended hears of each second when the recorders hold it and none behind it
     */
    MergedSeconds(int injectors, LatencyRecorder searches, FeederRecorder feeder, DoubleConsumer ended) {
        this.searches = searches;
        this.feeder = feeder;
        this.ended = ended;
        this.last = new long[injectors];
        Arrays.fill(last, Long.MIN_VALUE);
    }

    /** Takes a second of an injector. */
    void take(int injector, InjectorSecond second) {
        // Timers are late by some milliseconds.
        long whole = Math.round(second.second());
        pending.computeIfAbsent(whole, unused -> new ArrayList<>()).add(second);
        last[injector] = whole;
        mergeComplete();
    }

    /** Nothing more comes from an injector. */
    void end(int injector) {
        last[injector] = Long.MAX_VALUE;
        mergeComplete();
    }

    private void mergeComplete() {
        long told = Arrays.stream(last).min().orElse(Long.MAX_VALUE);
        while (!pending.isEmpty() && pending.firstKey() < told) {
            long second = pending.firstKey();
            List<InjectorSecond> parts = Objects.requireNonNull(pending.remove(second), "it is the first key");
            for (InjectorSecond part : parts) {
                searches.add(part.searches());
                feeder.add(part.feeder());
            }
            boolean isLast = told == Long.MAX_VALUE && pending.isEmpty();
            ended.accept(isLast ? latest(parts) : second);
        }
    }

    /** The last one may be longer or shorter than a second. */
    private static double latest(List<InjectorSecond> parts) {
        return parts.stream().mapToDouble(InjectorSecond::second).max().orElseThrow();
    }
}
