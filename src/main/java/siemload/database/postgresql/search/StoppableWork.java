package siemload.database.postgresql.search;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ScheduledExecutorService;
import org.postgresql.PGConnection;
import siemload.database.server.Canceller;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlAccess.Work;

/**
 * What a session asks the server, within the timeout; it can be cancelled, and so can its rolling back. Used by the session's
 * thread, except for {@link #cancel}.
 */
final class StoppableWork {
    private static final String QUERY_CANCELED = "57014";

    private final RunConnection connection;
    private final Canceller canceller;

    /** @param watchers carry out what stops a search */
    StoppableWork(RunConnection connection, ScheduledExecutorService watchers) {
        this.connection = connection;
        this.canceller = new Canceller(watchers, connection.timeout(), QUERY_CANCELED);
    }

    /** What stops the work that is under way. */
    Canceller canceller() {
        return canceller;
    }

    /** Stops the work that is under way; called by any thread, returns at once. */
    void cancel() {
        canceller.press();
    }

    /**
     * Waits for what the work asks.
     *
     * @throws siemload.database.SearchException in place of the driver's error
     */
    <T> T answer(Work<T> work) {
        return connection.answer(open -> {
            canceller.arm(() -> stop(open));
            try {
                return work.on(open);
            } catch (SQLException | RuntimeException e) {
                connection.rollBack();
                throw e;
            } finally {
                canceller.disarm();
            }
        });
    }

    /**
     * Waits for what the work asks in a transaction of its own.
     *
     * @param readOnly whether the transaction can only read
     * @throws siemload.database.SearchException in place of the driver's error
     */
    <T> T transaction(boolean readOnly, Work<T> work) {
        return answer(open -> {
            open.setReadOnly(readOnly);
            connection.begin();
            T result = work.on(open);
            connection.commit();
            return result;
        });
    }

    /** The request goes over a connection of its own. */
    private static void stop(Connection running) {
        try {
            running.unwrap(PGConnection.class).cancelQuery();
        } catch (SQLException unreachable) {
            // The search itself meets the same trouble and reports it.
        }
    }
}
