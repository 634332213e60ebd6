package siemload.target.mongodb;

import com.mongodb.MongoException;
import com.mongodb.MongoNamespace;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.RenameCollectionOptions;
import com.mongodb.client.model.ReplaceOptions;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import siemload.target.DatasetKey;
import siemload.target.IndexSet;

/**
 * The collections of one database. A data set is loaded into {@code loading_<fingerprint>} and kept as
 * {@code data_<fingerprint>}, which the collection {@code datasets} lists once it is complete; a run gets
 * {@code run_<run id>}, see {@link RunCopy}.
 */
final class Datasets {
    private static final JsonTemplate COPY = JsonTemplate.read("idea/copy.json");

    private final MongoDatabase database;
    private final IndexSet indexes;

    Datasets(MongoDatabase database, IndexSet indexes) {
        this.database = database;
        this.indexes = indexes;
    }

    MongoDatabase database() {
        return database;
    }

    boolean holds(DatasetKey key) {
        try {
            return complete().countDocuments(Filters.eq(key.fingerprint())) > 0;
        } catch (MongoException e) {
            throw MongoErrors.outsideRun("cannot look for data sets in the database " + database.getName(), e);
        }
    }

    /** An empty collection for a load, in place of what an interrupted one left. */
    MongoCollection<StoredEvent> loading(DatasetKey key) {
        MongoCollection<StoredEvent> loading =
                database.getCollection("loading_" + key.fingerprint(), StoredEvent.class);
        loading.drop();
        database.createCollection(loading.getNamespace().getCollectionName());
        return loading;
    }

    /** The indexes of the data set's set, each with its name and key. */
    List<BsonDocument> indexes() {
        return IndexChoice.of(indexes);
    }

    /** The name of the step that builds such an index. */
    static String step(BsonDocument index) {
        return "index " + index.getString("name").getValue();
    }

    /** Creates an empty collection for a run. */
    void create(String collection) {
        database.createCollection(collection);
    }

    /** Builds indexes in one pass over the collection. */
    void build(String collection, List<BsonDocument> some) {
        if (!some.isEmpty()) {
            database.runCommand(new BsonDocument("createIndexes", new BsonString(collection))
                    .append("indexes", new BsonArray(some)));
        }
    }

    /** Turns a completely loaded collection into a kept one. */
    void keep(MongoCollection<StoredEvent> loading, DatasetKey key) {
        MongoNamespace kept = new MongoNamespace(database.getName(), kept(key));
        loading.renameCollection(kept, new RenameCollectionOptions().dropTarget(true));
        BsonDocument entry = new BsonDocument("_id", new BsonString(key.fingerprint()))
                .append("label", new BsonString(key.label()))
                .append("events", new BsonInt64(key.events()));
        complete().replaceOne(Filters.eq(key.fingerprint()), entry, new ReplaceOptions().upsert(true));
    }

    /** Copies a kept data set on the server, then builds its indexes; they do not come along. */
    void copy(DatasetKey key, String collection) {
        Map<String, BsonString> values = Map.of("copy", new BsonString(collection));
        database.getCollection(kept(key)).aggregate(COPY.pipeline(values)).toCollection();
        build(collection, indexes());
    }

    private MongoCollection<BsonDocument> complete() {
        return database.getCollection("datasets", BsonDocument.class);
    }

    private static String kept(DatasetKey key) {
        return "data_" + key.fingerprint();
    }
}
