package siemload.database.mongodb;

import com.mongodb.MongoException;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import siemload.database.DatasetKey;
import siemload.database.DatasetLoad;
import siemload.database.registry.Claim;
import siemload.event.SecurityEvent;

/** Loads a collection, then builds the indexes, and keeps it. */
final class MongodbLoad implements DatasetLoad {
    private final MongodbDatasets datasets;
    private final DatasetKey key;
    private final Claim claim;
    private final MongodbBulkLoad events;

    private MongodbLoad(MongodbDatasets datasets, DatasetKey key, Claim claim) {
        this.datasets = datasets;
        this.key = key;
        this.claim = claim;
        this.events = new MongodbBulkLoad(
                datasets.database().getCollection(claim.name(), MongodbEvent.class),
                "the data set '" + key.label() + "'");
    }

    static MongodbLoad start(MongodbDatasets datasets, DatasetKey key) {
        return new MongodbLoad(datasets, key, datasets.createForLoading(key));
    }

    @Override
    public void write(List<SecurityEvent> batch) {
        events.write(batch);
    }

    @Override
    public void store() {
        events.store();
    }

    @Override
    public void finish(Consumer<String> step) {
        store();
        try {
            for (BsonDocument index : datasets.indexes()) {
                step.accept(MongodbDatasets.step(index));
                datasets.build(claim.name(), List.of(index));
            }
            step.accept("keep");
            datasets.keep(claim, key);
        } catch (MongoException e) {
            throw MongodbErrors.outsideRun("cannot complete the data set '" + key.label() + "'", e);
        }
    }

    @Override
    public void close() {
        events.close();
        claim.release();
    }
}
