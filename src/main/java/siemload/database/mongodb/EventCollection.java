package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import siemload.database.BulkLoad;
import siemload.database.StoreKind;
import siemload.database.mongodb.layout.BsonTemplate;
import siemload.database.mongodb.layout.MongodbEvent;
import siemload.database.registry.Claim;
import siemload.database.server.BuildStep;
import siemload.database.server.EventTables;
import siemload.database.server.ParallelLoad;
import siemload.event.IdeaWriter;

/**
 * The collection of one data set, or of one run's copy of it, as a whole. The server keeps no statistics, since it tries plans
 * out; and a checkpoint, which only the administrator's database may ask for, it takes once a minute by itself.
 */
record EventCollection(MongoDatabase database, String name, DocumentVariant variant) implements EventTables {
    private static final BsonTemplate COPY = BsonTemplate.read("server/copy.json");
    private static final int WRITERS = 4;

    @Override
    public String place() {
        return "the collection " + name;
    }

    @Override
    public void create(Claim claim) {
        MongodbErrors.running("make " + place(), () -> database.createCollection(name));
        claim.made(RegisteredCollections.identity(database, name).orElse(""));
    }

    @Override
    public StoreKind copyFrom(String kept, Claim claim) {
        MongodbErrors.running(
                "copy the collection " + kept,
                () -> database.getCollection(kept)
                        .aggregate(COPY.pipeline(Map.of("copy", name)))
                        .toCollection());
        claim.made(RegisteredCollections.identity(database, name).orElse(""));
        return StoreKind.COPY;
    }

    @Override
    public long events() {
        return MongodbErrors.trying("count the events in " + place(), documents()::countDocuments);
    }

    /** An insert makes a collection that is not there, and cannot be told not to. */
    @Override
    public boolean areMadeByWriting() {
        return true;
    }

    @Override
    public boolean areLoadedTogether() {
        return true;
    }

    @Override
    public BulkLoad openLoad(String label) {
        MongoCollection<MongodbEvent> events = variant.layout().writable(documents());
        return ParallelLoad.start(label, WRITERS, () -> {
            IdeaWriter writer = new IdeaWriter();
            return batch -> {
                List<MongodbEvent> documents = MongodbEvent.of(batch, writer);
                MongodbErrors.running("load " + label, () -> MongodbEvent.insert(documents, events));
                return MongodbEvent.bytes(documents);
            };
        });
    }

    @Override
    public List<BuildStep> indexes() {
        return all().stream()
                .map(index -> new BuildStep("index " + index.getString("name"), () -> build(List.of(index))))
                .toList();
    }

    private List<Document> all() {
        return variant.layout().indexes(variant.indexes());
    }

    /** In one pass over the collection. */
    @Override
    public void completeCopy() {
        if (!all().isEmpty()) {
            build(all());
        }
    }

    private void build(List<Document> indexes) {
        Document command = new Document("createIndexes", name).append("indexes", indexes);
        MongodbErrors.running("build the indexes of " + place(), () -> database.runCommand(command));
    }

    /** The index of the ids stays: no collection can do without it. */
    @Override
    public void dropIndexes() {
        MongodbErrors.running(
                "drop the indexes of " + place(), () -> all().forEach(index -> dropIfThere(index.getString("name"))));
    }

    private void dropIfThere(String index) {
        try {
            documents().dropIndex(index);
        } catch (MongoException e) {
            if (e.getCode() != MongodbErrors.INDEX_NOT_FOUND) {
                throw e;
            }
        }
    }

    @Override
    public long deleteAll() {
        return MongodbErrors.trying(
                "delete the events in " + place(),
                () -> documents().deleteMany(Filters.empty()).getDeletedCount());
    }

    private MongoCollection<Document> documents() {
        return database.getCollection(name);
    }
}
