package siemload.database.mongodb;

import static siemload.database.mongodb.MongodbErrors.ERRORS;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.Document;
import siemload.database.Counters;
import siemload.database.Counters.StatementSource;
import siemload.database.mongodb.DocumentLayout.BsonTemplate;
import siemload.database.server.JsonCounters;
import siemload.database.server.JsonCounters.Counter;
import siemload.database.server.JsonCounters.Meaning;
import siemload.database.server.JsonCounters.Question;
import siemload.database.server.JsonCounters.Unit;

/** What numbers of serverStatus and, of the run's own collection, $collStats are. */
final class MongodbCounters {
    /** What the server's counters call a statement that answers a search: they tell all reads of the collection together. */
    static final String READS = "reads";

    private static final BsonTemplate SERVER = BsonTemplate.command("counters-server");
    private static final BsonTemplate LATENCY = BsonTemplate.command("counters-latency");
    private static final String STATUS = "serverStatus (role clusterMonitor)";
    private static final String LATENCY_STATS = "$collStats latencyStats (role readWrite)";
    private static final String GAP = "MongoDB's pages are among its counters, and are not told by tables and indexes";

    /** Of $collStats the time: its operations are no searches, since reading a batch more is one, too. */
    private static final List<Counter> COUNTERS = List.of(
            new Counter("(?:opcounters|metrics\\.(?:document|queryExecutor|operation))\\..*", "$0", Unit.COUNT),
            new Counter("network\\.(?:bytesIn|bytesOut|numRequests)", "$0", Unit.COUNT),
            new Counter("wiredTiger\\.block-manager\\..*", "$0", Unit.COUNT),
            new Counter(
                    "wiredTiger\\.cache\\.pages (?:requested from the|read into|written from) cache", "$0", Unit.COUNT),
            new Counter("wiredTiger\\.cache\\.bytes (?:read into|written from) cache", "$0", Unit.COUNT),
            new Counter("wiredTiger\\.log\\.log (?:bytes written|write operations|sync operations)", "$0", Unit.COUNT),
            new Counter("mem\\.resident", "$0", Unit.MEBIBYTES),
            new Counter("wiredTiger\\.cache\\.bytes currently in the cache", "$0", Unit.BYTES),
            new Counter("tcmalloc\\.generic\\.current_allocated_bytes", "$0", Unit.BYTES),
            new Counter("latencyStats\\.reads\\.latency", READS, Unit.SEARCH_MICROS),
            new Counter("uptimeMillis", "", Unit.UP_MILLIS));
    /** Of a collection of siemload's. */
    static final Meaning OWN = new Meaning(
            COUNTERS,
            LATENCY_STATS,
            StatementSource.of(
                    LATENCY_STATS,
                    "all reads of the collection, those of probes and of reading counters among them: what the server"
                            + " did from a command's arrival to its answer"),
            GAP);

    private static final Meaning OTHERS = new Meaning(
            COUNTERS,
            "",
            StatementSource.none("MongoDB counts the times of collections, and not those of commands"),
            GAP);

    private MongodbCounters() {}

    /** @param others whether the run searches a collection of somebody else */
    static Counters of(MongoClient client, MongoCollection<Document> events, boolean others, Duration timeout) {
        Question status = new Question(
                STATUS, () -> MongodbServer.json(client.getDatabase("admin").runCommand(SERVER.document(Map.of()))));
        return new JsonCounters<>(
                ERRORS,
                e -> e instanceof MongoCommandException,
                timeout,
                others ? List.of(status) : List.of(status, new Question(LATENCY_STATS, () -> latency(events))),
                others ? OTHERS : OWN);
    }

    private static JsonNode latency(MongoCollection<Document> events) {
        return MongodbServer.json(Objects.requireNonNullElseGet(
                events.aggregate(LATENCY.pipeline(Map.of())).first(), Document::new));
    }

    /** A number; 0 if there is none: servers leave out what they do not know. */
    static long number(Document document, String key) {
        return document.get(key) instanceof Number number ? number.longValue() : 0;
    }
}
