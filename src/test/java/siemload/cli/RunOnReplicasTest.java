package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
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
import siemload.database.ServerAddress;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.TargetPlugin.EmbeddedServer.EmbeddedOptions;
import siemload.database.postgresql.PostgresqlPlugin;
import siemload.database.postgresql.PostgresqlTestServer;
import siemload.database.postgresql.ServerDirectory;
import siemload.database.postgresql.StandbyServer;
import siemload.results.RunResult;
import siemload.results.RunResult.ReplicaResult;
import siemload.results.RunResult.SearchResult;

@Tag("database")
class RunOnReplicasTest {
    private static final Duration LATE = Duration.ofMillis(700);
    private static final int SESSIONS = 60;

    /** The newest events all the time, so that many an answer would have some that were just fed. */
    private static final String SCENARIO = """
            description: eight people who read what is new
            dataset: smoke
            analysts:
              - name: readers
                users: 8
                load: closed
                actions: {min: 5, max: 5}
                thinkTime: {distribution: exponential, mean: 200ms}
                pause: {distribution: constant, value: 200ms}
                window: {1h: 1}
                mix: {MENTAT: 1, HAWAT3: 1}
                values: {typical: 1}
                order: {newestFirst: 1}
                page: {size: 50, deeper: 0.2, maximum: 3, lastPage: 0.05}
                followUp: 0.1
                patience: 10s
                maxRunning: 7
            feeder: {eps: 300, batch: 10, connections: 1}
            phases: {warmup: 1s, measurement: 4s}
            """;

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
    }

    @AfterAll
    static void stopStandbys() throws Exception {
        prompt.close();
        late.close();
    }

    @Test
    void whatALateReplicaLacksIsNoWrongAnswerAndEachIsReportedApart() throws Exception {
        String urls = url(prompt) + "," + url(late);
        ChildProcess.Ended run =
                Siemload.run(directory, SERVER.address(), List.of("SIEMLOAD_READ_URLS=" + urls), arguments());

        assertThat(run.exitCode()).as(run.output()).isIn(0, 1, 4);
        RunResult result = LatestRun.result(directory);
        List<ReplicaResult> replicas = result.measured().replicas();
        assertThat(replicas)
                .allSatisfy(one -> assertThat(one.searches()).isGreaterThan(20))
                .extracting(ReplicaResult::url)
                .containsExactly(url(prompt), url(late));
        assertThat(replicas.stream().mapToLong(ReplicaResult::searches).sum())
                .isEqualTo(result.measured().searches().stream()
                        .mapToLong(SearchResult::count)
                        .sum());
        assertThat(replicas.get(1).lagMicros().p50()).isBetween(LATE.toMillis() * 800, LATE.toMillis() * 5_000);
        assertThat(replicas.get(0).lagMicros().p50())
                .isLessThan(replicas.get(1).lagMicros().p50());
        assertThat(result.answers().answersWrong()).as(run.output()).isZero();
        assertThat(result.answers().answersChecked()).as(run.output()).isGreaterThan(40);
        assertThat(result.measured().feeder().lost()).isZero();
        assertThat(run.output()).contains("replica, times in ms").contains("jdbc:postgresql://127.0.0.1:");
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
            assertThat(another.output()).contains("it belongs to another cluster (system identifier ");
        }

        ChildProcess.Ended primary = refused(SERVER.address().url().replace("127.0.0.1", "localhost"));
        assertThat(primary.output()).contains("is not a replica: it accepts writes");
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
                Siemload.run(directory, SERVER.address(), List.of("SIEMLOAD_READ_URLS=" + url), arguments());
        assertThat(ended.exitCode()).as(ended.output()).isEqualTo(3);
        assertThat(ended.output()).doesNotContain("loading");
        return ended;
    }

    private static String url(StandbyServer standby) {
        return standby.address().url();
    }

    private List<String> arguments() throws IOException {
        Path scenario = Files.writeString(directory.resolve("readers.yaml"), SCENARIO);
        String command = "run " + scenario
                + " --dataset src/test/resources/datasets/tiny.yaml --checks 1 --allowBusyServer --yes";
        return List.of(command.split(" "));
    }
}
