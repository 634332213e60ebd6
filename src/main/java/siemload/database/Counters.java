package siemload.database;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * Reads the server's own counters over a separate connection. A reading costs the server about a millisecond, so a reading each second is
 * cheap. Used by one thread at a time; every call blocks. After a lost connection the next call connects again.
 */
public interface Counters extends AutoCloseable {

    /**
     * Reads all counters since the server's start. Work of the last second or so may be missing if the server's processes report late.
     *
     * @throws SearchException if they could not be read
     */
    CounterReading read();

    /**
     * Reads all counters at the end of a run; may wait some seconds until they include the work of all closed sessions.
     *
     * @throws SearchException as {@link #read}
     */
    default CounterReading readSettled() {
        return read();
    }

    /** Returns where the server's times of statements come from, or why there are no times; valid after the first reading. */
    default StatementSource statements() {
        return StatementSource.none("siemload knows no counter of this database for the time of searches");
    }

    /** Lists the counts that this server lacks or this user may not see, each with the reason; complete after the last reading. */
    List<String> gaps();

    /** Closes the reader's own connection, if it has one. */
    @Override
    default void close() {}

    /**
     * A reading of the server's counters. Counting began before the run, so only differences between readings have a meaning. Immutable.
     *
     * @param io input and output by category, in the order of {@link Io#CATEGORIES}; a category that the server does not have is missing
     * @param relations tables and indexes of the run, by kind and name
     * @param counters all other counters, by the server's own names; counters of checkpoints have the same names on all databases: {@code
     *     checkpoints.completed}, {@code .millis}, {@code .blocks}, {@code .blocksByWriter}, {@code .blocksBySessions}
     * @param statements how long the server worked on each statement, by its name from {@link SearchSession#statement}; empty if the server
     *     does not report it
     * @param start changes with each start of the server, also after a crash; empty if the server does not report it
     */
    record CounterReading(
            Map<String, Io> io,
            Map<String, Relation> relations,
            Map<String, Long> counters,
            Map<String, StatementTime> statements,
            String start) {

        public static final CounterReading NONE = new CounterReading(List.of(), List.of(), Map.of());

        public CounterReading {
            Map<String, Io> ordered = new TreeMap<>(Comparator.comparing(Io.CATEGORIES::indexOf));
            ordered.putAll(io);
            io = Collections.unmodifiableMap(ordered);
            relations = Collections.unmodifiableMap(new TreeMap<>(relations));
            counters = Collections.unmodifiableMap(new TreeMap<>(counters));
            statements = Map.copyOf(statements);
        }

        /** Creates the reading of a server that reports neither the times of statements nor when it started. */
        public CounterReading(Collection<Io> io, Collection<Relation> relations, Map<String, Long> counters) {
            this(
                    io.stream().collect(Collectors.toMap(Io::category, one -> one)),
                    relations.stream().collect(Collectors.toMap(one -> one.kind + " " + one.name, one -> one)),
                    counters,
                    Map.of(),
                    "");
        }

        public CounterReading with(Map<String, StatementTime> times) {
            return new CounterReading(io, relations, counters, times, start);
        }

        public CounterReading startedAt(String when) {
            return new CounterReading(io, relations, counters, statements, when);
        }

        public Io io(String category) {
            return io.getOrDefault(category, Io.NONE);
        }

        /** Input and output of tables and indexes together. */
        public Io tablesAndIndexes() {
            return io(Io.DATA).plus(io(Io.INDEX));
        }

        /** Returns the difference from an earlier reading; a counter that the earlier reading lacks counts from 0. */
        public CounterReading since(CounterReading earlier) {
            return with(earlier, (now, then) -> now - then);
        }

        /**
         * Returns this reading with each counter raised to its value in an earlier reading, if that was higher or this reading lacks the
         * counter. So a server that resets counters or reports out of order never seems to undo work.
         */
        public CounterReading notBelow(CounterReading earlier) {
            return with(earlier, Math::max);
        }

        /** The sum of the readings of two servers. */
        public CounterReading plus(CounterReading other) {
            return with(other, Long::sum);
        }

        private CounterReading with(CounterReading earlier, BiFunction<Long, Long, Long> each) {
            return new CounterReading(
                    merged(io, earlier.io, Io.NONE, (now, then) -> now.with(then, each)),
                    merged(relations, earlier.relations, Relation.NONE, (now, then) -> now.with(then, each)),
                    merged(counters, earlier.counters, 0L, each),
                    merged(statements, earlier.statements, StatementTime.NONE, (now, then) -> now.with(then, each)),
                    start);
        }

        /** Returns whether the server was restarted since an earlier reading, as far as the server reports its restarts. */
        public boolean restartedSince(CounterReading earlier) {
            return !start.isEmpty() && !earlier.start.isEmpty() && !start.equals(earlier.start);
        }

        /** Returns whether a counter is lower than in an earlier reading, which shows that the counters were reset in between. */
        public boolean startedAnewSince(CounterReading earlier) {
            return earlier.counters.entrySet().stream()
                    .anyMatch(then -> counters.getOrDefault(then.getKey(), then.getValue()) < then.getValue());
        }

        private static <K, V> Map<K, V> merged(Map<K, V> now, Map<K, V> then, V none, BiFunction<V, V, V> each) {
            Map<K, V> merged = new HashMap<>();
            now.forEach((key, value) -> merged.put(key, each.apply(value, then.getOrDefault(key, none))));
            then.forEach((key, value) -> merged.computeIfAbsent(key, missing -> each.apply(none, value)));
            return merged;
        }
    }

    /**
     * Input and output of one category. Immutable.
     *
     * @param category one of {@link #CATEGORIES}; empty where nothing was counted
     * @param reads reads of blocks or pages, in the unit in which the server counts its cache
     * @param writes writes in the same unit; for the redo log the number of write operations
     * @param hits blocks found in the server's own cache
     */
    record Io(String category, long reads, long readBytes, long writes, long writtenBytes, long hits) {
        /** Tables of the run. */
        public static final String DATA = "data";
        /** Indexes of the run's tables. */
        public static final String INDEX = "index";
        /** The log that makes changes durable. */
        public static final String REDO = "redo";
        /** Temporary data on disk, for instance of sorts. */
        public static final String TEMP = "temp";
        /** Everything else that the server counts: its catalogue, other databases, and anything that cannot be assigned. */
        public static final String REST = "rest";
        /** The categories in the order of results; {@code undo} stands for old versions of rows, if the server stores them separately. */
        public static final List<String> CATEGORIES = List.of(DATA, INDEX, REDO, "undo", TEMP, REST);

        public static final Io NONE = new Io("", 0, 0, 0, 0, 0);

        public Io plus(Io other) {
            return with(other, Long::sum);
        }

        /** Subtracts the input and output of a part; no count becomes less than 0. */
        public Io less(Io other) {
            return with(other, (all, part) -> Math.max(0, all - part));
        }

        Io with(Io other, BiFunction<Long, Long, Long> each) {
            return new Io(
                    category.isEmpty() ? other.category : category,
                    each.apply(reads, other.reads),
                    each.apply(readBytes, other.readBytes),
                    each.apply(writes, other.writes),
                    each.apply(writtenBytes, other.writtenBytes),
                    each.apply(hits, other.hits));
        }
    }

    /**
     * The blocks that were read from one table or index of the run. Immutable.
     *
     * @param name on the server
     * @param kind {@code table} or {@code index}
     * @param blocksRead blocks read from outside the server's own cache
     * @param blocksHit blocks found in the server's own cache
     */
    record Relation(String name, String kind, long blocksRead, long blocksHit) {
        static final Relation NONE = new Relation("", "", 0, 0);

        Relation with(Relation other, BiFunction<Long, Long, Long> each) {
            Relation named = name.isEmpty() ? other : this;
            return new Relation(
                    named.name,
                    named.kind,
                    each.apply(blocksRead, other.blocksRead),
                    each.apply(blocksHit, other.blocksHit));
        }
    }

    /**
     * The source of a {@link CounterReading}'s times of statements, as shown to people. Immutable.
     *
     * @param view the server's name for the source; empty if there are no times
     * @param covers what these times include and exclude; empty if there are no times
     * @param untold why there are no times; empty if there are some
     */
    record StatementSource(String view, String covers, String untold) {

        public static StatementSource of(String view, String covers) {
            return new StatementSource(view, covers, "");
        }

        /** Creates the source of a server without times of statements, with the reason as shown to people. */
        public static StatementSource none(String why) {
            return new StatementSource("", "", why);
        }
    }

    /**
     * The time that a server has spent on one statement, by its own count. Immutable.
     *
     * @param calls how often it was executed to its end; 0 where the server does not count searches
     * @param planningNanos the time for planning, in nanoseconds; 0 where it is not counted separately
     * @param executionNanos the rest of the time, in nanoseconds
     */
    record StatementTime(long calls, long planningNanos, long executionNanos) {
        public static final StatementTime NONE = new StatementTime(0, 0, 0);

        public StatementTime plus(StatementTime other) {
            return with(other, Long::sum);
        }

        StatementTime with(StatementTime other, BiFunction<Long, Long, Long> each) {
            return new StatementTime(
                    each.apply(calls, other.calls),
                    each.apply(planningNanos, other.planningNanos),
                    each.apply(executionNanos, other.executionNanos));
        }
    }

    /**
     * The state of a session of the run at the time of a reading. If the server reports states, each reading counts the busy sessions by
     * state, so a state's share of these counts is its share of time.
     */
    enum SessionState {
        /** Running on a CPU, or waiting for one. */
        RUNNING,
        /** Waiting for data from a disk, or for a write to one. */
        IO,
        /** Waiting for another session, which holds a lock. */
        LOCK,
        /** Waiting for the client to read or to send data. */
        CLIENT,
        /** Waiting for something else. */
        OTHER;

        private static final String PREFIX = "sessions.";
        /** The name of the counter of readings in which sessions were counted. */
        public static final String READINGS = PREFIX + "readings";

        /** Returns the name of a {@link CounterReading}'s counter of sessions in this state. */
        public String counter() {
            return PREFIX + name().toLowerCase(Locale.ROOT);
        }
    }
}
