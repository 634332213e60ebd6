package siemload.database.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
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

    private final SqlAccess.Opening opening;
    private final String now;
    private final Map<String, String> table;
    private final Home home;
    private final BiFunction<String, SQLException, TargetException> failure;
    private Optional<Connection> connection = Optional.empty();
    private boolean made;

    /**
     * Over a table that is there.
     *
     * @param now asks for the server's time
     * @param failure says what an error means, from what was tried
     */
    public SqlRegistry(
            SqlAccess.Opening opening,
            String table,
            String now,
            BiFunction<String, SQLException, TargetException> failure) {
        this(opening, table, now, failure, Home.THERE);
    }

    /** Over a table that is made when something is to be written into it. */
    public SqlRegistry(
            SqlAccess.Opening opening,
            String table,
            String now,
            BiFunction<String, SQLException, TargetException> failure,
            Home home) {
        this.opening = opening;
        this.table = Map.of("table", table);
        this.now = now;
        this.failure = failure;
        this.home = home;
    }

    /** Where the table is. */
    public interface Home {
        /** There, from the beginning. */
        Home THERE = new Home() {
            @Override
            public boolean isThere(Connection connection) {
                return true;
            }

            @Override
            public void make(Connection connection) {}
        };

        /** Whether it is there. @throws TargetException if something else has its name */
        boolean isThere(Connection connection) throws SQLException;

        /** Makes it; another process may do so at the same instant. */
        void make(Connection connection) throws SQLException;
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
            if (!isMade(open)) {
                return List.of();
            }
            List<Optional<Entry>> rows = FILES.read("registry-list.sql", table).rows(open, SqlRegistry::entry);
            return rows.stream().flatMap(Optional::stream).toList();
        });
    }

    @Override
    public boolean insert(Entry entry) {
        Map<String, Object> values = entry.values();
        values.put("key", entry.key());
        return ask("write into siemload's registry", open -> {
            if (!isMade(open)) {
                home.make(open);
            }
            try {
                return isChanged(open, "insert", values);
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
        Map<String, Object> values = changed.values();
        values.put("key", entry.key());
        values.put("earlier_beat", entry.beat());
        return ask("write into siemload's registry", open -> isChanged(open, "replace", values));
    }

    @Override
    public boolean delete(Entry entry) {
        Map<String, Object> values = Map.of("key", entry.key(), "beat", entry.beat());
        return ask("write into siemload's registry", open -> isChanged(open, "delete", values));
    }

    @Override
    public synchronized void close() {
        connection.ifPresent(SqlRegistry::closeQuietly);
        connection = Optional.empty();
    }

    private boolean isMade(Connection open) throws SQLException {
        made = made || home.isThere(open);
        return made;
    }

    private boolean isChanged(Connection open, String file, Map<String, Object> values) throws SQLException {
        SqlStatement change = FILES.read("registry-" + file + ".sql", table);
        try (PreparedStatement statement = open.prepareStatement(change.sql())) {
            int place = 0;
            for (String name : change.values()) {
                statement.setObject(++place, values.get(name));
            }
            return statement.executeUpdate() == 1;
        }
    }

    /** Some databases keep an empty text as no value. */
    private static Optional<Entry> entry(ResultSet row) throws SQLException {
        Map<String, Object> values = new HashMap<>();
        for (String name : Entry.NAMES) {
            values.put(name, Objects.requireNonNullElse(row.getObject(name), ""));
        }
        return Entry.of(values);
    }

    private synchronized <T> T ask(String tried, SqlAccess.Work<T> work) {
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
