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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.scenario.replay.QueryRecording;
import siemload.scenario.replay.QueryRecordingWriter;
import siemload.scenario.replay.RecordedExecution;
import siemload.scenario.replay.RecordedQuery;

/** What a scenario says of a replay. */
class ReplayReaderTest extends ScenarioReading {
    private static final String HEAD = "description: again\nreplay: ";

    /** Two statements of three sessions in 20 s. */
    @BeforeEach
    void record() throws IOException {
        Path file = Files.createDirectories(home.resolve("scenarios")).resolve("day.jsonl.gz");
        List<RecordedQuery> queries = List.of(
                query("a_1", "SELECT 1 FROM a WHERE b = :p1", List.of("x")), query("b_1", "TABLE b", List.of()));
        QueryRecording recording =
                new QueryRecording(file, Instant.parse("2024-03-01T12:00:00Z"), 2, 2, 2, 20_000_000, queries);
        try (QueryRecordingWriter writer = new QueryRecordingWriter(recording)) {
            writer.add(new RecordedExecution(0, 0, 0, 1, true, List.of("y")));
            writer.add(new RecordedExecution(9, 1, 1, 1, true, List.of()));
        }
    }

    private static RecordedQuery query(String name, String sql, List<String> example) {
        return new RecordedQuery(
                new Statement(new SearchName(name), StatementText.scan(sql).statement()), example);
    }

    private Scenario read(String replay, Map<String, String> properties) {
        return files.read(HEAD + replay, properties).scenario();
    }

    private String problemsOf(String replay, Map<String, String> properties) {
        return files.problemsOf(HEAD + replay, properties);
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
        Scenario overridden = read("{recording: day.jsonl.gz, speed: 2}", Map.of("speed", "0.5"));

        assertThat(scenario.phases().measurement()).isEqualTo(Duration.ofMillis(10_001));
        assertThat(load(scenario).dueNanos(1_500)).isEqualTo(750_000);
        assertThat(overridden.phases().measurement()).isEqualTo(Duration.ofMillis(40_001));
    }

    @Test
    void theDurationCutsIt() {
        Scenario scenario = read("{recording: day.jsonl.gz}", Map.of("duration", "5s"));

        assertThat(scenario.phases().measurement()).isEqualTo(Duration.ofSeconds(5));
        assertThat(load(scenario).length()).isEqualTo(Duration.ofMillis(20_001));
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|recording",
                "{recording: none.gz}|none.gz: there is no such file",
                "{recording: ../day.jsonl.gz}|does not lie beside the scenario",
                "{recording: x.yaml}|x.yaml:1: the line is no JSON",
                "{recording: day.jsonl.gz, speed: 0}|speed",
                "{recording: day.jsonl.gz, without: [c_1]}|c_1",
                "{recording: day.jsonl.gz, without: [a_1, b_1]}|leaves nothing to be asked",
                "{recording: day.jsonl.gz, from: 1s}|from: unknown key",
            })
    void whatIsWrongIsToldWithItsPlace(String replay, String problem) {
        assertThat(problemsOf(replay, Map.of()))
                .startsWith("scenarios/x.yaml:2:")
                .contains(problem);
    }

    @Test
    void whatFollowsFromTheRecordingCannotBeGiven() {
        String replay = "{recording: day.jsonl.gz}";

        assertThat(problemsOf(replay, Map.of("warmup", "10s"))).contains("-Dwarmup", "is no part of a replay");
        assertThat(problemsOf(replay, Map.of("duration", "30s")))
                .contains("-Dduration", "is longer than the recording, which takes 20s1ms at speed 1.0");
        assertThat(problemsOf(replay, Map.of("users", "3"))).contains("-Dusers");
        assertThat(problemsOf(replay, Map.of("eps", "3"))).contains("-Deps", "means nothing to statements");
        assertThat(problemsOf(replay + "\nphases: {warmup: 1s, measurement: 2s}", Map.of()))
                .contains("cannot stand beside a replay");
    }

    @Test
    void aSpeedIsForReplaysAlone() {
        assertThat(files.problemsOf(ScenarioFiles.SMALL, Map.of("speed", "2"))).contains("-Dspeed: is for a replay");
    }
}
