package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.config.directory.DirectoryTree;
import siemload.database.EmbeddedOptions;
import siemload.database.EmbeddedServer;
import siemload.database.postgresql.PostgresqlPlugin;
import siemload.database.postgresql.server.ServerDirectory;

/** A server logs what it is asked, a scenario is made of the logs, and asks the same server the same. */
@Tag("database")
@Tag("any-java")
@Tag("exhaustive")
class LearnQueriesTest {
    private static EmbeddedServer server;

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeTheDatabase() throws Exception {
        server = new PostgresqlPlugin().startEmbedded(new EmbeddedOptions(ServerDirectory.of("querylog"), 0, 30));
        execute("postgres", "DROP DATABASE IF EXISTS bench");
        execute("postgres", "CREATE DATABASE bench");
        execute("bench", Files.readString(Path.of("src/test/resources/existing/pgbench.sql")));
        execute("postgres", "DROP ROLE IF EXISTS reader");
        execute("postgres", "CREATE ROLE reader LOGIN PASSWORD 'reader'; GRANT pg_read_all_data TO reader");
        for (String parameter : List.of(
                "logging_collector = on",
                "log_destination = 'csvlog,jsonlog'",
                "log_filename = 'queries.log'",
                "log_min_duration_statement = 0",
                "log_disconnections = on",
                "lc_messages = 'C'",
                "log_timezone = 'Europe/Prague'")) {
            execute("postgres", "ALTER SYSTEM SET " + parameter);
        }
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    /** Each test has logs of its own. */
    private void startLogs() {
        server.restart(() -> {
            try {
                DirectoryTree.delete(log("csv").getParent());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static Path log(String format) {
        return server.files().orElseThrow().resolve("log").resolve("queries." + format);
    }

    /** As logs are kept. */
    private Path packed(String format) throws IOException {
        Path packed = directory.resolve("queries." + format + ".gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            Files.copy(log(format), out);
        }
        return packed;
    }

    @Test
    void aRunOfSiemloadIsLearntFromEitherFormatAndAskedAgain() throws Exception {
        startLogs();
        ChildProcess.Ended then = run("run pgbench-accounts --data existing --warmup 0s --duration 4s --thinkTime 20ms"
                + " --allowBusyServer --failOn breakdown");
        assertThat(then.exitCode()).as(then.output()).isZero();
        Map<String, Long> asked = counts();
        server.restart(() -> {});

        for (String format : List.of("csv", "json")) {
            Path scenario = directory.resolve("learnt-" + format + ".yaml");
            ChildProcess.Ended learnt =
                    run("learn-queries " + packed(format) + " --from bench --program siemload --output " + scenario);
            assertThat(learnt.exitCode()).as(learnt.output()).isZero();
            assertThat(learnt.output())
                    .contains(
                            "pgbench_accounts_1", "begins or ends a transaction", "number, 200 different are counted");
            assertThat(learnt.output()).doesNotContain("could not be read");
            String text = Files.readString(scenario);
            long found =
                    Long.parseLong(text.replaceAll("(?s).*# then: ([0-9,]+) of [^\n]*\n  pgbench_accounts_1:.*", "$1")
                            .replace(",", ""));
            // Plans were collected and answers rehearsed beside what was measured.
            assertThat(found).isBetween(asked.get("account"), asked.get("account") + 20);
            assertThat(text)
                    .contains("sql: \"SELECT abalance FROM pgbench_accounts WHERE aid = :p1\"")
                    .contains("# :p1: number");

            ChildProcess.Ended valid = run("validate " + scenario + " --data existing");
            assertThat(valid.exitCode()).as(valid.output()).isZero();
        }

        ChildProcess.Ended now = run("run " + directory.resolve("learnt-csv.yaml")
                + " --data existing --warmup 0s --duration 3s --allowBusyServer --failOn breakdown");
        assertThat(now.exitCode()).as(now.output()).isZero();
        assertThat(counts().get("pgbench_accounts_1")).isPositive();
    }

    @Test
    void literalsOfTheSimpleProtocolBecomeParametersThatTheServerTakes() throws Exception {
        startLogs();
        try (Connection connection = connect("bench", "&preferQueryMode=simple");
                Statement statement = connection.createStatement()) {
            for (int i = 1; i <= 30; i++) {
                statement.execute("SELECT count(*) FROM pgbench_accounts /* page " + i + " */ WHERE aid BETWEEN " + i
                        + " AND " + (i + 10) + " AND filler <> 'it''s " + i + "' AND abalance > -" + i
                        + " AND bid < 5000000000 LIMIT 10");
            }
            statement.execute(
                    "SELECT date_trunc('day', mtime), sum(delta) FROM pgbench_history"
                            + " WHERE mtime > timestamp '2024-01-01' - interval '1 day' AND extract('year' FROM mtime) > 2000"
                            + " AND delta::numeric(10, 2) <> 1.5 AND tid IN (1, 2) GROUP BY date_trunc('day', mtime) ORDER BY 1");
            statement.execute("SELECT * FROM pgbench_branches WHERE bid = 1 FOR UPDATE");
            statement.execute("INSERT INTO pgbench_history (tid) VALUES (1)");
            statement.execute("SELECT E'\\t', $$a;b$$, (ARRAY[1, 2, 3])[1:2] FROM pgbench_tellers WHERE tid = 3");
        }
        try (Connection connection = connect("bench", "");
                PreparedStatement nothing =
                        connection.prepareStatement("SELECT tid FROM pgbench_tellers WHERE tid = ?")) {
            nothing.setNull(1, Types.INTEGER);
            nothing.execute();
        }
        server.restart(() -> {});
        Path scenario = directory.resolve("literals.yaml");

        ChildProcess.Ended learnt = run("learn-queries " + packed("csv") + " --from bench --output " + scenario);

        assertThat(learnt.exitCode()).as(learnt.output()).isZero();
        assertThat(learnt.output())
                .contains("1  locks rows: SELECT * FROM pgbench_branches", "1  writes: INSERT INTO pgbench_history")
                .contains("1  has a parameter that is NULL");
        String text = Files.readString(scenario);
        assertThat(text)
                .contains("# then: 30 of 32 (")
                .contains(
                        "WHERE aid BETWEEN :p1::integer AND :p2::integer AND filler <> :p3 AND abalance > :p4::integer"
                                + " AND bid < :p5::bigint LIMIT :p6::integer\"")
                .contains("mtime > :p1::timestamp - :p2::interval AND extract('year' FROM mtime) > :p3::integer"
                        + " AND delta::numeric(10, 2) <> :p4::numeric AND tid IN (:p5::integer, :p6::integer)"
                        + " GROUP BY date_trunc('day', mtime) ORDER BY 1")
                .contains(
                        "SELECT E'\\\\t', $$a;b$$, (ARRAY[1, 2, 3])[1: 2] FROM pgbench_tellers WHERE tid = :p1::integer");
        assertThat(Files.readString(directory.resolve("literals-values/pgbench_accounts_1.csv")))
                .contains("p1,p2,p3,p4,p5,p6\n")
                .contains("\"1\",\"11\",\"it's 1\",\"-1\",\"5000000000\",\"10\"\n");
        Path all = directory.resolve("all.yaml");
        ChildProcess.Ended taken = run("learn-queries " + packed("csv") + " --from bench --writes --output " + all);
        assertThat(taken.exitCode()).as(taken.output()).isZero();
        assertThat(taken.output()).contains("2 of these statements write: ");
        assertThat(Files.readString(all))
                .contains("INSERT INTO pgbench_history (tid) VALUES (:p1::integer)\"\n    writes: true\n")
                .contains("WHERE bid = :p1::integer FOR UPDATE\"\n    writes: true\n")
                .contains(" --data existing --allowWrites --url ");
        assertThat(run("validate " + all + " --data existing").output()).contains("writes, and what it writes stays");
        assertThat(run("validate " + all + " --data existing --allowWrites").exitCode())
                .isZero();
        ChildProcess.Ended now = run("run " + scenario
                + " --data existing --warmup 0s --duration 2s --thinkTime 5ms --allowBusyServer --failOn breakdown");
        assertThat(now.exitCode()).as(now.output()).isZero();
        assertThat(counts())
                .containsOnlyKeys("pgbench_accounts_1", "pgbench_history_1", "pgbench_tellers_1")
                .allSatisfy((name, count) -> assertThat(count).isPositive());
        assertThat(now.output()).contains("answers were held against each other: ");
    }

    /** Then there was an index; half of the plans are in the text form of auto_explain, and half in JSON. */
    @Test
    void thePlansOfThenStandBesideThoseOfNow() throws Exception {
        execute(
                "bench",
                "DROP TABLE IF EXISTS sale; CREATE TABLE sale AS SELECT n AS id, n % 1000 AS shop FROM"
                        + " generate_series(1, 50000) n; ALTER TABLE sale ADD PRIMARY KEY (id); CREATE INDEX sale_shop ON sale (shop);"
                        + " ANALYZE sale");
        startLogs();
        try (Connection connection = connect("bench", "");
                PreparedStatement sales = connection.prepareStatement("SELECT count(*) FROM sale WHERE shop = ?");
                Statement statement = connection.createStatement()) {
            statement.execute("LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0");
            for (String form : List.of("text", "json")) {
                statement.execute("SET auto_explain.log_format = " + form);
                for (int i = 0; i < 4; i++) {
                    sales.setInt(1, i);
                    sales.execute();
                    statement.execute("SELECT shop\nFROM sale\nWHERE id = " + i);
                }
            }
            statement.execute(
                    "SET enable_bitmapscan = off; SET enable_indexscan = off; SET enable_indexonlyscan = off");
            statement.execute("SELECT shop FROM sale WHERE id = 7");
        }
        server.restart(() -> {});
        execute("bench", "DROP INDEX sale_shop");

        Path asked = directory.resolve("asked.yaml");
        ChildProcess.Ended scenarioOf = run("learn-queries " + packed("csv") + " --program test --output " + asked);
        assertThat(scenarioOf.exitCode()).as(scenarioOf.output()).isZero();
        ChildProcess.Ended again =
                run("run " + asked + " --data existing --warmup 0s --duration 3s --allowBusyServer --failOn breakdown");
        assertThat(again.exitCode()).as(again.output()).isZero();
        requireThenAndNow(again, "/learnt");
        assertThat(again.output()).contains("learnt, times in ms");

        for (String format : List.of("csv", "json")) {
            Path scenario = directory.resolve("plans-" + format + ".yaml");
            ChildProcess.Ended learnt =
                    run("learn-queries --replay " + packed(format) + " --program test --output " + scenario);
            assertThat(learnt.exitCode()).as(learnt.output()).isZero();
            assertThat(learnt.output())
                    .contains(
                            "plans then:",
                            "  sale_1: field index sale_pkey (8 of 9), table sale (1 of 9)",
                            "  sale_2: field index sale_shop (8 of 8)")
                    .doesNotContain("is a plan");
        }
        ChildProcess.Ended now = run("run " + directory.resolve("plans-json.yaml")
                + " --data existing --allowBusyServer --failOn breakdown");

        assertThat(now.exitCode()).as(now.output()).isZero();
        requireThenAndNow(now, "/replays/0/statements");
    }

    /** @param statements where they stand in run.json */
    private void requireThenAndNow(ChildProcess.Ended run, String statements) throws IOException {
        assertThat(run.output())
                .containsPattern("sale_1 +8  field index sale_pkey  field index sale_pkey  the same\n +1  table sale")
                .containsPattern("sale_2 +8  field index sale_shop  table sale +ANOTHER");
        JsonNode result = LatestRun.json(directory);
        assertThat(result.at(statements).findValuesAsText("shape"))
                .containsExactlyInAnyOrder("field index sale_pkey", "table sale", "field index sale_shop");
        assertThat(result.at(statements)).allSatisfy(one -> {
            assertThat(one.at("/thenMicros/p50").asLong()).isPositive();
            assertThat(one.at("/nowMicros/p50").asLong()).isPositive();
        });
    }

    /** How many searches of each name the latest run had answered. */
    private Map<String, Long> counts() throws IOException {
        JsonNode result = LatestRun.json(directory);
        return StreamSupport.stream(result.at("/searches").spliterator(), false)
                .collect(Collectors.toMap(
                        search -> search.at("/name").asText(),
                        search -> search.at("/ok").asLong(),
                        Long::sum,
                        TreeMap::new));
    }

    private ChildProcess.Ended run(String command) throws Exception {
        return ChildProcess.asReader(directory, url("bench"), command.split(" ", -1));
    }

    private static String url(String database) {
        return server.address().url().replaceAll("/postgres$", "/" + database);
    }

    private static Connection connect(String database, String more) throws SQLException {
        return DriverManager.getConnection(
                url(database) + "?ApplicationName=test" + more,
                server.address().user(),
                server.address().password());
    }

    private static void execute(String database, String sql) throws SQLException {
        try (Connection connection = connect(database, "");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
