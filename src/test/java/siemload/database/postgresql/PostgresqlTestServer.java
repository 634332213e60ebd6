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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import siemload.database.EmbeddedOptions;
import siemload.database.EmbeddedServer;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.ServerAddress;
import siemload.database.TargetOptions;
import siemload.database.Variant;
import siemload.query.Paging;

/** An embedded server for all tests of a class, and a way in for its administrator. */
final class PostgresqlTestServer implements BeforeAllCallback, AfterAllCallback {
    static final int SESSIONS = 8;

    private final Path directory;
    private final Map<String, String> parameters;
    private EmbeddedServer server;

    PostgresqlTestServer(String directory) {
        this(directory, Map.of());
    }

    PostgresqlTestServer(String directory, Map<String, String> parameters) {
        this.directory = ServerDirectory.of(directory);
        this.parameters = parameters;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        server = EmbeddedPostgresqlServer.start(new EmbeddedOptions(directory, 0, SESSIONS, parameters));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        server.close();
    }

    Path directory() {
        return directory;
    }

    ServerAddress address() {
        return server.address();
    }

    static TargetOptions options(Duration timeout, int sessions) {
        return new TargetOptions(new Variant("mentat", IndexSet.NATIVE, Hint.NONE, Paging.OFFSET), timeout, sessions);
    }

    Connection administrator(String database) throws SQLException {
        ServerAddress address = address();
        String url = address.url().replaceAll("/postgres$", "/" + database);
        return DriverManager.getConnection(url, address.user(), address.password());
    }

    /** The one database of a run, whose name ends with a random part. */
    String ofRun(String runId) throws SQLException {
        List<String> names = databases("siemload_run_" + runId + "_");
        assertThat(names).hasSize(1);
        return names.get(0);
    }

    /** The names of databases that begin so. */
    List<String> databases(String start) throws SQLException {
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

    void execute(String sql) throws SQLException {
        try (Connection connection = administrator("postgres");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
