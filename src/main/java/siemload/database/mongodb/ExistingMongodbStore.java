package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.bson.Document;
import siemload.database.Counters;
import siemload.database.ExistingStore;
import siemload.database.FirstNames;
import siemload.database.mongodb.layout.BsonTemplate;
import siemload.database.server.Watchers;

/** A database that was there before the run, with the client of the run and what watches over its sessions. */
abstract class ExistingMongodbStore implements ExistingStore {
    private static final int SHOWN = 5;
    private static final BsonTemplate LONG_RUNNING = BsonTemplate.read("server/long-operations.json");
    private static final List<String> WRITES = List.of("insert", "update", "remove");

    private final MongoClient client;
    private final String database;
    private final Duration timeout;
    private final ScheduledThreadPoolExecutor watchers;

    ExistingMongodbStore(MongodbConnections connections) {
        this.client = connections.openTimed();
        this.database = connections.database();
        this.timeout = connections.searchTimeout();
        this.watchers = Watchers.start();
    }

    final MongoClient client() {
        return client;
    }

    final String database() {
        return database;
    }

    final Duration timeout() {
        return timeout;
    }

    final ScheduledExecutorService watchers() {
        return watchers;
    }

    /** A collection that is not there answers with no row, as if all were well: why it is not asked; empty if it is there. */
    final Optional<String> missing(String collection) {
        List<String> there = collections();
        return there.isEmpty() || there.contains(collection)
                ? Optional.empty()
                : Optional.of("there is no collection " + collection + " in the database " + database + " (there are: "
                        + FirstNames.of(there, SHOWN) + ")");
    }

    /** Those of the database, with its views; none where the user may not see them. */
    private List<String> collections() {
        try {
            return client.getDatabase(database).listCollectionNames().into(new ArrayList<>()).stream()
                    .sorted()
                    .toList();
        } catch (MongoException unseen) {
            return List.of();
        }
    }

    @Override
    public Optional<Counters> openCounters() {
        return Optional.of(new MongodbCounters(client, Optional.empty(), timeout));
    }

    @Override
    public OptionalLong runningFor(Duration atLeast) {
        try {
            Document counted = client.getDatabase("admin")
                    .aggregate(LONG_RUNNING.pipeline(
                            Map.of("database", "^\\Q" + database + "\\E[.]", "micros", atLeast.toNanos() / 1_000)))
                    .first();
            return OptionalLong.of(counted == null ? 0 : WiredTigerCounters.number(counted, "running"));
        } catch (MongoException untold) {
            return OptionalLong.empty();
        }
    }

    /** Writing operations on its collections, by {@code top}, for which a user needs the role clusterMonitor. */
    @Override
    public OptionalLong rowsWritten() {
        try {
            MongoDatabase administration = client.getDatabase("admin");
            return OptionalLong.of(written(administration.runCommand(new Document("top", 1)), database));
        } catch (MongoException untold) {
            return OptionalLong.empty();
        }
    }

    /** From the answer of {@code top}. */
    static long written(Document top, String database) {
        long written = 0;
        for (var counted : top.get("totals", new Document()).entrySet()) {
            if (counted.getKey().startsWith(database + ".") && counted.getValue() instanceof Document operations) {
                for (String kind : WRITES) {
                    written += WiredTigerCounters.number(operations.get(kind, new Document()), "count");
                }
            }
        }
        return written;
    }

    @Override
    public void close() {
        watchers.shutdownNow();
        client.close();
    }
}
