package siemload.database.server;

import siemload.database.SearchSession.ResultCursor;
import siemload.database.SearchSession.RowReader;

/** A cursor that closes itself when a page fails, and refuses pages from then on. Not thread-safe, as any cursor. */
public abstract class PageCursor implements ResultCursor {
    private boolean closed;

    @Override
    public final long next(int size, RowReader rows) {
        if (closed) {
            throw new IllegalStateException("the cursor is closed: its session did something else, or a page failed");
        }
        try {
            return page(size, rows);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** As {@link #next}, of a cursor that is open. */
    protected abstract long page(int size, RowReader rows);

    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            release();
        }
    }

    /** Gives up what the server keeps for it. Called once. */
    protected abstract void release();
}
