package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bson.Document;
import siemload.database.Counters;
import siemload.database.EventSink;
import siemload.database.SearchSession;
import siemload.database.ServerClock;
import siemload.database.TargetException;
import siemload.database.Trends;
import siemload.database.mongodb.layout.BsonTemplate;
import siemload.database.server.CopyStore;
import siemload.database.server.IdPortions;
import siemload.database.server.RunCopy;
import siemload.event.WholeText;

/** A collection that is the copy of one run, with the client of the run. */
final class MongodbStore implements CopyStore {
    private static final BsonTemplate STATISTICS = BsonTemplate.read("server/counters-collection.json");
    private static final int IDS_AT_ONCE = 1_000;
    private static final int RECONNECTIONS = 10;

    private final MongoClient client;
    private final MongoClient outside;
    private final MongoCollection<Document> events;
    private final RunCopy copy;
    private final DocumentVariant variant;
    private final Duration timeout;

    /** @param outside the client of the target, which stays open */
    MongodbStore(MongodbConnections connections, RunCopy copy, MongoClient outside, DocumentVariant variant) {
        this.client = connections.openTimed();
        this.outside = outside;
        this.events = client.getDatabase(connections.database()).getCollection(copy.name());
        this.copy = copy;
        this.variant = variant;
        this.timeout = connections.searchTimeout();
    }

    @Override
    public SearchSession openSession() {
        return new MongodbSession(client, events, variant, timeout, copy.watchers());
    }

    @Override
    public EventSink openSink() {
        return new MongodbSink(variant.layout().writable(events), timeout);
    }

    @Override
    public Optional<Counters> openCounters() {
        return Optional.of(new MongodbCounters(client, Optional.of(events), timeout));
    }

    @Override
    public Optional<ServerClock> openClock() {
        return Optional.of(new MongodbClock(client.getDatabase("admin"), timeout));
    }

    @Override
    public Optional<Trends> trends() {
        String database = events.getNamespace().getDatabaseName();
        return Optional.of(new MongodbTrends(outside.getDatabase(database), copy.name()));
    }

    @Override
    public RunCopy copy() {
        return copy;
    }

    /** An id is the primary key, so that none can be stored twice. */
    @Override
    public Presence presenceOf(Collection<String> ids) {
        List<String> stored = ids.stream().map(WholeText::of).toList();
        BsonTemplate presence = variant.layout().template("presence");
        return MongodbErrors.trying("look for events in " + copy.tables().place(), () -> {
            long found = 0;
            for (List<String> some : IdPortions.of(stored, IDS_AT_ONCE)) {
                found += events.countDocuments(presence.document(Map.of("ids", some)));
            }
            return new Presence(found, 0);
        });
    }

    @Override
    public SortedMap<String, Long> relationBytes() {
        return MongodbErrors.trying("read the size of " + copy.tables().place(), () -> {
            Document answer = events.aggregate(STATISTICS.pipeline(Map.of())).first();
            return answer == null ? new TreeMap<>() : sizes(answer);
        });
    }

    /** From an answer of $collStats; each copy has a name of its own, so that all are called events. */
    static SortedMap<String, Long> sizes(Document answer) {
        SortedMap<String, Long> sizes = new TreeMap<>();
        Document statistics = answer.get("storageStats", new Document());
        if (statistics.get("storageSize") instanceof Number size) {
            sizes.put("events", size.longValue());
        }
        statistics.get("indexSizes", new Document()).forEach((index, size) -> {
            if (size instanceof Number number) {
                sizes.put(index, number.longValue());
            }
        });
        return sizes;
    }

    /** A pool finds out that its connections are broken when it uses one, and then throws all of them away. */
    @Override
    public void serverRestarted() {
        for (MongoClient each : List.of(outside, client)) {
            for (int tries = 1; !answers(each); tries++) {
                if (tries == RECONNECTIONS) {
                    throw new TargetException("MongoDB does not answer after the restart");
                }
            }
        }
    }

    private static boolean answers(MongoClient client) {
        try {
            client.getDatabase("admin").runCommand(new Document("ping", 1));
            return true;
        } catch (MongoException broken) {
            return false;
        }
    }

    @Override
    public void close() {
        client.close();
        copy.close();
    }
}
