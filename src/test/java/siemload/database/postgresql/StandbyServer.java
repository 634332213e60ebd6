package siemload.database.postgresql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import siemload.database.ServerAddress;

/** A hot standby of an embedded server, which streams its log to the standby. */
public final class StandbyServer implements AutoCloseable {
    /** The parameters that a server and its standbys need. While a standby is away, checkpoints must not remove the log. */
    public static final Map<String, String> OF_PRIMARY = Map.of(
            "fsync", "off",
            "wal_level", "replica",
            "max_wal_senders", "4",
            "wal_keep_size", "256MB",
            "wal_retrieve_retry_interval", "200ms");

    private final EmbeddedPostgresqlServer server;

    private StandbyServer(EmbeddedPostgresqlServer server) {
        this.server = server;
    }

    /**
     * Makes a standby from a copy of the primary's data and starts it. The primary is restarted for the copy.
     *
     * @param primary a server that was started with {@link #OF_PRIMARY}
     */
    public static StandbyServer of(PostgresqlTestServer primary, String name) throws IOException {
        primary.restart(() -> copy(primary.directory(), name));
        Path directory = ServerDirectory.of(name).toAbsolutePath();
        EmbeddedPostgresqlServer server = new EmbeddedPostgresqlServer(directory, () -> {});
        Path data = server.files().orElseThrow();
        Files.writeString(data.resolve("standby.signal"), "");
        Files.writeString(
                data.resolve("postgresql.auto.conf"),
                "primary_conninfo = '" + information(primary.address()) + "'\n",
                StandardOpenOption.APPEND);
        server.serve(primary.sessions(), OF_PRIMARY);
        return new StandbyServer(server);
    }

    private static void copy(Path primary, String name) {
        try {
            Path unused = ServerDirectory.copyOf(primary, name);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String information(ServerAddress primary) {
        String port = String.valueOf(PGProperty.PG_PORT.getOrDefault(Driver.parseURL(primary.url(), null)));
        return "host=127.0.0.1 port=" + port + " user=" + primary.user() + " password=" + primary.password();
    }

    public ServerAddress address() {
        return server.address();
    }

    /** Replays nothing until {@link #resume}; the standby still receives the log. */
    public void pause() throws SQLException {
        execute("SELECT pg_wal_replay_pause()");
    }

    /** Replays again. */
    public void resume() throws SQLException {
        execute("SELECT pg_wal_replay_resume()");
    }

    /** Replays each commit only this long after it was made. */
    public void delay(Duration commits) throws SQLException {
        set("recovery_min_apply_delay", String.valueOf(commits.toMillis()));
    }

    /** Gives the standby a setting that its primary does not have. */
    public void set(String parameter, String value) throws SQLException {
        execute("ALTER SYSTEM SET " + parameter + " = " + value);
        execute("SELECT pg_reload_conf()");
    }

    private void execute(String sql) throws SQLException {
        ServerAddress address = address();
        try (Connection connection = DriverManager.getConnection(address.url(), address.user(), address.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
