package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.ServerAddress;
import siemload.database.postgresql.PostgresqlTestServer;

/** Runs ask the tables of pgbench, which nobody here designed, in a database that was there before, and leave no trace in it. */
@Tag("database")
@Tag("any-java")
class RunOnExistingDataTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("bench", 30, Map.of());

    private static final PgbenchDatabase BENCH = new PgbenchDatabase(SERVER, "bench");

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeTheDatabase() throws Exception {
        BENCH.make();
    }

    @Test
    void aScenarioOfTenLinesSearchesItReadOnlyAndStaysBelowItsCeiling() throws Exception {
        ChildProcess.Ended ended = BENCH.readOnly(
                "query LIKE '%pgbench_%'",
                () -> run(
                        ("run pgbench-accounts --data existing --warmup 0s --duration 2s --set analysts.all.thinkTime.mean=10ms"
                                        + " --allowBusyServer --failOn breakdown")
                                .split(" ", -1)));

        assertThat(Files.readAllLines(Path.of("scenarios/pgbench-accounts.yaml")))
                .hasSizeLessThanOrEqualTo(10);
        assertThat(ended.output())
                .containsSubsequence(
                        "siemload did not start this server.",
                        "it makes nothing and writes nothing. It asks:",
                        "account, branch",
                        "at most 8 at a time over as many connections",
                        "values of branch, :bid: 1, of which 1 are different",
                        "pgbench-accounts: 8 users executed statements on existing data on PostgreSQL",
                        "answers were compared with each other: ");
        assertThat(ended.output()).doesNotContain("whole, unsorted", "feeder", "fed events");
        JsonNode result = LatestRun.json(directory);
        assertThat(result.at("/dataset/store").asText()).isEqualTo("existing");
        assertThat(result.at("/searches")).hasSize(2);
        assertThat(result.at("/searches/0/name").asText()).isEqualTo("account");
        assertThat(result.at("/searches/0/page").asText()).isEqualTo("statement");
        assertThat(result.at("/searches/0/ok").asLong()).isGreaterThan(50);
        assertThat(result.at("/plans/0/shape").asText()).isEqualTo("field index pgbench_accounts_pkey");
        assertThat(result.at("/answersChecked").asLong()).isPositive();
        assertThat(result.at("/answersWrong").asLong()).isZero();
    }

    @Test
    void anExperimentTellsAllThatItLacksBeforeItsFirstRun() throws Exception {
        Files.copy(Path.of("scenarios/pgbench-accounts.yaml"), directory.resolve("mine.yaml"));
        Path experiment = Files.writeString(directory.resolve("two.yaml"), """
                question: Which index is better?
                scenario: mine.yaml
                variants: {old: {}, new: {}}
                settings: {data: existing}
                """);
        List<String> variables = List.of(
                "SIEMLOAD_YES=false",
                "SIEMLOAD_USER=reader",
                "SIEMLOAD_PASSWORD=reader",
                "SIEMLOAD_URL_OLD=" + SERVER.url("bench"),
                "SIEMLOAD_URL_NEW=" + SERVER.url("nowhere"));

        ChildProcess.Ended ended =
                Siemload.run(directory, variables, "experiment", experiment.toString(), "--repeats", "3");

        assertThat(ended.exitCode()).as(ended.output()).isEqualTo(2);
        assertThat(ended.output())
                .contains("3 repeats cannot decide anything: it takes at least 7 for 3 comparisons")
                .contains("two, old: --url: siemload has not run on this server before")
                .contains("two, new: cannot connect to PostgreSQL")
                .doesNotContain("run 1 of 6");
    }

    @Test
    @Tag("exhaustive")
    void aStatementThatMayWriteDoesAndTheReportTellsHowMuch() throws Exception {
        Path scenario = Files.writeString(directory.resolve("paying.yaml"), """
                description: somebody pays
                statements:
                  paid: {sql: "UPDATE pgbench_tellers SET tbalance = tbalance + 1 WHERE tid <= 2", writes: true}
                  balance: {sql: "SELECT sum(tbalance) FROM pgbench_tellers"}
                analysts: [{name: clerks, users: 2, thinkTime: {distribution: constant, value: 10ms}}]
                phases: {warmup: 1s, measurement: 2s}
                """);
        SERVER.makeUser("teller");
        SERVER.execute("bench", "GRANT SELECT, UPDATE ON pgbench_tellers TO teller");
        ServerAddress teller = new ServerAddress(SERVER.url("bench"), "teller", "teller");
        List<String> arguments = List.of(
                ("run " + scenario + " --data existing --allowWrites --allowBusyServer --failOn breakdown").split(" "));

        ChildProcess.Ended unasked = Siemload.run(directory, teller, List.of("SIEMLOAD_YES=false"), arguments);
        ChildProcess.Ended ended = Siemload.run(directory, teller, List.of(), arguments);

        assertThat(unasked.exitCode()).as(unasked.output()).isEqualTo(2);
        assertThat(unasked.output())
                .containsSubsequence(
                        "it makes nothing, but IT WRITES, and what it writes stays:",
                        "paid: UPDATE pgbench_tellers SET tbalance = tbalance + 1 WHERE tid <= 2",
                        "siemload has not written on this server before");
        assertThat(ended.exitCode()).as(ended.output()).isZero();
        long balance = Long.parseLong(SERVER.texts("bench", "SELECT sum(tbalance)::text FROM pgbench_tellers")
                .get(0));
        assertThat(balance).isPositive();
        assertThat(ended.output())
                .contains(String.format(
                        Locale.ROOT,
                        "paid wrote, and that stays: %,d executions were acknowledged, with %,d rows written or returned",
                        balance / 2,
                        balance))
                .containsPattern("the server has counted [0-9,]+ rows that anybody wrote");
        SERVER.execute("bench", "UPDATE pgbench_tellers SET tbalance = 0");
        SERVER.execute("bench", "DROP OWNED BY teller; DROP ROLE teller");
    }

    private ChildProcess.Ended run(String... arguments) throws Exception {
        return Siemload.asReader(directory, SERVER.url("bench"), arguments);
    }
}
