package siemload.database.mongodb;

import static siemload.database.mongodb.MongodbErrors.ERRORS;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.StatementStore.StatementSource;
import siemload.database.StatementStore.StatementTime;
import siemload.database.mongodb.DocumentLayout.BsonTemplate;
import siemload.database.server.ServerStarts;

/**
 * Reads numbers of serverStatus, for which a user needs the role clusterMonitor, and how long the run's collection was read, where it has
 * one. What the server refuses is not asked for again, and what it does not tell is missing.
 */
final class MongodbCounters implements Counters {
    /** What the server's counters call a statement that answers a search: they tell all reads of the collection together. */
    static final String READS = "reads";

    private static final BsonTemplate SERVER = BsonTemplate.command("counters-server");
    private static final BsonTemplate LATENCY = BsonTemplate.command("counters-latency");
    private static final String STATUS = "serverStatus (role clusterMonitor)";
    private static final String LATENCY_STATS = "$collStats latencyStats (role readWrite)";
    /** Sections of serverStatus in which every number only grows, and single numbers that do. */
    private static final List<String> GROWING = List.of(
            "opcounters",
            "metrics.document",
            "metrics.queryExecutor",
            "metrics.operation",
            "network.bytesIn",
            "network.bytesOut",
            "network.numRequests",
            "wiredTiger.block-manager",
            "wiredTiger.cache.pages requested from the cache",
            "wiredTiger.cache.pages read into cache",
            "wiredTiger.cache.pages written from cache",
            "wiredTiger.cache.bytes read into cache",
            "wiredTiger.cache.bytes written from cache",
            "wiredTiger.log.log bytes written",
            "wiredTiger.log.log write operations",
            "wiredTiger.log.log sync operations");
    /** Levels of memory: of the process, and of parts of it; and how many bytes their unit has. */
    private static final Map<String, Long> HELD = Map.of(
            "mem.resident", 1L << 20,
            "wiredTiger.cache.bytes currently in the cache", 1L,
            "tcmalloc.generic.current_allocated_bytes", 1L);

    private final MongoClient client;
    private final Optional<MongoCollection<Document>> events;
    private final Duration timeout;
    /** Why, by what was asked for. */
    private final Map<String, String> refused = new HashMap<>();

    private final ServerStarts starts = new ServerStarts();

    /**
     * Reads nothing yet.
     *
     * @param client stays open when these counters are closed
     * @param events empty where the run asks collections of others
     */
    MongodbCounters(MongoClient client, Optional<MongoCollection<Document>> events, Duration timeout) {
        this.client = client;
        this.events = events;
        this.timeout = timeout;
    }

    @Override
    public CounterReading read() {
        return ERRORS.answering(timeout, () -> {
            Document server = ask(STATUS, () -> client.getDatabase("admin").runCommand(SERVER.document(Map.of())));
            if (server.get("uptimeMillis") instanceof Number told) {
                starts.note("", told.longValue());
            }
            Document collection =
                    events.map(own -> ask(LATENCY_STATS, () -> latency(own))).orElseGet(Document::new);
            return reading(server, collection).startedAt(starts.latest());
        });
    }

    private static Document latency(MongoCollection<Document> own) {
        return Objects.requireNonNullElseGet(
                own.aggregate(LATENCY.pipeline(Map.of())).first(), Document::new);
    }

    /**
     * What these answers mean.
     *
     * @param server the answer of serverStatus; empty if it was refused
     * @param collection the answer of $collStats with its times in microseconds; empty likewise. Its operations are no searches: reading a batch more is one, too
     */
    static CounterReading reading(Document server, Document collection) {
        Map<String, Long> counters = new HashMap<>();
        GROWING.forEach(name -> addAll(name, at(server, name), counters));
        Map<String, Long> memory = new HashMap<>();
        HELD.forEach((name, unitBytes) -> {
            if (at(server, name) instanceof Number held && held.longValue() > 0) {
                memory.put(name, held.longValue() * unitBytes);
            }
        });
        Map<String, StatementTime> times = at(collection, "latencyStats.reads.latency") instanceof Number micros
                ? Map.of(READS, new StatementTime(0, 0, TimeUnit.MICROSECONDS.toNanos(micros.longValue())))
                : Map.of();
        return new CounterReading(Map.of(), Map.of(), counters).with(times).holding(memory);
    }

    private static void addAll(String name, @Nullable Object told, Map<String, Long> counters) {
        if (told instanceof Number number) {
            counters.put(name, number.longValue());
        } else if (told instanceof Document section) {
            section.forEach((key, value) -> addAll(name + "." + key, value, counters));
        }
    }

    private static @Nullable Object at(Document document, String path) {
        return document.getEmbedded(List.of(path.split("\\.", -1)), Object.class);
    }

    /** A number; 0 if there is none: servers leave out what they do not know. */
    static long number(Document document, String key) {
        return document.get(key) instanceof Number number ? number.longValue() : 0;
    }

    @Override
    public StatementSource statements() {
        if (events.isEmpty()) {
            return StatementSource.none("MongoDB counts the times of collections, and not those of commands");
        }
        return refused.containsKey(LATENCY_STATS)
                ? StatementSource.none(refused.get(LATENCY_STATS))
                : StatementSource.of(
                        LATENCY_STATS,
                        "all reads of the collection, those of probes and of reading counters among them: what the server"
                                + " did from a command's arrival to its answer");
    }

    @Override
    public List<String> gaps() {
        return Stream.concat(
                        Optional.ofNullable(refused.get(STATUS)).stream(),
                        Stream.of("MongoDB's pages are among its counters, and are not told by tables and indexes"))
                .toList();
    }

    private Document ask(String what, Supplier<Document> question) {
        if (refused.containsKey(what)) {
            return new Document();
        }
        try {
            return question.get();
        } catch (MongoCommandException no) {
            String why = Optional.ofNullable(no.getErrorMessage()).orElse("no reason given");
            refused.put(
                    what,
                    no.getErrorCode() == MongodbErrors.UNAUTHORIZED
                            ? "this user may not ask for " + what + ": " + why
                            : what + " was refused: " + why);
            return new Document();
        }
    }
}
