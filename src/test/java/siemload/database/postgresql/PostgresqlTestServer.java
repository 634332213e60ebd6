package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.ServerAddress;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.Variant;
import siemload.database.sql.FirstColumn;
import siemload.event.SecurityEvent;
import siemload.query.Paging;

/** An embedded server for all tests of a class, and a way in for its administrator. */
public final class PostgresqlTestServer implements BeforeAllCallback, AfterAllCallback {
    public static final int SESSIONS = 8;

    /** What spares tests the waiting for the disk: none of them ends the operating system. */
    public static final Map<String, String> UNSYNCED = Map.of("fsync", "off");

    private final Path directory;
    private final int sessions;
    private final Map<String, String> parameters;
    private EmbeddedServer server;

    public PostgresqlTestServer(String directory) {
        this(directory, UNSYNCED);
    }

    public PostgresqlTestServer(String directory, Map<String, String> parameters) {
        this(directory, SESSIONS, parameters);
    }

    /** @param sessions for which it has room */
    public PostgresqlTestServer(String directory, int sessions, Map<String, String> parameters) {
        this.directory = ServerDirectory.of(directory);
        this.sessions = sessions;
        this.parameters = parameters;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        server = EmbeddedPostgresqlServer.start(new EmbeddedOptions(directory, sessions, parameters));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        server.close();
    }

    /** Makes a database, and a user whose password is the name, in place of what an earlier run of the tests has left of them. */
    public void makeDatabase(String name, String user) throws SQLException {
        execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
        makeUser(user);
        execute("CREATE DATABASE " + name);
    }

    /** The user alone, who has rights in no database that is still there. */
    public void makeUser(String name) throws SQLException {
        execute("DROP ROLE IF EXISTS " + name);
        execute("CREATE ROLE " + name + " LOGIN PASSWORD '" + name + "'");
    }

    /** The server itself. */
    public EmbeddedServer embedded() {
        return server;
    }

    /** Restarts it, and does something in between. */
    public void restart(Runnable whileStopped) {
        server.restart(whileStopped);
    }

    /** For which it has room. */
    int sessions() {
        return sessions;
    }

    public Path directory() {
        return directory;
    }

    public ServerAddress address() {
        return server.address();
    }

    public static TargetOptions options(Duration timeout, int sessions) {
        return new TargetOptions(new Variant("mentat", IndexSet.NATIVE, Hint.NONE, Paging.OFFSET), timeout, sessions);
    }

    /** Of one of its databases. */
    public String url(String database) {
        return address().url().replaceAll("/postgres$", "/" + database);
    }

    public Connection administrator(String database) throws SQLException {
        return DriverManager.getConnection(
                url(database), address().user(), address().password());
    }

    /** The one database of a run, whose name ends with a random part. */
    public String ofRun(String runId) throws SQLException {
        List<String> names = databases("siemload_run_" + runId + "_");
        assertThat(names).hasSize(1);
        return names.get(0);
    }

    /** The names of databases that begin so. */
    public List<String> databases(String start) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = administrator("postgres");
                PreparedStatement statement = connection.prepareStatement(
                        "SELECT datname FROM pg_database WHERE starts_with(datname, ?) ORDER BY datname")) {
            statement.setString(1, start);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    names.add(rows.getString(1));
                }
            }
        }
        return names;
    }

    public void execute(String sql) throws SQLException {
        execute("postgres", sql);
    }

    public void execute(String database, String sql) throws SQLException {
        try (Connection connection = administrator(database);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The texts of the first column. */
    public List<String> texts(String database, String sql) throws SQLException {
        try (Connection connection = administrator(database)) {
            return FirstColumn.of(connection, sql);
        }
    }

    /** Loads ten events. */
    public void loadTenEvents(DatasetKey key) {
        try (Target target = new PostgresqlPlugin().connect(address(), options(Duration.ofSeconds(20), SESSIONS))) {
            target.load(key, load -> load.write(events(10)), step -> {});
        }
    }

    /** Ends all sessions in a database and waits until they are gone. */
    public void endSessions(String database) throws SQLException {
        execute("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '" + database + "'");
    }

    /** Events of the same instant that differ in their ids alone. */
    public static List<SecurityEvent> events(int count) {
        List<SecurityEvent> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(new SecurityEvent(
                    UUID.randomUUID().toString(),
                    Instant.parse("2016-06-06T12:00:00Z"),
                    List.of("Test"),
                    "",
                    List.of(),
                    List.of(),
                    List.of(),
                    Map.of()));
        }
        return events;
    }
}
