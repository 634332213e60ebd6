package siemload.database.server;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.SearchSession.RowReader;

/** A cursor that closes itself when a page fails, and refuses pages from then on. Not thread-safe, as any cursor. */
public abstract class PageCursor implements ResultCursor {
    private boolean closed;

    /** The cursor that a session has open, one at most. Not thread-safe, as sessions are not. */
    public static final class OfSession {
        private @Nullable PageCursor open;

        /** Opens one, once the one before was given up: on some servers its end would be that of the new one, too. */
        public PageCursor open(Supplier<PageCursor> opening) {
            close();
            PageCursor opened = opening.get();
            open = opened;
            return opened;
        }

        /** Whether there is one, even if its user has closed it. */
        public boolean isThere() {
            return open != null;
        }

        /** Gives the cursor up, if there is one. */
        public void close() {
            PageCursor last = open;
            open = null;
            if (last != null) {
                last.close();
            }
        }
    }

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
