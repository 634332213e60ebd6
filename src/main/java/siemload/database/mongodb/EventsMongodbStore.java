package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.bson.Document;
import siemload.database.Counters;
import siemload.database.ExistingEvents;
import siemload.database.FirstNames;
import siemload.database.Hint;
import siemload.database.RowReader.DetachedRow;
import siemload.database.SearchSession;
import siemload.database.TargetException;
import siemload.database.mongodb.layout.BsonTemplate;
import siemload.database.server.Watchers;
import siemload.query.CountedValue;
import siemload.query.ValueField;

/** One whose documents are searched by a layout without loading. Nothing but aggregations without a stage that writes is sent. */
final class EventsMongodbStore implements ExistingEvents {
    private static final int SHOWN = 5;
    private static final BsonTemplate LONG_RUNNING = BsonTemplate.read("server/long-operations.json");
    private static final List<String> WRITES = List.of("insert", "update", "remove");

    private final MongoClient client;
    private final String database;
    private final Duration timeout;
    private final ScheduledThreadPoolExecutor watchers;
    private final DocumentVariant variant;
    private final MongoCollection<Document> documents;

    EventsMongodbStore(MongodbConnections connections, DocumentVariant variant) {
        this.client = connections.openTimed();
        this.database = connections.database();
        this.timeout = connections.searchTimeout();
        this.watchers = Watchers.start();
        this.variant = variant;
        this.documents =
                client.getDatabase(database).getCollection(variant.layout().collection());
        missing(variant.layout().collection()).ifPresent(why -> {
            close();
            throw new TargetException(why);
        });
    }

    @Override
    public SearchSession openSession() {
        return openSession(variant.hint());
    }

    @Override
    public SearchSession openSession(Hint hint) {
        return new MongodbSession(client, documents, variant.with(hint), timeout, watchers);
    }

    @Override
    public Span span() {
        return queries().span();
    }

    @Override
    public Map<ValueField, List<CountedValue>> values(int most) {
        Map<ValueField, List<CountedValue>> values = new EnumMap<>(ValueField.class);
        DocumentQueries queries = queries();
        variant.layout().values().forEach((field, query) -> values.put(field, queries.values(field, query, most)));
        return values;
    }

    private DocumentQueries queries() {
        EventCommands commands = new EventCommands(documents.withDocumentClass(DetachedRow.class), variant, timeout);
        StoppableOperation operation = new StoppableOperation(client.getDatabase("admin"), timeout, watchers);
        return new DocumentQueries(commands, operation);
    }

    /** A collection that is not there answers with no row, as if all were well: why it is not asked; empty if it is there. */
    private Optional<String> missing(String collection) {
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
