package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.TargetException;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.TargetPlugin.EmbeddedServer.EmbeddedOptions;

@Tag("database")
@Tag("every-java")
final class EmbeddedPostgresqlServerTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("embedded server", Map.of());

    private static final Path OTHER = ServerDirectory.of("another one");

    private static final EmbeddedOptions OF_OTHER = new EmbeddedOptions(OTHER, 1, Map.of());

    @Test
    void isDurableAndListensOnTheLoopbackInterfaceAlone() {
        assertThat(Stream.of("fsync", "synchronous_commit", "full_page_writes", "listen_addresses", "server_encoding")
                        .map(EmbeddedPostgresqlServerTest::setting))
                .containsExactly("on", "on", "on", "127.0.0.1", "UTF8");
        assertThat(Integer.parseInt(setting("max_connections"))).isGreaterThan(PostgresqlTestServer.SESSIONS);
    }

    private static String setting(String name) {
        return SERVER.text("postgres", "SHOW " + name);
    }

    @Test
    void aSecondRunIsToldWhoseDirectoryItIs() {
        assertFails(
                new EmbeddedOptions(SERVER.directory(), 1, Map.of()),
                "another run",
                "embedded server",
                "cache directory");
    }

    @Test
    void aServerLeftByAKilledRunIsStoppedFirstAndItsUnfinishedFilesGo() throws IOException {
        prepareOther().serve(1, Map.of());
        String before = postmaster();
        Path copied = OTHER.resolve("data-18/base/4000000");
        Files.writeString(Files.createDirectory(copied).resolve("1259"), "a database that was being copied");
        try (EmbeddedServer server = EmbeddedPostgresqlServer.start(OF_OTHER)) {
            assertThat(postmaster()).isNotEqualTo(before);
            assertThat(server.notes()).singleElement(STRING).contains("a killed run had left", "data-18");
            assertThat(copied).doesNotExist();
        }
    }

    private static EmbeddedPostgresqlServer prepareOther() throws IOException {
        return new EmbeddedPostgresqlServer(OTHER.toAbsolutePath(), () -> {});
    }

    @Test
    void theServerOfAnotherDirectoryIsLeftAloneWhereAFileNamesIt() throws Exception {
        var unused = prepareOther();
        Path file = SERVER.directory().resolve("data-18/postmaster.pid");
        Files.copy(file, OTHER.resolve("data-18/postmaster.pid"));
        try (EmbeddedServer server = EmbeddedPostgresqlServer.start(OF_OTHER)) {
            assertThat(server.notes())
                    .singleElement(STRING)
                    .contains("named process " + Files.readAllLines(file).get(0), "left alone");
        }
        assertThat(setting("fsync")).isEqualTo("on");
    }

    @Test
    void theServerEndsWhereTheProcessThatStartedItIsKilled() throws Exception {
        Process killed = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StartedServer.class.getName(),
                        OTHER.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        long server;
        try (BufferedReader output = killed.inputReader()) {
            server = Long.parseLong(output.readLine());
        }
        CompletableFuture<ProcessHandle> end =
                ProcessHandle.of(server).orElseThrow().onExit();
        assertThat(end).isNotDone();
        killed.destroyForcibly().waitFor();
        assertThat(end).succeedsWithin(Duration.ofSeconds(30));
    }

    /** A process that runs a server for as long as it lives. */
    static final class StartedServer {
        public static void main(String[] directory) throws IOException {
            EmbeddedServer server =
                    EmbeddedPostgresqlServer.start(new EmbeddedOptions(Path.of(directory[0]), 1, Map.of()));
            System.out.println(server.process().orElseThrow());
            System.in.read();
        }
    }

    @Test
    void withoutItsPasswordAServerIsNotStartedAndItIsSaidWhatToDelete() throws IOException {
        var unused = prepareOther();
        Path password = OTHER.resolve("password-18");
        String text = Files.readString(password);
        try {
            Files.delete(password);
            assertFails(OF_OTHER, "cannot be read from", "password-18", "delete", "data-18");
        } finally {
            Files.writeString(password, text);
        }
    }

    @Test
    void aRestartKeepsTheAddressEvenWhereSomethingFailsMeanwhileAndAServerThatEndedByItselfSaysWhy()
            throws IOException {
        try (EmbeddedServer server = EmbeddedPostgresqlServer.start(OF_OTHER)) {
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
            ProcessHandle process =
                    ProcessHandle.of(Long.parseLong(postmaster())).orElseThrow();
            process.destroy();
            process.onExit().join();
            assertThat(server.causeOfEnd()).contains("shut down");
        }
    }

    private static void assertFails(EmbeddedOptions options, String... parts) {
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> EmbeddedPostgresqlServer.start(options))
                .satisfies(e -> assertThat(e.getMessage()).contains(parts));
    }

    private static String postmaster() throws IOException {
        return Files.readAllLines(OTHER.resolve("data-18/postmaster.pid")).get(0);
    }

    @Test
    void programsGetNoMoreOfTheEnvironmentThanTheyNeed(@TempDir Path directory) throws Exception {
        ProcessBuilder builder = EmbeddedPostgresqlServer.builder(directory, List.of("env"));
        Path said = directory.resolve("said");

        assertThat(builder.redirectOutput(said.toFile()).start().waitFor()).isZero();
        assertThat(Files.readAllLines(said))
                .contains("LC_ALL=C")
                .allMatch(line -> line.matches("(PATH|HOME|USER|LOGNAME|TMPDIR|TZ|LC_ALL)=.*"));
    }

    @Test
    void theWorstLineIsTheDecisiveOneAndComesWithAdvice() {
        String log = "2026-11-21 05:34:40.839 UTC [9411] LOG:  starting PostgreSQL 18.6\n"
                + "2026-11-21 05:34:40.839 UTC [9411] FATAL:  could not map anonymous shared memory: Cannot allocate memory\n"
                + "2026-11-21 05:34:40.839 UTC [9411] HINT:  This error usually means ...\n"
                + "2026-11-21 05:34:40.839 UTC [9411] LOG:  database system is shut down\n";
        assertThat(EmbeddedPostgresqlServer.decisiveLine(log, ""))
                .startsWith("FATAL:  could not map anonymous shared memory: Cannot allocate memory; ")
                .contains("too little free memory");
    }
}
