package siemload.load;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongUnaryOperator;
import java.util.function.ToLongFunction;

/**
 * What a queue in front of some servers does to those who wait in it, worked out without threads or clocks: who comes first
 * is served first, by the server that is free first (Kiefer and Wolfowitz 1955). Times are nanoseconds.
 */
final class QueueTheory {
    private QueueTheory() {}

    /** When one was due, when a server took it, when its first row came, and its last. */
    record Visit(long due, long taken, long firstRow, long lastRow) {}

    /**
     * The visits of those who come at these instants.
     *
     * @param firstRow when the first row comes of what is taken at an instant
     * @param lastRow when the last one does
     */
    static List<Visit> visits(List<Long> arrivals, int servers, LongUnaryOperator firstRow, LongUnaryOperator lastRow) {
        PriorityQueue<Long> free = new PriorityQueue<>();
        for (int i = 0; i < servers; i++) {
            free.add(Long.MIN_VALUE);
        }
        List<Visit> visits = new ArrayList<>();
        for (long due : arrivals) {
            long taken = Math.max(due, free.remove());
            Visit visit = new Visit(due, taken, firstRow.applyAsLong(taken), lastRow.applyAsLong(taken));
            free.add(visit.lastRow());
            visits.add(visit);
        }
        return visits;
    }

    /** Nearest rank, in microseconds: the smallest with at least that share of all at or below it. */
    static double percentileMicros(List<Visit> visits, double percent, ToLongFunction<Visit> time) {
        long[] sorted = visits.stream().mapToLong(time).sorted().toArray();
        int rank = (int) Math.ceil(percent / 100 * sorted.length);
        return sorted[Math.max(rank, 1) - 1] / 1e3;
    }

    static double meanMicros(List<Visit> visits, ToLongFunction<Visit> time) {
        return visits.stream().mapToLong(time).average().orElseThrow() / 1e3;
    }
}
