package siemload.benchmark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import siemload.database.ServerAddress;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.TargetPlugin.EmbeddedServer.EmbeddedOptions;

/**
 * Runs the embedded PostgreSQL for a benchmark, in the directory given as argument, until its standard input ends. Says
 * {@code ready PORT USER PASSWORD} when it accepts connections. The server counts statements in
 * {@code pg_stat_statements}.
 */
final class BenchmarkServer {
    private static final int SESSIONS = 400;

    private BenchmarkServer() {}

    public static void main(String[] arguments) throws SQLException, IOException {
        EmbeddedOptions options = new EmbeddedOptions(Path.of(arguments[0]), SESSIONS, Map.of());
        TargetPlugin postgresql = TargetPlugin.find("postgresql").orElseThrow();
        try (EmbeddedServer server = postgresql.startEmbedded(options)) {
            execute(server.address(), "ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
        }
        try (EmbeddedServer server = postgresql.startEmbedded(options)) {
            execute(server.address(), "CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
            ServerAddress address = server.address();
            String port = address.url().replaceAll(".*:(\\d+)/.*", "$1");
            System.out.println("ready " + port + " " + address.user() + " " + address.password());
            awaitEnd(System.in);
        }
    }

    private static void execute(ServerAddress address, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(address.url(), address.user(), address.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void awaitEnd(InputStream input) throws IOException {
        while (input.read() >= 0) {
            // Whatever is said here is no concern of ours.
        }
    }
}
