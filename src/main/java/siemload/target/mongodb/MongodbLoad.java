package siemload.target.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import siemload.event.SecurityEvent;
import siemload.target.DatasetKey;
import siemload.target.DatasetLoad;

/** Loads a collection, then builds the indexes, and keeps it under its final name. */
final class MongodbLoad implements DatasetLoad {
    private final Datasets datasets;
    private final DatasetKey key;
    private final MongoCollection<StoredEvent> loading;
    private final MongodbBulkLoad events;
    private boolean finished;

    private MongodbLoad(Datasets datasets, DatasetKey key, MongoCollection<StoredEvent> loading) {
        this.datasets = datasets;
        this.key = key;
        this.loading = loading;
        this.events = new MongodbBulkLoad(loading, "the data set '" + key.label() + "'");
    }

    static MongodbLoad start(Datasets datasets, DatasetKey key) {
        try {
            return new MongodbLoad(datasets, key, datasets.loading(key));
        } catch (MongoException e) {
            throw MongoErrors.outsideRun("cannot create the collection of the data set '" + key.label() + "'", e);
        }
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
            String collection = loading.getNamespace().getCollectionName();
            for (BsonDocument index : datasets.indexes()) {
                step.accept(Datasets.step(index));
                datasets.build(collection, List.of(index));
            }
            step.accept("keep");
            datasets.keep(loading, key);
        } catch (MongoException e) {
            throw MongoErrors.outsideRun("cannot complete the data set '" + key.label() + "'", e);
        }
        finished = true;
    }

    @Override
    public void close() {
        events.close();
        if (finished) {
            return;
        }
        finished = true;
        try {
            loading.drop();
        } catch (MongoException e) {
            throw MongoErrors.outsideRun("cannot drop the unfinished data set '" + key.label() + "'", e);
        }
    }
}
