package siemload.database;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.EventSink;
import siemload.database.Store.PreparedEvents;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.query.Statement;

/**
 * A connected database server. Every call blocks, and throws a {@link TargetException} if the server cannot be asked or refuses, for
 * instance for a missing right. Used by one thread at a time, except for the stores that it hands out.
 */
public interface Target extends AutoCloseable {

    /** The version of the server, for instance {@code 18.6}. */
    String version();

    /** The server's settings that differ from its defaults, by name; without secrets. */
    SortedMap<String, String> settings();

    /** Where the connections to the server lead, and how they are secured. */
    Transport transport();

    /** Whether a completely loaded data set with this key is kept on the server. */
    boolean holds(DatasetKey key);

    /** Gives a kept data set up, so that it can be loaded anew. Nothing happens where it is not held. */
    default void discard(DatasetKey key) {}

    /** Looks at who else uses the server, for about a second, and writes nothing; empty for a target that nobody else uses. */
    default Optional<ServerUse> use() {
        return Optional.empty();
    }

    /**
     * Connects to a replica of the server, on which the stores of runs can be searched; nothing is made there.
     *
     * @param address of the replica
     * @param sessions how many connections it must have free
     * @throws TargetException if it cannot be reached, is no replica of this server, is too small, or the target's plugin does not
     *     {@link TargetPlugin.Offer#REPLICAS offer} it
     */
    default Replica connectReplica(ServerAddress address, int sessions) {
        throw new TargetException("this target has no replicas that could be searched");
    }

    /**
     * Loads a data set: builds indexes, collects statistics and keeps it once all of its events are stored. Another process may load the same
     * one meanwhile: whoever is complete first keeps it. Where anything fails everything is given up.
     *
     * @param events writes all of them
     * @param step is told the name of each step after that before it starts, for instance {@code index events_detect_time}
     * @throws TargetException if an event cannot be stored or a step fails
     */
    void load(DatasetKey key, Consumer<BulkLoad> events, Consumer<String> step);

    /**
     * Makes a fresh copy of a kept data set for one run. What killed runs left behind is removed first.
     *
     * @param runId letters, digits and hyphens; part of the copy's name
     */
    Store copy(DatasetKey key, String runId);

    /**
     * Opens a kept data set itself for a run that writes nothing; a target on which nothing would keep the run from writing makes
     * a copy of it. Whatever tries to write fails. Several runs at once may read the same data set; until the last of them
     * has ended it is not dropped, and some databases do not copy it.
     */
    default Store read(DatasetKey key, String runId) {
        return copy(key, runId);
    }

    /** Whether {@link #read} opens a kept data set itself, so that it takes no space. */
    default boolean readsInPlace(DatasetKey key) {
        return false;
    }

    /**
     * Makes an empty store of the run's layout, without keys and indexes, for a run that measures loading itself: see
     * {@link Store#maintenance}. What killed runs left behind is removed first.
     */
    default Store emptyStore(String runId) {
        throw new TargetException(
                "this target stores nothing, so that its loading cannot be measured; choose another one");
    }

    /**
     * Opens the store of a run that another process has made and keeps, as long as that one does; closing it takes nothing away.
     *
     * @param name the {@link Store#nameToJoin} of that store
     * @throws TargetException if there is no such store, or the target's plugin does not {@link TargetPlugin.Offer#SHARED_STORES offer} it
     */
    default Store join(DatasetKey key, String name) {
        throw new TargetException("this target has no stores on which several processes can work");
    }

    /** How each statement there is kept from writing, for people, behind "each". */
    default String kept() {
        return "in a transaction that can only read";
    }

    /** Opens a database that was there before for a run that asks these statements, where {@link TargetPlugin.Offer#STATEMENTS} are offered. */
    default Store openStatements(List<Statement> statements) {
        throw new TargetException("statements are not asked there, but searches by a layout are");
    }

    /** Opens a database that was there before for a run that searches the events in it, by the layout that was connected with. */
    default Store openEvents() {
        throw new TargetException("no layout says how to search for events that are there already");
    }

    @Override
    void close();

    /** Connections to what lives in this Java process, which changes with siemload alone. */
    interface InProcessTarget extends Target {
        @Override
        default String version() {
            return "1";
        }

        @Override
        default Transport transport() {
            return Transport.IN_PROCESS;
        }

        /**
         * Feeds a store that is in this process.
         *
         * @param store stores those events of a batch that it does not have yet
         */
        static EventSink sink(Consumer<List<SecurityEvent>> store) {
            IdeaWriter writer = new IdeaWriter();
            return batch -> {
                store.accept(batch);
                return batch.stream()
                        .mapToLong(event -> writer.toBytes(event).length)
                        .sum();
            };
        }

        /** Loads into what is in this process. */
        static BulkLoad load(EventSink into) {
            return new BulkLoad() {
                private long bytes;

                @Override
                public PreparedEvents prepare(List<SecurityEvent> events) {
                    return new PreparedEvents(events, batch -> bytes += into.write(batch));
                }

                @Override
                public long store() {
                    return bytes;
                }

                @Override
                public void close() {}
            };
        }
    }

    /**
     * The clock of a server, by which processes on several machines agree on an instant. Used by one thread at a time.
     *
     * @param reading asks what it shows, at some instant during the call
     * @param resolution by how much it may be later than what the clock shows, which shows nothing smaller; zero for microseconds or less
     * @param end gives up its connection, where it has one of its own
     */
    record ServerClock(Supplier<Instant> reading, Duration resolution, Runnable end) implements AutoCloseable {
        /** What it shows. @throws SearchException if the server does not answer */
        public Instant now() {
            return reading.get();
        }

        @Override
        public void close() {
            end.run();
        }
    }

    /**
     * How a target is used by one run. Immutable.
     *
     * @param variant layout, indexes, hint and paging, all offered by the target
     * @param searchTimeout how long one search may take before it is given up, 1 ms or more
     * @param maintenanceTimeout how long one statement of loading, copying, indexing, counting or deleting may take
     * @param sessions how many search sessions and sinks are open at once at most
     * @param parameters the server's own parameters by name, for this run alone; the target has not refused them
     */
    record TargetOptions(
            Variant variant,
            Duration searchTimeout,
            Duration maintenanceTimeout,
            int sessions,
            Map<String, String> parameters) {
        private static final Duration USUAL_MAINTENANCE = Duration.ofHours(6);

        public TargetOptions {
            parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
        }

        /** Without parameters, and with the usual time for maintenance. */
        public TargetOptions(Variant variant, Duration searchTimeout, int sessions) {
            this(variant, searchTimeout, USUAL_MAINTENANCE, sessions, Map.of());
        }
    }
}
