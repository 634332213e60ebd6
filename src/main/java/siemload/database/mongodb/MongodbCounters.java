package siemload.database.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.bson.Document;
import siemload.database.CounterReading;
import siemload.database.Counters;

/**
 * Reads serverStatus, for which a user needs the role clusterMonitor, and the statistics of the run's collection. What
 * the server refuses is not asked for again.
 */
final class MongodbCounters implements Counters {
    private static final JsonTemplate SERVER = JsonTemplate.read("server/counters-server.json");
    private static final JsonTemplate COLLECTION = JsonTemplate.read("server/counters-collection.json");

    private final MongoClient client;
    private final MongoCollection<Document> events;
    private final Duration timeout;
    private final Map<String, String> refused = new LinkedHashMap<>();
    private boolean withoutWiredTiger;
    private long uptimeMillis = -1;
    private int starts;

    /** @param client stays open when these counters are closed */
    MongodbCounters(MongoClient client, MongoCollection<Document> events, Duration timeout) {
        this.client = client;
        this.events = events;
        this.timeout = timeout;
    }

    @Override
    public CounterReading read() {
        long start = System.nanoTime();
        try {
            Document server = ask(
                    "serverStatus (role clusterMonitor)",
                    () -> client.getDatabase("admin").runCommand(SERVER.document(Map.of())));
            Document collection = ask(
                    "$collStats (role readWrite)",
                    () -> Objects.requireNonNullElseGet(
                            events.aggregate(COLLECTION.pipeline(Map.of())).first(), Document::new));
            WiredTigerCounters counted = new WiredTigerCounters(server, collection);
            withoutWiredTiger |= refused.isEmpty() && !counted.hasWiredTiger();
            noteStart(server);
            return counted.reading(events.getNamespace().getCollectionName())
                    .startedAt(uptimeMillis < 0 ? "" : "start " + starts);
        } catch (MongoException e) {
            throw MongodbErrors.inRun(e, Duration.ofNanos(System.nanoTime() - start), timeout);
        }
    }

    @Override
    public List<String> gaps() {
        List<String> gaps = new ArrayList<>();
        refused.forEach((what, why) -> gaps.add(what + " was refused: " + why));
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
            long up = told.longValue();
            starts += up < uptimeMillis ? 1 : 0;
            uptimeMillis = up;
        }
    }

    private Document ask(String what, Supplier<Document> question) {
        if (refused.containsKey(what)) {
            return new Document();
        }
        try {
            return question.get();
        } catch (MongoCommandException no) {
            refused.put(what, Optional.ofNullable(no.getErrorMessage()).orElse("no reason given"));
            return new Document();
        }
    }
}
