package siemload.target.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.postgresql.PGConnection;
import org.postgresql.util.PSQLState;

/**
 * Creates, copies, keeps and drops whole databases. A data set is loaded into {@code siemload_loading_<fingerprint>} and
 * kept as {@code siemload_data_<fingerprint>}, which nobody can connect to; a run gets {@code siemload_run_<run id>}.
 */
final class Databases {
    private static final int STRATEGY_SINCE = 150_000;
    private static final int CLONE_SINCE = 180_000;
    private static final int LONGEST_NAME = 63;
    /** Among the programs of one server only this suite uses this number: the letters "siemload". */
    private static final long LOCK = 0x7369_656D_6C6F_6164L;

    private final Connections connections;
    private final int version;

    /** @param version the server's version as a number: 180006 */
    Databases(Connections connections, int version) {
        this.connections = connections;
        this.version = version;
    }

    static String loading(String fingerprint) {
        return "siemload_loading_" + fingerprint;
    }

    static String kept(String fingerprint) {
        return "siemload_data_" + fingerprint;
    }

    /** The end of a run id is kept where it is too long: it holds the time. */
    static String run(String runId) {
        String prefix = "siemload_run_";
        int cut = Math.max(0, prefix.length() + runId.length() - LONGEST_NAME);
        return prefix + runId.substring(cut);
    }

    boolean exists(String database) {
        try (Connection connection = connections.open();
                PreparedStatement find = connection.prepareStatement(
                        SqlTemplate.read("server/find-database.sql").sql())) {
            find.setString(1, database);
            try (ResultSet row = find.executeQuery()) {
                return row.next();
            }
        } catch (SQLException e) {
            throw SqlErrors.outsideRun("cannot look for the database " + database, e);
        }
    }

    /** Creates an empty database for a load in place of what an interrupted one left. */
    void createForLoading(String fingerprint) {
        String database = loading(fingerprint);
        try (Connection connection = connections.open()) {
            run(connection, "drop-database", Map.of("database", database));
            run(connection, "create-database", Map.of("database", database));
        } catch (SQLException e) {
            throw SqlErrors.outsideRun("cannot create the database " + database, e);
        }
    }

    /** Turns a completely loaded database into a kept one. */
    void keep(String fingerprint, String label) {
        String database = loading(fingerprint);
        String kept = kept(fingerprint);
        try (Connection connection = connections.open()) {
            String literal = "'" + connection.unwrap(PGConnection.class).escapeLiteral(label) + "'";
            run(connection, "comment-database", Map.of("database", database, "label", literal));
            run(connection, "drop-database", Map.of("database", kept));
            run(connection, "rename-database", Map.of("database", database, "kept", kept));
            run(connection, "freeze-database", Map.of("kept", kept));
        } catch (SQLException e) {
            throw SqlErrors.outsideRun("cannot keep the database " + kept, e);
        }
    }

    /**
     * Copies a kept database for a run.
     *
     * @return a connection to the copy; while it is open, other runs leave the copy alone
     */
    Connection copy(String fingerprint, String runId) {
        String database = run(runId);
        try {
            return make(
                    database, connection -> copy(connection, Map.of("database", database, "kept", kept(fingerprint))));
        } catch (SQLException e) {
            throw SqlErrors.outsideRun("cannot copy the data set into the database " + database, e);
        }
    }

    /**
     * Creates an empty database for a run.
     *
     * @return a connection to it; while it is open, other runs leave the database alone
     */
    Connection createForRun(String runId) {
        String database = run(runId);
        try {
            return make(database, connection -> run(connection, "create-database", Map.of("database", database)));
        } catch (SQLException e) {
            throw SqlErrors.outsideRun("cannot create the database " + database, e);
        }
    }

    /** Nobody else looks for abandoned databases between the making and the connection that guards it. */
    private Connection make(String database, Making making) throws SQLException {
        try (Connection connection = connections.open();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_lock(" + LOCK + ")");
            dropAbandonedCopies(connection);
            making.make(connection);
            return connections.open(database);
        }
    }

    /** Makes a database. */
    @FunctionalInterface
    private interface Making {
        void make(Connection connection) throws SQLException;
    }

    /** Drops a database with whatever is connected to it. */
    void drop(String database) {
        try (Connection connection = connections.open()) {
            run(connection, "drop-database-now", Map.of("database", database));
        } catch (SQLException e) {
            throw SqlErrors.outsideRun("cannot drop the database " + database, e);
        }
    }

    private static void dropAbandonedCopies(Connection connection) throws SQLException {
        List<String> abandoned = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        SqlTemplate.read("server/abandoned-copies.sql").sql())) {
            while (rows.next()) {
                abandoned.add(rows.getString(1));
            }
        }
        for (String database : abandoned) {
            run(connection, "drop-database", Map.of("database", database));
        }
    }

    private void copy(Connection connection, Map<String, String> names) throws SQLException {
        if (version < STRATEGY_SINCE) {
            run(connection, "copy-database", names);
        } else if (version < CLONE_SINCE || !cloned(connection, names)) {
            run(connection, "copy-database-files", names);
        }
    }

    /** Shares the blocks of the files where the server and its file system can; a failed try leaves nothing behind. */
    private static boolean cloned(Connection connection, Map<String, String> names) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET file_copy_method = clone");
            run(connection, "copy-database-files", names);
            return true;
        } catch (SQLException e) {
            boolean cannotClone = PSQLState.INVALID_PARAMETER_VALUE.getState().equals(e.getSQLState())
                    || PSQLState.IO_ERROR.getState().equals(e.getSQLState());
            if (!cannotClone) {
                throw e;
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute("RESET file_copy_method");
            }
            return false;
        }
    }

    private static void run(Connection connection, String file, Map<String, String> names) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(SqlTemplate.read("server/" + file + ".sql", names).sql());
        }
    }
}
