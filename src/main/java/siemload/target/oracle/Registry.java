package siemload.target.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import siemload.target.sql.SqlStatement;

/**
 * Knows which tables in the user's schema belong to which data set or run, in a table {@code SIEMLOAD_TABLES}. Whoever
 * uses tables that are not kept locks their row; rows without a lock were left behind by killed runs.
 */
final class Registry {
    private static final int LONGEST_LABEL = 100;
    private static final int RANDOM_DIGITS = 8;

    private final Connections connections;
    private final Tablespaces tablespaces;

    Registry(Connections connections, Tablespaces tablespaces) {
        this.connections = connections;
        this.tablespaces = tablespaces;
    }

    /**
     * Tables of a load or of a run.
     *
     * @param guard while it is open, nobody else takes the tables for abandoned
     */
    record Claim(TableGroup tables, Connection guard) implements AutoCloseable {
        /** Lets go of the tables without dropping them. */
        @Override
        public void close() throws SQLException {
            if (!guard.isClosed()) {
                guard.rollback();
                guard.close();
            }
        }
    }

    /** The kept tables of a data set. */
    Optional<TableGroup> kept(String fingerprint) throws SQLException {
        try (Connection connection = connections.open()) {
            createIfMissing(connection);
            return prefixes(connection, "find-kept", fingerprint).stream()
                    .findFirst()
                    .map(this::tables);
        }
    }

    /** Claims names for new tables, after what killed runs left behind was dropped. */
    Claim claim(String purpose, String fingerprint, String label) throws SQLException {
        String random = UUID.randomUUID().toString().substring(0, RANDOM_DIGITS);
        String prefix = ("SL_" + fingerprint + "_" + random).toUpperCase(Locale.ROOT);
        try (Connection connection = connections.open()) {
            createIfMissing(connection);
            dropAbandoned(connection);
            String cut = label.length() > LONGEST_LABEL ? label.substring(label.length() - LONGEST_LABEL) : label;
            update(connection, "register", prefix, purpose, fingerprint, cut);
        }
        return locked(tables(prefix));
    }

    /** The same claim with another connection, where the server was restarted. */
    Claim renew(Claim claim) throws SQLException {
        try {
            claim.close();
        } catch (SQLException broken) {
            // As was to be expected.
        }
        return locked(claim.tables());
    }

    private Claim locked(TableGroup tables) throws SQLException {
        Connection guard = connections.open();
        try {
            guard.setAutoCommit(false);
            prefixes(guard, "lock", tables.prefix());
            return new Claim(tables, guard);
        } catch (SQLException e) {
            guard.close();
            throw e;
        }
    }

    /** Makes loaded tables the kept ones of their data set, in place of earlier ones. */
    void keep(Claim claim, String fingerprint) throws SQLException {
        List<String> earlier = prefixes(claim.guard(), "find-kept", fingerprint);
        update(claim.guard(), "keep", claim.tables().prefix());
        claim.guard().commit();
        try (Connection connection = connections.open()) {
            for (String prefix : earlier) {
                drop(connection, tables(prefix));
            }
        }
    }

    /** Drops the claimed tables and forgets them. */
    void drop(Claim claim) throws SQLException {
        claim.close();
        try (Connection connection = connections.open()) {
            drop(connection, claim.tables());
        }
    }

    private TableGroup tables(String prefix) {
        return new TableGroup(prefix, tablespaces);
    }

    private void dropAbandoned(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        List<String> abandoned = prefixes(connection, "abandoned");
        connection.setAutoCommit(true);
        for (String prefix : abandoned) {
            drop(connection, tables(prefix));
        }
    }

    private static void drop(Connection connection, TableGroup tables) throws SQLException {
        tables.drop(connection);
        update(connection, "forget", tables.prefix());
    }

    private static void createIfMissing(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql("create-registry").sql());
        } catch (SQLException e) {
            if (!SqlErrors.isTakenName(e)) {
                throw e;
            }
        }
    }

    private static List<String> prefixes(Connection connection, String file, String... values) throws SQLException {
        List<String> prefixes = new ArrayList<>();
        try (PreparedStatement statement = bound(connection, file, values);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                prefixes.add(rows.getString(1));
            }
        }
        return prefixes;
    }

    private static void update(Connection connection, String file, String... values) throws SQLException {
        try (PreparedStatement statement = bound(connection, file, values)) {
            statement.executeUpdate();
        }
    }

    private static PreparedStatement bound(Connection connection, String file, String... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql(file).sql());
        for (int i = 0; i < values.length; i++) {
            statement.setString(i + 1, values[i]);
        }
        return statement;
    }

    private static SqlStatement sql(String file) {
        return TableGroup.FILES.read("server/" + file + ".sql", Map.of());
    }
}
