package siemload.database.server;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.SearchSession.RowReader;

/**
 * The cursor that a session has open, one at most. It closes itself when a page fails, and refuses pages from then on. Not thread-safe, as
 * sessions are not.
 */
public final class PageCursor {
    private @Nullable ResultCursor open;

    /** Opens one, once the one before was given up: on some servers its end would be that of the new one, too. */
    public ResultCursor open(Supplier<ResultCursor> opening) {
        close();
        ResultCursor result = opening.get();
        ResultCursor opened = new ResultCursor() {
            private boolean closed;

            @Override
            public long next(int size, RowReader rows) {
                if (closed) {
                    throw new IllegalStateException(
                            "the cursor is closed: its session did something else, or a page failed");
                }
                try {
                    return result.next(size, rows);
                } catch (RuntimeException e) {
                    close();
                    throw e;
                }
            }

            @Override
            public void close() {
                if (!closed) {
                    closed = true;
                    result.close();
                }
            }
        };
        open = opened;
        return opened;
    }

    /** Whether there is one, even if its user has closed it. */
    public boolean isThere() {
        return open != null;
    }

    /** Gives the cursor up, if there is one. */
    public void close() {
        ResultCursor last = open;
        open = null;
        if (last != null) {
            last.close();
        }
    }
}
