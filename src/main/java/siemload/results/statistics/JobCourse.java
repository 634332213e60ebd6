package siemload.results.statistics;

import java.util.List;
import java.util.function.ToLongFunction;

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
 * @param steadyItemsPerMinute items that ended in the steady part. Of those that had begun before it, or had not ended by its end, the part of
 *     their time that lies in it counts: otherwise a job would seem slower by the work on its last items, of which there is the
 *     more in a part the shorter it is; 0 where there is none
 */
public record JobCourse(
        int mostInFlight, long fullMicros, long lastStartMicros, long durationMicros, double steadyItemsPerMinute) {
    private static final double MICROS_OF_MINUTE = 60e6;

    /**
     * An item: a list of searches that one session works on.
     *
     * @param startedMicros when a session took it
     * @param finishedMicros when its last search had ended
     */
    public record Item(long startedMicros, long finishedMicros) {
        /** How long it was worked on. */
        public long micros() {
            return finishedMicros - startedMicros;
        }
    }

    /**
     * Of these items.
     *
     * @param slots how many items may be at work at once
     */
    public static JobCourse of(List<Item> items, int slots) {
        long[] starts = sorted(items, Item::startedMicros);
        long[] ends = sorted(items, Item::finishedMicros);
        if (starts.length == 0) {
            return new JobCourse(0, 0, 0, 0, 0);
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
        double done = 0;
        for (Item item : items) {
            long within = Math.min(lastStart, item.finishedMicros()) - Math.max(full, item.startedMicros());
            done += within > 0 ? (double) within / item.micros() : 0;
        }
        double rate = full < lastStart ? done / (lastStart - full) * MICROS_OF_MINUTE : 0;
        return new JobCourse(most, full, lastStart, ends[ends.length - 1], rate);
    }

    private static long[] sorted(List<Item> items, ToLongFunction<Item> time) {
        return items.stream().mapToLong(time).sorted().toArray();
    }
}
