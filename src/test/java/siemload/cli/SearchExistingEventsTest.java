package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.postgresql.PostgresqlTestServer;

/**
 * Siemload's searches are asked of the history of pgbench, which nobody here designed, by the layout in {@code layouts/pgbench}, and
 * leave no trace in it.
 */
@Tag("database")
@Tag("any-java")
@Tag("exhaustive")
class SearchExistingEventsTest {
    private static final Path LAYOUT = Path.of("layouts/pgbench");
    private static final String RUN =
            "run pgbench-history --data existing --warmup 0s --duration 3s --set analysts.all.thinkTime.mean=20ms --allowBusyServer";

    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("history", 30, Map.of());

    private static final PgbenchDatabase HISTORY = new PgbenchDatabase(SERVER, "history");

    @TempDir
    private Path directory;

    /** A week, with equal times; some branches and tellers have much more rows than others. */
    @BeforeAll
    static void makeTheDatabase() throws Exception {
        HISTORY.make("INSERT INTO pgbench_history (tid, bid, aid, delta, mtime)"
                + " SELECT 1 + floor(sqrt(n % 400)), 1 + floor(sqrt(n % 100)), n, n % 7,"
                + " timestamp '2024-02-20' + n / 3 * interval '90 s' FROM generate_series(1, 20000) AS n");
    }

    @Test
    void theyAreReadOnlyStayBelowTheirCeilingAndAreHeldAgainstEachOther() throws Exception {
        ChildProcess.Ended ended = HISTORY.readOnly(
                "query LIKE '%pgbench_history%' AND state <> 'idle'", () -> run(LAYOUT, "--failOn", "breakdown"));

        assertThat(ended.output())
                .containsSubsequence(
                        "it makes nothing and writes nothing. It asks:",
                        "HAWAT3, HAWAT4, HAWAT5, MENTAT",
                        "at most 8 at a time over as many connections",
                        "20,000 events from 2024-02-20T00:00:00Z to 2024-02-26T22:39:00Z",
                        "values of category: 10",
                        "values of detector: 20",
                        "values of id: 1,000",
                        "20,000 events that were there before on PostgreSQL",
                        "answers were compared with each other: ",
                        "while nobody wrote a row")
                .doesNotContain("fed events");
        JsonNode result = LatestRun.json(directory);
        assertThat(result.at("/dataset/store").asText()).isEqualTo("existing");
        assertThat(result.at("/dataset/events").asLong()).isEqualTo(20_000);
        assertThat(result.at("/target/layout").asText()).startsWith("pgbench@");
        assertThat(directory.resolve("results/latest/environment.json"))
                .as("no data set has anything to do with it")
                .content()
                .doesNotContain("smoke");
        assertThat(result.toString()).doesNotContain("smoke");
        assertThat(result.at("/answersChecked").asLong()).isGreaterThanOrEqualTo(20);
        assertThat(result.at("/answersWrong").asLong()).isZero();
        assertThat(LatestRun.rows(directory)).isGreaterThan(500);
    }

    @Test
    void searchesForWhichTheLayoutLacksValuesOrABlockAreRefusedByNameBeforeTheLoad() throws Exception {
        Path layout = LayoutCopy.of(LAYOUT, directory.resolve("mine"));
        LayoutCopy.replace(layout, "values.sql", ", min(bid) AS category", "");
        ChildProcess.Ended withoutValues = run(layout);
        layout = LayoutCopy.of(LAYOUT, directory.resolve("other"));
        Path statements = layout.resolve("statements.sql");
        Files.writeString(
                statements, Files.readString(statements).replaceFirst("-- name: condition-detector\n.*\n", ""));
        ChildProcess.Ended withoutBlock = run(layout);

        assertThat(withoutValues.exitCode()).as(withoutValues.output()).isEqualTo(2);
        assertThat(withoutValues.output())
                .contains("HAWAT5 looks for values that the layout mine@")
                .contains(" has no query for in its block values: the column category of detector (write them,")
                .doesNotContain("HAWAT4 looks");
        assertThat(withoutBlock.exitCode()).as(withoutBlock.output()).isEqualTo(2);
        assertThat(withoutBlock.output())
                .contains("HAWAT4 first cannot be asked by the layout other@")
                .contains("it has no block condition-detector (write it, or leave the search out)");
    }

    @Test
    void whereSomebodyWritesMeanwhileTheReportSaysWhatCannotBeChecked() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> write(over));
        try {
            ChildProcess.Ended ended = run(LAYOUT, "--failOn", "breakdown");

            assertThat(ended.exitCode()).as(ended.output()).isZero();
            assertThat(ended.output())
                    .containsPattern("[0-9,]+ rows were written into the database meanwhile, so the [0-9,]+ that"
                            + " were\\s+answered otherwise than at first cannot be checked");
            assertThat(LatestRun.json(directory).at("/answersWrong").asLong()).isZero();
        } finally {
            over.set(true);
            writer.get();
            SERVER.execute("history", "DELETE FROM pgbench_history WHERE aid < 0");
            SERVER.execute("history", "VACUUM pgbench_history");
        }
    }

    private static void write(AtomicBoolean over) {
        try (Connection connection = SERVER.administrator("history");
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

    private ChildProcess.Ended run(Path layout, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(RUN.split(" ", -1)));
        arguments.addAll(List.of("--layout", layout.toString()));
        arguments.addAll(List.of(more));
        return siemload(arguments.toArray(String[]::new));
    }

    private ChildProcess.Ended siemload(String... arguments) throws Exception {
        return Siemload.asReader(directory, SERVER.url("history"), arguments);
    }
}
