package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import siemload.database.Counters;
import siemload.database.EventSink;
import siemload.database.Maintenance;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.database.Variant;

/** A collection that is the copy of one run, with the clients of the run. */
final class MongodbStore implements Store {
    private static final JsonTemplate PRESENCE = JsonTemplate.read("idea/presence.json");
    private static final JsonTemplate STATISTICS = JsonTemplate.read("server/counters-collection.json");
    private static final int IDS_AT_ONCE = 1_000;
    private static final BsonDocument PING = new BsonDocument("ping", new BsonInt32(1));
    private static final int RECONNECTIONS = 10;

    private final MongoClient client;
    private final MongoCollection<BsonDocument> events;
    private final RunCopy copy;
    private final Variant variant;
    private final Duration timeout;
    private final AtomicBoolean closed = new AtomicBoolean();

    MongodbStore(MongodbConnections connections, RunCopy copy, Variant variant) {
        this.client = connections.openTimed();
        this.events = client.getDatabase(connections.database()).getCollection(copy.collection(), BsonDocument.class);
        this.copy = copy;
        this.variant = variant;
        this.timeout = connections.searchTimeout();
    }

    @Override
    public SearchSession openSession() {
        return new MongodbSession(events, variant, timeout, new MongodbCanceller(client, copy.watchers()));
    }

    @Override
    public EventSink openSink() {
        return new MongodbSink(events, timeout);
    }

    @Override
    public Optional<Counters> openCounters() {
        return Optional.of(new MongodbCounters(client, events, timeout));
    }

    @Override
    public long events() {
        try {
            return events.countDocuments();
        } catch (MongoException e) {
            throw MongodbErrors.outsideRun("cannot count the events in " + events.getNamespace(), e);
        }
    }

    /** An id is the primary key, so that none can be stored twice. */
    @Override
    public Presence presenceOf(Collection<String> ids) {
        List<String> distinct = new ArrayList<>(new LinkedHashSet<>(ids));
        long found = 0;
        try {
            for (int from = 0; from < distinct.size(); from += IDS_AT_ONCE) {
                List<String> some = distinct.subList(from, Math.min(from + IDS_AT_ONCE, distinct.size()));
                found += events.countDocuments(PRESENCE.document(Map.of("ids", texts(some))));
            }
        } catch (MongoException e) {
            throw MongodbErrors.outsideRun("cannot look for events in " + events.getNamespace(), e);
        }
        return new Presence(found, 0);
    }

    @Override
    public SortedMap<String, Long> relationBytes() {
        try {
            BsonDocument answer =
                    events.aggregate(STATISTICS.pipeline(Map.of())).first();
            return answer == null ? new TreeMap<>() : sizes(answer);
        } catch (MongoException e) {
            throw MongodbErrors.outsideRun("cannot read the size of " + events.getNamespace(), e);
        }
    }

    /** From an answer of $collStats; each copy has a name of its own, so that all are called events. */
    static SortedMap<String, Long> sizes(BsonDocument answer) {
        SortedMap<String, Long> sizes = new TreeMap<>();
        BsonDocument statistics = answer.getDocument("storageStats", new BsonDocument());
        if (statistics.isNumber("storageSize")) {
            sizes.put("events", statistics.getNumber("storageSize").longValue());
        }
        statistics.getDocument("indexSizes", new BsonDocument()).forEach((index, size) -> {
            if (size.isNumber()) {
                sizes.put(index, size.asNumber().longValue());
            }
        });
        return sizes;
    }

    /** A pool finds out that its connections are broken when it uses one, and then throws all of them away. */
    @Override
    public void serverRestarted() {
        copy.reconnect();
        for (int tries = 1; !answers(); tries++) {
            if (tries == RECONNECTIONS) {
                throw new TargetException("MongoDB does not answer after the restart");
            }
        }
    }

    private boolean answers() {
        try {
            client.getDatabase(events.getNamespace().getDatabaseName()).runCommand(PING);
            return true;
        } catch (MongoException broken) {
            return false;
        }
    }

    @Override
    public Optional<Maintenance> maintenance() {
        return Optional.of(copy.maintenance());
    }

    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            client.close();
            copy.close();
        }
    }

    private static BsonArray texts(List<String> texts) {
        return new BsonArray(texts.stream()
                .map(text -> new BsonString(EventText.clean(text)))
                .collect(Collectors.toList()));
    }
}
