package siemload.results.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import siemload.results.JobItem;

/**
 * How a job went, from when it was submitted to the end of its last item. Its steady part begins when as many items are at work
 * as ever may be, and ends when the last item is started: from one to the other the place of each item that ends is taken by
 * the next one. Before it comes the ramp-up, after it the tail. Where no item was left when all places were taken, there is no
 * steady part, and the ramp-up lasts until the last item is started. Times are microseconds since the job began. Immutable.
 *
 * @param mostInFlight the most items that were at work at once
 * @param fullMicros when the steady part began; the start of the last item where there is none
 * @param lastStartMicros when the last item was started
 * @param durationMicros when the last item ended
 * @param steady how fast the steady part was; empty where there is none
 */
public record JobCourse(
        int mostInFlight, long fullMicros, long lastStartMicros, long durationMicros, Optional<SteadyPart> steady) {

    /**
     * Of these items.
     *
     * @param slots how many items may be at work at once
     */
    public static JobCourse of(List<JobItem> items, int slots) {
        long[] starts = sorted(items, JobItem::startedMicros);
        long[] ends = sorted(items, JobItem::finishedMicros);
        if (starts.length == 0) {
            return new JobCourse(0, 0, 0, 0, Optional.empty());
        }
        long lastStart = starts[starts.length - 1];
        long full = lastStart;
        int most = 0;
        int ended = 0;
        for (int begun = 1; begun <= starts.length; begun++) {
            // Where one ends in the microsecond in which the next one starts, it has made room for it.
            while (ends[ended] <= starts[begun - 1] && ended < begun - 1) {
                ended++;
            }
            most = Math.max(most, begun - ended);
            if (begun - ended >= slots) {
                full = Math.min(full, starts[begun - 1]);
            }
        }
        Optional<SteadyPart> steady =
                full < lastStart ? Optional.of(SteadyPart.of(items, slots, full, lastStart)) : Optional.empty();
        return new JobCourse(most, full, lastStart, ends[ends.length - 1], steady);
    }

    private static long[] sorted(List<JobItem> items, ToLongFunction<JobItem> time) {
        long[] times = items.stream().mapToLong(time).toArray();
        Arrays.sort(times);
        return times;
    }

    /**
     * How fast the steady part of a job was, and how fast it had to be by Little's law: as many items a second as are at work at
     * once, divided by the time that one takes (J. D. C. Little, "A Proof for the Queuing Formula L = λW", 1961). Immutable.
     *
     * @param micros how long it was
     * @param itemsPerMinute items that ended in it. Of those that had begun before it, or had not ended by its end, the part of their
     *     time that lies in it counts: otherwise a job would seem slower by the work on its last items, of which there is the more
     *     in a part the shorter it is
     * @param itemMicros the mean time of the items that were at work in it, from their start to their end
     * @param littleItemsPerMinute by Little's law, with all places taken all the time
     */
    public record SteadyPart(long micros, double itemsPerMinute, double itemMicros, double littleItemsPerMinute) {
        /** How far both may lie apart, as a ratio. */
        public static final double TOLERANCE = 0.02;

        private static final double MICROS_OF_MINUTE = 60e6;

        /**
         * Of a part of a job.
         *
         * @param slots how many items are at work in it
         * @param from where it begins, in microseconds since the job began
         * @param until where it ends, later than that
         */
        static SteadyPart of(List<JobItem> items, int slots, long from, long until) {
            double done = 0;
            double time = 0;
            long count = 0;
            for (JobItem item : items) {
                long within = Math.min(until, item.finishedMicros()) - Math.max(from, item.startedMicros());
                if (within > 0) {
                    done += (double) within / item.micros();
                    time += item.micros();
                    count++;
                }
            }
            double mean = count == 0 ? 0 : time / count;
            return new SteadyPart(
                    until - from,
                    done / (until - from) * MICROS_OF_MINUTE,
                    mean,
                    mean == 0 ? 0 : slots / mean * MICROS_OF_MINUTE);
        }

        /** The throughput as a ratio to the one by Little's law: less than 1 where places were empty, or items ever slower. */
        public double littleFactor() {
            return littleItemsPerMinute == 0 ? 0 : itemsPerMinute / littleItemsPerMinute;
        }

        /** Whether both are the same, within the tolerance. */
        public boolean holds() {
            return Math.abs(littleFactor() - 1) <= TOLERANCE;
        }
    }
}
