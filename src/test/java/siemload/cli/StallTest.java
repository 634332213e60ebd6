package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.MicrosSummary;
import siemload.results.SearchResult;

/** Whole runs in which the database stands still for a while, from Gatling's users to run.json. */
@Tag("exhaustive")
class StallTest {
    @TempDir
    private Path directory;

    /**
     * A busy machine only makes answers later, so each time is at least what it would be on an idle one; that it is not
     * more is shown by {@code KnownTimesTest}, which needs no clock.
     */
    @Test
    void gatlingsUsersMeetTheTimesOfAScriptedDatabase() throws Exception {
        ChildProcess.Ended run = Siemload.run(
                directory,
                ("run --target scripted --scenario src/main/resources/siemload/run/selftest/known-times.yaml"
                                + " --dataset src/test/resources/datasets/tiny.yaml"
                                + " --warmup 1s --duration 10s --checks 0")
                        .split(" "));
        assertThat(run.exitCode()).as(run.output()).isIn(0, 4);

        assertThat(search("DETAIL").count()).isEqualTo(1_000);
        assertThat(search("HAWAT1").count()).isEqualTo(500);
        assertThat(search("HAWAT3").count()).isEqualTo(500);
        assertThat(search("TEXT").count()).isEqualTo(1_000);
        assertAtLeast(search("DETAIL").times().responseTimeMicros(), 5_000, 5_000, 5_000, 5_000, 5_000);
        assertAtLeast(search("HAWAT1").times().responseTimeMicros(), 20_000, 20_000, 120_000, 120_000, 120_000);
        assertAtLeast(search("HAWAT3").times().firstEventMicros(), 100_000, 100_000, 100_000, 100_000, 100_000);
        assertAtLeast(search("HAWAT3").times().lastEventMicros(), 110_000, 110_000, 110_000, 110_000, 110_000);
        assertAtLeast(search("TEXT").times().responseTimeMicros(), 5_000, 5_000, 1_010_000, 1_910_000, 2_000_000);
    }

    private static void assertAtLeast(MicrosSummary measured, long min, long p50, long p90, long p99, long max) {
        assertThat(measured.min()).isGreaterThanOrEqualTo(min * 99 / 100);
        assertThat(measured.p50()).isGreaterThanOrEqualTo(p50 * 99 / 100);
        assertThat(measured.p90()).isGreaterThanOrEqualTo(p90 * 99 / 100);
        assertThat(measured.p99()).isGreaterThanOrEqualTo(p99 * 99 / 100);
        assertThat(measured.max()).isGreaterThanOrEqualTo(max * 99 / 100);
    }

    /** Of 3,000 searches in 6 s, 1,000 are due in the two seconds, and half of them in the first one: more than one in ten waits for a second. */
    @Test
    @Tag("database")
    void aServerThatIsFrozenForTwoSecondsKeepsUsersWaitingForOneAtLeast() throws Exception {
        ChildProcess run = ChildProcess.siemload(
                directory,
                "run",
                "--scenario",
                "src/test/resources/scenarios/lookups.yaml",
                "--dataset",
                "src/test/resources/datasets/tiny.yaml");
        run.awaitOutput("measuring");
        freezeServer();

        ChildProcess.Ended ended = run.await();

        assertThat(ended.exitCode()).as(ended.output()).isIn(0, 4);
        assertThat(search("DETAIL").count()).isEqualTo(3_000);
        assertThat(search("DETAIL").ko()).isZero();
        assertThat(search("DETAIL").times().responseTimeMicros().p90()).isGreaterThanOrEqualTo(1_000_000);
    }

    private void freezeServer() throws IOException, InterruptedException {
        List<String> processes = serverProcesses();
        try {
            signal("STOP", processes);
            TimeUnit.SECONDS.sleep(2); // This is what is tested; nothing is awaited.
        } finally {
            signal("CONT", processes);
        }
    }

    private List<String> serverProcesses() throws IOException {
        Path pidFile;
        try (Stream<Path> files = Files.walk(directory.resolve("cache"), 2)) {
            pidFile = files.filter(file -> file.endsWith("postmaster.pid"))
                    .findFirst()
                    .orElseThrow();
        }
        long postmaster = Long.parseLong(Files.readAllLines(pidFile).get(0));
        List<String> processes = new ArrayList<>(List.of(Long.toString(postmaster)));
        ProcessHandle.of(postmaster)
                .orElseThrow()
                .descendants()
                .forEach(one -> processes.add(Long.toString(one.pid())));
        return processes;
    }

    private static void signal(String name, List<String> processes) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name));
        command.addAll(processes);
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private SearchResult search(String name) throws IOException {
        return LatestRun.result(directory).measured().searches().stream()
                .filter(search -> search.kind().name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
