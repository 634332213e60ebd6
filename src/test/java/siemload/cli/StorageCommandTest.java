package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.config.directory.DirectoryTree;
import siemload.database.contract.Required;
import siemload.database.postgresql.ServerDirectory;

class StorageCommandTest {
    @TempDir
    private Path directory;

    /** On the disk of the checkout: the directory of temporary files may lie in memory. */
    private Path onDisk;

    @BeforeEach
    void makeDirectory() throws IOException {
        onDisk = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "storage")
                .toRealPath();
    }

    @AfterEach
    void deleteDirectory() throws IOException {
        DirectoryTree.delete(onDisk);
    }

    @Test
    @Tag("fio")
    void aDiskIsMeasuredAndNothingStaysBehind() throws Exception {
        requireFio();
        Path mine = Files.writeString(onDisk.resolve("mine"), "mine");

        ChildProcess.Ended ended =
                storage(onDisk + " --size 256m --duration 1s --small 1,4 --large 2 --write 50 --verbose");

        assertThat(ended.exitCode()).as(ended.output()).isZero();
        assertThat(ended.output())
                .containsPattern("Maximum Large MBPS=\\d+[.]\\d\\d @ Small=0 and Large=2\n")
                .containsPattern("Maximum Small IOPS=\\d+ @ Small=[14] and Large=0\n")
                .containsPattern("Minimum Small Latency=\\d+[.]\\d{2,3} @ Small=[14] and Large=0\n");
        JsonNode points = series().path(0).path("points");
        assertThat(points).hasSize(5).allSatisfy(point -> {
            assertThat(ended.output()).contains("  " + point.path("command").asText() + "\n");
            assertThat(point.path("operationsPerSecond").asDouble()).isPositive();
            assertThat(point.path("meanLatencyMicros").asDouble()).isPositive();
        });
        assertThat(files()).containsExactly(mine);
    }

    @Test
    @Tag("exhaustive")
    @Tag("fio")
    @Tag("database")
    void aFeederInsertsBesideTheSecondSeries() throws Exception {
        requireFio();
        Path measured = Files.createDirectory(onDisk.resolve("measured"));
        Path cache = ServerDirectory.withPrograms(onDisk.resolve("cache"));

        ChildProcess.Ended ended =
                storage(measured + " --cache=" + cache + " --size=256m --duration=1s --small=1 --large=1 --eps=200");

        assertThat(ended.exitCode()).as(ended.output()).isZero();
        assertThat(ended.output()).contains("idle, small 8 KiB", "during a feed of 200 events/s (");
        JsonNode fed = series().path(1);
        assertThat(fed.path("eventsPerSecond").asDouble()).isEqualTo(200);
        assertThat(fed.path("achievedEventsPerSecond").asDouble()).isPositive();
        assertThat(fed.path("points")).hasSize(3);
        assertThat(measured).isEmptyDirectory();
    }

    private ChildProcess.Ended storage(String arguments) throws IOException {
        return Siemload.run(directory, ("storage " + arguments).split(" "));
    }

    private JsonNode series() throws Exception {
        return new ObjectMapper()
                .readTree(directory.resolve("results/storage.json").toFile())
                .path("series");
    }

    @Test
    @Tag("fio")
    void anInterruptEndsFioAndDeletesTheFile() throws Exception {
        ChildProcess running = startMeasuring();
        Path file = onlyFile();

        ChildProcess.Ended ended = running.interrupt();

        assertThat(ended.exitCode()).as(ended.output()).isEqualTo(130);
        assertThat(files()).isEmpty();
        assertThat(users(file)).isEmpty();
    }

    private ChildProcess startMeasuring() throws Exception {
        requireFio();
        ChildProcess running =
                ChildProcess.siemload(directory, "storage", onDisk.toString(), "--size", "256m", "--duration", "10m");
        running.awaitOutput("measuring");
        return running;
    }

    private static void requireFio() {
        boolean there = Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(place -> Files.isExecutable(Path.of(place, "fio")));
        Required.orSkip("fio", there ? Optional.empty() : Optional.of("it is not on the PATH (apt-get install fio)"));
    }

    private static List<ProcessHandle> users(Path file) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(file.toString()))
                        .isPresent())
                .toList();
    }

    private Path onlyFile() throws IOException {
        List<Path> files = files();
        assertThat(files).hasSize(1);
        return files.get(0);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(onDisk)) {
            return files.toList();
        }
    }
}
