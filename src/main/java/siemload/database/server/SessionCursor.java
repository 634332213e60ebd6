package siemload.database.server;

import org.jspecify.annotations.Nullable;

/** The cursor that a session has open, one at most. Not thread-safe, as sessions are not. */
public final class SessionCursor {
    private @Nullable PageCursor open;

    /** The session's cursor from now on. @return the same */
    public PageCursor opened(PageCursor cursor) {
        close();
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
