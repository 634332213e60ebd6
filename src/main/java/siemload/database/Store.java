package siemload.database;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import siemload.query.Window;

/**
 * One run's own copy of a data set, or a kept data set that it only reads. Thread-safe; the sessions and sinks it opens are
 * not. Closing it removes a copy, and gives a kept data set back.
 */
public interface Store extends AutoCloseable {

    /** What its events lie in. */
    default StoreKind kind() {
        return StoreKind.COPY;
    }

    /** Opens a session with a connection of its own. @throws TargetException if the server refuses */
    SearchSession openSession();

    /** Opens a sink with a connection of its own. @throws TargetException if the server refuses */
    EventSink openSink();

    /**
     * Opens what reads the server's counters; empty for a target that counts nothing.
     *
     * @throws TargetException if the server refuses; a missing right leaves gaps instead
     */
    default Optional<Counters> openCounters() {
        return Optional.empty();
    }

    /**
     * Makes room for events of these times before they come, where the events lie in partitions: those of days that have none lie
     * together in one more, so that nothing is lost without it. To be called while nobody writes.
     *
     * @throws TargetException if the server refuses
     */
    default void makeRoom(Window times) {}

    /**
     * Opens a connection of its own that reads the server's clock; empty for a target without one.
     *
     * @throws TargetException if the server refuses
     */
    default Optional<ServerClock> openClock() {
        return Optional.empty();
    }

    /** By what other processes {@link Target#join} this store; empty where they cannot. */
    default Optional<String> nameToJoin() {
        return Optional.empty();
    }

    /** The number of events stored. */
    long events();

    /** How many of these ids are stored, and how many are stored more than once. */
    Presence presenceOf(Collection<String> ids);

    /**
     * The size of each table and index on disk in bytes, by its name; tables without their indexes. Empty for a target that
     * does not tell.
     *
     * @throws TargetException if the server cannot be asked
     */
    default SortedMap<String, Long> relationBytes() {
        return new TreeMap<>();
    }

    /**
     * Must be called after the server was restarted while the store is open: opens anew what the store itself keeps open.
     * Sessions, sinks and counters that were open before fail once, and connect again then.
     *
     * @throws TargetException if the server cannot be reached
     */
    default void serverRestarted() {}

    /**
     * The store as a whole, to measure loading, deleting and indexing itself; empty for a target where that would say
     * nothing.
     */
    default Optional<Maintenance> maintenance() {
        return Optional.empty();
    }

    /** The accounts in this store, which {@link Accounts#fill} makes; empty for a target that offers none. */
    default Optional<Accounts> accounts() {
        return Optional.empty();
    }

    /** Removes whole days from this store; empty for a target whose plugin does not {@link Offer#DAY_REMOVAL offer} it. */
    default Optional<DayRemoval> dayRemoval() {
        return Optional.empty();
    }

    /** The table of trends in this store; empty for a target whose plugin does not {@link Offer#TRENDS offer} it. */
    default Optional<Trends> trends() {
        return Optional.empty();
    }

    /**
     * Opens what reads the server's counts of checkpoints; empty for a server that has none, or tells nothing of them.
     *
     * @throws TargetException if the server refuses
     */
    default Optional<CheckpointCounters> openCheckpoints() {
        return Optional.empty();
    }

    /**
     * How many searches or other statements on this store the server has been working on for at least so long; empty where
     * it does not tell.
     *
     * @throws TargetException if the server cannot be asked
     */
    default OptionalLong runningFor(Duration atLeast) {
        return OptionalLong.empty();
    }

    /**
     * How many rows anybody has written into tables of this store, as the server has counted so far; empty where it does not tell.
     *
     * @throws TargetException if the server cannot be asked
     */
    default OptionalLong rowsWritten() {
        return OptionalLong.empty();
    }

    @Override
    void close();

    /**
     * The answer of {@link #presenceOf}.
     *
     * @param found how many of the asked ids are stored at least once
     * @param duplicated how many of them are stored more than once
     */
    record Presence(long found, long duplicated) {}
}
