package siemload.database.server;

import org.jspecify.annotations.Nullable;

/** The cursor that a session has open, one at most. Not thread-safe, as sessions are not. */
public final class SessionCursor {
    private @Nullable PageCursor open;

    /**
     * The session's cursor from now on, which is opened once the one before was {@link #close given up}: on some servers its end would
     * be that of the new one, too.
     *
     * @return the same
     */
    public PageCursor opened(PageCursor cursor) {
        if (open != null) {
            throw new IllegalStateException("another cursor is open");
        }
        open = cursor;
        return cursor;
    }

    /** Whether there is one, even if its user has closed it. */
    public boolean isThere() {
        return open != null;
    }

    /** Gives the cursor up, if there is one. */
    public void close() {
        PageCursor closed = open;
        open = null;
        if (closed != null) {
            closed.close();
        }
    }
}
