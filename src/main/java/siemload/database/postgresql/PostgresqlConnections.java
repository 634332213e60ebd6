package siemload.database.postgresql;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.SslMode;
import siemload.database.ServerAddress;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.Transport.Security;
import siemload.database.layout.Blocks;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlBlocks;

/**
 * Opens connections to the databases of one server. Their time zone is UTC unless the settings or the options of the url name another one,
 * whatever Java's is. Immutable and thread-safe.
 *
 * @param settings of every session, as {@code name=value}
 */
public record PostgresqlConnections(
        ServerAddress address, Duration searchTimeout, Duration maintenanceTimeout, List<String> settings) {
    /** What the server is asked and told, but for the events. */
    public static final SqlBlocks SQL =
            new SqlBlocks(Blocks.ofResource("/siemload/database/postgresql/server", Syntax.SQL));

    /** Who executes the statements of files on a server of siemload's own, whose own user may do anything. */
    public static final String POWERLESS = "siemload_statements";

    private static final int CONNECT_SECONDS = 10;
    private static final int LOGIN_SECONDS = 20;
    private static final int CANCEL_SECONDS = 3;
    /** How much longer than the search timeout a silent network is waited for. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private static final String ONLY_READING = "default_transaction_read_only=on";
    private static final String OLDEST_VERSION = "15";
    /** What the server takes for the end of an option, or for the sign that it does not end there. */
    private static final Pattern SEPARATING = Pattern.compile("[\\s\\\\]");

    private static final Pattern TIME_ZONE = Pattern.compile("(?i)(?<=\\btimezone=)\\S+");

    private static final Duration QUICK = Duration.ofSeconds(60);
    /** Nothing may stand in a queue for a lock for longer, with others behind it. */
    private static final Duration LOCK = Duration.ofSeconds(30);

    public PostgresqlConnections(ServerAddress address, TargetOptions options) {
        this(address, options.searchTimeout(), options.maintenanceTimeout(), List.of());
    }

    /** The same that can only read, each with these settings as {@code name=value}. */
    public PostgresqlConnections reading(List<String> more) {
        List<String> all = new ArrayList<>(more);
        all.add(ONLY_READING);
        return with(all);
    }

    /** Whether they can only read. */
    public boolean onlyRead() {
        return settings.contains(ONLY_READING);
    }

    /** The same to another server. */
    public PostgresqlConnections at(ServerAddress other) {
        return new PostgresqlConnections(other, searchTimeout, maintenanceTimeout, settings);
    }

    /** The same, each with these settings alone as {@code name=value}. */
    public PostgresqlConnections with(List<String> others) {
        return new PostgresqlConnections(address, searchTimeout, maintenanceTimeout, others);
    }

    /** Questions, and all that only touches a few rows, in the database that the URL names. */
    public SqlAccess quick() {
        return access(Optional.empty(), QUICK);
    }

    /** The same in this database. */
    public SqlAccess quick(String database) {
        return access(Optional.of(database), QUICK);
    }

    /** Questions in the database that the URL names that are worth nothing after this time. */
    public SqlAccess within(Duration timeout) {
        return access(Optional.empty(), timeout);
    }

    /** Making whole databases. */
    public SqlAccess maintenance() {
        return access(Optional.empty(), maintenanceTimeout);
    }

    /** Loading, indexing, counting and deleting in this database. */
    public SqlAccess maintenance(String database) {
        return access(Optional.of(database), maintenanceTimeout);
    }

    private SqlAccess access(Optional<String> database, Duration timeout) {
        SqlAccess.Opening opening = () -> {
            PGSimpleDataSource source = plain();
            database.ifPresent(source::setDatabaseName);
            add(source, "lock_timeout=" + LOCK.toMillis());
            return opening(bounded(source, timeout)).open();
        };
        return new SqlAccess(opening, PostgresqlErrors.INSTANCE);
    }

    /** Everything that a session needs which must not, or cannot, be asked for at its start. */
    private SqlAccess.Opening opening(PGSimpleDataSource source) {
        SqlAccess.Opening opening = source::getConnection;
        return opening.then(connection -> {
            // Nothing is set where the server did not take what the connection asked for: the session may be lent by a
            // pooler.
            if (onlyRead() && !SQL.read("read-only").row(connection, row -> row.getBoolean(1))) {
                throw new TargetException("nothing keeps sessions from writing to PostgreSQL at " + where()
                        + ": it does not take settings from a connection (a pooler may be between; connect to the server"
                        + " itself)");
            }
            SQL.read("begin-session").row(connection, row -> row.getString(1), timeZone(source));
        });
    }

    /** The last one that the options of the session name, which the driver overrules by Java's. */
    private static String timeZone(PGSimpleDataSource source) {
        String options = Objects.requireNonNullElse(source.getOptions(), "");
        return TIME_ZONE.matcher(options).results().map(MatchResult::group).reduce("UTC", (before, last) -> last);
    }

    private static PGSimpleDataSource bounded(PGSimpleDataSource source, Duration timeout) {
        source.setSocketTimeout((int) timeout.plus(SILENCE).toSeconds());
        add(source, "statement_timeout=" + timeout.toMillis());
        return source;
    }

    private static void add(PGSimpleDataSource source, String setting) {
        String own = source.getOptions();
        source.setOptions((own == null ? "" : own + " ") + "-c "
                + SEPARATING.matcher(setting).replaceAll("\\\\$0"));
    }

    /** What sessions of a run are for. Each statement is prepared on the server at its first use, and given up after the search timeout. */
    public enum Use {
        /** Batches, counters and the like. Each statement is planned afresh for its values. */
        BATCHES,
        /**
         * Searches. Nobody watches over a silent network once the connection is open: the caller must, here and below. To look at the clock
         * the driver would ask the system three times for each answer instead of once.
         */
        SEARCHES,
        /** Short transactions: each statement is planned once, as an application does that knows its statements. */
        TRANSACTIONS,
        /** Searches in transactions that only read. */
        READING_SEARCHES,
        /** Statements of users in such transactions. Values come as text, so that equal ones have equal bytes. */
        STATEMENTS;

        private boolean onlyReads() {
            return this == READING_SEARCHES || this == STATEMENTS;
        }
    }

    /**
     * To this database, for sessions of a run.
     *
     * @param sessionSettings as {@code name=value}
     */
    public SqlAccess.Opening session(Use use, String database, List<String> sessionSettings) {
        PGSimpleDataSource source = plain();
        source.setDatabaseName(database);
        if (use != Use.TRANSACTIONS) {
            add(source, "plan_cache_mode=force_custom_plan");
        }
        sessionSettings.forEach(setting -> add(source, setting));
        bounded(source, searchTimeout);
        if (use == Use.BATCHES) {
            return opening(source);
        }
        source.setSocketFactory(BlockingSockets.class.getName());
        if (use == Use.STATEMENTS) {
            source.setBinaryTransfer(false);
        }
        if (use.onlyReads()) {
            // By the first packet of each transaction, whatever the url says.
            source.setReadOnlyMode("transaction");
        }
        return opening(source).then(connection -> {
            connection.setNetworkTimeout(Runnable::run, 0);
            if (use.onlyReads()) {
                connection.setReadOnly(true);
            }
        });
    }

    /** How long an answer may take before the network counts as silent. */
    public Duration longestSilence() {
        return searchTimeout.plus(SILENCE);
    }

    /** Hosts, ports and database for messages; never the user's secrets. */
    public String where() {
        PGSimpleDataSource source = plain();
        String[] names = source.getServerNames();
        int[] ports = source.getPortNumbers();
        String hosts = IntStream.range(0, names.length)
                .mapToObj(host -> names[host] + ":" + (ports[host] == 0 ? 5432 : ports[host]))
                .collect(Collectors.joining(","));
        return hosts + "/" + source.getDatabaseName();
    }

    /**
     * How its connections are secured.
     *
     * @param protocol the version of TLS, as the server sees it; null where it sees none
     * @param cipher null where there is none
     */
    public Transport transport(@Nullable String protocol, @Nullable String cipher) {
        return protocol == null
                ? Transport.PLAIN
                : PostgresqlErrors.INSTANCE.attempt(
                        "see how connections are secured",
                        () -> new Transport(
                                verification(address.url()), protocol, Objects.requireNonNullElse(cipher, "")));
    }

    /** How far the driver verifies the server of an encrypted connection, by the options of the url. */
    static Security verification(String url) throws SQLException {
        SslMode mode = SslMode.of(Objects.requireNonNullElseGet(Driver.parseURL(url, null), Properties::new));
        return mode.verifyPeerName()
                ? Security.HOST_NAME
                : mode.verifyCertificate() ? Security.CERTIFICATE : Security.UNVERIFIED;
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
        // Empty rather than none: the driver would look for one in a file that others may read, and for another user.
        source.setPassword(address.password());
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
        // What the driver would do otherwise at the fifth time has Java throw away the compiled code that searches
        // share
        // with all else.
        source.setPrepareThreshold(1);
        settings.forEach(setting -> add(source, setting));
        return source;
    }

    /**
     * Makes sockets that read with one call of the system. A plain socket of Java that ever had a timeout, be it for
     * connecting, asks the system three times for each answer from then on. Made by the driver, which connects them itself; thread-safe.
     *
     * <p>A thread that is interrupted while it reads loses its connection.
     */
    public static final class BlockingSockets extends SocketFactory {
        /** For the driver. */
        public BlockingSockets() {}

        @Override
        public Socket createSocket() throws IOException {
            return SocketChannel.open().socket();
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) {
            throw new UnsupportedOperationException();
        }
    }
}
