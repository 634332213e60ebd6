package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.postgresql.PostgresqlTestServer;

/** Runs on a server that they did not start. */
@Tag("database")
@Tag("any-java")
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
                    .contains("--allowBusyServer goes on");
            assertThat(SERVER.databases("")).isEqualTo(before);
        }
    }

    @Test
    void whatWillBeMadeIsSaidBeforeTheFirstWrite() throws Exception {
        for (String left : SERVER.databases("siemload_data_")) {
            SERVER.execute("DROP DATABASE " + left);
        }

        ChildProcess.Ended ended = run("");

        assertThat(ended.output())
                .containsSubsequence(
                        "siemload did not start this server. It makes there, and touches nothing else:",
                        "a database siemload_data_...",
                        "a database siemload_run_..., a copy of it, dropped at the end",
                        "the events of the run: about 8 MB; free: ",
                        "beside it: nobody else is connected",
                        "loaded tiny");
        assertThat(SERVER.databases("")).noneMatch(database -> database.startsWith("siemload_run_"));
    }

    @Test
    void aServerThatItHasNotMetIsLeftAloneUntilSomebodySaysYesOnce() throws Exception {
        List<String> before = SERVER.databases("");

        ChildProcess.Ended first = run(" --yes false");

        assertThat(first.exitCode()).as(first.output()).isEqualTo(2);
        assertThat(first.output())
                .containsSubsequence(
                        "siemload did not start this server. It makes there, and touches nothing else:",
                        "if that is meant, add --yes: later runs");
        assertThat(SERVER.databases("")).isEqualTo(before);
        assertThat(run(" --yes").output()).contains("report: ");
        assertThat(run(" --yes false").output()).contains("report: ");
    }

    private ChildProcess.Ended run(String more) throws Exception {
        String command = "run --dataset src/test/resources/datasets/tiny.yaml --warmup 0s --users 20 --duration 1s"
                + " --set analysts.all.thinkTime.mean=100ms" + more;
        return Siemload.run(directory, SERVER.address(), command.split(" "));
    }
}
