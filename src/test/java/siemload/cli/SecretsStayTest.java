package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.database.ServerAddress;
import siemload.database.postgresql.PostgresqlTestServer;

@Tag("database")
class SecretsStayTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("secrets", 30, PostgresqlTestServer.UNSYNCED);

    private static final String PASSWORD = "C4nary '\"%@\\\\ p\u00e4ssw\u00f6rd";
    private static final String TINY = "src/test/resources/datasets/tiny.yaml";

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeUser() throws Exception {
        SERVER.execute(
                "DO $$BEGIN CREATE ROLE canary LOGIN CREATEDB; EXCEPTION WHEN duplicate_object THEN" + " NULL; END$$");
        SERVER.execute("ALTER ROLE canary PASSWORD '" + PASSWORD.replace("'", "''") + "'");
    }

    /** A run that measures, one that is refused, and one whose server is not there. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            postgresql | variable | --duration 2s --users 2 --set analysts.all.thinkTime.mean=100ms | 0, 1, 4
            postgresql | file     | --paging later --duration 1s --verbose    | 2
            oracle     | variable | --duration 1s --verbose                   | 3
            """)
    void noPasswordIsLeftPrintedOrShown(String target, String given, String options, String exitCodes)
            throws Exception {
        String url = target.equals("oracle")
                ? "jdbc:oracle:thin:@//127.0.0.1:1/NOWHERE"
                : SERVER.address().url();
        List<String> variables = new ArrayList<>(List.of("LC_ALL=C.UTF-8", "SIEMLOAD_TARGET=" + target));
        if (given.equals("file")) {
            variables.addAll(List.of("SIEMLOAD_PASSWORD=", "SIEMLOAD_PASSWORD_FILE=" + passwordFile()));
        }
        List<String> command = List.of(("run --dataset " + TINY + " --warmup 0s " + options).split(" "));
        Queue<String> shown = new ConcurrentLinkedQueue<>();
        ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor();
        looks.scheduleWithFixedDelay(() -> shown.addAll(commandLines()), 0, 200, TimeUnit.MILLISECONDS);
        ChildProcess.Ended ended;
        try {
            ended = Siemload.run(directory, new ServerAddress(url, "canary", PASSWORD), variables, command);
        } finally {
            looks.shutdownNow();
        }

        assertThat(exitCodes.split(", ")).as(ended.output()).contains(String.valueOf(ended.exitCode()));
        assertThat(shown).hasSizeGreaterThan(1).noneMatch(SecretsStayTest::hasSecret);
        assertThat(hasSecret(ended.output())).as("printed").isFalse();
        assertThat(withSecrets()).isEmpty();
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
