package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.compare.Comparison;
import siemload.compare.ResultFile;
import siemload.database.ServerAddress;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.TargetPlugin.EmbeddedServer.EmbeddedOptions;
import siemload.database.mongodb.MongodbTestServer;
import siemload.database.postgresql.PostgresqlPlugin;
import siemload.database.postgresql.PostgresqlTestServer;
import siemload.database.postgresql.ServerDirectory;

/** Experiments of variants by name, each on a server of its own, with a user and a password of its own. */
@Tag("database")
@Tag("any-java")
@Tag("exhaustive")
class NamedVariantsTest {
    private static final String OURS = "C4nary-of-ours-1";
    private static final String THEIRS = "C4nary-of-theirs-2";
    private static EmbeddedServer first;
    private static EmbeddedServer second;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startServers() throws Exception {
        first = start("first", "ours", OURS);
        second = start("second", "theirs", THEIRS);
    }

    @AfterAll
    static void stopServers() {
        first.close();
        second.close();
    }

    @Test
    void serversOfOneKindAndOfTwoAreComparedEachWithItsOwnPasswordAndTheirAnswersAreEqual() throws Exception {
        try (EmbeddedServer other = MongodbTestServer.standIn(6)) {
            ChildProcess.Ended ended = run(
                    experiment(),
                    "SIEMLOAD_URL_OURS=" + first.address().url(),
                    "SIEMLOAD_USER_OURS=ours",
                    "SIEMLOAD_PASSWORD_OURS=" + OURS,
                    "SIEMLOAD_URL_THEIRS=" + second.address().url(),
                    "SIEMLOAD_USER_THEIRS=theirs",
                    "SIEMLOAD_PASSWORD_FILE_THEIRS=" + passwordFile(),
                    "SIEMLOAD_URL_OTHER=" + other.address().url());

            assertThat(ended.exitCode()).as(ended.output()).isZero();
            Comparison comparison = comparison();
            assertThat(comparison.withheld()).isEmpty();
            assertThat(comparison.runs()).hasSize(9);
            assertThat(comparison.verdicts())
                    .extracting(Comparison.PairVerdict::subject)
                    .contains("MENTAT", "HAWAT1");
            assertThat(comparison.sides()).hasSize(3);
            assertThat(comparison.sides().get(1))
                    .startsWith("theirs is postgresql 18")
                    .contains(", external, " + second.address().url());
            assertThat(comparison.sides().get(2)).startsWith("other is mongodb");
            assertThat(withSecrets()).isEmpty();
        }
    }

    private static EmbeddedServer start(String name, String user, String password) throws Exception {
        EmbeddedServer server = new PostgresqlPlugin()
                .startEmbedded(
                        new EmbeddedOptions(ServerDirectory.of("variants-" + name), 30, PostgresqlTestServer.UNSYNCED));
        ServerAddress address = server.address();
        try (Connection connection = DriverManager.getConnection(address.url(), address.user(), address.password());
                Statement statement = connection.createStatement()) {
            statement.execute("DO $$BEGIN CREATE ROLE " + user
                    + " LOGIN CREATEDB; EXCEPTION WHEN duplicate_object THEN NULL; END$$");
            statement.execute("ALTER ROLE " + user + " PASSWORD '" + password + "'");
        }
        return server;
    }

    private Path experiment() throws IOException {
        return Files.writeString(directory.resolve("databases.yaml"), """
                question: Is theirs as fast as ours?
                scenario: src/test/resources/scenarios/reads.yaml
                variants:
                  ours: {target: postgresql}
                  theirs: {target: postgresql}
                  other: {target: mongodb}
                settings:
                  dataset: src/test/resources/datasets/tiny.yaml
                  searches: "MENTAT,HAWAT1"
                  procedure.passes: 1
                  paging: offset
                  settle: false
                metric: lastEventMicros
                repeats: 3
                """);
    }

    private ChildProcess.Ended run(Path file, String... variables) throws IOException, InterruptedException {
        return Siemload.run(directory, List.of(variables), "experiment", file.toString());
    }

    /** Outside what is searched for secrets. */
    private static Path passwordFile() throws IOException {
        Path file = Files.createTempFile("siemload", ".txt");
        file.toFile().deleteOnExit();
        return Files.writeString(file, THEIRS + "\n");
    }

    private Comparison comparison() throws IOException {
        try (Stream<Path> experiments = Files.list(directory.resolve("results/experiments"))) {
            return ResultFile.COMPARISON.read(experiments.toList().get(0));
        }
    }

    private List<Path> withSecrets() throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (Files.readString(file, StandardCharsets.ISO_8859_1).contains("C4nary")) {
                    found.add(file);
                }
            }
        }
        return found;
    }
}
