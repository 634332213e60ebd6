package siemload.database.server;

import java.util.HashMap;
import java.util.Map;

/**
 * Tells starts of a server, or of the nodes of one, apart by how long they have been up, where that is all that they say. One that
 * does not tell for a while, or joins, has not been started for that. Not thread-safe.
 */
public final class ServerStarts {
    private final Map<String, Long> upMillis = new HashMap<>();
    private int starts;

    /**
     * One of them has told.
     *
     * @param node empty where there is one alone
     * @param millis since it was started
     */
    public void note(String node, long millis) {
        Long before = upMillis.put(node, millis);
        starts += before != null && millis < before ? 1 : 0;
    }

    /** As {@link siemload.database.Counters.CounterReading#start}. */
    public String latest() {
        return upMillis.isEmpty() ? "" : "start " + starts;
    }
}
