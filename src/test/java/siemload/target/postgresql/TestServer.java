package siemload.target.postgresql;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import siemload.query.Paging;
import siemload.target.EmbeddedOptions;
import siemload.target.EmbeddedServer;
import siemload.target.Hint;
import siemload.target.IndexSet;
import siemload.target.ServerAddress;
import siemload.target.TargetOptions;
import siemload.target.Variant;

/** An embedded server for all tests of a class, and a way in for its administrator. */
final class TestServer implements BeforeAllCallback, AfterAllCallback {
    static final int SESSIONS = 8;

    private final Path directory;
    private EmbeddedServer server;

    TestServer(String directory) {
        this.directory = ServerDirectory.of(directory);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        server = EmbeddedPostgresqlServer.start(new EmbeddedOptions(directory, 0, SESSIONS));
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

    void execute(String sql) throws SQLException {
        try (Connection connection = administrator("postgres");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
