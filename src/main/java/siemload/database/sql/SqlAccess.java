package siemload.database.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import siemload.database.SearchException.Kind;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.EventSink;
import siemload.database.Target.ServerUse;
import siemload.database.Target.ServerUse.Client;
import siemload.database.TargetException;
import siemload.database.layout.Blocks;
import siemload.database.server.Registry;
import siemload.database.server.Registry.Entry;
import siemload.database.server.ServerErrors;
import siemload.database.server.ServerTarget.EventTables;
import siemload.database.server.ServerTarget.ParallelLoad;
import siemload.database.sql.SqlStatement.SqlBlocks;
import siemload.event.SecurityEvent;

/**
 * Work outside of runs. Each piece of work has its own connection, which is closed afterwards. Thread-safe if opening is.
 *
 * @param opening opens a connection that commits by itself
 */
public record SqlAccess(Opening opening, SqlErrors errors) {
    private static final int LOADERS = 3;

    @FunctionalInterface
    public interface Opening {
        Connection open() throws SQLException;

        /** Opens a connection and sets it up; a connection that cannot be set up is closed again. */
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
     * Performs work.
     *
     * @param tried the attempt, for messages: {@code count the events}
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
     * Finds out who uses the server, in about a second, with three statements. Each row of {@code other-sessions} has a name, the number of
     * sessions at work, and what is hidden. {@code transactions} counts ended transactions, and {@code free-bytes} is NULL without a limit.
     *
     * @param unseen for each statement, what stays unseen if the user may not execute it; empty if every user may
     * @param makes as in {@link ServerUse}
     */
    public ServerUse use(SqlBlocks statements, List<String> unseen, List<String> makes) {
        // Some databases store an empty text as NULL.
        SqlStatement.RowReading<Client> client =
                row -> new Client(row.getString(1), row.getLong(2), Objects.requireNonNullElse(row.getString(3), ""));
        SqlStatement.RowReading<OptionalLong> free =
                row -> row.getObject(1) == null ? OptionalLong.empty() : OptionalLong.of(row.getLong(1));
        String tried = "see who uses the server";
        return get(
                tried,
                open -> ServerUse.of(
                        makes,
                        () -> errors.attempt(
                                tried, () -> statements.read("other-sessions").rows(open, client)),
                        () -> errors.attempt(
                                tried, () -> statements.read("transactions").number(open)),
                        () -> errors.attempt(
                                tried, () -> statements.read("free-bytes").row(open, free)),
                        unseen));
    }

    /** Stores batches over a connection; the caller commits each. */
    @FunctionalInterface
    public interface Storing {
        /** Stores a batch. @return its size as IDEA JSON, in bytes */
        long store(List<SecurityEvent> batch) throws SQLException;
    }

    /**
     * Loads events over several connections in parallel, each batch in one transaction.
     *
     * @param place what is loaded, for messages: {@code the tables SL_...}
     * @throws TargetException if the server refuses
     */
    public BulkLoad load(String place, Work<Storing> storing) {
        String tried = "load " + place;
        return new ParallelLoad(
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

        /** Rolls back before closing, since some drivers would commit unfinished work. */
        @Override
        public void close() {
            try {
                connection.rollback();
            } catch (SQLException alreadyBroken) {
                // If the connection is already broken, the server has rolled back.
            }
            closeQuietly(connection);
        }
    }

    /** Closes a connection, which the server may have closed already. */
    public static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException alreadyBroken) {
            // The driver closes the socket even if it throws an exception.
        }
    }

    /** The meaning of the errors of one database and its driver: a table of their codes. Immutable and thread-safe. */
    public abstract static class SqlErrors extends ServerErrors<SQLException> {
        /** Errors that siemload handles. */
        public enum Fault {
            DUPLICATE,
            NO_TABLE,
            /** There is no index or key of this name. */
            NO_INDEX,
            /** There is already a table or database of this name. */
            NAME_TAKEN,
            /** Somebody else uses the object to be dropped. */
            IN_USE
        }

        /** @param table as in {@link ServerErrors}, with a {@link Fault} after a slash if the error is one */
        protected SqlErrors(String table) {
            super(SQLException.class, table);
        }

        /** Returns whether an error is the fault. A violated constraint (SQLSTATE class 23) is a duplicate: siemload violates only keys. */
        public final boolean is(Fault fault, SQLException e) {
            return meaning(e).fault().equals(fault.name())
                    || (fault == Fault.DUPLICATE
                            && String.valueOf(e.getSQLState()).startsWith("23"));
        }

        public final boolean isLost(SQLException e) {
            return meaning(e).kind() == Kind.CONNECTION;
        }

        /** The first line of the server's or the driver's message. The next lines quote rows, or link to a manual. */
        @Override
        protected String message(SQLException e) {
            String message = e.getMessage();
            return message == null ? "no message" : message.lines().findFirst().orElse("no message");
        }

        /** The message, which contains the code. */
        @Override
        protected String wholeMessage(SQLException e) {
            return message(e);
        }

        /** Makes a change, unless this fault occurs. @return whether the change was made */
        public final boolean isMade(ServerErrors.Work<SQLException> change, Fault unless) throws SQLException {
            return unless(
                    e -> is(unless, e),
                    () -> {
                        change.run();
                        return true;
                    },
                    expected -> false);
        }
    }

    /** The tables of one data set, or of one run, as a whole, maintained by statements. Thread-safe. */
    public abstract static class SqlTables implements EventTables {
        private final SqlAccess access;
        private final SqlBlocks blocks;

        /**
         * Describes tables that need not exist.
         *
         * @param access to the place of the tables; a call may take as long as maintenance may
         * @param blocks the statements {@code delete-all} and {@code statistics} for each table, and {@code checkpoint}
         */
        protected SqlTables(SqlAccess access, SqlBlocks blocks) {
            this.access = access;
            this.blocks = blocks;
        }

        protected final SqlAccess access() {
            return access;
        }

        /** The tables' names in the database. Each table comes after the tables that it refers to. */
        protected abstract List<String> names();

        protected abstract SqlStatement counting();

        protected abstract List<SqlStatement.Step> steps();

        @Override
        public final long events() {
            return access.get("count the events in " + place(), counting()::number);
        }

        @Override
        public final List<BuildStep> indexes() {
            return steps().stream()
                    .map(step -> new BuildStep(
                            step.name(), () -> access.execute("build '" + step.name() + "' in " + place(), step.sql())))
                    .toList();
        }

        @Override
        public void complete(Consumer<String> step) {
            EventTables.super.complete(step);
            step.accept("statistics");
            gatherStatistics();
        }

        @Override
        public final void gatherStatistics() {
            access.run("gather the statistics of " + place(), open -> {
                for (String table : names()) {
                    of(table, "statistics").execute(open);
                }
            });
        }

        /** Uses one transaction. Tables that refer to the events come first: otherwise, the server would look for each event's rows. */
        @Override
        public final long deleteAll() {
            List<String> tables = new ArrayList<>(names());
            Collections.reverse(tables);
            return access.get("delete the events in " + place(), open -> {
                open.setAutoCommit(false);
                long deleted = 0;
                for (String table : tables) {
                    deleted = of(table, "delete-all").change(open, name -> name);
                }
                open.commit();
                return deleted;
            });
        }

        @Override
        public final void checkpoint() {
            blocks.steps("checkpoint", Map.of()).forEach(step -> access.execute(step.name(), step.sql()));
        }

        /** Returns a statement that is the same for each table except for the table's name. */
        protected final SqlStatement of(String table, String block) {
            return blocks.read(block, Map.of("table", table));
        }
    }

    /**
     * A server whose registry is a table. The registry has its own connection, which is opened again after it was lost. Thread-safe;
     * closing the registry closes the connection.
     */
    public abstract static class SqlRegistry implements Registry.Server, AutoCloseable {
        private static final SqlBlocks BLOCKS =
                new SqlBlocks(Blocks.ofResource("/siemload/database/sql/registry", Blocks.Syntax.SQL));
        private static final int VALIDATION_SECONDS = 10;

        private final Map<String, String> table;
        private final SqlStatement now;
        private final SqlErrors errors;
        private Optional<Connection> connection = Optional.empty();

        /**
         * Uses a table that is created before the first write.
         *
         * @param name the name of the table
         * @param now asks for the server's time
         */
        protected SqlRegistry(String name, SqlStatement now, SqlErrors errors) {
            this.table = Map.of("table", name);
            this.now = now;
            this.errors = errors;
        }

        /**
         * Connects to the place of the table. The table may be missing there; the result is empty if the place does not exist.
         *
         * @throws TargetException if something else has the name of the place
         */
        protected abstract Optional<Connection> home() throws SQLException;

        /** Creates the place of the table and the table, unless they exist or another process is faster, and connects to the place. */
        protected abstract Connection make() throws SQLException;

        @Override
        public final Instant now() {
            return ask(
                            "ask the server for its time",
                            open -> now.row(open, row -> row.getObject(1, OffsetDateTime.class)))
                    .toInstant();
        }

        @Override
        public final List<Entry> entries() {
            return ask(
                            "read siemload's registry",
                            false,
                            open -> BLOCKS.read("list", table).rows(open, SqlRegistry::entry))
                    .stream()
                    .flatMap(List::stream)
                    .flatMap(Optional::stream)
                    .toList();
        }

        @Override
        public final boolean insert(Entry entry) {
            return ask(
                    "write into siemload's registry",
                    open -> errors.isMade(() -> changed(open, "insert", entry, 0), SqlErrors.Fault.DUPLICATE));
        }

        @Override
        public final boolean change(Entry entry, Optional<Entry> changed) {
            String block = changed.isPresent() ? "replace" : "delete";
            return ask(
                    "write into siemload's registry",
                    open -> changed(open, block, changed.orElse(entry), entry.beat()) == 1);
        }

        /** @param beat the beat that the entry must still have. @return the number of changed rows */
        private int changed(Connection open, String block, Entry entry, long beat) throws SQLException {
            Map<String, Object> values = entry.values();
            values.put("key", entry.key());
            values.put("earlier_beat", beat);
            return BLOCKS.read(block, table).change(open, values::get);
        }

        @Override
        public final synchronized void close() {
            connection.ifPresent(SqlAccess::closeQuietly);
            connection = Optional.empty();
        }

        /** Reads an entry. NULL becomes an empty text, since some databases store an empty text as NULL. */
        private static Optional<Entry> entry(ResultSet row) throws SQLException {
            Map<String, Object> values = new HashMap<>();
            for (String name : Entry.NAMES) {
                values.put(name, Objects.requireNonNullElse(row.getObject(name), ""));
            }
            return Entry.of(values);
        }

        private <T> T ask(String tried, SqlAccess.Work<T> work) {
            return ask(tried, true, work).orElseThrow();
        }

        /** @param making whether the table is created if missing; otherwise there is no result */
        private synchronized <T> Optional<T> ask(String tried, boolean making, SqlAccess.Work<T> work) {
            return errors.attempt(tried, () -> {
                try {
                    if (connection.isPresent() && !connection.orElseThrow().isValid(VALIDATION_SECONDS)) {
                        close();
                    }
                    if (connection.isEmpty()) {
                        connection = home();
                        if (connection.isPresent()
                                && !errors.isMade(
                                        () -> BLOCKS.read("find", table).execute(connection.orElseThrow()),
                                        SqlErrors.Fault.NO_TABLE)) {
                            close();
                        }
                    }
                    if (connection.isEmpty() && making) {
                        connection = Optional.of(make());
                    }
                    return connection.isPresent() ? Optional.of(work.on(connection.orElseThrow())) : Optional.empty();
                } catch (SQLException e) {
                    close();
                    throw e;
                }
            });
        }
    }
}
