package siemload.database.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.bson.Document;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.StatementStore.StatementSource;
import siemload.database.StatementStore.StatementTime;
import siemload.database.server.ServerStarts;

/**
 * Reads serverStatus, for which a user needs the role clusterMonitor, and the statistics of the run's collection, where it has one. What
 * the server refuses is not asked for again.
 */
final class MongodbCounters implements Counters {
    private static final BsonTemplate SERVER = BsonTemplate.read("server", "counters-server");
    private static final BsonTemplate COLLECTION = BsonTemplate.read("server", "counters-collection");
    private static final BsonTemplate LATENCY = BsonTemplate.read("server", "counters-latency");
    private static final String LATENCY_STATS = "$collStats latencyStats (role readWrite)";
    private static final String READS = "reads";

    private final MongoClient client;
    private final Optional<MongoCollection<Document>> events;
    private final Duration timeout;
    /** Why, by what was asked for. */
    private final Map<String, String> refused = new LinkedHashMap<>();

    private boolean withoutWiredTiger;
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
        return MongodbErrors.answering(timeout, () -> {
            Document server = ask(
                    "serverStatus (role clusterMonitor)",
                    () -> client.getDatabase("admin").runCommand(SERVER.document(Map.of())));
            Document collection = events.isEmpty()
                    ? new Document()
                    : ask("$collStats (role readWrite)", () -> statistics(COLLECTION));
            WiredTigerCounters counted = new WiredTigerCounters(server, collection);
            withoutWiredTiger |= refused.isEmpty() && !counted.hasWiredTiger();
            noteStart(server);
            return counted.reading(events.map(own -> own.getNamespace().getCollectionName())
                            .orElse(""))
                    .with(times(events.isEmpty() ? new Document() : ask(LATENCY_STATS, () -> statistics(LATENCY))))
                    .startedAt(starts.latest());
        });
    }

    private Document statistics(BsonTemplate asked) {
        return Objects.requireNonNullElseGet(
                events.orElseThrow().aggregate(asked.pipeline(Map.of())).first(), Document::new);
    }

    /** What the server's counters call a statement that answers a search: they tell all reads of the collection together. */
    static String statement() {
        return READS;
    }

    /**
     * The time of all reads of the collection, in the form of the manual, which has it in microseconds. Its operations are no
     * searches: reading a batch more is one, too.
     */
    static Map<String, StatementTime> times(Document collection) {
        Document reads = collection.get("latencyStats", new Document()).get(READS, new Document());
        return reads.get("latency") instanceof Number micros
                ? Map.of(READS, new StatementTime(0, 0, TimeUnit.MICROSECONDS.toNanos(micros.longValue())))
                : Map.of();
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
        List<String> gaps = new ArrayList<>();
        refused.forEach((what, why) -> {
            if (!what.equals(LATENCY_STATS)) {
                gaps.add(why);
            }
        });
        if (withoutWiredTiger) {
            gaps.add("this server tells nothing of WiredTiger, so that its input and output are unknown");
        }
        return gaps;
    }

    @Override
    public void close() {}

    /** The server tells how long it has been up. */
    private void noteStart(Document server) {
        if (server.get("uptimeMillis") instanceof Number told) {
            starts.note("", told.longValue());
        }
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
