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
 * The data of one run: the run's own copy of a data set, a kept data set that the run only reads, or existing data. Every call blocks, and
 * throws a {@link TargetException} if the server cannot be reached or refuses. A store is thread-safe; objects that it opens are not, and
 * have their own connections. Closing a store removes a copy, and releases a kept data set.
 */
public interface Store extends AutoCloseable {
    /** The message for calls that this store does not support; siemload never makes such calls. */
    String NOT_OFFERED = "this store does not support that call";

    default StoreKind kind() {
        return StoreKind.COPY;
    }

    /** Opens a session. Sessions, sinks and counters that were open when the server was restarted fail once, and then connect again. */
    SearchSession openSession();

    /** Opens a sink; throws a {@link TargetException} if the data do not belong to the run. */
    default EventSink openSink() {
        throw new TargetException("siemload only reads existing data");
    }

    /** Opens a reader of the server's counters; empty for a target that counts nothing. A missing right leaves gaps in the counters. */
    default Optional<Counters> openCounters() {
        return Optional.empty();
    }

    /**
     * Creates partitions in advance for events of these times, if tables are partitioned. Without this call no event is lost: events of
     * days without their own partition go into a shared partition. This method must not be called while somebody writes.
     */
    default void makeRoom(Window times) {}

    /** Opens a reader of the server's clock; empty for a target without one. */
    default Optional<Target.ServerClock> openClock() {
        return Optional.empty();
    }

    /**
     * The name with which other processes {@link Target#join} this store, if the plugin {@link TargetPlugin.Offer#SHARED_STORES offers} it.
     */
    default String nameToJoin() {
        throw new UnsupportedOperationException("only one process can work on this store");
    }

    default long events() {
        return span().events();
    }

    /** Counts how many of these ids are stored, and how many are stored more than once; both counts are 0 for a store without ids. */
    default Presence presenceOf(Collection<String> ids) {
        return new Presence(0, 0);
    }

    /**
     * The size of each table and index on disk in bytes, by name; the size of a table excludes its indexes. Empty for a target that does
     * not report sizes.
     */
    default SortedMap<String, Long> relationBytes() {
        return new TreeMap<>();
    }

    /** Maintains the whole store, to measure loading, deleting and indexing; empty for a target that cannot measure them. */
    default Optional<Maintenance> maintenance() {
        return Optional.empty();
    }

    /** Transactions of a scenario's own statements; empty unless the plugin {@link TargetPlugin.Offer#TRANSACTIONS offers} them. */
    default Optional<OwnTransactions> transactions() {
        return Optional.empty();
    }

    /** Removes whole days from this store; empty for a target whose plugin does not {@link TargetPlugin.Offer#DAY_REMOVAL offer} it. */
    default Optional<DayRemoval> dayRemoval() {
        return Optional.empty();
    }

    /**
     * Creates an empty table in which the database itself stores the number of events of each hour and value: see {@link
     * SearchSession#store}. Called once, before anything is stored, if the plugin {@link TargetPlugin.Offer#TRENDS offers} it.
     */
    default void createTrends() {
        throw new UnsupportedOperationException(NOT_OFFERED);
    }

    /** Returns the stored lines of a trend that counts events by this field, in any order. */
    default List<Summary.Line> trendLines(String trend, Field field) {
        throw new UnsupportedOperationException(NOT_OFFERED);
    }

    /** The number of searches and other statements that the server is executing on this store; empty if it does not report that. */
    default OptionalLong running() {
        return OptionalLong.empty();
    }

    /** The number of rows that anybody has written into tables of this store, by the server's count; empty if it does not count them. */
    default OptionalLong rowsWritten() {
        return OptionalLong.empty();
    }

    /**
     * Returns why a statement cannot be executed on {@link StoreKind#EXISTING existing data}, as far as the server knows; else empty.
     * Either the statement is wrong, or it writes or returns no rows although it is not marked as a writing statement. Nothing is executed.
     */
    default Optional<String> refusal(Statement statement) {
        throw new UnsupportedOperationException(NOT_OFFERED);
    }

    /**
     * Returns the values of a query of existing data as text, in the order of the query's rows, which have one column without NULL.
     *
     * @param query a statement without parameters
     * @param most the largest number of rows to take
     */
    default List<String> values(String query, int most) {
        throw new UnsupportedOperationException(NOT_OFFERED);
    }

    /** Returns the earliest and the latest time of existing events, and their current number, at least 1. */
    default Span span() {
        throw new UnsupportedOperationException(NOT_OFFERED);
    }

    /**
     * The values to search for in existing events; the layout has a query for each kind.
     *
     * @param most the largest number of rows to take from a query
     */
    default Map<ValueField, List<CountedValue>> values(int most) {
        throw new UnsupportedOperationException(NOT_OFFERED);
    }

    @Override
    void close();

    /**
     * The earliest and the latest time of events, and their number.
     *
     * @param oldest the earliest detect time
     * @param newest the latest detect time, not before the earliest
     * @param events 1 or more
     * @param timeless the number of these events that have no time, or an infinite one
     */
    record Span(Instant oldest, Instant newest, long events, long timeless) {}

    /**
     * The answer of {@link #presenceOf}.
     *
     * @param found how many of the asked ids are stored at least once
     * @param duplicated how many of them are stored more than once
     */
    record Presence(long found, long duplicated) {}

    /** The kind of store that holds the events of a run. */
    enum StoreKind {
        /** A copy of the kept data set for this run only. */
        COPY,
        /** The kept data set itself, which this run can only read. */
        DATA_SET,
        /** Tables that were empty when the run began. */
        EMPTY,
        /** An existing database: sessions can only read, and closing changes nothing. */
        EXISTING
    }

    /** Writes events while searches run. Used by one thread. */
    interface EventSink extends AutoCloseable {

        /**
         * Stores a batch in one transaction and returns when it is as durable as the server is configured. An event whose id is already
         * stored stays unchanged, so that a batch with an unknown outcome can be written again. After a lost connection the next call
         * connects again.
         *
         * @return the size of the batch as IDEA JSON, in bytes
         * @throws SearchException if the batch was not stored, or its outcome is unknown
         */
        long write(List<SecurityEvent> batch);

        /**
         * The number of bytes that the server has written to its log for this sink; empty if it does not report that.
         *
         * @throws SearchException if the server could not be asked
         */
        default OptionalLong logBytes() {
            return OptionalLong.empty();
        }

        /** Closes its own connection, if it has one. */
        @Override
        default void close() {}
    }

    /**
     * Maintenance of a whole store: bulk loading, deleting all events, building and dropping indexes. Every call blocks until its work is
     * done and durable, and throws a {@link TargetException} if the server refuses. Used by one thread, while nobody searches the store.
     */
    interface Maintenance {

        /**
         * Begins to load events in bulk, into the existing tables with their indexes. Closing the load before {@link BulkLoad#store} leaves
         * an unknown part of the events in the store.
         */
        BulkLoad openLoad();

        /** Deletes all events as a user would, row by row, not by truncating or dropping the tables. @return their number */
        long deleteAll();

        /** The steps that build the keys and indexes of the run's index set, in order; empty for a target without indexes. */
        List<BuildStep> indexes();

        /**
         * A step that builds a key or an index.
         *
         * @param name what it builds, for people: {@code index events_detect_time}
         * @param work builds the key or index, if it does not exist
         */
        record BuildStep(String name, Runnable work) {}

        /** Drops all keys and indexes that the steps of {@link #indexes} have built, if any. */
        void dropIndexes();

        /** Makes the server gather new statistics on the distribution of the data; does nothing if the server keeps none. */
        default void gatherStatistics() {}

        /**
         * Flushes all earlier changes to their final place on disk, so that no work is left for later; does nothing if the server offers no
         * flush.
         */
        default void checkpoint() {}
    }

    /** Removes the events of a whole day, for retention, while others search and write. Used by one thread. */
    @FunctionalInterface
    interface DayRemoval {

        /**
         * Removes the events of a day at once: each search sees all of them or none. Blocks until the removal is durable.
         *
         * @param day from midnight to midnight in UTC
         * @throws TargetException if nothing was removed, or the outcome is unknown
         */
        Removed remove(Window day);

        enum Means {
            /** The events are removed by dropping the partition of the day, if the day has one. */
            PARTITION,
            ROWS
        }

        /**
         * The outcome of a removal.
         *
         * @param waited how long the removal waited for locks before it removed any event
         */
        record Removed(Means means, Duration waited) {}
    }

    /**
     * Loads events in bulk in the server's fastest way. Used by one thread, except for {@link #prepare}. Closing the load before {@link
     * #store} has returned abandons it.
     */
    interface BulkLoad extends AutoCloseable {

        /**
         * Performs the work on events that needs no connection, before they are appended. Called by any thread, by several threads at once,
         * and perhaps even after the load was closed.
         *
         * @param events each with a unique id
         */
        PreparedEvents prepare(List<SecurityEvent> events);

        /** Prepares events and appends them. @throws TargetException as {@link PreparedEvents#write} does */
        default void write(List<SecurityEvent> events) {
            prepare(events).write();
        }

        /**
         * Waits until all written events are as durable as the server is configured; no event can be written afterwards.
         *
         * @return the size of all written events as IDEA JSON, in bytes
         * @throws TargetException if something could not be stored
         */
        long store();

        @Override
        void close();
    }

    /**
     * Names one loaded data set on a server. Equal fingerprints mean equal contents, layout, indexes and server version. Immutable.
     *
     * @param fingerprint 16 lower-case hexadecimal digits
     * @param label a name for people who find it on the server: {@code smoke, mentat, native, 18.6}
     * @param events the number of events
     */
    record DatasetKey(String fingerprint, String label, long events) {}

    /**
     * Events that a load has prepared and now only has to append.
     *
     * @param events in their order
     * @param writing appends these events; throws a {@link TargetException} if that fails
     */
    record PreparedEvents(List<SecurityEvent> events, Consumer<List<SecurityEvent>> writing) {
        public PreparedEvents {
            events = List.copyOf(events);
        }

        /** Appends the events, once, on the thread of the load; may return before they are stored. @throws TargetException */
        public void write() {
            writing.accept(events);
        }
    }

    /**
     * Transactions of a scenario's own statements, in the store of one run. Their tables are removed with the store. Thread-safe; the
     * sessions it opens are not.
     */
    public interface OwnTransactions {

        /**
         * Creates tables and their rows. To be called once.
         *
         * @param statements without parameters
         * @param begun takes each statement before it is executed
         * @throws TargetException if the server refuses
         */
        void setUp(List<String> statements, Consumer<String> begun);

        /** The number that a query without parameters returns. @throws TargetException if it cannot be executed */
        long number(String query);

        /** Opens a session with its own connection. @throws TargetException if the server refuses */
        Session openSession();

        /**
         * A statement with its values.
         *
         * @param sql has {@code ?} for each value
         * @param values in order; the database determines their types
         */
        record Bound(String sql, List<String> values) {
            public Bound {
                values = List.copyOf(values);
            }
        }

        /** The connection of one user; after it was lost, the next call opens it again. Every call blocks. Used by one thread. */
        interface Session extends AutoCloseable {

            /**
             * Executes all statements in one transaction. Returns when the server has acknowledged the commit.
             *
             * @return the first number in the last statement's result; 0 if there is none
             * @throws TransactionException if it failed; its kind says whether anything was stored
             */
            long transact(List<Bound> statements);

            @Override
            void close();
        }

        final class TransactionException extends RuntimeException {
            private static final long serialVersionUID = 1;

            public enum Kind {
                /**
                 * Nothing was stored: the server rolled the transaction back because of others (deadlock, serialization, a lock wait that
                 * timed out). It may be tried again.
                 */
                CONFLICT,
                /** Nothing was stored: there was no connection, or it was lost before the commit was sent. */
                LOST,
                /** It is unknown whether anything was stored: the commit was sent, and no answer came. */
                UNKNOWN,
                /** Nothing was stored: the server refused the transaction. */
                REFUSED
            }

            private final Kind kind;

            /** @param message the server's message, with its code if there is one */
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
