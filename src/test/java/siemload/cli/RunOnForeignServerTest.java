package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.postgresql.PostgresqlTestServer;

@Tag("database")
@Tag("exhaustive")
class RunOnForeignServerTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("foreign", 30, PostgresqlTestServer.UNSYNCED);

    @TempDir
    private Path directory;

    @Test
    void aBusyServerIsRefusedBeforeAnythingIsWritten() throws Exception {
        List<String> before = SERVER.databases("");
        try (Connection other = SERVER.administrator("postgres");
                Statement statement = other.createStatement()) {
            CompletableFuture<Void> work = CompletableFuture.runAsync(() -> {
                try {
                    statement.execute("SELECT pg_sleep(60)");
                } catch (SQLException cancelled) {
                    // By the test.
                }
            });

            ChildProcess.Ended ended = run("");
            statement.cancel();
            work.join();

            assertThat(ended.exitCode()).as(ended.output()).isEqualTo(2);
            assertThat(ended.output())
                    .contains("others are using this server: 1.0 of their sessions at work")
                    .contains("or set --allowBusyServer");
            assertThat(SERVER.databases("")).isEqualTo(before);
        }
    }

    @Test
    void aServerThatItHasNotMetIsLeftAloneUntilSomebodySaysYesOnce() throws Exception {
        List<String> before = SERVER.databases("");

        ChildProcess.Ended first = run(" --yes false");

        assertThat(first.exitCode()).as(first.output()).isEqualTo(2);
        assertThat(first.output())
                .containsSubsequence(
                        "siemload did not start this server. It creates the following there, and touches nothing else:",
                        "add --yes: later runs");
        assertThat(SERVER.databases("")).isEqualTo(before);
        assertThat(run(" --yes").output()).contains("report: ");
        assertThat(run(" --yes false").output()).contains("report: ");
    }

    @Test
    void aHintThatTookNoEffectEndsTheRunBeforeItMeasuresAndThePlanIsShown() throws Exception {
        SERVER.execute("ALTER SYSTEM SET max_parallel_workers = 0");
        SERVER.execute("SELECT pg_reload_conf()");

        ChildProcess.Ended run = run(" --hint full-scan-parallel");

        assertThat(run.exitCode()).as(run.output()).isEqualTo(2);
        assertThat(run.output())
                .contains("--hint: hint 'full-scan-parallel' had no effect on MENTAT first: the plan is: table events")
                .contains("plans" + File.separator + "mentat-first-newest-first.json")
                .containsPattern("; and on \\d+ more \\(leave the hint out, or the searches\\)")
                .doesNotContain("Simulation siemload");
        try (Stream<Path> files = Files.walk(directory.resolve("results"))) {
            assertThat(files.map(file -> file.getFileName().toString())).doesNotContain("run.json");
        }
    }

    private ChildProcess.Ended run(String more) throws Exception {
        String command = "run --dataset src/test/resources/datasets/tiny.yaml --warmup 0s --users 20 --duration 1s"
                + " --set analysts.all.thinkTime.mean=100ms" + more;
        return Siemload.run(directory, SERVER.address(), command.split(" "));
    }
}
