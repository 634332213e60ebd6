package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.ServerAddress;
import siemload.database.postgresql.PostgresqlPlugin;
import siemload.database.postgresql.server.PostgresqlTestServer;
import siemload.database.postgresql.server.ServerDirectory;
import siemload.database.postgresql.server.StandbyServer;
import siemload.results.RunResult;

/** Runs whose searches two standbys answer, one of which replays each commit late. */
@Tag("database")
@Tag("any-java")
class RunOnReplicasTest {
    private static final Duration LATE = Duration.ofMillis(700);
    private static final int SESSIONS = 60;

    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("primary", SESSIONS, StandbyServer.OF_PRIMARY);

    private static StandbyServer prompt;
    private static StandbyServer late;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startStandbys() throws Exception {
        prompt = StandbyServer.of(SERVER, "standby");
        late = StandbyServer.of(SERVER, "standby-2");
        late.delay(LATE);
        late.set("enable_indexscan", "off");
        late.set("enable_bitmapscan", "off");
    }

    @AfterAll
    static void stopStandbys() throws Exception {
        prompt.close();
        late.close();
    }

    @Test
    void whatALateReplicaLacksIsNoWrongAnswerAndEachIsReportedApart() throws Exception {
        ChildProcess.Ended run = runs().run();

        RunResult result = runs().requireToldApart(run);
        assertThat(result.measured().places().replicas())
                .allSatisfy(one -> assertThat(one.about()).matches("standby of the cluster \\d+"));
        assertThat(result.validity().notes())
                .as("the first one has the primary's settings")
                .noneMatch(note -> note.startsWith("replica 1 answers "))
                .anyMatch(note ->
                        note.matches("replica 2 answers \\w+ .* by another plan than the primary: .*, not .*index.*"));
        assertThat(directory.resolve("results/latest/plans")).isDirectoryContaining("glob:**-replica-2.json");
    }

    @Test
    @Tag("exhaustive")
    void injectorsSearchOnTheSameReplicasAndTheirFiguresAreAddedUp() throws Exception {
        runs().requireAddedUp(runs().run("--injectors", "3"), 3);
    }

    @Test
    @Tag("exhaustive")
    void whatIsNoReplicaIsRefusedBeforeTheDataSetIsLoaded() throws Exception {
        Path elsewhere = ServerDirectory.withPrograms(directory.resolve("another cluster"));
        EmbeddedOptions options = new EmbeddedOptions(elsewhere, SESSIONS, PostgresqlTestServer.UNSYNCED);
        try (EmbeddedServer server = new PostgresqlPlugin().startEmbedded(options)) {
            ChildProcess.Ended foreign = refused(server.address().url());
            assertThat(foreign.output()).contains("SQLSTATE 28P01");

            letIn(server.address());
            ChildProcess.Ended another = refused(server.address().url());
            assertThat(another.output()).contains("it is of another cluster (system identifier ");
        }

        ChildProcess.Ended primary = refused(SERVER.address().url().replace("127.0.0.1", "localhost"));
        assertThat(primary.output()).contains("is no replica: it takes writes itself");
    }

    /** Gives the user of a server the password that the primary's has. */
    private static void letIn(ServerAddress server) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url(), server.user(), server.password());
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER ROLE " + server.user() + " PASSWORD '"
                    + SERVER.address().password() + "'");
        }
    }

    private ChildProcess.Ended refused(String url) throws Exception {
        ChildProcess.Ended ended =
                Siemload.run(directory, SERVER.address(), List.of("SIEMLOAD_READ_URLS=" + url), runs().arguments());
        assertThat(ended.exitCode()).as(ended.output()).isEqualTo(3);
        assertThat(ended.output()).doesNotContain("loading");
        return ended;
    }

    private ReplicaRuns runs() {
        return new ReplicaRuns(
                directory,
                SERVER.address(),
                prompt.address().url(),
                late.address().url(),
                LATE);
    }
}
