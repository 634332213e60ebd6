package siemload.database.postgresql.connection;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.PGStream;
import org.postgresql.core.ProtocolVersion;
import org.postgresql.core.SocketFactoryFactory;
import org.postgresql.core.v3.ConnectionFactoryImpl;
import org.postgresql.core.v3.QueryExecutorImpl;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.GSSEncMode;
import org.postgresql.jdbc.SslMode;
import org.postgresql.util.HostSpec;
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
 * Opens connections to the databases of one server. Immutable and thread-safe.
 *
 * @param settings of every session, as {@code name=value}
 * @param timeZone of every session; empty for that of this Java, which the driver asks for
 */
public record PostgresqlConnections(
        ServerAddress address,
        Duration searchTimeout,
        Duration maintenanceTimeout,
        List<String> settings,
        String timeZone) {
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

    /** Among the settings: set once the driver has chosen a server, since it takes one whose sessions only read for a standby. */
    private static final String ONLY_READING = "default_transaction_read_only=on";

    private static final String CHOOSING = "default_transaction_read_only=off";

    private static final String OLDEST_VERSION = "14";
    /** What the server takes for the end of an option, or for the sign that it does not end there. */
    private static final Pattern SEPARATING = Pattern.compile("[\\s\\\\]");

    private static final Duration QUICK = Duration.ofSeconds(60);

    private static final Duration DROPPING = Duration.ofMinutes(5);
    private static final String USUAL_FACTORY = "org.postgresql.ssl.LibPQFactory";
    /** The driver's own that hold the certificate against what is trusted, whatever the mode. */
    private static final Set<String> VERIFYING_FACTORIES =
            Set.of("org.postgresql.ssl.DefaultJavaSSLFactory", "org.postgresql.ssl.SingleCertValidatingFactory");

    /** Nothing may stand in a queue for a lock for longer, with others behind it. */
    private static final Duration LOCK = Duration.ofSeconds(30);

    public PostgresqlConnections(ServerAddress address, TargetOptions options) {
        this(address, options.searchTimeout(), options.maintenanceTimeout(), List.of(), "");
    }

    /** The same that can only read, each with these settings as {@code name=value}. */
    public PostgresqlConnections reading(List<String> more) {
        List<String> all = new ArrayList<>(more);
        all.add(ONLY_READING);
        return with(all);
    }

    /** The same to another server. */
    public PostgresqlConnections at(ServerAddress other) {
        return new PostgresqlConnections(other, searchTimeout, maintenanceTimeout, settings, timeZone);
    }

    /** The same with the time zone that the server gives to sessions which ask for none, where that can be learned. */
    public PostgresqlConnections inServerTimeZone() {
        return PostgresqlErrors.INSTANCE.attempt("connect to PostgreSQL at " + where(), () -> {
            PGSimpleDataSource source = bounded(plain(), QUICK);
            try (Connection connection = source.getConnection()) {
                return new PostgresqlConnections(
                        address,
                        searchTimeout,
                        maintenanceTimeout,
                        settings,
                        ServerTimeZone.of(connection, source).orElse(""));
            }
        });
    }

    /** The same, which find a primary although a database of theirs may be one whose sessions only read unless they ask for more. */
    public PostgresqlConnections choosingByServer() {
        return choosesServer(plain()) ? with(List.of(CHOOSING)) : this;
    }

    /** Whether the url says what kind of server it is for. */
    private static boolean choosesServer(PGSimpleDataSource source) {
        String type = source.getTargetServerType();
        return type != null && !type.equals("any");
    }

    /** The same, each with these settings alone as {@code name=value}. */
    public PostgresqlConnections with(List<String> others) {
        return new PostgresqlConnections(address, searchTimeout, maintenanceTimeout, others, timeZone);
    }

    /** Questions, and all that only touches a few rows, in the database that the URL names. */
    public SqlAccess quick() {
        return access(Optional.empty(), QUICK);
    }

    /** The same in this database. */
    public SqlAccess quick(String database) {
        return access(Optional.of(database), QUICK);
    }

    /**
     * Opens connections for what is asked every few seconds beside a run: prepared on the server at its first use, like searches. What
     * the driver does otherwise at the fifth time, and not before, has Java throw away the compiled code that searches share with it.
     */
    public SqlAccess.Opening repeating(String database) {
        return quick(database)
                .opening()
                .then(connection -> connection.unwrap(PGConnection.class).setPrepareThreshold(1));
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

    /** Dropping databases, which waits for everybody on the server who is in the middle of a COPY, whatever they copy. */
    public SqlAccess dropping() {
        return access(Optional.empty(), DROPPING);
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
            if (settings.contains(ONLY_READING)) {
                requireOnlyReading(connection);
            }
            if (!timeZone.isEmpty()) {
                SQL.read("time-zone").row(connection, row -> row.getString(1), timeZone);
            }
            noticeLostClient(connection);
        });
    }

    /** Nothing is set where the server did not take what the connection asked for: the session may be one of others, lent by a pooler. */
    private void requireOnlyReading(Connection connection) throws SQLException {
        if (SQL.read("read-alone").rows(connection, row -> row.getString(1)).isEmpty()) {
            throw new TargetException("nothing keeps sessions from writing to PostgreSQL at " + where()
                    + ": it does not take settings from a connection (a pooler may be between; connect to the server"
                    + " itself)");
        }
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

    /** The server gives up what it does for a process that is gone, where its operating system lets it notice. */
    private static void noticeLostClient(Connection connection) throws SQLException {
        try {
            SQL.read("notice-lost-client").execute(connection);
        } catch (SQLException unable) {
            if (PostgresqlErrors.INSTANCE.isLost(unable)) {
                throw unable;
            }
        }
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
        source.setPrepareThreshold(1);
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
            source.setLoadBalanceHosts(isBalanced());
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

    /** Whether the url has the driver spread connections over several hosts. */
    public boolean isBalanced() {
        Properties options = Objects.requireNonNullElseGet(Driver.parseURL(address.url(), null), Properties::new);
        return PGProperty.LOAD_BALANCE_HOSTS.getBoolean(options) && plain().getServerNames().length > 1;
    }

    /** Hosts, ports and database for messages; never the user's secrets. */
    public String where() {
        PGSimpleDataSource source = plain();
        StringBuilder hosts = new StringBuilder();
        for (int host = 0; host < source.getServerNames().length; host++) {
            int port = source.getPortNumbers()[host];
            hosts.append(host == 0 ? "" : ",")
                    .append(source.getServerNames()[host])
                    .append(":")
                    .append(port == 0 ? 5432 : port);
        }
        return hosts + "/" + source.getDatabaseName();
    }

    /**
     * How its connections are secured.
     *
     * @param protocol the version of TLS, as the server sees it; null where it sees none
     * @param cipher null where there is none
     */
    public Transport transport(@Nullable String protocol, @Nullable String cipher) throws SQLException {
        return protocol == null
                ? Transport.PLAIN
                : new Transport(verification(address.url()), protocol, Objects.requireNonNullElse(cipher, ""));
    }

    /**
     * How far the driver verifies the server of an encrypted connection, by the options of the url. A factory or a verifier that
     * is not the driver's own counts as none.
     */
    static Security verification(String url) throws SQLException {
        Properties options = Objects.requireNonNullElseGet(Driver.parseURL(url, null), Properties::new);
        SslMode mode = SslMode.of(options);
        String factory = Objects.requireNonNullElse(PGProperty.SSL_FACTORY.getOrDefault(options), USUAL_FACTORY);
        boolean verified =
                factory.equals(USUAL_FACTORY) ? mode.verifyCertificate() : VERIFYING_FACTORIES.contains(factory);
        if (!verified) {
            return Security.UNVERIFIED;
        }
        boolean named = mode.verifyPeerName() && PGProperty.SSL_HOSTNAME_VERIFIER.getOrDefault(options) == null;
        return named ? Security.HOST_NAME : Security.CERTIFICATE;
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
        // Counters and plans are those of one server; only who asks what a run measures is spread, where the url says
        // so.
        source.setLoadBalanceHosts(false);
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
        settings.stream().filter(setting -> !setting.equals(ONLY_READING)).forEach(setting -> add(source, setting));
        if (settings.contains(ONLY_READING)) {
            // The mark tells whether the server takes such options.
            add(source, "siemload.reading=on");
            add(source, choosesServer(source) ? CHOOSING : ONLY_READING);
        }
        return source;
    }

    /**
     * The time zone that a server gives to a session which asks for none: that of the role, the database or the server, or of the url's
     * {@code options}. The driver asks for Java's zone in its first packet, whatever the url says, and no statement tells what would hold
     * without that. So one session is opened by the driver's own steps, which are private to it, but without the zone. Stateless.
     */
    private static final class ServerTimeZone {
        private static final String ASKED_FOR = "TimeZone=";
        private static final int WAIT_MILLIS = 20_000;
        private static final int SEND_BYTES = 8_192;

        private ServerTimeZone() {}

        /**
         * Asks the server that this connection has found.
         *
         * @param source made the connection
         * @return empty where a session cannot be opened like this
         */
        static Optional<String> of(Connection connection, PGSimpleDataSource source) {
            try {
                HostSpec host = connection
                        .unwrap(BaseConnection.class)
                        .getQueryExecutor()
                        .getHostSpec();
                return Optional.ofNullable(ask(host, properties(source)));
            } catch (SQLException | IOException | ReflectiveOperationException unable) {
                return Optional.empty();
            }
        }

        private static Properties properties(PGSimpleDataSource source) throws SQLException {
            Properties properties = new Properties(Driver.parseURL(source.getURL(), null));
            if (source.getUser() != null) {
                PGProperty.USER.set(properties, source.getUser());
            }
            if (source.getPassword() != null) {
                PGProperty.PASSWORD.set(properties, source.getPassword());
            }
            return properties;
        }

        @SuppressWarnings("NullAway") // The driver's own steps tell no nullness.
        private static String ask(HostSpec host, Properties properties)
                throws SQLException, IOException, ReflectiveOperationException {
            String user = PGProperty.USER.getOrDefault(properties);
            PGStream stream =
                    new PGStream(SocketFactoryFactory.getSocketFactory(properties), host, WAIT_MILLIS, SEND_BYTES);
            try {
                stream.setNetworkTimeout(WAIT_MILLIS);
                stream = (PGStream) call(
                        "enableGSSEncrypted",
                        stream,
                        GSSEncMode.of(properties),
                        host.getHost(),
                        properties,
                        WAIT_MILLIS);
                if (!stream.isGssEncrypted()) {
                    stream = (PGStream) call("enableSSL", stream, SslMode.of(properties), properties, WAIT_MILLIS);
                }
                List<?> asked = (List<?>) call(
                        "getParametersForStartup", user, PGProperty.PG_DBNAME.getOrDefault(properties), properties);
                asked.removeIf(parameter -> parameter.toString().startsWith(ASKED_FOR));
                Object unused = call("sendStartupPacket", stream, ProtocolVersion.v3_0, asked);
                unused = call("doAuthentication", stream, host.getHost(), user, properties);
                QueryExecutorImpl session = new QueryExecutorImpl(stream, WAIT_MILLIS, properties);
                String zone = session.getParameterStatus("TimeZone");
                session.close();
                return zone;
            } finally {
                stream.close();
            }
        }

        @SuppressWarnings("NullAway")
        private static Object call(String step, Object... arguments) throws ReflectiveOperationException {
            Method method = Arrays.stream(ConnectionFactoryImpl.class.getDeclaredMethods())
                    .filter(one -> one.getName().equals(step))
                    .findFirst()
                    .orElseThrow(() -> new NoSuchMethodException(step));
            method.setAccessible(true);
            try {
                return method.invoke(null, arguments);
            } catch (InvocationTargetException refused) {
                throw new ReflectiveOperationException(step, refused.getCause());
            }
        }
    }

    /**
     * Makes sockets that read with one call of the system. A plain socket of Java that ever had a timeout, be it for
     * connecting, asks the system three times for each answer from then on. Made by the driver; thread-safe.
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
        public Socket createSocket(String host, int port) throws IOException {
            return SocketChannel.open(new InetSocketAddress(host, port)).socket();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return SocketChannel.open(new InetSocketAddress(host, port)).socket();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
            return createSocket(InetAddress.getByName(host), port, localHost, localPort);
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort)
                throws IOException {
            SocketChannel channel = SocketChannel.open().bind(new InetSocketAddress(localHost, localPort));
            channel.connect(new InetSocketAddress(host, port));
            return channel.socket();
        }
    }
}
