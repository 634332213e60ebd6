package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import siemload.database.postgresql.server.PostgresqlTestServer;

/** A server counts what it is asked, a scenario is made of copies of its pg_stat_statements, and asks the same server the same. */
@Tag("database")
@Tag("any-java")
class LearnCountsTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("counts", 30, Map.of());

    private static final String WITH_NAMES =
            "SELECT s.*, d.datname FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid";

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeTheDatabase() throws Exception {
        SERVER.execute("DROP DATABASE IF EXISTS bench");
        SERVER.execute("CREATE DATABASE bench");
        SERVER.execute("bench", Files.readString(Path.of("src/test/resources/existing/pgbench.sql")));
        SERVER.execute("bench", "CREATE EXTENSION pg_stat_statements");
        SERVER.execute("DROP ROLE IF EXISTS reader");
        SERVER.execute("CREATE ROLE reader LOGIN PASSWORD 'reader'; GRANT pg_read_all_data TO reader");
    }

    private static void ask(Connection connection, int accounts, int histories) throws SQLException {
        try (Statement statement = connection.createStatement();
                PreparedStatement prepared =
                        connection.prepareStatement("SELECT tbalance FROM pgbench_tellers WHERE tid = ?")) {
            for (int i = 1; i <= accounts; i++) {
                statement.execute("SELECT abalance FROM pgbench_accounts WHERE aid = " + i);
            }
            for (int i = 1; i <= histories; i++) {
                statement.execute("SELECT count(*) FROM pgbench_history\nWHERE mtime > now() - interval '" + i
                        + " days' AND tid IN (1, 2, " + i + ")");
            }
            prepared.setInt(1, 1);
            prepared.execute();
            statement.execute("SELECT max(bbalance) FROM pgbench_branches");
            statement.execute("WITH x AS (SELECT 1 AS tid) INSERT INTO pgbench_history (tid) SELECT tid FROM x");
        }
    }

    /** As psql's \copy does. */
    private Path snapshot(Connection connection, String name, String query) throws SQLException, IOException {
        Path file = directory.resolve(name);
        try (OutputStream out = Files.newOutputStream(file)) {
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyOut("COPY (" + query + ") TO STDOUT CSV HEADER", out);
        }
        return file;
    }

    private ChildProcess.Ended run(String command) throws Exception {
        return Siemload.asReader(directory, SERVER.url("bench"), command.split(" ", -1));
    }

    @Test
    void whatWasCountedBetweenTwoSnapshotsIsAskedAgainOnceItsValuesAreSaid() throws Exception {
        Path before;
        Path after;
        try (Connection connection = SERVER.administrator("bench")) {
            SERVER.execute("bench", "SELECT pg_stat_statements_reset()");
            ask(connection, 5, 2);
            before = snapshot(connection, "before.csv", WITH_NAMES);
            ask(connection, 30, 10);
            after = snapshot(connection, "after.csv", WITH_NAMES);
        }
        Path scenario = directory.resolve("hour.yaml");

        ChildProcess.Ended learnt = run("learn-queries " + before + " " + after + " --from bench --output " + scenario);

        assertThat(learnt.exitCode()).as(learnt.output()).isZero();
        assertThat(learnt.output())
                .contains("42 executions of 4 different statements, as counted from " + before + " to " + after)
                .contains("3 of these statements have parameters, and counts have no values")
                .contains("1  writes: WITH x AS (SELECT $1 AS tid) INSERT INTO");
        assertThat(Files.readString(scenario))
                .containsPattern("# then: 30 of 42 \\(71\\.43 %\\), mean [0-9]+\\.[0-9]{2} ms, 1\\.0 rows each\n"
                        + "  pgbench_accounts_1:\n"
                        + "    sql: \"SELECT abalance FROM pgbench_accounts WHERE aid = :p1\"\n"
                        + "    # values: \\{p1: ")
                .containsPattern(
                        "    then:\n      counted: \\{calls: 30, mean: [0-9.]+(, stddev: [0-9.]+)?(, min|, max|\\})")
                .contains("# then: 10 of 42 (23.81 %)", "mtime > now() - :p1::interval AND tid IN (:p2");
        ChildProcess.Ended refused = run("validate " + scenario + " --data existing");
        assertThat(refused.exitCode()).as(refused.output()).isEqualTo(2);
        assertThat(refused.output())
                .containsSubsequence(
                        "hour.yaml:9:",
                        ":p1 has no values (give them by values: {p1: ...}",
                        ":p2 has no values (give them by values: {p2: ...}");

        Files.writeString(
                scenario,
                Files.readString(scenario)
                        .replace(
                                "# values: {p1: {query: \"SELECT ...\"}}",
                                "values: {p1: {query: \"SELECT tid FROM pgbench_tellers\"}}")
                        .replaceAll("IN \\(:p2 ?\\)", "= ANY(:p2::integer[])")
                        .replaceAll("# values: .*, p2: .*", "values: {p1: [1 day, 2 days], p2: ['{1,2,3}', '{4}']}"));
        ChildProcess.Ended now = run(
                "run " + scenario + " --data existing --warmup 0s --duration 3s --allowBusyServer --failOn breakdown");
        assertThat(now.exitCode()).as(now.output()).isZero();
        JsonNode searches = LatestRun.json(directory).at("/searches");
        assertThat(searches.findValuesAsText("name"))
                .contains("pgbench_accounts_1", "pgbench_history_1", "pgbench_tellers_1", "pgbench_branches_1");
        requireMeansThenAndNow(now);
    }

    private void requireMeansThenAndNow(ChildProcess.Ended run) throws IOException {
        JsonNode means = LatestRun.json(directory).at("/learntFromCounts");
        assertThat(means).hasSize(4).allSatisfy(one -> {
            assertThat(one.at("/then/meanMicros").asDouble()).isPositive();
            assertThat(one.at("/nowMicros/mean").asDouble()).isPositive();
            double ratio = one.at("/nowMicros/mean").asDouble()
                    / one.at("/then/meanMicros").asDouble();
            assertThat(one.at("/meanRatio").asDouble()).isCloseTo(ratio, within(0.001));
        });
        assertThat(run.output())
                .contains("learnt from counts, times in ms  then mean", "now/then is of means")
                .containsPattern("\npgbench_accounts_1 +[0-9.]+ +[0-9.]+ +[0-9.]+ +30 ");
    }

    @Test
    @Tag("exhaustive")
    void whatWritesIsTakenWhereItIsWanted() throws Exception {
        Path snapshot;
        try (Connection connection = SERVER.administrator("bench")) {
            SERVER.execute("bench", "SELECT pg_stat_statements_reset()");
            ask(connection, 1, 1);
            snapshot = snapshot(connection, "writes.csv", "SELECT * FROM pg_stat_statements");
        }
        Path scenario = directory.resolve("writes.yaml");

        ChildProcess.Ended replayed =
                run("learn-queries " + snapshot + " --replay --program till --output " + scenario);
        String number = SERVER.texts("bench", "SELECT oid::text FROM pg_database WHERE datname = 'bench'")
                .get(0);
        ChildProcess.Ended learnt =
                run("learn-queries " + snapshot + " --from " + number + " --writes --output " + scenario);

        assertThat(learnt.exitCode()).as(learnt.output()).isZero();
        // The reset itself is one of them.
        assertThat(learnt.output())
                .contains("6 executions of 6 different statements", "2 of these statements write: a run asks them by");
        assertThat(Files.readString(scenario)).contains(" --allowWrites --url", "    writes: true\n");
        assertThat(replayed.exitCode()).as(replayed.output()).isEqualTo(2);
        assertThat(replayed.output())
                .contains("--replay: cannot be made of a snapshot of counts, which has no single execution")
                .contains("--program: means nothing to a snapshot of counts");
    }
}
