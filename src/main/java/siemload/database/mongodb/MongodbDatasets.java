package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import siemload.database.DatasetKey;
import siemload.database.FirstNames;
import siemload.database.IndexSet;
import siemload.database.TargetException;
import siemload.database.registry.Claim;
import siemload.database.registry.Entry;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.Registry;

/**
 * The collections of one database: {@code siemload_data_<fingerprint>_<random>} for a data set,
 * {@code siemload_run_<run id>_<random>} for a run, and {@code siemload_registry}, which knows whose they are. Nobody else's
 * may lie among them. Thread-safe.
 */
final class MongodbDatasets implements AutoCloseable {
    private static final JsonTemplate COPY = JsonTemplate.read("idea/copy.json");
    private static final String OURS = "siemload_";
    private static final String OF_THE_SERVER = "system.";
    /** The namespace, with the database's name, may have 255 bytes; indexes have longer ones. */
    private static final int LONGEST_NAME = 100;

    private static final int SHOWN = 3;
    private static final int RECONNECTIONS = 2;
    private static final BsonDocument PING = new BsonDocument("ping", new BsonInt32(1));

    private final MongoDatabase database;
    private final IndexSet indexes;
    private final RegisteredCollections collections;
    private final Registry registry;

    /** @throws TargetException if collections of others lie in the database */
    MongodbDatasets(MongoClient client, String name, IndexSet indexes) {
        this.database = client.getDatabase(name);
        this.indexes = indexes;
        this.collections = new RegisteredCollections(database, client.getDatabase("admin"));
        requireOwn();
        this.registry = new Registry(new CollectionRegistry(database), collections);
    }

    MongoDatabase database() {
        return database;
    }

    private void requireOwn() {
        List<String> others = names().stream()
                .filter(name -> !name.startsWith(OURS) && !name.startsWith(OF_THE_SERVER))
                .sorted()
                .toList();
        if (!others.isEmpty()) {
            throw new TargetException("the database " + database.getName()
                    + " holds collections that are not siemload's ("
                    + FirstNames.of(others, SHOWN)
                    + "), among which its own would lie; name another database, which need not exist yet:"
                    + " -Ddatabase=siemload");
        }
    }

    private List<String> names() {
        return database.listCollectionNames().into(new ArrayList<>());
    }

    /** The kept collection of a data set. */
    Optional<Entry> kept(DatasetKey key) {
        return registry.kept(key.fingerprint());
    }

    /** Gives a kept collection up, so that the data set can be loaded anew. */
    void discard(DatasetKey key) {
        registry.discard(key.fingerprint());
    }

    /** Collections with names like ours that the registry does not know. */
    List<String> strangers() {
        Set<String> ours = registry.entries().stream().map(Entry::name).collect(Collectors.toSet());
        return names().stream()
                .filter(name -> name.startsWith(OURS) && !name.equals(CollectionRegistry.COLLECTION))
                .filter(name -> !ours.contains(name))
                .sorted()
                .map(name -> "collection " + name)
                .toList();
    }

    /** Drops what processes left behind that are gone. */
    void sweep() {
        registry.sweep();
    }

    /** An empty collection for a load, after dropping what killed processes left. */
    Claim createForLoading(DatasetKey key) {
        String name = Registry.name("siemload_data_", key.fingerprint(), LONGEST_NAME);
        return make(Purpose.LOADING, name, key.fingerprint(), key.label(), database::createCollection);
    }

    /** An empty collection for a run, after dropping what killed processes left. */
    Claim createForRun(String runId) {
        return make(Purpose.RUN, nameOfRun(runId), "", "run " + runId, database::createCollection);
    }

    /** A copy of a kept collection for a run, after dropping what killed processes left. Indexes do not come along. */
    Claim copy(Entry kept, String runId) {
        String label = "run " + runId + " on " + kept.label();
        return make(Purpose.RUN, nameOfRun(runId), kept.fingerprint(), label, collection -> {
            fill(collection, kept);
            requireWhole(kept, database.getCollection(collection).countDocuments());
            build(collection, indexes());
        });
    }

    private void fill(String collection, Entry kept) {
        Map<String, BsonString> values = Map.of("copy", new BsonString(collection));
        database.getCollection(kept.name()).aggregate(COPY.pipeline(values)).toCollection();
    }

    private static void requireWhole(Entry kept, long events) {
        if (events != kept.events()) {
            throw new TargetException("the data set '" + kept.label() + "' that is kept in the collection "
                    + kept.name() + " is damaged: of " + kept.events() + " events " + events
                    + " are left (-Dreload=true loads it anew)");
        }
    }

    private static String nameOfRun(String runId) {
        return Registry.name("siemload_run_", runId.replaceAll("[^A-Za-z0-9-]", "-"), LONGEST_NAME);
    }

    private Claim make(Purpose purpose, String name, String fingerprint, String label, Consumer<String> making) {
        registry.sweep();
        Claim claim = registry.claim(purpose, name, fingerprint, label, "");
        try {
            making.accept(name);
            claim.made(collections.identity(name).orElse(""));
            return claim;
        } catch (MongoException e) {
            TargetException failed = MongodbErrors.outsideRun("cannot make the collection " + name, e);
            claim.giveUp(failed);
            throw failed;
        } catch (TargetException e) {
            claim.giveUp(e);
            throw e;
        }
    }

    /**
     * Makes a loaded collection the one that all runs find; where another process was faster, its collection is.
     *
     * @throws TargetException if not all events are in it
     */
    void keep(Claim claim, DatasetKey key) {
        long events = database.getCollection(claim.name()).countDocuments();
        claim.requireAll(key, events, "the collection " + claim.name());
        claim.keepOrRelease(events + " events", events);
    }

    /** The indexes of the data set's set, each with its name and key. */
    List<BsonDocument> indexes() {
        return IndexChoice.of(indexes);
    }

    /** The name of the step that builds such an index. */
    static String step(BsonDocument index) {
        return "index " + index.getString("name").getValue();
    }

    /** Builds indexes in one pass over the collection. */
    void build(String collection, List<BsonDocument> some) {
        if (!some.isEmpty()) {
            database.runCommand(new BsonDocument("createIndexes", new BsonString(collection))
                    .append("indexes", new BsonArray(some)));
        }
    }

    /** After a restart of the server: a pool finds out that its connections are broken when it uses one. */
    void reconnect() {
        for (int tries = 0; tries < RECONNECTIONS; tries++) {
            try {
                database.runCommand(PING);
                return;
            } catch (MongoException broken) {
                // The next one is made anew.
            }
        }
    }

    @Override
    public void close() {
        registry.close();
    }
}
