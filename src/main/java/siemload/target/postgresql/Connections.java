package siemload.target.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;
import siemload.target.ServerAddress;
import siemload.target.TargetException;
import siemload.target.TargetOptions;

/** Opens connections to the databases of one server. Immutable and thread-safe. */
final class Connections {
    private static final int CONNECT_SECONDS = 10;
    private static final int LOGIN_SECONDS = 20;
    private static final int CANCEL_SECONDS = 3;
    /** How much longer than the search timeout a silent network is waited for. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private static final String OLDEST_VERSION = "14";

    private final ServerAddress address;
    private final Duration searchTimeout;

    Connections(ServerAddress address, TargetOptions options) {
        this(address, options.searchTimeout());
    }

    Connections(ServerAddress address, Duration searchTimeout) {
        this.address = address;
        this.searchTimeout = searchTimeout;
    }

    /** To the database that the URL names, for statements that may take as long as they need. */
    Connection open() throws SQLException {
        return plain().getConnection();
    }

    /** To this database, for statements that may take as long as they need. */
    Connection open(String database) throws SQLException {
        PGSimpleDataSource source = plain();
        source.setDatabaseName(database);
        return source.getConnection();
    }

    /**
     * To this database, for batches of a run: each statement is prepared on the server at its first use, is planned
     * afresh for its values each time, and is given up after the search timeout.
     */
    Connection openTimed(String database) throws SQLException {
        return timed(database).getConnection();
    }

    /**
     * The same for searches, but that nobody watches over a silent network once the connection is open: the caller must.
     * To look at the clock the driver would ask the system three times for each answer instead of once.
     */
    Connection openUnwatched(String database) throws SQLException {
        PGSimpleDataSource source = timed(database);
        source.setSocketFactory(BlockingSockets.class.getName());
        Connection connection = source.getConnection();
        connection.setNetworkTimeout(Runnable::run, 0);
        return connection;
    }

    /** How long an answer may take before the network counts as silent. */
    Duration longestSilence() {
        return searchTimeout.plus(SILENCE);
    }

    private PGSimpleDataSource timed(String database) {
        PGSimpleDataSource source = plain();
        source.setDatabaseName(database);
        source.setPrepareThreshold(1);
        source.setSocketTimeout((int) longestSilence().toSeconds());
        String own = source.getOptions();
        source.setOptions((own == null ? "" : own + " ") + "-c plan_cache_mode=force_custom_plan -c statement_timeout="
                + searchTimeout.toMillis());
        return source;
    }

    Duration searchTimeout() {
        return searchTimeout;
    }

    /** Host, port and database for messages; never the user's secrets. */
    String where() {
        PGSimpleDataSource source = plain();
        return source.getServerNames()[0] + ":" + port(source) + "/" + source.getDatabaseName();
    }

    private static int port(PGSimpleDataSource source) {
        int port = source.getPortNumbers()[0];
        return port == 0 ? 5432 : port;
    }

    private PGSimpleDataSource plain() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        try {
            source.setUrl(address.url());
        } catch (IllegalArgumentException e) {
            throw new TargetException(
                    "the url is not one of PostgreSQL; write jdbc:postgresql://host:port/database", e);
        }
        if (!address.user().isEmpty()) {
            source.setUser(address.user());
        }
        if (!address.password().isEmpty()) {
            source.setPassword(address.password());
        }
        source.setApplicationName("siemload");
        source.setAssumeMinServerVersion(OLDEST_VERSION);
        source.setConnectTimeout(CONNECT_SECONDS);
        // A server that hangs still lets the system accept connections for it, and then says nothing.
        source.setLoginTimeout(LOGIN_SECONDS);
        source.setCancelSignalTimeout(CANCEL_SECONDS);
        source.setTcpKeepAlive(true);
        // Values are bound as text whose type the statement settles, so that ranges and arrays need no type of their
        // own.
        source.setStringType("unspecified");
        return source;
    }
}
