package siemload.database.server;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The cursor that a session has open, one at most. Not thread-safe, as sessions are not. */
public final class SessionCursor {
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
        PageCursor closed = open;
        open = null;
        if (closed != null) {
            closed.close();
        }
    }
}
