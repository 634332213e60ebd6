package siemload.load.injector;

import java.util.Arrays;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleConsumer;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.RecordedSum;
import siemload.run.InjectorSecond;

/**
 * Adds up what injectors measured in the same second, in the order of the seconds: a second is complete when each injector has
 * told a later one, or has ended. Histograms are added, so that the recorders hold what one process would have recorded. What comes
 * is added at once to its second, so that seconds that wait take the room of one injector each, however many there are. Used by
 * one thread.
 */
final class MergedSeconds {
    private final LatencyRecorder searches;
    private final FeederRecorder feeder;
    private final DoubleConsumer ended;
    private final long[] last;
    private final SortedMap<Long, Pending> pending = new TreeMap<>();

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

    /** A second of which some injectors have told. */
    private static final class Pending {
        private final RecordedSum sum = new RecordedSum();
        /** The last one of a run may be longer or shorter than a second. */
        private double latest = Double.NEGATIVE_INFINITY;
    }

    /** Takes a second of an injector, with its histograms. */
    void take(int injector, InjectorSecond second) {
        // Timers are late by some milliseconds.
        long whole = Math.round(second.second());
        Pending of = pending.computeIfAbsent(whole, unused -> new Pending());
        of.sum.add(second.searches());
        of.sum.add(second.feeder());
        of.latest = Math.max(of.latest, second.second());
        last[injector] = whole;
        mergeComplete();
    }

    /** Nothing more comes from an injector. */
    void end(int injector) {
        last[injector] = Long.MAX_VALUE;
        mergeComplete();
    }

    private void mergeComplete() {
        if (pending.isEmpty()) {
            return;
        }
        long told = Arrays.stream(last).min().orElse(Long.MAX_VALUE);
        while (!pending.isEmpty() && pending.firstKey() < told) {
            long second = pending.firstKey();
            Pending whole = Objects.requireNonNull(pending.remove(second), "it is the first key");
            searches.add(whole.sum.searches());
            feeder.add(whole.sum.feeder());
            boolean isLast = told == Long.MAX_VALUE && pending.isEmpty();
            ended.accept(isLast ? whole.latest : second);
        }
    }
}
