package siemload.database.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A connection of a run, opened when it is needed and again after it was lost. Used by one thread. */
public final class OpenConnection implements AutoCloseable {
    private final SqlAccess.Opening opening;
    private final SqlErrors errors;
    private final Duration timeout;
    private @Nullable Connection connection;

    /** @param timeout how long a search or a batch may take */
    public OpenConnection(SqlAccess.Opening opening, SqlErrors errors, Duration timeout) {
        this.opening = opening;
        this.errors = errors;
        this.timeout = timeout;
    }

    /**
     * Opens it before it is needed.
     *
     * @param tried for people: {@code open a session}
     * @throws siemload.database.TargetException if the server refuses
     */
    public OpenConnection connected(String tried) {
        try {
            connection = opening.open();
            return this;
        } catch (SQLException e) {
            throw errors.outsideRun("cannot " + tried, e);
        }
    }

    /**
     * Does a piece of a run. What failed is rolled back.
     *
     * @throws siemload.database.SearchException in place of the driver's error
     */
    public <T> T answer(SqlAccess.Work<T> work) {
        long start = System.nanoTime();
        try {
            return work.on(get());
        } catch (SQLException e) {
            Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
            recover(e);
            throw errors.inRun(e, elapsed, timeout);
        }
    }

    @Override
    public void close() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try {
                if (!open.getAutoCommit()) {
                    open.rollback(); // Some drivers would commit.
                }
                open.close();
            } catch (SQLException alreadyBroken) {
                // The driver has let go of the socket in any case.
            }
        }
    }

    private Connection get() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = opening.open();
            connection = open;
        }
        return open;
    }

    /** Rolls back; closes the connection if it is lost or cannot even do that. */
    private void recover(SQLException error) {
        Connection open = connection;
        if (errors.isLost(error)) {
            close();
        } else if (open != null) {
            try {
                if (!open.getAutoCommit()) {
                    open.rollback();
                }
            } catch (SQLException broken) {
                error.addSuppressed(broken);
                close();
            }
        }
    }
}
