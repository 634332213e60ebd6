package siemload.target.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertManyOptions;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.target.DatasetKey;
import siemload.target.DatasetLoad;
import siemload.target.TargetException;

/** Inserts batches over several connections, then builds the indexes, and keeps the collection under its final name. */
final class MongodbLoad implements DatasetLoad {
    private static final int LANES = 4;
    private static final int WAITING_BATCHES = 2 * LANES;
    private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);

    private final Datasets datasets;
    private final DatasetKey key;
    private final MongoCollection<StoredEvent> loading;
    /** What does not fit into the queue is inserted by the writing thread itself, which slows it down. */
    private final ThreadPoolExecutor lanes = new ThreadPoolExecutor(
            LANES,
            LANES,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_BATCHES),
            task -> new Thread(task, "mongodb-load"),
            new ThreadPoolExecutor.CallerRunsPolicy());

    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    private boolean finished;

    private MongodbLoad(Datasets datasets, DatasetKey key, MongoCollection<StoredEvent> loading) {
        this.datasets = datasets;
        this.key = key;
        this.loading = loading;
    }

    static MongodbLoad start(Datasets datasets, DatasetKey key) {
        try {
            return new MongodbLoad(datasets, key, datasets.loading(key));
        } catch (MongoException e) {
            throw MongoErrors.outsideRun("cannot create the collection of the data set '" + key.label() + "'", e);
        }
    }

    @Override
    public void write(List<SecurityEvent> events) {
        throwFailure();
        List<SecurityEvent> batch = List.copyOf(events);
        lanes.execute(() -> insert(batch));
    }

    @Override
    public void store() {
        lanes.shutdown();
        try {
            while (!lanes.awaitTermination(1, TimeUnit.SECONDS)) {
                throwFailure();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("the load of the data set '" + key.label() + "' was interrupted", e);
        }
        throwFailure();
    }

    @Override
    public void finish(Consumer<String> step) {
        store();
        try {
            String collection = loading.getNamespace().getCollectionName();
            for (BsonDocument index : datasets.indexes()) {
                step.accept("index " + index.getString("name").getValue());
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
        if (finished) {
            return;
        }
        finished = true;
        lanes.shutdownNow();
        try {
            boolean ended = lanes.awaitTermination(1, TimeUnit.MINUTES);
            assert ended : "an insert goes on for a minute";
            loading.drop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (MongoException e) {
            throw MongoErrors.outsideRun("cannot drop the unfinished data set '" + key.label() + "'", e);
        }
    }

    private void insert(List<SecurityEvent> batch) {
        if (failure.get() != null || batch.isEmpty()) {
            return;
        }
        try {
            IdeaWriter writer = new IdeaWriter();
            loading.insertMany(
                    batch.stream().map(event -> StoredEvent.of(event, writer)).toList(), UNORDERED);
        } catch (MongoException e) {
            failure.compareAndSet(null, MongoErrors.outsideRun("cannot load the data set '" + key.label() + "'", e));
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
        }
    }

    private void throwFailure() {
        RuntimeException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }
}
