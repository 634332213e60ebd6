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
import siemload.results.RunResult.SearchResult;

@Tag("exhaustive")
class StallTest {
    @TempDir
    private Path directory;

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
        assertThat(search("DETAIL").responseTimeMicros().p90()).isGreaterThanOrEqualTo(1_000_000);
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
