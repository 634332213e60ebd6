package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import siemload.config.directory.DirectoryTree;
import siemload.database.postgresql.PostgresqlTestServer;

/** A server logs what it is asked, a scenario is made of the logs, and asks the same server the same. */
@Tag("database")
@Tag("any-java")
@Tag("exhaustive")
class LearnQueriesTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("querylog", 30, Map.of());

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeTheDatabase() throws Exception {
        SERVER.execute("postgres", "DROP DATABASE IF EXISTS bench");
        SERVER.execute("postgres", "CREATE DATABASE bench");
        SERVER.execute("bench", Files.readString(Path.of("src/test/resources/existing/pgbench.sql")));
        SERVER.execute("postgres", "DROP ROLE IF EXISTS reader");
        SERVER.execute("postgres", "CREATE ROLE reader LOGIN PASSWORD 'reader'; GRANT pg_read_all_data TO reader");
        for (String parameter : List.of(
                "logging_collector = on",
                "log_destination = 'csvlog,jsonlog'",
                "log_filename = 'queries.log'",
                "log_min_duration_statement = 0",
                "log_disconnections = on",
                "lc_messages = 'C'",
                "log_timezone = 'Europe/Prague'")) {
            SERVER.execute("postgres", "ALTER SYSTEM SET " + parameter);
        }
    }

    /** Each test has logs of its own. */
    private void startLogs() {
        SERVER.restart(() -> {
            try {
                DirectoryTree.delete(log("csv").getParent());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static Path log(String format) {
        return SERVER.embedded().files().orElseThrow().resolve("log").resolve("queries." + format);
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
        ChildProcess.Ended then = run(
                "run pgbench-accounts --data existing --warmup 0s --duration 4s --set analysts.all.thinkTime.mean=20ms"
                        + " --allowBusyServer --failOn breakdown");
        assertThat(then.exitCode()).as(then.output()).isZero();
        Map<String, Long> asked = counts();
        SERVER.restart(() -> {});

        for (String format : List.of("csv", "json")) {
            Path scenario = directory.resolve("learnt-" + format + ".yaml");
            ChildProcess.Ended learnt =
                    run("learn-queries " + packed(format) + " --from bench --program siemload --output " + scenario);
            assertThat(learnt.exitCode()).as(learnt.output()).isZero();
            assertThat(learnt.output()).contains("pgbench_accounts_1", "is no query (");
            assertThat(learnt.output()).doesNotContain("could not be read");
            String text = Files.readString(scenario);
            long found = Long.parseLong(learnt.output()
                    .replaceAll("(?s).*\npgbench_accounts_1 +([0-9,]+) .*", "$1")
                    .replace(",", ""));
            // Plans were collected and answers rehearsed beside what was measured.
            assertThat(found).isBetween(asked.get("account"), asked.get("account") + 20);
            assertThat(text).contains("sql: \"SELECT abalance FROM pgbench_accounts WHERE aid = :p1\"");

            ChildProcess.Ended valid = run("validate " + scenario + " --data existing");
            assertThat(valid.exitCode()).as(valid.output()).isZero();
        }

        ChildProcess.Ended now = run("run " + directory.resolve("learnt-csv.yaml")
                + " --data existing --warmup 0s --duration 3s --allowBusyServer --failOn breakdown");
        assertThat(now.exitCode()).as(now.output()).isZero();
        assertThat(counts().get("pgbench_accounts_1")).isPositive();
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
        return Siemload.asReader(directory, SERVER.url("bench"), command.split(" ", -1));
    }
}
