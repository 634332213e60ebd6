package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.RunResult;

/** What whole runs write down about what they took place on. */
@Tag("exhaustive")
class EnvironmentTest {
    private static final List<String> SECTIONS = List.of(
            "database",
            "dataset",
            "drivers",
            "filesystem",
            "hardware",
            "java",
            "kernel",
            "program",
            "scenario",
            "tables");

    @TempDir
    private Path directory;

    @Test
    @Tag("database")
    void theRecordHoldsTheServersSettingsAndSizesAndNoSecretAndTellsRunsApartByWhatDiffered() throws Exception {
        Map<String, String> first = run();
        String record = Files.readString(directory.resolve("results/latest/environment.json"));
        JsonNode sections = new ObjectMapper().readTree(record).get("sections");

        assertThat(sections.at("/database/values/version").asText()).startsWith("18.");
        assertThat(sections.at("/database/values/setting.shared_buffers").asText())
                .isNotEmpty();
        assertThat(sections.at("/tables/values/events").asLong()).isPositive();
        assertThat(sections.at("/tables/values/events_detect_time").asLong()).isPositive();
        assertThat(sections.at("/drivers/values/postgresql").asText()).matches("\\d+\\..*");
        assertThat(sections.at("/scenario/values/feeder.eps").asText()).isEqualTo("200");
        assertThat(sections.at("/dataset/values/events").asText()).isEqualTo("2000");
        assertThat(record).doesNotContain(password(), System.getenv("PATH"));

        assertThat(run()).isEqualTo(first);
        Map<String, String> scenarioAside = new HashMap<>(run("--page", "50"));
        assertThat(scenarioAside.remove("scenario")).isNotEqualTo(first.get("scenario"));
        assertThat(first).containsAllEntriesOf(scenarioAside);
    }

    private String password() throws Exception {
        try (Stream<Path> files = Files.walk(directory.resolve("cache"), 1)) {
            Path file = files.filter(path -> path.getFileName().toString().startsWith("password"))
                    .findFirst()
                    .orElseThrow();
            return Files.readString(file).strip();
        }
    }

    private Map<String, String> run(String... more) throws Exception {
        String[] all = Stream.concat(
                        Stream.of(("run --dataset src/test/resources/datasets/tiny.yaml --warmup 0s --duration 1s"
                                        + " --users 20")
                                .split(" ")),
                        Stream.of(more))
                .toArray(String[]::new);
        ChildProcess.Ended run = Siemload.run(directory, all);
        assertThat(run.exitCode()).as(run.output()).isIn(0, 1, 4);
        RunResult result = LatestRun.result(directory);
        assertThat(result.environment()).containsOnlyKeys(SECTIONS);
        Map<String, String> fingerprints = new HashMap<>(result.environment());
        // Somebody may commit or save a file between two runs of this test.
        fingerprints.remove("program");
        return fingerprints;
    }
}
