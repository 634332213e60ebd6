package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.database.EmbeddedOptions;
import siemload.database.EmbeddedServer;
import siemload.database.ServerAddress;
import siemload.database.postgresql.PostgresqlPlugin;
import siemload.database.postgresql.server.PostgresqlTestServer;
import siemload.database.postgresql.server.ServerDirectory;

/**
 * No password is in anything that siemload leaves, prints, or shows to other users of the machine. Three cases stand for all;
 * {@code -Dcanaries=all} tries every one.
 */
@Tag("database")
class SecretsStayTest {
    private static final String PASSWORD = "C4nary '\"%@\\\\ p\u00e4ssw\u00f6rd";
    private static final String IN_COMMAND = "C4nary-of-a-command";
    private static final String TINY = "src/test/resources/datasets/tiny.yaml";
    private static EmbeddedServer server;

    @TempDir
    private Path directory;

    enum Given {
        VARIABLE,
        FILE
    }

    enum Server {
        POSTGRESQL,
        /** A database that the real server does not have. */
        NOWHERE,
        MONGODB_AWAY,
        ORACLE_AWAY;

        String url() {
            return switch (this) {
                case POSTGRESQL -> server.address().url();
                case NOWHERE -> server.address().url().replaceAll("/postgres$", "/nowhere");
                case MONGODB_AWAY -> "mongodb://127.0.0.1:1/nowhere";
                case ORACLE_AWAY -> "jdbc:oracle:thin:@//127.0.0.1:1/NOWHERE";
            };
        }

        String target() {
            return switch (this) {
                case POSTGRESQL, NOWHERE -> "postgresql";
                case MONGODB_AWAY -> "mongodb";
                case ORACLE_AWAY -> "oracle";
            };
        }
    }

    enum Work {
        RUN("run --dataset " + TINY + " --duration 3s --warmup 0s --users 2 --thinkTime 100ms"),
        RUN_WITHOUT_RESTART("run --dataset " + TINY + " --caches cold --duration 1s --warmup 0s --verbose"),
        RUN_WITHOUT_DATA("run --dataset nowhere.yaml --verbose"),
        VALIDATE("validate hawat"),
        EXPERIMENT("experiment first-look --values hot,asFound --dataset " + TINY + " --repeats 3 --settle=false"),
        GATE("gate --baseline hint=none --candidate hint=index --pairs 6 --most 6 --dataset " + TINY
                + " --duration 1s --warmup 0s --settle=false");

        private final List<String> arguments;

        Work(String line) {
            arguments = List.of(line.split(" "));
        }
    }

    record Canary(Given given, Server server, Work work) {

        /** A server that is away or restarts by nobody is a failure of the target; the rest is not judged here. */
        List<Integer> exitCodes() {
            return switch (work) {
                case VALIDATE -> List.of(0);
                case RUN_WITHOUT_DATA -> List.of(2);
                case RUN_WITHOUT_RESTART -> List.of(3);
                case RUN, EXPERIMENT, GATE -> server == Server.POSTGRESQL ? List.of(0, 1, 4) : List.of(3, 4);
            };
        }
    }

    static Stream<Canary> canaries() {
        if (System.getProperty("canaries", "").equals("all")) {
            return Arrays.stream(Given.values())
                    .flatMap(given -> Arrays.stream(Server.values())
                            .flatMap(server ->
                                    Arrays.stream(Work.values()).map(work -> new Canary(given, server, work))));
        }
        return Stream.of(
                new Canary(Given.VARIABLE, Server.POSTGRESQL, Work.RUN),
                new Canary(Given.FILE, Server.POSTGRESQL, Work.RUN_WITHOUT_RESTART),
                new Canary(Given.VARIABLE, Server.ORACLE_AWAY, Work.RUN_WITHOUT_RESTART));
    }

    @BeforeAll
    static void startServer() throws Exception {
        server = new PostgresqlPlugin()
                .startEmbedded(
                        new EmbeddedOptions(ServerDirectory.of("secrets"), 0, 30, PostgresqlTestServer.UNSYNCED));
        ServerAddress address = server.address();
        try (Connection connection = DriverManager.getConnection(address.url(), address.user(), address.password());
                Statement statement = connection.createStatement()) {
            statement.execute("DO $$BEGIN CREATE ROLE canary LOGIN CREATEDB; EXCEPTION WHEN duplicate_object THEN"
                    + " NULL; END$$");
            statement.execute("ALTER ROLE canary PASSWORD '" + PASSWORD.replace("'", "''") + "'");
        }
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @ParameterizedTest
    @MethodSource("canaries")
    void noPasswordIsLeftPrintedOrShown(Canary canary) throws Exception {
        ChildProcess process = start(canary);
        List<String> shown = new ArrayList<>();
        do {
            shown.addAll(commandLines());
        } while (process.isStillRunningAfter(200));
        ChildProcess.Ended ended = process.await();

        assertThat(ended.exitCode()).as(ended.output()).isIn(canary.exitCodes());
        assertThat(shown).hasSizeGreaterThan(1).noneMatch(SecretsStayTest::hasSecret);
        assertThat(withSecrets()).isEmpty();
        if (canary.work() == Work.RUN && canary.server() == Server.POSTGRESQL) {
            assertThat(directory.resolve("results/latest/run.json")).exists();
        }
    }

    private ChildProcess start(Canary canary) throws IOException {
        List<String> variables = new ArrayList<>(List.of(
                "LC_ALL=C.UTF-8",
                "SIEMLOAD_TARGET=" + canary.server().target(),
                "SIEMLOAD_CACHE_COMMAND=PGPASSWORD=" + IN_COMMAND + " sleep 1; false"));
        if (canary.given() == Given.FILE) {
            variables.addAll(List.of("SIEMLOAD_PASSWORD=", "SIEMLOAD_PASSWORD_FILE=" + passwordFile()));
        }
        ServerAddress address = new ServerAddress(canary.server().url(), "canary", PASSWORD);
        return ChildProcess.siemload(directory, address, variables, canary.work().arguments);
    }

    /** Outside what is searched. */
    private static Path passwordFile() throws IOException {
        Path file = Files.createTempFile(
                "siemload", ".txt", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        file.toFile().deleteOnExit();
        return Files.writeString(file, PASSWORD + "\n");
    }

    /** Of all processes, as every user of the machine sees them. */
    private static List<String> commandLines() {
        return ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .toList();
    }

    /** Also what the processes printed lies in the directory. */
    private List<Path> withSecrets() throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (hasSecret(Files.readString(file, StandardCharsets.ISO_8859_1))) {
                    found.add(file);
                }
            }
        }
        return found;
    }

    private static boolean hasSecret(String text) {
        byte[] utf8 = PASSWORD.getBytes(StandardCharsets.UTF_8);
        return Stream.of(
                        "C4nary",
                        new String(utf8, StandardCharsets.ISO_8859_1),
                        URLEncoder.encode(PASSWORD, StandardCharsets.UTF_8),
                        Base64.getEncoder().encodeToString(utf8))
                .anyMatch(text::contains);
    }
}
