package siemload.database;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.database.Store.DatasetKey;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.query.Statement;

/**
 * A connected database server. Every call blocks, and throws a {@link TargetException} if the server cannot be reached or refuses, for
 * instance for a missing right. Used by one thread at a time, except for the stores that it opens.
 */
public interface Target extends AutoCloseable {

    /** Returns the version of the server, for instance {@code 18.6}. */
    String version();

    /** Returns the server's settings that differ from its defaults, by name, without secrets. */
    SortedMap<String, String> settings();

    /** The destination and the security of the connections to the server. */
    Transport transport();

    /** Returns whether a complete data set with this key is kept on the server. */
    boolean holds(DatasetKey key);

    /** Discards a kept data set, so that it can be loaded again. Does nothing if the server does not hold that data set. */
    default void discard(DatasetKey key) {}

    /** Checks for about a second who else uses the server, and writes nothing; empty for a target that nobody else can use. */
    default Optional<ServerUse> use() {
        return Optional.empty();
    }

    /**
     * Connects to a replica of the server, on which the stores of runs can be searched; nothing is created there.
     *
     * @param address of the replica
     * @param sessions the number of free connections that the replica must have
     * @throws TargetException if it cannot be reached, is not a replica of this server, is too small, or the target's plugin does not
     *     {@link TargetPlugin.Offer#REPLICAS offer} it
     */
    default Replica connectReplica(ServerAddress address, int sessions) {
        throw new TargetException("this target has no replicas that could be searched");
    }

    /**
     * Loads a data set, builds its indexes, collects statistics, and keeps it once all events are stored. Another process may load the same
     * data set meanwhile; the first complete one is kept. After any failure the load is abandoned.
     *
     * @param events writes all events
     * @param step takes the name of each later step before it starts, for instance {@code index events_detect_time}
     * @throws TargetException if an event cannot be stored or a step fails
     */
    void load(DatasetKey key, Consumer<Store.BulkLoad> events, Consumer<String> step);

    /**
     * Makes a fresh copy of a kept data set for one run. Copies of killed runs are removed first.
     *
     * @param runId letters, digits and hyphens; part of the copy's name
     */
    Store copy(DatasetKey key, String runId);

    /**
     * Opens a kept data set directly for a run that writes nothing; a target that cannot prevent writes makes a copy instead. Any attempt
     * to write fails. Several runs may read the same data set at once. Until the last of these runs has ended, the data set is not dropped,
     * and some databases do not copy it.
     */
    default Store read(DatasetKey key, String runId) {
        return copy(key, runId);
    }

    /** Returns whether {@link #read} opens the kept data set directly instead of a copy that takes space. */
    default boolean readsInPlace(DatasetKey key) {
        return false;
    }

    /**
     * Makes an empty store of the run's layout, without keys and indexes, for a run that measures loading: see {@link Store#maintenance}.
     * Copies of killed runs are removed first.
     */
    default Store emptyStore(String runId) {
        throw new TargetException("this target stores nothing, so loading cannot be measured; choose another target");
    }

    /**
     * Opens a store that another process has made and still has open; closing the joined store removes nothing.
     *
     * @param name the {@link Store#nameToJoin} of that store
     * @throws TargetException if there is no such store, or the target's plugin does not {@link TargetPlugin.Offer#SHARED_STORES offer} it
     */
    default Store join(DatasetKey key, String name) {
        throw new TargetException("this target has no stores on which several processes can work");
    }

    /** Opens an existing database for a run with these statements, if {@link TargetPlugin.Offer#STATEMENTS} are offered. */
    default Store openStatements(List<Statement> statements) {
        throw new TargetException("this target cannot run your own statements, but it can search with a layout");
    }

    /** Opens an existing database for a run that searches its events, using the layout of the connection. */
    default Store openEvents() {
        throw new TargetException("no layout describes how to search existing events");
    }

    @Override
    void close();

    /** A target within this Java process, which changes only with siemload. */
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
         * A sink for a store in this process.
         *
         * @param store stores the events of a batch that are not stored yet
         */
        static Store.EventSink sink(Consumer<List<SecurityEvent>> store) {
            IdeaWriter writer = new IdeaWriter();
            return batch -> {
                store.accept(batch);
                return batch.stream()
                        .mapToLong(event -> writer.toBytes(event).length)
                        .sum();
            };
        }

        /** A bulk load in this process. */
        static Store.BulkLoad load(Store.EventSink into) {
            return new Store.BulkLoad() {
                private long bytes;

                @Override
                public Store.PreparedEvents prepare(List<SecurityEvent> events) {
                    return new Store.PreparedEvents(events, batch -> bytes += into.write(batch));
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
     * @param reading reads the clock at some instant during the call
     * @param resolution the smallest step of the clock; the true time may be this much after the shown one; zero for microseconds or less
     * @param end closes the clock's own connection, if it has one
     */
    record ServerClock(Supplier<Instant> reading, Duration resolution, Runnable end) implements AutoCloseable {
        /** Returns the current time of the clock. @throws SearchException if the server does not answer */
        public Instant now() {
            return reading.get();
        }

        @Override
        public void close() {
            end.run();
        }
    }

    /**
     * The options with which one run uses a target. Immutable.
     *
     * @param variant layout, indexes, hint and paging, all offered by the target
     * @param searchTimeout how long one search may take before it is cancelled, 1 ms or more
     * @param sessions the largest number of connections that are open at once
     * @param parameters the server's own parameters by name, for this run only; the target has not refused them
     */
    record TargetOptions(Variant variant, Duration searchTimeout, int sessions, Map<String, String> parameters) {
        /** How long one statement of loading, copying, indexing, counting or deleting may take. */
        public static final Duration MAINTENANCE_TIMEOUT = Duration.ofDays(1);

        /** How much longer than a timeout the client waits on a silent network. */
        public static final Duration SILENCE = Duration.ofSeconds(5);

        public TargetOptions {
            parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
        }

        public TargetOptions(Variant variant, Duration searchTimeout, int sessions) {
            this(variant, searchTimeout, sessions, Map.of());
        }

        /** How long an answer to a search may take before the network counts as silent. */
        public Duration longestSilence() {
            return searchTimeout.plus(SILENCE);
        }
    }

    /**
     * A server that replicates another one and answers searches. Opened by {@link Target#connectReplica}. Every call blocks, and throws a
     * {@link TargetException} if either server cannot be reached. Used by one thread at a time, except for the stores that it opens.
     */
    public interface Replica extends AutoCloseable {

        /** A name for messages: the server's name, {@code at}, host, port and database. */
        String place();

        /** Waits, at most this long, until the replica has everything that the primary has acknowledged so far. */
        void awaitCaughtUp(Duration atMost);

        /**
         * Opens the store of a run on the replica to search it; nothing is written. Closing that store removes nothing.
         *
         * @param name the {@link Store#nameToJoin} of that store
         */
        Store open(String name);

        /**
         * Returns the end of the primary's log, as a growing number. Everything that the primary acknowledged before this call precedes it.
         *
         * @throws SearchException if the primary does not answer, or no longer accepts writes; the next call connects again
         */
        long written();

        /**
         * Returns the position up to which the replica has replayed the primary's log. Later searches find everything before it.
         *
         * @throws SearchException if the replica does not answer, or is no longer a replica; the next call connects again
         */
        long replayed();

        @Override
        void close();
    }

    /**
     * Facts about a server that others may be using, collected before anything is written to it. Immutable.
     *
     * @param makes descriptions of what siemload creates there and what becomes of it, for people
     * @param freeBytes the number of bytes that can still be stored; empty if the server does not report it
     * @param others who else is connected, for people: {@code shop of alice (3 sessions of a program)}
     * @param working the average number of busy sessions of others over about a second
     * @param perSecond how many transactions or operations of others ended per second in that time
     * @param gaps the facts that the user may not see, each with the missing right
     */
    public record ServerUse(
            List<String> makes,
            OptionalLong freeBytes,
            List<String> others,
            double working,
            double perSecond,
            List<String> gaps) {

        /** A single look could miss an application that pauses between two statements. */
        private static final int LOOKS = 5;

        private static final int MILLIS_BETWEEN = 200;
        /** More busy sessions, on average, than administrators and monitoring need. */
        private static final double WORKING_LIMIT = 0.5;

        private static final double PER_SECOND_LIMIT = 20;

        /**
         * Other users of the server.
         *
         * @param name for people: {@code shop of alice (3 sessions)}
         * @param working how many of their sessions are at work
         * @param gap the facts about them that the current user may not see, with the missing right; empty if nothing is hidden
         */
        public record Client(String name, double working, String gap) {}

        /**
         * Looks at a server five times in about a second. Each query throws a {@link TargetException} if the user may not execute it.
         *
         * @param clients finds the other users, and is executed each time
         * @param ended counts the transactions or operations that have ended so far; executed first and last
         * @param unseen for each of these queries in order: what is not seen if it is refused, with the missing right; empty if every user
         *     may execute it
         * @throws TargetException if a query fails that every user may execute
         */
        public static ServerUse of(
                List<String> makes,
                Supplier<List<Client>> clients,
                Supplier<Long> ended,
                Supplier<OptionalLong> freeBytes,
                List<String> unseen) {
            Set<String> gaps = new LinkedHashSet<>();
            long start = System.nanoTime();
            long before = asked(ended, 0L, unseen.get(1), gaps);
            double working = 0;
            List<Client> others = List.of();
            for (int look = 0; look < LOOKS; look++) {
                Pause.millis(MILLIS_BETWEEN, "looking at who uses the server");
                others = asked(clients, List.of(), unseen.get(0), gaps);
                others.stream().map(Client::gap).filter(gap -> !gap.isEmpty()).forEach(gaps::add);
                working += others.stream().mapToDouble(Client::working).sum();
            }
            long more = Math.max(0, asked(ended, 0L, unseen.get(1), gaps) - before);
            double perSecond = more * 1e9 / (System.nanoTime() - start);
            List<String> names = others.stream().map(Client::name).toList();
            OptionalLong free = asked(freeBytes, OptionalLong.empty(), unseen.get(2), gaps);
            return new ServerUse(makes, free, names, working / LOOKS, perSecond, List.copyOf(gaps));
        }

        private static <T> T asked(Supplier<T> question, T otherwise, String gap, Set<String> gaps) {
            try {
                return question.get();
            } catch (TargetException refused) {
                if (gap.isEmpty()) {
                    throw refused;
                }
                gaps.add(gap);
                return otherwise;
            }
        }

        /** Shortens a list for people: {@code one, two and 7 more}; empty for an empty list. */
        public static String first(List<String> names, int shown) {
            int more = names.size() - shown;
            return String.join(", ", names.subList(0, Math.min(shown, names.size())))
                    + (more > 0 ? " and " + more + " more" : "");
        }

        /** Returns whether others are using the server now, as far as siemload can see. */
        public boolean isBusy() {
            return working >= WORKING_LIMIT || perSecond > PER_SECOND_LIMIT;
        }
    }

    /**
     * The destination and the security of connections to a server, as reported by server and driver. Immutable.
     *
     * @param security how the connection is protected
     * @param protocol the protocol and its version, such as {@code TLSv1.3}; empty where there is none or it is unknown
     * @param cipher the name of the cipher suite; empty where there is none or it is unknown
     * @param server which server answered, by its own account; empty where unknown
     * @param timeZone the time zone of times that name none; empty where that makes no difference or is unknown
     */
    public record Transport(Security security, String protocol, String cipher, String server, String timeZone) {
        /** There is no network between siemload and the target. */
        public static final Transport IN_PROCESS = new Transport(Security.IN_PROCESS);

        /** A connection without protection: anybody on the network path can read everything and answer in the server's place. */
        public static final Transport PLAIN = new Transport(Security.NONE);

        /** Creates the description of a connection of which only the protection is known. */
        public Transport(Security security) {
            this(security, "", "", "", "");
        }

        /** The protection of a connection from eavesdroppers, and from anybody who answers in the server's place. */
        public enum Security {
            IN_PROCESS("inProcess", ""),
            /** There is no protection. */
            NONE("none", "without TLS"),
            /** The connection is encrypted, but the server was not verified. */
            UNVERIFIED("unverified", "encrypted, but the certificate was not verified"),
            /** The server's certificate is from a trusted authority, but perhaps for another host. */
            CERTIFICATE("certificate", "certificate verified, but not the host name"),
            /** The server's certificate is from a trusted authority and for the requested host. */
            HOST_NAME("hostName", "certificate and host name verified");

            private final String label;
            private final String words;

            Security(String label, String words) {
                this.label = label;
                this.words = words;
            }

            @JsonValue
            public String label() {
                return label;
            }
        }

        /** Returns whether somebody on the network path could read the data, or answer in the server's place. */
        @JsonIgnore
        public boolean isOpenToOthers() {
            return security == Security.NONE || security == Security.UNVERIFIED;
        }

        /** Returns a description of the connection for people; may be empty. */
        public String label() {
            return Stream.of(protocol, cipher, security.words)
                    .filter(part -> !part.isEmpty())
                    .collect(Collectors.joining(", "));
        }
    }
}
