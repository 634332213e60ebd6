package siemload.database.server;

/** Tells starts of a server apart by how long it has been up, where that is all that it says of them. Not thread-safe. */
public final class ServerStarts {
    private long upMillis = -1;
    private int starts;

    /**
     * The server has told.
     *
     * @param millis since it was started
     */
    public void note(long millis) {
        starts += millis < upMillis ? 1 : 0;
        upMillis = millis;
    }

    /** As {@link siemload.database.CounterReading#start}. */
    public String latest() {
        return upMillis < 0 ? "" : "start " + starts;
    }
}
