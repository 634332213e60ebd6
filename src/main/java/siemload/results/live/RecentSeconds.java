package siemload.results.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;

/** The last minutes of a run, for pages that were opened late or wait for what comes next. Thread-safe. */
final class RecentSeconds {
    /** As many points as a chart shows; older ones are dropped. */
    static final int MOST = 600;

    private final Map<Long, Entry> seconds = new LinkedHashMap<>();
    private Entry totals;
    private long changes;
    private boolean over;

    /** A second or the totals as they are known now, and the number of the change that made them so. */
    private record Entry(long change, ObjectNode json) {}

    /**
     * @param totals as pages know them from the start
     */
    RecentSeconds(ObjectNode totals) {
        this.totals = new Entry(0, totals);
    }

    /**
     * What changed after a change.
     *
     * @param change the number of the last change
     * @param json the seconds that changed, oldest first
     * @param totals what the searches have come to, if that changed
     * @param over whether nothing will follow
     */
    record News(long change, List<ObjectNode> json, Optional<ObjectNode> totals, boolean over) {}

    /**
     * Adds what has become known; it may be more about a second that is known already. The totals may change without a
     * second. They are not changed afterwards.
     */
    synchronized void add(SortedMap<Long, ObjectNode> news, ObjectNode newTotals) {
        if (!totals.json().equals(newTotals)) {
            changes++;
            totals = new Entry(changes, newTotals);
        }
        news.forEach((second, json) -> {
            Entry known = seconds.remove(second);
            changes++;
            seconds.put(second, new Entry(changes, known == null ? json : merged(known.json(), json)));
        });
        while (seconds.size() > MOST) {
            seconds.remove(seconds.keySet().iterator().next());
        }
        notifyAll();
    }

    /** A new object: others may be reading the known one. */
    private static ObjectNode merged(ObjectNode known, ObjectNode more) {
        ObjectNode both = known.deepCopy();
        more.properties().forEach(part -> {
            if (part.getValue().isObject() && both.path(part.getKey()).isObject()) {
                both.set(part.getKey(), merged((ObjectNode) both.get(part.getKey()), (ObjectNode) part.getValue()));
            } else {
                both.set(part.getKey(), part.getValue());
            }
        });
        return both;
    }

    /** Notes that the run has ended. */
    synchronized void end() {
        over = true;
        notifyAll();
    }

    /** What changed after this change, 0 for everything; waits for it until the time is up. */
    synchronized News since(long change, long seconds) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (long left = deadline - System.nanoTime(); changes <= change && !over && left > 0; ) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = deadline - System.nanoTime();
        }
        List<ObjectNode> news = this.seconds.values().stream()
                .filter(entry -> entry.change() > change)
                .map(Entry::json)
                .toList();
        return new News(
                changes,
                news,
                Optional.of(totals).filter(entry -> entry.change() > change).map(Entry::json),
                over);
    }
}
