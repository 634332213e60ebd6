package siemload.database.postgresql;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.postgresql.Driver;
import org.postgresql.core.BaseConnection;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.SslMode;
import org.postgresql.ssl.WrappedFactory;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import siemload.config.RegularFile;
import siemload.database.ServerAddress;
import siemload.database.Target.TargetOptions;
import siemload.database.Target.Transport.Security;
import siemload.database.TargetException;
import siemload.database.layout.Blocks;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlStatement.SqlBlocks;

/**
 * Opens connections to the databases of one server. The connections' time zone is UTC unless the settings or the options of the url name
 * another time zone; Java's time zone has no effect. Immutable and thread-safe.
 *
 * @param settings the settings of every session, as {@code name=value}
 */
record PostgresqlConnections(ServerAddress address, Duration searchTimeout, List<String> settings) {
    /** The statements for the server, except for those about events. */
    static final SqlBlocks SQL = new SqlBlocks(Blocks.ofResource("/siemload/database/postgresql/server", Syntax.SQL));

    /** The user that executes statements from files on a server that siemload started, since the server's own user has all rights. */
    static final String POWERLESS = "siemload_statements";

    private static final String ONLY_READING = "default_transaction_read_only=on";
    /** The options of the driver that siemload sets itself. A url with other values is refused. */
    private static final String OWN = SQL.part("driver-options", Map.of()).replace("\n", "&");
    /** The characters that must be escaped in options for the server: whitespace ends an option, a backslash escapes. */
    private static final Pattern SEPARATING = Pattern.compile("[\\s\\\\]");

    private static final Pattern TIME_ZONE = Pattern.compile("(?i)(?<=\\btimezone=)\\S+");

    private static final Duration QUICK = Duration.ofSeconds(60);
    /** The longest wait for a lock. The wait is limited, since other sessions queue behind the waiting one. */
    private static final Duration LOCK = Duration.ofSeconds(30);

    /** Returns read-only connections to this server with only these settings, as {@code name=value}. */
    PostgresqlConnections reading(List<String> more) {
        return with(Stream.concat(more.stream(), Stream.of(ONLY_READING)).toList());
    }

    /** Adds siemload's own options to a url. If an option occurs twice, the last value counts. */
    static String completed(String url) {
        return url + (url.contains("?") ? "&" : "?") + OWN;
    }

    /** Returns connections to one server, which the driver chooses if the url has several hosts or {@code targetServerType}. */
    PostgresqlConnections chosen() {
        // The driver takes any server whose transactions are read-only for a standby, even if only this user's are.
        PGSimpleDataSource source = with(bounded(to(""), QUICK), "default_transaction_read_only=off");
        if (source.getServerNames().length == 1 && source.getTargetServerType().equals("any")) {
            return this;
        }
        return PostgresqlErrors.INSTANCE.attempt("connect to PostgreSQL at " + where(), () -> {
            try (Connection open = source.getConnection()) {
                String host = String.valueOf(
                        open.unwrap(BaseConnection.class).getQueryExecutor().getHostSpec());
                String url = address.url()
                        .replaceFirst("(?<=^jdbc:postgresql://)[^/]*", host)
                        .replaceAll("(?<=[?&]targetServerType=)[^&]*", "any");
                return at(new ServerAddress(url, address.user(), address.password()));
            }
        });
    }

    boolean onlyRead() {
        return settings.contains(ONLY_READING);
    }

    PostgresqlConnections at(ServerAddress other) {
        return new PostgresqlConnections(other, searchTimeout, settings);
    }

    /** Returns connections to this server with only these settings, as {@code name=value}. */
    PostgresqlConnections with(List<String> others) {
        return new PostgresqlConnections(address, searchTimeout, others);
    }

    /** Returns access for queries, and for statements on a few rows, in the database of the url. */
    SqlAccess quick() {
        return quick("");
    }

    SqlAccess quick(String database) {
        return within(QUICK, database);
    }

    /** Returns access for loading, indexing, counting, deleting and creating databases. An empty name means the url's database. */
    SqlAccess maintenance(String database) {
        return within(TargetOptions.MAINTENANCE_TIMEOUT, database);
    }

    /** Returns access for statements whose results are useless after the timeout. An empty name means the url's database. */
    SqlAccess within(Duration timeout, String database) {
        String lock = "lock_timeout=" + LOCK.toMillis();
        return new SqlAccess(
                () -> opening(bounded(with(to(database), lock), timeout)).open(), PostgresqlErrors.INSTANCE);
    }

    /** Adds the settings that a session needs but must not, or cannot, set while it connects. */
    private SqlAccess.Opening opening(PGSimpleDataSource source) {
        SqlAccess.Opening opening = source::getConnection;
        return opening.then(connection -> {
            // Fail before setting anything if the server ignored the settings: the session may belong to a pooler.
            if (onlyRead() && !SQL.read("read-only").row(connection, row -> row.getBoolean(1))) {
                throw new TargetException("sessions cannot be made read-only on PostgreSQL at " + where()
                        + ": the server ignores the settings of a connection (a pooler may be in between; connect to the"
                        + " server itself)");
            }
            // Set the last time zone in the session's options again, since the driver replaces it with Java's.
            String options = Objects.requireNonNullElse(source.getOptions(), "");
            String zone =
                    TIME_ZONE.matcher(options).results().map(MatchResult::group).reduce("UTC", (before, last) -> last);
            SQL.read("begin-session").row(connection, row -> row.getString(1), zone);
        });
    }

    private static PGSimpleDataSource bounded(PGSimpleDataSource source, Duration timeout) {
        source.setSocketTimeout((int) timeout.plus(TargetOptions.SILENCE).toSeconds());
        return with(source, "statement_timeout=" + timeout.toMillis());
    }

    private static PGSimpleDataSource with(PGSimpleDataSource source, String... settings) {
        StringBuilder options = new StringBuilder(Objects.requireNonNullElse(source.getOptions(), ""));
        for (String setting : settings) {
            options.append(" -c ").append(SEPARATING.matcher(setting).replaceAll("\\\\$0"));
        }
        source.setOptions(options.toString());
        return source;
    }

    /** The uses of a run's sessions. Each statement is prepared on the server at its first use, and cancelled after the search timeout. */
    enum Use {
        /** Batches, counters and similar work. Each statement is planned anew for its values. */
        BATCHES,
        /** Searches. As for the uses below, the caller must detect a silent network: reads on an open connection have no timeout. */
        SEARCHES,
        /** Short transactions. The server may reuse a statement's plan, as for an application that prepares its statements. */
        TRANSACTIONS,
        /** Searches in read-only transactions. */
        READING_SEARCHES,
        /** Users' statements in read-only transactions. Values are received as text, so that equal values have equal bytes. */
        STATEMENTS
    }

    /**
     * Opens sessions of a run in this database.
     *
     * @param sessionSettings settings as {@code name=value}
     */
    SqlAccess.Opening session(Use use, String database, List<String> sessionSettings) {
        boolean onlyReads = use == Use.READING_SEARCHES || use == Use.STATEMENTS;
        List<String> settings = new ArrayList<>(sessionSettings);
        if (use != Use.TRANSACTIONS) {
            settings.add(0, "plan_cache_mode=force_custom_plan");
        }
        PGSimpleDataSource source = bounded(with(to(database), settings.toArray(String[]::new)), searchTimeout);
        if (use == Use.BATCHES) {
            return opening(source);
        }
        source.setSocketFactory(BlockingSockets.class.getName());
        if (use == Use.STATEMENTS) {
            source.setBinaryTransfer(false);
        }
        return opening(source).then(connection -> {
            connection.setNetworkTimeout(Runnable::run, 0);
            if (onlyReads) {
                connection.setReadOnly(true);
            }
        });
    }

    /** Returns the hosts, the ports and the database for messages, but never the user's secrets. */
    String where() {
        PGSimpleDataSource source = to("");
        return source.getURL().replaceFirst("^jdbc:postgresql://([^/?]*).*", "$1") + "/" + source.getDatabaseName();
    }

    /** How thoroughly the driver verifies the server of an encrypted connection, according to the url's options. */
    Security verification() {
        SslMode mode = PostgresqlErrors.INSTANCE.attempt(
                "see how connections are secured",
                () -> SslMode.of(Objects.requireNonNullElseGet(Driver.parseURL(address.url(), null), Properties::new)));
        return mode.verifyPeerName()
                ? Security.HOST_NAME
                : mode.verifyCertificate() ? Security.CERTIFICATE : Security.UNVERIFIED;
    }

    PGSimpleDataSource to(String database) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(completed(address.url()));
        if (!database.isEmpty()) {
            source.setDatabaseName(database);
        }
        if (!address.user().isEmpty()) {
            source.setUser(address.user());
        }
        // The password is empty rather than missing: otherwise, the driver would look for a password in a file, which
        // others may read, and perhaps for another user.
        source.setPassword(address.password());
        return with(source, settings.toArray(String[]::new));
    }

    /**
     * Makes sockets that read with one system call. A plain Java socket that ever had a timeout, even for connecting, makes three system
     * calls for each answer afterwards. The driver creates this factory by its class name, and connects the factory's sockets itself.
     *
     * <p>A thread that is interrupted while it reads loses its connection.
     */
    public static final class BlockingSockets extends WrappedFactory {
        public BlockingSockets() {}

        @Override
        public Socket createSocket() throws IOException {
            return SocketChannel.open().socket();
        }
    }

    /** The meanings of the server's errors, by their SQLSTATEs. */
    static final class PostgresqlErrors extends SqlAccess.SqlErrors {
        static final PostgresqlErrors INSTANCE = new PostgresqlErrors();

        static final String QUERY_CANCELED = "57014";
        private static final Pattern QUOTED = Pattern.compile("\"[^\"]*\"");

        private PostgresqlErrors() {
            super(PostgresqlConnections.SQL.blocks().text("errors"));
        }

        /** Returns the server's error instead of the driver's error about a failed batch, since the driver's message quotes rows. */
        private static SQLException told(SQLException e) {
            return e instanceof BatchUpdateException && e.getNextException() != null ? e.getNextException() : e;
        }

        @Override
        protected String code(SQLException e) {
            return Objects.requireNonNullElse(told(e).getSQLState(), "");
        }

        /** Returns only the server's main message, since its details quote rows. */
        private static String words(SQLException e) {
            ServerErrorMessage server =
                    told(e) instanceof PSQLException postgres ? postgres.getServerErrorMessage() : null;
            return Objects.requireNonNullElse(
                    server == null ? told(e).getMessage() : server.getMessage(), "no message");
        }

        @Override
        protected String known(SQLException e) {
            return code(e) + " " + words(e);
        }

        /** The message without values: errors about data (class 22) quote the value in double quotes. */
        @Override
        protected String message(SQLException e) {
            return code(e).startsWith("22") ? QUOTED.matcher(words(e)).replaceAll("\"...\"") : words(e);
        }

        /** The message, its code, and the network's error, which the driver's own message names only for a refused connection. */
        @Override
        protected String wholeMessage(SQLException e) {
            String network = e.getCause() instanceof IOException lost && !(lost instanceof ConnectException)
                    ? " (" + RegularFile.reason(lost) + ")"
                    : "";
            return words(e) + network + (code(e).isEmpty() ? "" : " (SQLSTATE " + code(e) + ")");
        }
    }
}
