package siemload.database;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import siemload.event.SecurityEvent;
import siemload.query.CountedValue;
import siemload.query.Field;
import siemload.query.Statement;
import siemload.query.Summary;
import siemload.query.ValueField;
import siemload.query.Window;

/**
 * One run's own copy of a data set, a kept data set that it only reads, or data that were there before. Every call blocks, and throws a
 * {@link TargetException} if the server cannot be asked or refuses. Thread-safe; what it opens is not, and has a connection of its own.
 * Closing it removes a copy, and gives a kept data set back.
 */
public interface Store extends AutoCloseable {
    /** For what a store does not offer, and is not asked for therefore. */
    String NOT_OFFERED = "this store cannot do that";

    default StoreKind kind() {
        return StoreKind.COPY;
    }

    /** Opens a session. Those that were open when the server was restarted fail once, and connect again then, as do sinks and counters. */
    SearchSession openSession();

    /** Opens a sink; refused where the data are not the run's own. */
    default EventSink openSink() {
        throw new TargetException("existing data are only read");
    }

    /** Opens what reads the server's counters; empty for a target that counts nothing. A missing right leaves gaps. */
    default Optional<Counters> openCounters() {
        return Optional.empty();
    }

    /**
     * Makes room for events of these times before they come, where the events lie in partitions: those of days that have none lie
     * together in one more, so that nothing is lost without it. To be called while nobody writes.
     */
    default void makeRoom(Window times) {}

    /** Opens what reads the server's clock; empty for a target without one. */
    default Optional<Target.ServerClock> openClock() {
        return Optional.empty();
    }

    /** By what other processes {@link Target#join} this store, where the plugin {@link TargetPlugin.Offer#SHARED_STORES offers} that. */
    default String nameToJoin() {
        throw new UnsupportedOperationException("one process works on this store");
    }

    default long events() {
        return span().events();
    }

    /** How many of these ids are stored, and how many are stored more than once; none where nothing can be. */
    default Presence presenceOf(Collection<String> ids) {
        return new Presence(0, 0);
    }

    /**
     * The size of each table and index on disk in bytes, by its name; tables without their indexes. Empty for a target that
     * does not tell.
     */
    default SortedMap<String, Long> relationBytes() {
        return new TreeMap<>();
    }

    /**
     * The store as a whole, to measure loading, deleting and indexing itself; empty for a target where that would say
     * nothing.
     */
    default Optional<Maintenance> maintenance() {
        return Optional.empty();
    }

    /** Transactions of a scenario's own statements; empty for a target whose plugin does not {@link TargetPlugin.Offer#TRANSACTIONS offer} them. */
    default Optional<OwnTransactions> transactions() {
        return Optional.empty();
    }

    /** Removes whole days from this store; empty for a target whose plugin does not {@link TargetPlugin.Offer#DAY_REMOVAL offer} it. */
    default Optional<DayRemoval> dayRemoval() {
        return Optional.empty();
    }

    /**
     * Makes a table beside the events, empty, in which the database itself writes how many events each hour has, value by value: see {@link
     * SearchSession#store}. Once, before anything is stored, where the plugin {@link TargetPlugin.Offer#TRENDS offers} that.
     */
    default void createTrends() {
        throw new UnsupportedOperationException(NOT_OFFERED);
    }

    /** What a trend in that table says that sums up by this field, in any order. */
    default List<Summary.Line> trendLines(String trend, Field field) {
        throw new UnsupportedOperationException(NOT_OFFERED);
    }

    /** How many searches or other statements on this store the server is working on; empty where it does not tell. */
    default OptionalLong running() {
        return OptionalLong.empty();
    }

    /** How many rows anybody has written into tables of this store, as the server has counted so far; empty where it does not tell. */
    default OptionalLong rowsWritten() {
        return OptionalLong.empty();
    }

    /**
     * Why a statement cannot be asked of {@link StoreKind#EXISTING data that were there before}, by the server's own judgement as far
     * as that goes: it writes or gives no rows without saying so, or is wrong. Nothing is executed. Empty if it can.
     */
    default Optional<String> refusal(Statement statement) {
        throw new UnsupportedOperationException(NOT_OFFERED);
    }

    /**
     * The values that a query of such data gives, as text, in the order of its rows: one column without NULL.
     *
     * @param query a statement without parameters
     * @param most how many rows are taken at most
     */
    default List<String> values(String query, int most) {
        throw new UnsupportedOperationException(NOT_OFFERED);
    }

    /** When the events were that were there before, and how many there are now, at least one. */
    default Span span() {
        throw new UnsupportedOperationException(NOT_OFFERED);
    }

    /**
     * The values that the layout gives searches of such events to look for, each kind as its query has it.
     *
     * @param most how many rows of a query are taken at most
     */
    default Map<ValueField, List<CountedValue>> values(int most) {
        throw new UnsupportedOperationException(NOT_OFFERED);
    }

    @Override
    void close();

    /**
     * When events were, and how many there are.
     *
     * @param oldest the earliest detect time
     * @param newest the latest one, not before it
     * @param events 1 or more
     */
    record Span(Instant oldest, Instant newest, long events) {}

    /**
     * The answer of {@link #presenceOf}.
     *
     * @param found how many of the asked ids are stored at least once
     * @param duplicated how many of them are stored more than once
     */
    record Presence(long found, long duplicated) {}

    /** What the events of a run lie in. */
    enum StoreKind {
        /** A copy of the kept data set, for this run alone. */
        COPY,
        /** The kept data set itself, which this run can only read. */
        DATA_SET,
        /** Tables that were empty when the run began. */
        EMPTY,
        /** A database that was there before, with whatever is in it: its sessions can only read, and closing it leaves all as it is. */
        EXISTING
    }

    /** Writes events beside running searches. Used by one thread. */
    interface EventSink extends AutoCloseable {

        /**
         * Stores a batch in one transaction and returns when it is as durable as the server is configured to make it. An
         * event whose id is already stored is left as it is, so that a batch with an unknown outcome can be written again.
         * After a lost connection the next call connects again.
         *
         * @return the size of the batch as IDEA JSON, in bytes
         * @throws SearchException if the batch was not stored, or nobody knows
         */
        long write(List<SecurityEvent> batch);

        /**
         * How many bytes the server has written to its log on account of this sink; empty where it does not tell.
         *
         * @throws SearchException if the server could not be asked
         */
        default OptionalLong logBytes() {
            return OptionalLong.empty();
        }

        /** Gives up its connection, where it has one of its own. */
        @Override
        default void close() {}
    }

    /**
     * What somebody who looks after a database does with a whole store: load it in bulk, delete what is in it, build and drop
     * its indexes. Every call blocks until it is done and durable, and throws a {@link TargetException} if the server refuses. Used by one
     * thread, while nobody searches the store.
     */
    interface Maintenance {

        /**
         * Begins to load events the way a data set is loaded, into the tables as they are and with the indexes that there are.
         * Closing it before it is stored leaves an unknown part of the events in the store.
         */
        BulkLoad openLoad();

        /** Deletes all events as a user would, row by row, not by emptying or dropping the tables. @return how many there were */
        long deleteAll();

        /** The steps that build the keys and indexes of the run's index set, in their order; empty for a target without indexes. */
        List<BuildStep> indexes();

        /**
         * A step that builds a key or an index.
         *
         * @param name what it makes, for people: {@code index events_detect_time}
         * @param work builds it, where it is not there
         */
        record BuildStep(String name, Runnable work) {}

        /** Drops all that the steps have built; harmless where there is nothing. */
        void dropIndexes();

        /**
         * Lets the server gather what it knows about the distribution of the data anew; nothing is done where a server keeps
         * no such statistics.
         */
        default void gatherStatistics() {}

        /**
         * Brings all that was changed before to its final place on disk, so that nothing of it is left to be done later;
         * nothing is done where a server has no such thing.
         */
        default void checkpoint() {}
    }

    /** Removes the events of a whole day, as retention demands, while others search and write. Used by one thread. */
    @FunctionalInterface
    interface DayRemoval {

        /**
         * Removes the events of a day, all at once: whoever searches sees all of them or none. Blocks until that is durable.
         *
         * @param day from midnight to midnight in UTC
         * @throws TargetException if nothing was removed, or nobody knows
         */
        Removed remove(Window day);

        enum Means {
            /** With its partition, where it has one of its own. */
            PARTITION,
            ROWS
        }

        /**
         * What a removal did.
         *
         * @param waited for locks that others held, before anything was removed
         */
        record Removed(Means means, Duration waited) {}
    }

    /**
     * Events on their way into a server by its fastest way. Used by one thread, but for {@link #prepare}. Closing it before
     * {@link #store} returned gives up what is under way.
     */
    interface BulkLoad extends AutoCloseable {

        /**
         * Does with events what needs no connection, before it is their turn. Called by any thread, by several at once, and
         * perhaps still when the load is closed.
         *
         * @param events each with an id of its own
         */
        PreparedEvents prepare(List<SecurityEvent> events);

        /** Prepares events and appends them. @throws TargetException as {@link PreparedEvents#write} does */
        default void write(List<SecurityEvent> events) {
            prepare(events).write();
        }

        /**
         * Waits until everything written is as durable as the server is configured to make it; nothing more can be written
         * then.
         *
         * @return the size of all that was written, as IDEA JSON, in bytes
         * @throws TargetException if something could not be stored
         */
        long store();

        @Override
        void close();
    }

    /**
     * Names one loaded data set on a server. Equal fingerprints mean equal contents, layout, indexes and server version.
     * Immutable.
     *
     * @param fingerprint 16 lower-case hexadecimal digits
     * @param label what it is, for people who find it on the server: {@code smoke, mentat, native, 18.6}
     * @param events the number of events
     */
    record DatasetKey(String fingerprint, String label, long events) {}

    /**
     * Events that only have to be appended to the load that has prepared them.
     *
     * @param events in their order
     * @param writing appends these events; throws a {@link TargetException} if that fails
     */
    record PreparedEvents(List<SecurityEvent> events, Consumer<List<SecurityEvent>> writing) {
        public PreparedEvents {
            events = List.copyOf(events);
        }

        /** Appends them, once, on the thread of the load; may return before they are stored. @throws TargetException */
        public void write() {
            writing.accept(events);
        }
    }

    /**
     * Transactions of statements that a scenario brings, in the store of one run. What they make goes with the store. Thread-safe; the
     * sessions it opens are not.
     */
    public interface OwnTransactions {

        /**
         * Makes tables and their rows. To be called once.
         *
         * @param statements without parameters
         * @param begun hears each of them before it is executed
         * @throws TargetException if the server refuses
         */
        void setUp(List<String> statements, Consumer<String> begun);

        /** The number that a query without parameters gives. @throws TargetException if it cannot be asked */
        long number(String query);

        /** Opens a session with a connection of its own. @throws TargetException if the server refuses */
        Session openSession();

        /**
         * A statement with its values.
         *
         * @param sql has {@code ?} where a value stands
         * @param values in the order of their places; the database settles their types
         */
        record Bound(String sql, List<String> values) {
            public Bound {
                values = List.copyOf(values);
            }
        }

        /** One user's connection, opened again at the next call after it was lost. Every call blocks. Used by one thread. */
        interface Session extends AutoCloseable {

            /**
             * Executes all of them in one transaction. Returns when the server has acknowledged the commit.
             *
             * @return the first number of the last answer; 0 where there is none
             * @throws TransactionException if it failed; its kind says what is left of it
             */
            long transact(List<Bound> statements);

            @Override
            void close();
        }

        final class TransactionException extends RuntimeException {
            private static final long serialVersionUID = 1;

            public enum Kind {
                /**
                 * Nothing: the server rolled it back for the sake of others (deadlock, serialization, a statement that waited for a row
                 * until its timeout). It may be tried again.
                 */
                CONFLICT,
                /** Nothing: there was no connection, or it was lost before the commit was sent. */
                LOST,
                /** Nobody knows: the commit was sent, and no answer came. */
                UNKNOWN,
                /** Nothing: the server refused it. */
                REFUSED
            }

            private final Kind kind;

            /** @param message the server's words, with its code where there is one */
            public TransactionException(Kind kind, String message, Throwable cause) {
                super(message, cause);
                this.kind = kind;
            }

            public Kind kind() {
                return kind;
            }
        }
    }
}
