package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.postgresql.server.PostgresqlTestServer;
import siemload.database.postgresql.server.StandbyServer;

/** A run stops by itself where a standby of its server falls behind. */
@Tag("database")
@Tag("any-java")
class RunBesideStandbyTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("primary", StandbyServer.OF_PRIMARY);

    private static final String TINY = "src/test/resources/datasets/tiny.yaml";

    @TempDir
    private Path directory;

    @Test
    @Tag("exhaustive")
    void aStandbyThatFallsBehindEndsTheRun() throws Exception {
        try (StandbyServer standby = StandbyServer.of(SERVER, "standby")) {
            standby.pause();

            ChildProcess.Ended ended = ChildProcess.siemload(
                            directory,
                            SERVER.address(),
                            command("--warmup", "0s", "--duration", "120s", "--abortIf", "replicationLag > 1s for 2s"))
                    .await();

            assertThat(ended.exitCode()).as(ended.output()).isEqualTo(1);
            assertThat(ended.output())
                    .containsPattern("stopping: replicationLag was [0-9.]+ s \\(abortIf replicationLag > 1s for 2s\\)")
                    .contains("NOT VALID: stopped by itself, since the load did harm: replicationLag was");
        }
    }

    @Test
    void withoutAStandbyTheRunIsRefused() throws Exception {
        ChildProcess.Ended alone = run("--abortIf", "replicationLag > 5s for 10s");
        assertThat(alone.exitCode()).as(alone.output()).isEqualTo(2);
        assertThat(alone.output())
                .contains("abortIf: replicationLag cannot be watched: no standby is connected")
                .doesNotContain("loading");
    }

    private ChildProcess.Ended run(String... arguments) throws Exception {
        return Siemload.run(directory, SERVER.address(), command(arguments));
    }

    private static String[] command(String... arguments) {
        List<String> all =
                new ArrayList<>(List.of("run", "hawat", "--dataset", TINY, "--users", "4", "--allowBusyServer"));
        all.addAll(List.of(arguments));
        return all.toArray(String[]::new);
    }
}
