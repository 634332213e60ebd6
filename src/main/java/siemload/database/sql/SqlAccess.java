package siemload.database.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import siemload.database.ServerUse;
import siemload.database.ServerUse.Client;
import siemload.database.ServerUse.Question;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.EventSink;
import siemload.database.TargetException;
import siemload.database.server.ParallelLoad;
import siemload.database.sql.SqlStatement.RowReading;
import siemload.event.SecurityEvent;

/**
 * Work outside a run: each piece over a connection of its own, which is closed after it. Thread-safe if the opening is.
 *
 * @param opening opens a connection that commits by itself
 */
public record SqlAccess(Opening opening, SqlErrors errors) {
    private static final int LOADERS = 3;

    @FunctionalInterface
    public interface Opening {
        Connection open() throws SQLException;

        /** Opens it and sets it up; a connection that cannot be set up is closed again. */
        default Opening then(Task setUp) {
            return () -> {
                Connection connection = open();
                try {
                    setUp.on(connection);
                    return connection;
                } catch (SQLException | RuntimeException e) {
                    closeQuietly(connection);
                    throw e;
                }
            };
        }
    }

    @FunctionalInterface
    public interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    @FunctionalInterface
    public interface Task {
        void on(Connection connection) throws SQLException;
    }

    /**
     * Does work.
     *
     * @param tried for people: {@code count the events}
     * @throws TargetException if it fails
     */
    public <T> T get(String tried, Work<T> work) {
        return errors.attempt(tried, () -> {
            try (Connection connection = opening.open()) {
                return work.on(connection);
            }
        });
    }

    public void run(String tried, Task task) {
        boolean unused = get(tried, connection -> {
            task.on(connection);
            return true;
        });
    }

    /** Executes a statement without values. @throws TargetException if it fails */
    public void execute(String tried, String sql) {
        run(tried, connection -> SqlStatement.execute(connection, sql));
    }

    /**
     * Finds out who uses the server, in about a second, by four statements: {@code other-sessions}, whose rows are names, how many are at
     * work, and what is hidden; {@code transactions} that have ended; {@code data-directory}, without a row where it cannot be seen;
     * {@code free-bytes}, NULL where nothing limits them.
     *
     * @param gaps what is not seen where the user may not ask such a statement, by its name; those that every user may ask are missing
     * @param makes as of {@link ServerUse}
     */
    public ServerUse use(SqlBlocks statements, Map<String, String> gaps, List<String> makes) {
        // Some databases keep an empty text as no value.
        RowReading<Client> client =
                row -> new Client(row.getString(1), row.getLong(2), Objects.requireNonNullElse(row.getString(3), ""));
        RowReading<OptionalLong> free =
                row -> row.getObject(1) == null ? OptionalLong.empty() : OptionalLong.of(row.getLong(1));
        return get(
                "see who uses the server",
                open -> ServerUse.of(
                        makes,
                        String.join("", statements.read("data-directory").rows(open, row -> row.getString(1))),
                        looked(
                                open,
                                gaps,
                                "other-sessions",
                                List.of(),
                                asked -> statements.read("other-sessions").rows(asked, client)),
                        looked(open, gaps, "transactions", 0L, statements.read("transactions")::number),
                        looked(
                                open,
                                gaps,
                                "free-bytes",
                                OptionalLong.empty(),
                                asked -> statements.read("free-bytes").row(asked, free))));
    }

    private <T> Question<T> looked(Connection open, Map<String, String> gaps, String name, T otherwise, Work<T> work) {
        return new Question<>(
                () -> errors.attempt("see the " + name.replace('-', ' '), () -> work.on(open)),
                otherwise,
                gaps.getOrDefault(name, ""));
    }

    /** Stores batches over a connection; each is committed by who calls it. */
    @FunctionalInterface
    public interface Storing {
        /** Stores a batch. @return its size as IDEA JSON, in bytes */
        long store(List<SecurityEvent> batch) throws SQLException;
    }

    /**
     * Loads events over some connections at once, each batch in one transaction.
     *
     * @param label what is loaded, for messages: {@code the data set 'smoke'}
     * @throws TargetException if the server refuses
     */
    public BulkLoad load(String label, Work<Storing> storing) {
        String tried = "load " + label;
        return ParallelLoad.start(
                label,
                LOADERS,
                () -> errors.attempt(tried, () -> {
                    Connection connection = opening.open();
                    connection.setAutoCommit(false);
                    return new Loader(connection, storing.on(connection), errors, tried);
                }));
    }

    private record Loader(Connection connection, Storing events, SqlErrors errors, String tried) implements EventSink {
        @Override
        public long write(List<SecurityEvent> batch) {
            return errors.attempt(tried, () -> {
                long bytes = events.store(batch);
                connection.commit();
                return bytes;
            });
        }

        /** Some drivers would commit what was not finished. */
        @Override
        public void close() {
            try {
                connection.rollback();
            } catch (SQLException alreadyBroken) {
                // Then the server has rolled back.
            }
            closeQuietly(connection);
        }
    }

    /** Closes a connection whose server may have done so before. */
    public static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException alreadyBroken) {
            // The driver has let go of the socket in any case.
        }
    }
}
