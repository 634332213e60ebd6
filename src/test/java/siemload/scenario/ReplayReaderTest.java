package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.scenario.QueryRecording.RecordedExecution;
import siemload.scenario.QueryRecording.RecordedQuery;

class ReplayReaderTest extends ScenarioReading {
    private static final String HEAD = "description: again\nreplay: ";

    @BeforeEach
    void record() throws IOException {
        record(home);
    }

    /** Two statements of three sessions in 20 s. */
    static void record(Path home) throws IOException {
        Path file = Files.createDirectories(home.resolve("scenarios")).resolve("day.jsonl.gz");
        List<RecordedQuery> queries = List.of(
                query("a_1", "SELECT 1 FROM a WHERE b = :p1", List.of("x")), query("b_1", "TABLE b", List.of()));
        QueryRecording recording =
                new QueryRecording(file, Instant.parse("2024-03-01T12:00:00Z"), 2, 2, 2, 20_000_000, queries);
        try (QueryRecording.Writer writer = new QueryRecording.Writer(recording)) {
            writer.add(new RecordedExecution(0, 0, 0, 1, List.of("y")));
            writer.add(new RecordedExecution(9, 1, 1, 1, List.of()));
        }
    }

    private static RecordedQuery query(String name, String sql, List<String> example) {
        return new RecordedQuery(new Statement(new SearchName(name), StatementText.parse(sql)), example);
    }

    private Scenario read(String replay, Map<String, String> properties) {
        return files.read(HEAD + replay, properties);
    }

    private static LoadModel.Replayed load(Scenario scenario) {
        return (LoadModel.Replayed) scenario.analysts().get(0).load();
    }

    @Test
    void theStatementsAndTheTimeComeFromTheRecording() {
        Scenario scenario = read("{recording: day.jsonl.gz}", Map.of());

        assertThat(scenario.statements())
                .extracting(plan -> plan.statement().name().name())
                .containsExactly("a_1", "b_1");
        assertThat(scenario.phases().warmup()).isEqualTo(LoadModel.Replayed.LEAD);
        assertThat(scenario.phases().measurement()).isEqualTo(Duration.ofMillis(20_001));
        assertThat(load(scenario).defaultWorkers()).isEqualTo(2);
        assertThat(load(scenario).dueNanos(1_500)).isEqualTo(1_500_000);
    }

    @Test
    void aHigherSpeedTakesLessTime() {
        Scenario scenario = read("{recording: day.jsonl.gz, speed: 2}", Map.of());
        Scenario overridden = read("{recording: day.jsonl.gz, speed: 2}", Map.of("replay.speed", "0.5"));

        assertThat(scenario.phases().measurement()).isEqualTo(Duration.ofMillis(10_001));
        assertThat(load(scenario).dueNanos(1_500)).isEqualTo(750_000);
        assertThat(overridden.phases().measurement()).isEqualTo(Duration.ofMillis(40_001));
    }

    @Test
    void statementsMayBeLeftOut() {
        Scenario written = read("{recording: day.jsonl.gz, without: [a_1]}", Map.of());
        Scenario given = read("{recording: day.jsonl.gz}", Map.of("searches", "b_1"));

        assertThat(written.statements()).hasSize(1);
        for (Scenario scenario : List.of(written, given)) {
            assertThat(scenario.analysts().get(0).searched().mix().possible()).containsExactly(new SearchName("b_1"));
        }
    }
}
