package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.postgresql.PostgresqlTestServer;

/** A server that allows no parallel workers, and runs that want some. */
@Tag("database")
@Tag("any-java")
@Tag("exhaustive")
class IneffectiveHintTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER =
            new PostgresqlTestServer("few workers", 32, PostgresqlTestServer.UNSYNCED);

    @TempDir
    private static Path directory;

    @BeforeAll
    static void forbidParallelWorkers() throws SQLException {
        SERVER.execute("ALTER SYSTEM SET max_parallel_workers = 0");
        SERVER.execute("SELECT pg_reload_conf()");
    }

    @Test
    void theRunEndsBeforeItMeasuresAndShowsThePlan() throws Exception {
        String command =
                "run --dataset src/test/resources/datasets/tiny.yaml --hint full-scan-parallel --users 20 --warmup 0s"
                        + " --duration 1s";
        ChildProcess.Ended run = Siemload.run(directory, SERVER.address(), command.split(" "));

        assertThat(run.exitCode()).as(run.output()).isEqualTo(2);
        assertThat(run.output())
                .contains("--hint: hint 'full-scan-parallel' took no effect on MENTAT first: the plan is: table events")
                .contains("plans" + File.separator + "mentat-first-newest-first.json")
                .containsPattern("; and on \\d+ more \\(leave the hint out, or the searches\\)")
                .doesNotContain("Simulation siemload");
        try (Stream<Path> files = Files.walk(directory.resolve("results"))) {
            assertThat(files.map(file -> file.getFileName().toString())).doesNotContain("run.json");
        }
    }
}
