package siemload.measure.monitor;

import java.time.Duration;
import java.util.Optional;
import siemload.database.Replica.Replication;
import siemload.database.Replica.ReplicationReading;
import siemload.database.SearchException;
import siemload.measure.RunClock;

/**
 * Reads once a second, by a thread of its own, how far standbys are behind. Whoever tells nothing any more, or fewer than told at first,
 * falls further behind from then on. Thread-safe.
 */
public final class ReplicationWatch implements AutoCloseable {
    /** A reading that is older is none of now. */
    private static final Duration FRESH = Duration.ofSeconds(2);

    private final Replication replication;
    private final int standbys;
    private volatile Told last;
    private Optional<EverySecond> thread = Optional.empty();

    private record Told(Duration slowest, long nanos) {}

    /**
     * Begins with what was read first.
     *
     * @param first of a server that tells something
     */
    public ReplicationWatch(Replication replication, ReplicationReading first, long nowNanos) {
        this.replication = replication;
        this.standbys = first.standbys();
        this.last = new Told(first.slowest(), nowNanos);
    }

    /** Starts to read, also beyond the end of the measured phase: the last searches are waited for. */
    public synchronized void start() {
        RunClock untilClosed = RunClock.openEnded(System.nanoTime());
        EverySecond reading = new EverySecond("siemload-replication", untilClosed, due -> read(System.nanoTime()));
        thread = Optional.of(reading);
        reading.start();
    }

    /** How far the slowest standby is behind. */
    public Duration lag(long nowNanos) {
        Told told = last;
        Duration age = Duration.ofNanos(Math.max(0, nowNanos - told.nanos));
        return age.compareTo(FRESH) > 0 ? told.slowest.plus(age) : told.slowest;
    }

    /** Reads it. */
    void read(long nowNanos) {
        try {
            ReplicationReading reading = replication.read();
            if (reading.standbys() >= standbys) {
                last = new Told(reading.slowest(), nowNanos);
            }
        } catch (SearchException silent) {
            // Then nobody knows, and what was read last grows old.
        }
    }

    @Override
    public synchronized void close() {
        thread.ifPresent(EverySecond::close);
        replication.close();
    }
}
