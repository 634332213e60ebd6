package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.ServerAddress;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.TargetPlugin.EmbeddedServer.EmbeddedOptions;
import siemload.database.Variant;
import siemload.database.sql.FirstColumn;
import siemload.dataset.DatasetSpec;
import siemload.dataset.EventGenerator;
import siemload.event.SecurityEvent;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/** An embedded server for all tests of a class, with connections for its administrator. */
public final class PostgresqlTestServer implements BeforeAllCallback, AfterAllCallback {
    public static final int SESSIONS = 8;

    /** Spares tests the wait for the disk, which they do not need: none of them stops the operating system. */
    public static final Map<String, String> UNSYNCED = Map.of("fsync", "off");

    /** All events, newest first. */
    public static final Search EVERYTHING =
            new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Whole());

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

    /** @param sessions the number of sessions that the server has room for */
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

    /** Creates a database, and a user with its name as password, in place of those that an earlier run of the tests has left. */
    public void makeDatabase(String name, String user) {
        execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
        makeUser(user);
        execute("CREATE DATABASE " + name);
    }

    /** Creates only the user. An earlier user of this name must have no rights in any existing database. */
    public void makeUser(String name) {
        execute("DROP ROLE IF EXISTS " + name);
        execute("CREATE ROLE " + name + " LOGIN PASSWORD '" + name + "'");
    }

    /** The server itself. */
    public EmbeddedServer embedded() {
        return server;
    }

    /** Restarts the server, and runs an action while it is stopped. */
    public void restart(Runnable whileStopped) {
        server.restart(whileStopped);
    }

    /** The number of sessions that the server has room for. */
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

    /** The url of one of the server's databases. */
    public String url(String database) {
        return address().url().replaceAll("/postgres$", "/" + database);
    }

    public Connection administrator(String database) throws SQLException {
        return DriverManager.getConnection(
                url(database), address().user(), address().password());
    }

    /** Connects as the administrator, for the usual layout. */
    public Target connect() {
        return connect(Duration.ofSeconds(20));
    }

    Target connect(Duration timeout) {
        return connect(address(), timeout);
    }

    static Target connect(ServerAddress address, Duration timeout) {
        return new PostgresqlPlugin().connect(address, options(timeout, SESSIONS));
    }

    /** The one database of a run, whose name ends with a random part. */
    public String ofRun(String runId) {
        List<String> names = databases("siemload_run_" + runId + "_");
        assertThat(names).hasSize(1);
        return names.get(0);
    }

    /** The names of databases that begin with this text. */
    public List<String> databases(String start) {
        return texts(
                "postgres",
                "SELECT datname FROM pg_database WHERE starts_with(datname, '" + start + "') ORDER BY datname");
    }

    public void execute(String sql) {
        execute("postgres", sql);
    }

    public void execute(String database, String sql) {
        try (Connection connection = administrator(database);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** The texts of the first column. */
    public List<String> texts(String database, String sql) {
        try (Connection connection = administrator(database)) {
            return FirstColumn.of(connection, sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** The first text of the first column. */
    String text(String database, String sql) {
        return texts(database, sql).get(0);
    }

    long number(String database, String sql) {
        return Long.parseLong(text(database, sql));
    }

    /** Loads ten events. */
    public void loadTenEvents(DatasetKey key) {
        try (Target target = connect()) {
            loadTenEvents(target, key);
        }
    }

    static void loadTenEvents(Target target, DatasetKey key) {
        target.load(key, load -> load.write(events(10)), step -> {});
    }

    /** Ends all sessions in a database and waits until they are gone. */
    public void endSessions(String database) {
        execute("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '" + database + "'");
    }

    /** Events of the data set smoke, by their numbers. */
    public static List<SecurityEvent> generated(int from, int until) {
        EventGenerator generator = new EventGenerator(DatasetSpec.read(Path.of("datasets/smoke.yaml")));
        return IntStream.range(from, until).mapToObj(generator::event).toList();
    }

    /** Events of the same instant that differ only in their ids. */
    public static List<SecurityEvent> events(int count) {
        return Stream.generate(() -> new SecurityEvent(
                        UUID.randomUUID().toString(),
                        Instant.parse("2016-06-06T12:00:00Z"),
                        List.of("Test"),
                        "",
                        List.of(),
                        List.of(),
                        List.of(),
                        Map.of()))
                .limit(count)
                .toList();
    }
}
