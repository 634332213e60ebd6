package siemload.database.oracle;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import siemload.database.ServerAddress;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.Transport.Security;
import siemload.database.server.Canceller;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlStatement;

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
    private static final Duration QUICK = Duration.ofSeconds(60);
    /** How much longer than the search timeout a silent network is waited for. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    /** A word or a number; anything else is written as a text. */
    private static final Pattern PLAIN_VALUE = Pattern.compile("[\\w.$-]+");

    private static final Pattern NAME_MATCH =
            Pattern.compile("ssl_server_dn_match\\s*=\\s*(\\w*)", Pattern.CASE_INSENSITIVE);
    private static final Pattern SERVICE_MATCH =
            Pattern.compile("ssl_allow_weak_dn_match\\s*=\\s*(\\w*)", Pattern.CASE_INSENSITIVE);
    private static final Set<String> ON = Set.of("on", "yes", "true");

    private static final String STATEMENTS_KEPT = "60";
    /** Bytes of a large object that come with its row; nearly every event is smaller. */
    private static final String BYTES_WITH_ROW = "16384";

    /**
     * Makes sure that the server takes the parameters.
     *
     * @throws TargetException in the server's words if it does not
     */
    void checkParameters() {
        parameters.forEach((name, value) -> {
            try (Connection connection = maintenance().opening().open()) {
                set(connection, name, value);
            } catch (SQLException e) {
                throw OracleErrors.INSTANCE.outsideRun("Oracle refuses the parameter " + name + "=" + value, e);
            }
        });
    }

    private static void set(Connection connection, String name, String value) throws SQLException {
        boolean plain = PLAIN_VALUE.matcher(value).matches();
        String written = plain ? value : "'" + value.replace("'", "''") + "'";
        SqlStatement.execute(connection, "ALTER SESSION SET " + name + " = " + written);
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
        String url = address.url();
        return new OracleConnections(
                silenceMillis -> DriverManager.getConnection(url, properties(address, silenceMillis)),
                options.searchTimeout(),
                options.maintenanceTimeout(),
                options.parameters(),
                verification(url));
    }

    /** The driver always verifies the certificate, and the host name unless it is told not to. */
    static Security verification(String url) {
        Matcher name = NAME_MATCH.matcher(url);
        Matcher service = SERVICE_MATCH.matcher(url);
        boolean named = !name.find() || isOn(name);
        boolean orService = service.find() && isOn(service);
        return named && !orService ? Security.HOST_NAME : Security.CERTIFICATE;
    }

    private static boolean isOn(Matcher option) {
        return ON.contains(option.group(1).toLowerCase(Locale.ROOT));
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
    SqlAccess maintenance() {
        return new SqlAccess(opening(maintenanceTimeout), OracleErrors.INSTANCE);
    }

    /** For questions about the server, the registry, and all that only touches a few rows. */
    SqlAccess quick() {
        return new SqlAccess(opening(QUICK), OracleErrors.INSTANCE);
    }

    /**
     * The parameters of the server that are not its defaults, and those of the run; without a right to see the server's there is one
     * line that says so.
     */
    SortedMap<String, String> settings() {
        SortedMap<String, String> settings = ofServer();
        settings.putAll(parameters());
        return settings;
    }

    private SortedMap<String, String> ofServer() {
        return maintenance().get("read the settings of Oracle", connection -> {
            try {
                return TableGroup.FILES.read("server/settings.sql").map(connection, row -> row.getString(2));
            } catch (SQLException e) {
                if (!OracleErrors.isMissingTable(e)) {
                    throw e;
                }
                String hidden = "not visible to this user (GRANT SELECT ON v_$parameter)";
                return new TreeMap<>(Map.of("v$parameter", hidden));
            }
        });
    }

    /** For searches and batches of a run. */
    SqlAccess.Opening timed() {
        return opening(searchTimeout.plus(SILENCE)).then(connection -> {
            for (Map.Entry<String, String> parameter : parameters.entrySet()) {
                set(connection, parameter.getKey(), parameter.getValue());
            }
        });
    }

    /** A connection for searches and batches of a run, which is opened when it is first used. */
    RunConnection ofRun() {
        return new RunConnection(timed(), OracleErrors.INSTANCE, searchTimeout);
    }

    /** The same for a session. */
    RunConnection ofSession(Canceller canceller, SqlAccess.Task stopping) {
        return new RunConnection(timed(), OracleErrors.INSTANCE, searchTimeout, Optional.of(canceller), stopping);
    }

    private SqlAccess.Opening opening(Duration silence) {
        SqlAccess.Opening plain = () -> opening.open(silence.toMillis());
        return plain.then(TableGroup.FILES.read("server/session.sql")::execute);
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
