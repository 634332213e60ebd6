package siemload.database.oracle;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.database.TargetOptions;
import siemload.database.Transport;
import siemload.database.Transport.Security;
import siemload.database.sql.SqlAccess;

/**
 * Opens connections to one server. Immutable and thread-safe.
 *
 * @param parameters those that every session of a run sets when it begins
 * @param verified what an encrypted connection proves of the server
 */
record OracleConnections(
        Opening opening,
        Duration searchTimeout,
        Duration maintenanceTimeout,
        Map<String, String> parameters,
        Security verified) {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int QUICK_MILLIS = 60_000;
    /** How much longer than the search timeout a silent network is waited for. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    /** A word or a number; anything else is written as a text. */
    private static final Pattern PLAIN_VALUE = Pattern.compile("[\\w.$-]+");

    private static final String STATEMENTS_KEPT = "60";
    /** Bytes of a large object that come with its row; nearly every event is smaller. */
    private static final String BYTES_WITH_ROW = "16384";

    /** Without parameters, for a server that nobody verifies. */
    OracleConnections(Opening opening, Duration searchTimeout, Duration maintenanceTimeout) {
        this(opening, searchTimeout, maintenanceTimeout, Map.of(), Security.UNVERIFIED);
    }

    /**
     * Makes sure that the server takes the parameters.
     *
     * @throws TargetException in the server's words if it does not
     */
    void checkParameters() {
        parameters.forEach((name, value) -> {
            try (Connection connection = open()) {
                set(connection, name, value);
            } catch (SQLException e) {
                throw OracleErrors.INSTANCE.outsideRun("Oracle refuses the parameter " + name + "=" + value, e);
            }
        });
    }

    private static void set(Connection connection, String name, String value) throws SQLException {
        boolean plain = PLAIN_VALUE.matcher(value).matches();
        String written = plain ? value : "'" + value.replace("'", "''") + "'";
        try (Statement statement = connection.createStatement()) {
            statement.execute("ALTER SESSION SET " + name + " = " + written);
        }
    }

    /** Opens a connection that has not been set up yet. */
    @FunctionalInterface
    interface Opening {
        /**
         * Opens it.
         *
         * @param silenceMillis how long an answer may take before the network counts as lost
         */
        Connection open(long silenceMillis) throws SQLException;
    }

    static OracleConnections of(ServerAddress address, TargetOptions options) {
        if (!address.url().startsWith("jdbc:oracle:")) {
            // Another database's driver would take its url.
            throw new TargetException("the url is not one of Oracle; write jdbc:oracle:thin:@//host:1521/service");
        }
        String url = Tablespaces.withoutThem(address.url());
        return new OracleConnections(
                silenceMillis -> DriverManager.getConnection(url, properties(address, silenceMillis)),
                options.searchTimeout(),
                options.maintenanceTimeout(),
                options.parameters(),
                OracleTlsVerification.by(url));
    }

    /**
     * How its connections are secured.
     *
     * @param protocol what the server says to be reached by: {@code tcp}, {@code tcps}; null where it does not say
     */
    Transport transport(@Nullable String protocol) {
        return "tcps".equalsIgnoreCase(protocol) ? new Transport(verified, "tcps", "") : Transport.PLAIN;
    }

    /** For loading, copying, indexing, counting and dropping. */
    Connection open() throws SQLException {
        return prepared(opening.open(maintenanceTimeout.toMillis()));
    }

    /** For work of that kind. */
    SqlAccess maintenance() {
        return new SqlAccess(this::open, OracleErrors.INSTANCE);
    }

    /** For questions about the server, and for all that only touches a few rows. */
    SqlAccess quick() {
        return new SqlAccess(this::openQuick, OracleErrors.INSTANCE);
    }

    /** For the registry too. */
    Connection openQuick() throws SQLException {
        return prepared(opening.open(QUICK_MILLIS));
    }

    /** For searches and batches of a run. */
    Connection openTimed() throws SQLException {
        Connection connection =
                prepared(opening.open(searchTimeout.plus(SILENCE).toMillis()));
        try {
            for (Map.Entry<String, String> parameter : parameters.entrySet()) {
                set(connection, parameter.getKey(), parameter.getValue());
            }
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private static Connection prepared(Connection connection) throws SQLException {
        try {
            TableGroup.FILES.read("server/session.sql").execute(connection);
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
