package siemload.database.scripted;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.LongFunction;

/**
 * The places of a server that works on so many searches at once; others wait for one, first come, first served. A search that
 * would get none before it is given up leaves the queue, and one that is given up leaves its place. Thread-safe.
 *
 * <p>Nothing waits in here: how long each answer takes is known from the start, and so is when its place is free again.
 */
final class ScriptPlaces {
    /** Those that have ended are forgotten now and then, also where nobody asks. */
    private static final int MOST_VISITS = 20_000;

    private final PriorityQueue<Long> free = new PriorityQueue<>();
    private final List<Visit> visits = new ArrayList<>();

    /** @param places how many, at least 1 */
    ScriptPlaces(int places, long nowNanos) {
        for (int i = 0; i < places; i++) {
            free.add(nowNanos);
        }
    }

    /** From when to when a search is there, and when it got its place. */
    private record Visit(long calledNanos, long startNanos, long endNanos) {}

    /**
     * When the rows of an answer come.
     *
     * @param calledNanos when it was asked for
     * @param deadlineNanos when whoever asked gives up
     * @param work how the answer goes from when there is a place for it
     */
    synchronized AnswerSchedule answer(long calledNanos, long deadlineNanos, LongFunction<AnswerSchedule> work) {
        long first = free.remove();
        long start = first - calledNanos > 0 ? first : calledNanos;
        AnswerSchedule schedule = work.apply(start);
        boolean served = deadlineNanos - start > 0;
        long end = Math.min(schedule.lastRowNanos(), deadlineNanos);
        free.add(served ? end : first);
        if (visits.size() >= MOST_VISITS) {
            visits.removeIf(visit -> calledNanos - visit.endNanos() >= 0);
        }
        visits.add(new Visit(calledNanos, start, end));
        return schedule;
    }

    /** How many searches are being worked on, and how many wait, by the names of their states. */
    synchronized Map<String, Long> at(long nanos) {
        long working = 0;
        long waiting = 0;
        for (Iterator<Visit> each = visits.iterator(); each.hasNext(); ) {
            Visit visit = each.next();
            if (nanos - visit.endNanos() >= 0) {
                each.remove();
            } else if (nanos - visit.startNanos() >= 0) {
                working++;
            } else {
                waiting++;
            }
        }
        return Map.of("running", working, "queue", waiting);
    }
}
