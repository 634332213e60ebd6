package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import siemload.compare.Comparison;
import siemload.compare.ResultFile;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.mongodb.MongodbTestServer;
import siemload.database.postgresql.PostgresqlTestServer;

@Tag("database")
@Tag("exhaustive")
class NamedVariantsTest {
    @RegisterExtension
    static final PostgresqlTestServer OURS = server("variants-first");

    @RegisterExtension
    static final PostgresqlTestServer THEIRS = server("variants-second");

    @TempDir
    private Path directory;

    private static PostgresqlTestServer server(String name) {
        return new PostgresqlTestServer(name, 30, PostgresqlTestServer.UNSYNCED);
    }

    @BeforeAll
    static void makeUsers() {
        makeUser(OURS, "ours");
        makeUser(THEIRS, "theirs");
    }

    private static void makeUser(PostgresqlTestServer server, String user) {
        server.execute(
                "DO $$BEGIN CREATE ROLE " + user + " LOGIN CREATEDB; EXCEPTION WHEN duplicate_object THEN NULL; END$$");
        server.execute("ALTER ROLE " + user + " PASSWORD 'of-" + user + "'");
    }

    @Test
    void serversOfOneKindAndOfTwoAreComparedEachWithItsOwnPasswordAndTheirAnswersAreEqual() throws Exception {
        try (EmbeddedServer other = MongodbTestServer.standIn(6)) {
            List<String> variables = List.of(
                    "SIEMLOAD_URL_OURS=" + OURS.address().url(),
                    "SIEMLOAD_USER_OURS=ours",
                    "SIEMLOAD_PASSWORD_OURS=of-ours",
                    "SIEMLOAD_URL_THEIRS=" + THEIRS.address().url(),
                    "SIEMLOAD_USER_THEIRS=theirs",
                    "SIEMLOAD_PASSWORD_THEIRS=of-theirs",
                    "SIEMLOAD_URL_OTHER=" + other.address().url());
            ChildProcess.Ended ended = Siemload.run(
                    directory, variables, "experiment", experiment().toString());

            assertThat(ended.exitCode()).as(ended.output()).isZero();
            Comparison comparison = ResultFile.COMPARISON.read(LatestRun.only(directory, "experiments"));
            assertThat(comparison.withheld()).isEmpty();
            assertThat(comparison.runs()).hasSize(9);
            assertThat(comparison.verdicts())
                    .extracting(Comparison.PairVerdict::subject)
                    .contains("MENTAT", "HAWAT1");
            assertThat(comparison.sides())
                    .hasSize(5)
                    .endsWith(
                            "theirs answered like ours: 0 of 2 questions had different answers",
                            "other answered like ours: 0 of 2 questions had different answers");
            assertThat(comparison.sides().get(1))
                    .startsWith("theirs is postgresql 18")
                    .contains(", external, " + THEIRS.address().url());
            assertThat(comparison.sides().get(2)).startsWith("other is mongodb");
        }
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
}
