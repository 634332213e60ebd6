package siemload.target.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import siemload.target.DatasetKey;
import siemload.target.Maintenance;
import siemload.target.TargetException;

/**
 * A run's collection, and the sign of life that keeps other runs from taking it for abandoned: the server's time in the
 * collection {@code runs}, set again every {@link #RENEWAL}. The copy of a run that gave none for {@link #PATIENCE} is
 * dropped by the next run.
 */
final class RunCopy implements AutoCloseable {
    private static final Duration RENEWAL = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    /** Two, so that one request to a slow server does not hold up the others. */
    private static final int WATCHERS = 2;

    private final Datasets datasets;
    private final MongoDatabase database;
    private final String collection;
    private final ScheduledThreadPoolExecutor watchers;

    private RunCopy(Datasets datasets, String collection) {
        this.datasets = datasets;
        this.database = datasets.database();
        this.collection = collection;
        this.watchers = new ScheduledThreadPoolExecutor(WATCHERS, task -> {
            Thread thread = new Thread(task, "mongodb-watcher");
            thread.setDaemon(true);
            return thread;
        });
        watchers.setRemoveOnCancelPolicy(true);
    }

    /** Copies the data set for a run, after dropping what killed runs left. */
    static RunCopy of(Datasets datasets, DatasetKey key, String runId) {
        return made(datasets, runId, collection -> datasets.copy(key, collection));
    }

    /** Makes an empty collection for a run, after dropping what killed runs left. */
    static RunCopy empty(Datasets datasets, String runId) {
        return made(datasets, runId, datasets::create);
    }

    private static RunCopy made(Datasets datasets, String runId, Consumer<String> making) {
        RunCopy copy = new RunCopy(datasets, "run_" + runId);
        try {
            copy.signOfLife();
            copy.dropAbandoned();
            var unused = copy.watchers.scheduleWithFixedDelay(
                    copy::trySignOfLife, RENEWAL.toSeconds(), RENEWAL.toSeconds(), TimeUnit.SECONDS);
            making.accept(copy.collection);
            return copy;
        } catch (MongoException e) {
            copy.giveUp(e);
            throw MongoErrors.outsideRun("cannot copy the data set into the collection " + copy.collection, e);
        }
    }

    String collection() {
        return collection;
    }

    /** Makes the client of the copy notice that its connections are broken. */
    void reconnect() {
        trySignOfLife();
        trySignOfLife();
    }

    /** The collection as a whole, without limits of time. */
    Maintenance maintenance() {
        return new MongodbMaintenance(datasets, collection);
    }

    ScheduledExecutorService watchers() {
        return watchers;
    }

    /** Drops the collection. */
    @Override
    public void close() {
        watchers.shutdownNow();
        try {
            drop(database, collection);
        } catch (MongoException e) {
            throw MongoErrors.outsideRun("cannot drop the collection " + collection, e);
        }
    }

    private void giveUp(MongoException error) {
        try {
            close();
        } catch (TargetException unreachable) {
            error.addSuppressed(unreachable);
        }
    }

    private void signOfLife() {
        runs(database).updateOne(Filters.eq(collection), Updates.currentDate("seen"), new UpdateOptions().upsert(true));
    }

    private void trySignOfLife() {
        try {
            signOfLife();
        } catch (MongoException missed) {
            // There is time for several more.
        }
    }

    /** By the server's clock alone, which has just been read for this run. */
    private void dropAbandoned() {
        BsonDocument own = Objects.requireNonNull(
                runs(database).find(Filters.eq(collection)).first());
        long now = own.getDateTime("seen").getValue();
        BsonDateTime latest = new BsonDateTime(now - PATIENCE.toMillis());
        for (BsonDocument run : runs(database).find(Filters.lt("seen", latest)).into(new ArrayList<>())) {
            drop(database, run.getString("_id").getValue());
        }
    }

    private static void drop(MongoDatabase database, String collection) {
        database.getCollection(collection).drop();
        runs(database).deleteOne(Filters.eq(collection));
    }

    private static MongoCollection<BsonDocument> runs(MongoDatabase database) {
        return database.getCollection("runs", BsonDocument.class);
    }
}
