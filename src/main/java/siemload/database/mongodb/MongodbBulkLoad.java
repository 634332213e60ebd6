package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertManyOptions;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import siemload.database.BulkLoad;
import siemload.database.TargetException;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** Inserts batches into a collection over several connections. */
final class MongodbBulkLoad implements BulkLoad {
    private static final int LANES = 4;
    private static final int WAITING_BATCHES = 2 * LANES;
    private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);

    private final MongoCollection<MongodbEvent> collection;
    private final String label;
    /** What does not fit into the queue is inserted by the writing thread itself, which slows it down. */
    private final ThreadPoolExecutor writers = new ThreadPoolExecutor(
            LANES,
            LANES,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_BATCHES),
            task -> new Thread(task, "mongodb-load"),
            new ThreadPoolExecutor.CallerRunsPolicy());

    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

    /** @param label what is loaded, for messages: {@code the data set 'smoke'} */
    MongodbBulkLoad(MongoCollection<MongodbEvent> collection, String label) {
        this.collection = collection;
        this.label = label;
    }

    @Override
    public void write(List<SecurityEvent> events) {
        throwFailure();
        List<SecurityEvent> batch = List.copyOf(events);
        writers.execute(() -> insert(batch));
    }

    @Override
    public void store() {
        writers.shutdown();
        try {
            while (!writers.awaitTermination(1, TimeUnit.SECONDS)) {
                throwFailure();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("the load of " + label + " was interrupted", e);
        }
        throwFailure();
    }

    @Override
    public void close() {
        writers.shutdownNow();
        try {
            boolean ended = writers.awaitTermination(1, TimeUnit.MINUTES);
            assert ended : "an insert goes on for a minute";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void insert(List<SecurityEvent> batch) {
        if (failure.get() != null || batch.isEmpty()) {
            return;
        }
        try {
            IdeaWriter writer = new IdeaWriter();
            collection.insertMany(
                    batch.stream().map(event -> MongodbEvent.of(event, writer)).toList(), UNORDERED);
        } catch (MongoException e) {
            failure.compareAndSet(null, MongodbErrors.outsideRun("cannot load " + label, e));
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
