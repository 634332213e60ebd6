package siemload.target.oracle;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import siemload.target.ServerAddress;
import siemload.target.TargetException;

/** Opens connections to one server. Immutable and thread-safe. */
final class Connections {
    private static final int CONNECT_MILLIS = 10_000;
    /** How much longer than the search timeout a silent network is waited for. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private static final String STATEMENTS_KEPT = "60";
    /** Bytes of a large object that come with its row; nearly every event is smaller. */
    private static final String BYTES_WITH_ROW = "16384";

    private final Opening opening;
    private final Duration searchTimeout;

    Connections(Opening opening, Duration searchTimeout) {
        this.opening = opening;
        this.searchTimeout = searchTimeout;
    }

    /** Opens a connection that has not been set up yet. */
    @FunctionalInterface
    interface Opening {
        /**
         * Opens it.
         *
         * @param silenceMillis how long an answer may take before the network counts as lost; 0 for ever
         */
        Connection open(long silenceMillis) throws SQLException;
    }

    static Connections of(ServerAddress address, Duration searchTimeout) {
        if (!address.url().startsWith("jdbc:oracle:")) {
            // Another database's driver would take its url.
            throw new TargetException("the url is not one of Oracle; write jdbc:oracle:thin:@//host:1521/service");
        }
        String url = Tablespaces.withoutThem(address.url());
        return new Connections(
                silenceMillis -> DriverManager.getConnection(url, properties(address, silenceMillis)), searchTimeout);
    }

    /** For statements that may take as long as they need. */
    Connection open() throws SQLException {
        return prepared(opening.open(0));
    }

    /** For searches and batches of a run. */
    Connection openTimed() throws SQLException {
        return prepared(opening.open(searchTimeout.plus(SILENCE).toMillis()));
    }

    Duration searchTimeout() {
        return searchTimeout;
    }

    private static Connection prepared(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(TableGroup.FILES.read("server/session.sql").sql());
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private static Properties properties(ServerAddress address, long silenceMillis) {
        Properties properties = new Properties();
        if (!address.user().isEmpty()) {
            properties.setProperty("user", address.user());
        }
        if (!address.password().isEmpty()) {
            properties.setProperty("password", address.password());
        }
        properties.setProperty("v$session.program", "siemload");
        properties.setProperty("oracle.net.CONNECT_TIMEOUT", Integer.toString(CONNECT_MILLIS));
        properties.setProperty("oracle.jdbc.ReadTimeout", Long.toString(silenceMillis));
        properties.setProperty("oracle.jdbc.implicitStatementCacheSize", STATEMENTS_KEPT);
        properties.setProperty("oracle.jdbc.defaultLobPrefetchSize", BYTES_WITH_ROW);
        return properties;
    }
}
