package siemload.target.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.target.EmbeddedOptions;
import siemload.target.EmbeddedServer;
import siemload.target.TargetException;

@Tag("database")
final class EmbeddedPostgresqlServerTest {
    @RegisterExtension
    static final TestServer SERVER = new TestServer("embedded server");

    /** Without the programs that other tests share, so that a server is seen to unpack its own. */
    private static final Path OTHER = Path.of("target", "test servers", "another one");

    @Test
    void isDurableAndListensOnTheLoopbackInterfaceAlone() throws SQLException {
        assertThat(setting("fsync")).isEqualTo("on");
        assertThat(setting("synchronous_commit")).isEqualTo("on");
        assertThat(setting("full_page_writes")).isEqualTo("on");
        assertThat(setting("listen_addresses")).isEqualTo("127.0.0.1");
        assertThat(setting("server_encoding")).isEqualTo("UTF8");
        assertThat(Integer.parseInt(setting("max_connections"))).isGreaterThan(TestServer.SESSIONS);
    }

    @Test
    void keepsItsPasswordFromOthers() throws IOException {
        Path password = SERVER.directory().resolve("password-18");
        assertThat(Files.getPosixFilePermissions(password)).hasSize(2);
    }

    @Test
    void aSecondRunIsToldWhoseDirectoryItIs() {
        assertFails(new EmbeddedOptions(SERVER.directory(), 0, 1), "another run", "embedded server", "cache directory");
    }

    @Test
    void aBusyPortIsNamed() throws IOException {
        try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = busy.getLocalPort();
            assertFails(new EmbeddedOptions(OTHER, port, 1), "port " + port, "name another port");
        }
    }

    @Test
    void aDirectoryThatCannotBeMadeIsNamed() throws IOException {
        Path file = Files.createTempFile(Path.of("target"), "not-a-directory", "");
        assertFails(new EmbeddedOptions(file.resolve("below"), 0, 1), "not-a-directory");
    }

    @Test
    void aServerLeftByAKilledRunIsStoppedFirst() throws IOException {
        EmbeddedOptions options = new EmbeddedOptions(OTHER, 0, 1);
        EmbeddedPostgresqlServer.start(options).close();
        ServerPrograms programs =
                new ServerPrograms(ServerBinaries.unpack(OTHER.toAbsolutePath()), OTHER.toAbsolutePath());
        DataDirectory orphaned = DataDirectory.prepare(OTHER.toAbsolutePath(), programs);
        orphaned.start(ServerSettings.of(freePort(), 1), List.of());
        String before = postmaster();
        try (EmbeddedServer server = EmbeddedPostgresqlServer.start(options)) {
            assertThat(postmaster()).isNotEqualTo(before);
        }
    }

    @Test
    void aRestartKeepsTheAddressEvenWhereWhatWasToBeDoneMeanwhileFails() throws IOException {
        try (EmbeddedServer server = EmbeddedPostgresqlServer.start(new EmbeddedOptions(OTHER, 0, 1))) {
            String before = postmaster();
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> server.restart(() -> {
                        assertThat(OTHER.resolve("data-18/postmaster.pid")).doesNotExist();
                        throw new IllegalStateException("meanwhile");
                    }));
            assertThat(server.causeOfEnd()).isEmpty();
            assertThat(postmaster()).isNotEqualTo(before);
            assertThat(Files.readString(OTHER.resolve("data-18/postmaster.pid")))
                    .contains(server.address().url().replaceAll(".*:(\\d+)/.*", "\n$1\n"));
        }
    }

    @Test
    void aServerThatEndedByItselfSaysWhy() throws IOException {
        try (EmbeddedServer server = EmbeddedPostgresqlServer.start(new EmbeddedOptions(OTHER, 0, 1))) {
            assertThat(server.causeOfEnd()).isEmpty();
            ProcessHandle process =
                    ProcessHandle.of(Long.parseLong(postmaster())).orElseThrow();
            process.destroy();
            process.onExit().join();
            assertThat(server.causeOfEnd()).contains("shut down");
        }
    }

    @Test
    void thePidFileOfACrashedMachineIsNoServer() throws IOException {
        EmbeddedOptions options = new EmbeddedOptions(OTHER, 0, 1);
        EmbeddedPostgresqlServer.start(options).close();
        Files.writeString(
                OTHER.resolve("data-18/postmaster.pid"), ProcessHandle.current().pid() + "\n");
        EmbeddedPostgresqlServer.start(options).close();
        assertThat(ProcessHandle.current().isAlive()).isTrue();
    }

    @Test
    void aServerThatRefusesItsSettingsIsQuotedFromItsLog() throws IOException {
        EmbeddedOptions options = new EmbeddedOptions(OTHER, 0, 1);
        EmbeddedPostgresqlServer.start(options).close();
        Path configuration = OTHER.resolve("data-18/postgresql.conf");
        String text = Files.readString(configuration);
        try {
            Files.writeString(configuration, text + "\nshared_buffers = '100TB'\n");
            assertFails(options, "cannot start", "another one", "FATAL");
        } finally {
            Files.writeString(configuration, text);
        }
        EmbeddedPostgresqlServer.start(options).close();
    }

    private static void assertFails(EmbeddedOptions options, String... parts) {
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> EmbeddedPostgresqlServer.start(options))
                .satisfies(e -> assertThat(e.getMessage()).contains(parts));
    }

    private static String postmaster() throws IOException {
        return Files.readAllLines(OTHER.resolve("data-18/postmaster.pid")).get(0);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String setting(String name) throws SQLException {
        try (Connection connection = SERVER.administrator("postgres");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW " + name)) {
            row.next();
            return row.getString(1);
        }
    }
}
