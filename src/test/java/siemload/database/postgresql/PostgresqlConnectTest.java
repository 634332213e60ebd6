package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.TargetException;

/** What a user is told who cannot connect, and that it is never the password. */
@Tag("database")
final class PostgresqlConnectTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("connect");

    private static final String SECRET = "a-secret-nobody-may-see";

    @Test
    void aServerTellsItsVersionAndSettings() {
        try (Target target = connect(SERVER.address(), PostgresqlTestServer.SESSIONS)) {
            assertThat(target.version()).matches("18\\.\\d+");
            assertThat(target.settings())
                    .containsEntry("fsync", "off") // As servers of tests are started.
                    .containsEntry("random_page_cost", "1.1")
                    .doesNotContainKey("statement_timeout");
        }
    }

    @Test
    void aWrongPasswordNamesTheVariables() {
        ServerAddress wrong = new ServerAddress(SERVER.address().url(), "postgres", SECRET);
        assertRefused(wrong, "28P01", "SIEMLOAD_PASSWORD");
    }

    @Test
    void anUnreachableServerIsNamedWithItsPort() throws IOException {
        int port = closedPort();
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres?password=" + SECRET;
        assertRefused(
                new ServerAddress(url, "postgres", SECRET), "127.0.0.1:" + port + "/postgres", "Check host and port");
    }

    @Test
    void aUserWhoMayNotCreateDatabasesIsToldWhatToAskFor() throws SQLException {
        SERVER.execute("DROP ROLE IF EXISTS reader");
        SERVER.execute("CREATE ROLE reader LOGIN PASSWORD '" + SECRET + "'");
        ServerAddress reader = new ServerAddress(SERVER.address().url(), "reader", SECRET);
        assertRefused(reader, "ALTER ROLE \"reader\" CREATEDB");
    }

    @Test
    void tooFewConnectionsAreCountedBeforeTheRun() {
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> connect(SERVER.address(), 500))
                .withMessageContaining("needs 505")
                .withMessageContaining("max_connections");
    }

    private static void assertRefused(ServerAddress address, String... parts) {
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> connect(address, PostgresqlTestServer.SESSIONS))
                .satisfies(e -> assertThat(e.getMessage()).contains(parts).doesNotContain(SECRET));
    }

    private static Target connect(ServerAddress address, int sessions) {
        return new PostgresqlPlugin().connect(address, PostgresqlTestServer.options(Duration.ofSeconds(5), sessions));
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
