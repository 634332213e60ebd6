package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCursor;
import java.time.Duration;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import siemload.database.ResultCursor;
import siemload.database.RowReader;

/** A cursor of the server. It is opened by the first page, whose size is that of every batch. */
final class MongodbCursor implements ResultCursor {
    private final BiFunction<Integer, String, MongoCursor<MongodbRow>> opening;
    private final MongodbCanceller stop;
    private final Duration timeout;
    private String comment = "";
    private @Nullable MongoCursor<MongodbRow> result;
    private boolean closed;

    /** @param opening opens the result for a size of batches and a comment */
    MongodbCursor(
            BiFunction<Integer, String, MongoCursor<MongodbRow>> opening, MongodbCanceller stop, Duration timeout) {
        this.opening = opening;
        this.stop = stop;
        this.timeout = timeout;
    }

    @Override
    public long next(int size, RowReader rows) {
        if (closed) {
            throw new IllegalStateException("the cursor is closed");
        }
        long start = System.nanoTime();
        try {
            MongoCursor<MongodbRow> open = armed(size, start + timeout.toNanos());
            long count = 0;
            for (; count < size && open.hasNext(); count++) {
                stop.check(timeout);
                rows.row(open.next());
            }
            return count;
        } catch (MongoException e) {
            close();
            throw MongodbErrors.inRun(e, Duration.ofNanos(System.nanoTime() - start), timeout);
        } catch (RuntimeException e) {
            close();
            throw e;
        } finally {
            stop.disarm();
        }
    }

    @Override
    public void close() {
        closed = true;
        if (result != null) {
            result.close();
            result = null;
        }
    }

    private MongoCursor<MongodbRow> armed(int size, long deadline) {
        MongoCursor<MongodbRow> open = result;
        if (open == null) {
            comment = stop.arm(deadline);
        } else {
            stop.arm(deadline, comment);
        }
        stop.scheduleDeadline();
        if (open == null) {
            open = opening.apply(size, comment);
            result = open;
        }
        return open;
    }
}
