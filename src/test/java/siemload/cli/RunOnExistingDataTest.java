package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.ServerAddress;
import siemload.database.postgresql.PostgresqlTestServer;

/**
 * Runs ask the tables of pgbench, which nobody here designed, in a database that was there before, and leave no trace in it; also with
 * siemload's searches, by the layout in {@code layouts/pgbench}.
 */
@Tag("database")
class RunOnExistingDataTest {
    private static final String HISTORY =
            "run pgbench-history --data existing --warmup 0s --duration 3s --set analysts.all.thinkTime.mean=20ms"
                    + " --allowBusyServer --failOn breakdown --layout layouts/pgbench";

    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("bench", 30, Map.of());

    @TempDir
    private Path directory;

    /** With a week of history, with equal times; some branches and tellers have much more rows than others. */
    @BeforeAll
    static void makeTheDatabase() throws Exception {
        SERVER.makeDatabase("bench", "reader");
        SERVER.execute("GRANT pg_read_all_data TO reader");
        SERVER.execute("bench", Files.readString(Path.of("src/test/resources/existing/pgbench.sql")));
        SERVER.execute(
                "bench",
                "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime)"
                        + " SELECT 1 + floor(sqrt(n % 400)), 1 + floor(sqrt(n % 100)), n, n % 7,"
                        + " timestamp '2024-02-20' + n / 3 * interval '90 s' FROM generate_series(1, 20000) AS n");
        SERVER.execute("bench", "VACUUM ANALYZE");
    }

    @Test
    void aScenarioOfTenLinesSearchesItReadOnlyAndStaysBelowItsCeiling() throws Exception {
        ChildProcess.Ended ended = readOnly(
                "",
                "run pgbench-accounts --data existing --warmup 0s --duration 2s --set analysts.all.thinkTime.mean=10ms"
                        + " --allowBusyServer --failOn breakdown");

        assertThat(Files.readAllLines(Path.of("scenarios/pgbench-accounts.yaml")))
                .hasSizeLessThanOrEqualTo(10);
        assertThat(ended.output())
                .containsSubsequence(
                        "siemload did not start this server.",
                        "it creates nothing and writes nothing. It runs:",
                        "account, branch",
                        "at most 8 at a time, each on its own connection",
                        "values of branch, :bid: 1",
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
    void siemloadsSearchesAskItReadOnlyByALayoutAndAreHeldAgainstEachOther() throws Exception {
        ChildProcess.Ended ended = readOnly(" AND state <> 'idle'", HISTORY);

        assertThat(ended.output())
                .containsSubsequence(
                        "it creates nothing and writes nothing. It runs:",
                        "HAWAT3, HAWAT4, HAWAT5, MENTAT",
                        "20,000 events from 2024-02-20T00:00:00Z to 2024-02-26T22:39:00Z",
                        "values of category: 10",
                        "values of detector: 20",
                        "values of id: 1,000",
                        "answers were compared with each other: ",
                        "while nobody wrote a row");
        JsonNode result = LatestRun.json(directory);
        assertThat(result.at("/answersChecked").asLong()).isPositive();
        assertThat(result.at("/answersWrong").asLong()).isZero();
        assertThat(LatestRun.rows(directory)).isGreaterThan(500);
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
                        "it creates nothing, but IT WRITES, and its changes stay:",
                        "paid: UPDATE pgbench_tellers SET tbalance = tbalance + 1 WHERE tid <= 2",
                        "siemload has not written on this server before");
        assertThat(ended.exitCode()).as(ended.output()).isZero();
        long balance = Long.parseLong(SERVER.texts("bench", "SELECT sum(tbalance)::text FROM pgbench_tellers")
                .get(0));
        assertThat(balance).isPositive();
        assertThat(ended.output())
                .contains(String.format(
                        Locale.ROOT,
                        "paid wrote, and its changes stay: %,d executions were acknowledged, with %,d rows written or returned",
                        balance / 2,
                        balance))
                .containsPattern("the server has counted [0-9,]+ rows that were written into the database");
        SERVER.execute("bench", "UPDATE pgbench_tellers SET tbalance = 0");
        SERVER.execute("bench", "DROP OWNED BY teller; DROP ROLE teller");
    }

    @Test
    @Tag("exhaustive")
    void searchesForWhichTheLayoutLacksValuesOrABlockAreRefusedByNameBeforeTheLoad() throws Exception {
        Path layout = LayoutCopy.of(Path.of("layouts/pgbench"), directory.resolve("mine"));
        LayoutCopy.replace(layout, "values.sql", ", min(bid) AS category", "");
        ChildProcess.Ended withoutValues = run(layout);
        layout = LayoutCopy.of(Path.of("layouts/pgbench"), directory.resolve("other"));
        Path statements = layout.resolve("statements.sql");
        Files.writeString(
                statements, Files.readString(statements).replaceFirst("-- name: condition-detector\n.*\n", ""));
        ChildProcess.Ended withoutBlock = run(layout);

        assertThat(withoutValues.exitCode()).as(withoutValues.output()).isEqualTo(2);
        assertThat(withoutValues.output())
                .contains("HAWAT5 needs values for which the layout mine@")
                .contains(" has no query in its block values: the column category of detector (write them,")
                .doesNotContain("HAWAT4 needs");
        assertThat(withoutBlock.exitCode()).as(withoutBlock.output()).isEqualTo(2);
        assertThat(withoutBlock.output())
                .contains("HAWAT4 first cannot run with the layout other@")
                .contains("it has no block condition-detector (write it, or leave the search out)");
    }

    @Test
    @Tag("exhaustive")
    void whereSomebodyWritesMeanwhileTheReportSaysWhatCannotBeChecked() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> write(over));
        try {
            ChildProcess.Ended ended = run(HISTORY);

            assertThat(ended.exitCode()).as(ended.output()).isZero();
            assertThat(ended.output())
                    .containsPattern("[0-9,]+\\s+rows\\s+were\\s+written\\s+into\\s+the\\s+database\\s+meanwhile,\\s+so"
                            + "\\s+the\\s+[0-9,]+\\s+answers\\s+that\\s+differed\\s+cannot\\s+be\\s+checked");
            assertThat(LatestRun.json(directory).at("/answersWrong").asLong()).isZero();
        } finally {
            over.set(true);
            writer.get();
            SERVER.execute("bench", "DELETE FROM pgbench_history WHERE aid < 0");
            SERVER.execute("bench", "VACUUM pgbench_history");
        }
    }

    private static void write(AtomicBoolean over) {
        try (Connection connection = SERVER.administrator("bench");
                Statement statement = connection.createStatement()) {
            while (!over.get()) {
                statement.execute("INSERT INTO pgbench_history (tid, bid, aid, delta, mtime)"
                        + " SELECT 1, 1, -1, 0, '2024-02-26 22:00' FROM pg_sleep(0.05);"
                        + " SELECT pg_stat_force_next_flush()");
            }
        } catch (SQLException unwritable) {
            throw new AssertionError(unwritable);
        }
    }

    private ChildProcess.Ended run(Path layout) throws Exception {
        return run(HISTORY.replace("layouts/pgbench", layout.toString()));
    }

    private ChildProcess.Ended run(String command) throws Exception {
        return Siemload.run(directory, new ServerAddress(SERVER.url("bench"), "reader", "reader"), command.split(" "));
    }

    /**
     * A run that succeeds, writes no row, makes no database, and has one to eight searching sessions at any time.
     *
     * @param counted which of them are: a condition, or none
     */
    private ChildProcess.Ended readOnly(String counted, String command) throws Exception {
        String written = "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::text FROM pg_stat_user_tables";
        List<String> before = SERVER.texts("bench", written);
        List<String> databases = SERVER.databases("");
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Long> most = CompletableFuture.supplyAsync(() -> mostAtWork(over, counted));
        ChildProcess.Ended ended = run(command);
        over.set(true);
        assertThat(ended.exitCode()).as(ended.output()).isZero();
        assertThat(SERVER.texts("bench", written)).isEqualTo(before);
        assertThat(SERVER.databases("")).isEqualTo(databases);
        assertThat(most.get()).isBetween(1L, 8L);
        return ended;
    }

    /** Of the sessions that search, which look at tables of pgbench, and not at counters and the like. */
    private static long mostAtWork(AtomicBoolean over, String counted) {
        long most = 0;
        while (!over.get()) {
            most = Math.max(
                    most,
                    Long.parseLong(SERVER.texts(
                                    "bench",
                                    "SELECT count(*) FROM pg_sleep(0.02), pg_stat_activity WHERE datname = current_database()"
                                            + " AND usename = 'reader' AND query NOT LIKE 'EXPLAIN%' AND query LIKE '%pgbench_%'"
                                            + counted)
                            .get(0)));
        }
        return most;
    }
}
