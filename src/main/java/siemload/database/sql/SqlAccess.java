package siemload.database.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import siemload.database.SearchException.Kind;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.EventSink;
import siemload.database.Target.ServerUse;
import siemload.database.Target.ServerUse.Client;
import siemload.database.TargetException;
import siemload.database.server.ServerErrors;
import siemload.database.server.ServerTarget.ParallelLoad;
import siemload.database.sql.SqlStatement.RowReading;
import siemload.database.sql.SqlStatement.SqlBlocks;
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
     * work, and what is hidden; {@code transactions} that have ended; {@code free-bytes}, NULL where nothing limits them; and {@code
     * data-directory}, without a row where it cannot be seen.
     *
     * @param unseen what is not seen where the user may not ask the first three; empty where every user may
     * @param makes as of {@link ServerUse}
     */
    public ServerUse use(SqlBlocks statements, List<String> unseen, List<String> makes) {
        // Some databases keep an empty text as no value.
        RowReading<Client> client =
                row -> new Client(row.getString(1), row.getLong(2), Objects.requireNonNullElse(row.getString(3), ""));
        RowReading<OptionalLong> free =
                row -> row.getObject(1) == null ? OptionalLong.empty() : OptionalLong.of(row.getLong(1));
        String tried = "see who uses the server";
        return get(
                tried,
                open -> ServerUse.of(
                        makes,
                        String.join("", statements.read("data-directory").rows(open, row -> row.getString(1))),
                        () -> errors.attempt(
                                tried, () -> statements.read("other-sessions").rows(open, client)),
                        () -> errors.attempt(
                                tried, () -> statements.read("transactions").number(open)),
                        () -> errors.attempt(
                                tried, () -> statements.read("free-bytes").row(open, free)),
                        unseen));
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
     * @param place what is loaded, for messages: {@code the tables SL_...}
     * @throws TargetException if the server refuses
     */
    public BulkLoad load(String place, Work<Storing> storing) {
        String tried = "load " + place;
        return ParallelLoad.start(
                place,
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

    /** What the errors of one database and its driver mean: a table of their codes. Immutable and thread-safe. */
    public abstract static class SqlErrors extends ServerErrors<SQLException> {
        /** What siemload goes on after. */
        public enum Fault {
            DUPLICATE,
            NO_TABLE,
            /** Neither an index nor a key of this name. */
            NO_INDEX,
            /** There is another table or database of this name. */
            NAME_TAKEN,
            /** Somebody else holds what was to be dropped. */
            IN_USE
        }

        /** @param table as of {@link ServerErrors}, with a {@link Fault} behind a slash where it is one */
        protected SqlErrors(String table) {
            super(SQLException.class, table);
        }

        /** Whether an error is this one; a violated constraint, class 23 of SQLSTATE, is one of a key wherever siemload writes. */
        public final boolean is(Fault fault, SQLException e) {
            return meaning(e).fault().equals(fault.name())
                    || (fault == Fault.DUPLICATE
                            && String.valueOf(e.getSQLState()).startsWith("23"));
        }

        public final boolean isLost(SQLException e) {
            return meaning(e).kind() == Kind.CONNECTION;
        }

        /** The words of the server or the driver. Its first line alone: the next ones quote rows, or lead to a manual. */
        @Override
        protected String message(SQLException e) {
            String message = e.getMessage();
            return message == null ? "no message" : message.lines().findFirst().orElse("no message");
        }

        /** The code stands in the words. */
        @Override
        protected String wholeMessage(SQLException e) {
            return message(e);
        }

        @FunctionalInterface
        public interface Change {
            void make() throws SQLException;
        }

        /** Does something, unless this is the trouble. @return whether it was done */
        public final boolean isMade(Change change, Fault unless) throws SQLException {
            return unless(
                    e -> is(unless, e),
                    () -> {
                        change.make();
                        return true;
                    },
                    expected -> false);
        }
    }
}
