package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import java.util.List;
import org.bson.BsonDocument;
import siemload.database.BulkLoad;
import siemload.database.Maintenance;

/** The collection of one run as a whole. */
final class MongodbMaintenance implements Maintenance {
    private final MongodbDatasets datasets;
    private final MongoCollection<MongodbEvent> events;

    MongodbMaintenance(MongodbDatasets datasets, String collection) {
        this.datasets = datasets;
        this.events = datasets.database().getCollection(collection, MongodbEvent.class);
    }

    @Override
    public BulkLoad openLoad() {
        return new MongodbBulkLoad(events, "events into " + events.getNamespace());
    }

    @Override
    public long deleteAll() {
        try {
            return events.deleteMany(Filters.empty()).getDeletedCount();
        } catch (MongoException e) {
            throw MongodbErrors.outsideRun("cannot delete the events in " + events.getNamespace(), e);
        }
    }

    @Override
    public List<String> indexSteps() {
        return datasets.indexes().stream().map(MongodbDatasets::step).toList();
    }

    @Override
    public void build(String step) {
        BsonDocument index = datasets.indexes().stream()
                .filter(one -> MongodbDatasets.step(one).equals(step))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no step '" + step + "' (" + indexSteps() + ")"));
        try {
            datasets.build(events.getNamespace().getCollectionName(), List.of(index));
        } catch (MongoException e) {
            throw MongodbErrors.outsideRun("cannot build '" + step + "' of " + events.getNamespace(), e);
        }
    }

    /** The index of the ids stays: no collection can do without it. */
    @Override
    public void dropIndexes() {
        try {
            for (BsonDocument index : datasets.indexes()) {
                dropIfThere(index.getString("name").getValue());
            }
        } catch (MongoException e) {
            throw MongodbErrors.outsideRun("cannot drop the indexes of " + events.getNamespace(), e);
        }
    }

    /** The server keeps none: it tries plans out. */
    @Override
    public void gatherStatistics() {}

    /** Only the administrator's database takes the command for it; the server does it once a minute by itself. */
    @Override
    public void checkpoint() {}

    private void dropIfThere(String index) {
        try {
            events.dropIndex(index);
        } catch (MongoException e) {
            if (e.getCode() != MongodbErrors.INDEX_NOT_FOUND) {
                throw e;
            }
        }
    }
}
