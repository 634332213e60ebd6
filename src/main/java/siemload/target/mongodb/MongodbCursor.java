package siemload.target.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCursor;
import java.time.Duration;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import siemload.target.ResultCursor;
import siemload.target.RowReader;

/** A cursor of the server. It is opened by the first page, whose size is that of every batch. */
final class MongodbCursor implements ResultCursor {
    private final BiFunction<Integer, String, MongoCursor<ResultRow>> opening;
    private final StopSwitch stop;
    private final Duration timeout;
    private String comment = "";
    private @Nullable MongoCursor<ResultRow> result;
    private boolean closed;

    /** @param opening opens the result for a size of batches and a comment */
    MongodbCursor(BiFunction<Integer, String, MongoCursor<ResultRow>> opening, StopSwitch stop, Duration timeout) {
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
            MongoCursor<ResultRow> open = armed(size, start + timeout.toNanos());
            long count = 0;
            for (; count < size && open.hasNext(); count++) {
                stop.check(timeout);
                rows.row(open.next());
            }
            return count;
        } catch (MongoException e) {
            close();
            throw MongoErrors.inRun(e, Duration.ofNanos(System.nanoTime() - start), timeout);
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

    private MongoCursor<ResultRow> armed(int size, long deadline) {
        MongoCursor<ResultRow> open = result;
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
