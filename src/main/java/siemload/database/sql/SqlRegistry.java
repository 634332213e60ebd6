package siemload.database.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import siemload.database.TargetException;
import siemload.database.registry.Entry;
import siemload.database.registry.RegistryStorage;

/**
 * The registry as a table. It has a connection of its own, which is opened anew after it was lost. Thread-safe; closing it
 * closes the connection.
 */
public final class SqlRegistry implements RegistryStorage, AutoCloseable {
    private static final SqlFiles FILES = new SqlFiles(SqlRegistry.class);
    /** Class 23 of SQLSTATE: a constraint is violated. */
    private static final String CONSTRAINT = "23";

    private static final int VALIDATION_SECONDS = 10;

    private final Opening opening;
    private final String now;
    private final Map<String, String> table;
    private final BiFunction<String, SQLException, TargetException> failure;
    private Optional<Connection> connection = Optional.empty();

    /**
     * Over a table that is there.
     *
     * @param now asks for the server's time
     * @param failure says what an error means, from what was tried
     */
    public SqlRegistry(
            Opening opening, String table, String now, BiFunction<String, SQLException, TargetException> failure) {
        this.opening = opening;
        this.table = Map.of("table", table);
        this.now = now;
        this.failure = failure;
    }

    /** Opens a connection that commits by itself. */
    @FunctionalInterface
    public interface Opening {
        Connection open() throws SQLException;
    }

    /** Something done over the connection. */
    @FunctionalInterface
    private interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    @Override
    public Instant now() {
        return ask("ask the server for its time", open -> {
            try (PreparedStatement statement = open.prepareStatement(now);
                    ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getObject(1, OffsetDateTime.class).toInstant();
            }
        });
    }

    @Override
    public List<Entry> entries() {
        return ask("read siemload's registry", open -> {
            List<Entry> entries = new ArrayList<>();
            try (PreparedStatement statement = statement(open, "list");
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    entries.add(entry(rows));
                }
            }
            return entries;
        });
    }

    @Override
    public boolean insert(Entry entry) {
        return ask("write into siemload's registry", open -> {
            try (PreparedStatement statement = statement(open, "insert")) {
                int next = bind(statement, 1, entry);
                statement.setString(next, entry.key());
                return statement.executeUpdate() == 1;
            } catch (SQLException e) {
                if (String.valueOf(e.getSQLState()).startsWith(CONSTRAINT)) {
                    return false;
                }
                throw e;
            }
        });
    }

    @Override
    public boolean replace(Entry entry, Entry changed) {
        return ask("write into siemload's registry", open -> {
            try (PreparedStatement statement = statement(open, "replace")) {
                int next = bind(statement, 1, changed);
                statement.setString(next, entry.key());
                statement.setLong(next + 1, entry.beat());
                return statement.executeUpdate() == 1;
            }
        });
    }

    @Override
    public boolean delete(Entry entry) {
        return ask("write into siemload's registry", open -> {
            try (PreparedStatement statement = statement(open, "delete")) {
                statement.setString(1, entry.key());
                statement.setLong(2, entry.beat());
                return statement.executeUpdate() == 1;
            }
        });
    }

    @Override
    public synchronized void close() {
        connection.ifPresent(SqlRegistry::closeQuietly);
        connection = Optional.empty();
    }

    private PreparedStatement statement(Connection open, String file) throws SQLException {
        return open.prepareStatement(
                FILES.read("registry-" + file + ".sql", table).sql());
    }

    private static int bind(PreparedStatement statement, int first, Entry entry) throws SQLException {
        statement.setString(first, entry.name());
        statement.setString(first + 1, entry.purpose().name());
        statement.setString(first + 2, entry.fingerprint());
        statement.setString(first + 3, entry.label());
        statement.setString(first + 4, entry.identity());
        statement.setString(first + 5, entry.contents());
        statement.setLong(first + 6, entry.events());
        statement.setString(first + 7, entry.holder());
        statement.setLong(first + 8, entry.beat());
        statement.setLong(first + 9, entry.seen().toEpochMilli());
        return first + 10;
    }

    private static Entry entry(ResultSet row) throws SQLException {
        return new Entry(
                text(row, 1),
                Entry.Purpose.valueOf(text(row, 2)),
                text(row, 3),
                text(row, 4),
                text(row, 5),
                text(row, 6),
                row.getLong(7),
                text(row, 8),
                row.getLong(9),
                Instant.ofEpochMilli(row.getLong(10)));
    }

    /** Some databases keep an empty text as no value. */
    private static String text(ResultSet row, int column) throws SQLException {
        return Objects.requireNonNullElse(row.getString(column), "");
    }

    private synchronized <T> T ask(String tried, Work<T> work) {
        try {
            return work.on(open());
        } catch (SQLException e) {
            close();
            throw failure.apply("cannot " + tried, e);
        }
    }

    private Connection open() throws SQLException {
        if (connection.isPresent() && !connection.orElseThrow().isValid(VALIDATION_SECONDS)) {
            close();
        }
        Connection open = connection.isPresent() ? connection.orElseThrow() : opening.open();
        connection = Optional.of(open);
        return open;
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException alreadyBroken) {
            // The driver has let go of the socket in any case.
        }
    }
}
