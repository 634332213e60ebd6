package siemload.compare.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.compare.capacity.CapacityResult.Outcome;
import siemload.compare.capacity.CapacityResult.Trial;
import siemload.compare.experiment.RunLog;
import siemload.results.PartialRun;

@Tag("any-java")
class TrialReaderTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path EXAMPLE = Path.of("src/test/resources/golden/run.json");

    @TempDir
    private Path directory;

    private ObjectNode run;
    private List<Outcome> before = List.of();

    /** A valid run that met its only objective. Its searches are left out, since their times lie in other files. */
    @BeforeEach
    void read() throws IOException {
        run = (ObjectNode) JSON.readTree(EXAMPLE.toFile());
        run.putArray("searches");
        run.putArray("objectives");
        objective("HAWAT1 responseTime p95 < 2s", true, "0.21s");
        run.set("validity", JSON.readTree("{\"valid\": true, \"verdict\": \"valid\", \"warnings\": []}"));
    }

    @Test
    void aValidRunThatMetItsObjectivesIsMet() throws IOException {
        Trial trial = trial();

        assertThat(trial.outcome()).isEqualTo(Outcome.MET);
        assertThat(trial.why()).isEmpty();
        assertThat(trial.load()).isEqualTo(80);
        assertThat(trial.directory()).isEqualTo("run");
    }

    @Test
    void aRunThatIsNotValidIsNeverMetThoughAllObjectivesWere() throws IOException {
        run.set(
                "validity",
                JSON.readTree("{\"valid\": false, \"verdict\": \"notValid\", \"warnings\": [\"the clock jumped\"]}"));

        assertThat(trial().outcome()).isEqualTo(Outcome.INVALID);
        assertThat(trial().why()).contains("the clock jumped");
    }

    @Test
    void aRunWithTooFewSearchesForAnObjectiveSaysNothing() throws IOException {
        objective("all responseTime p95 < 2s", true, "0.1s")
                .put("outcome", "undecided")
                .put("reason", "p95 takes 72 searches, 5 measured")
                .put("searchesMissing", 67);

        assertThat(trial().outcome()).isEqualTo(Outcome.INVALID);
        assertThat(trial().why()).contains("all responseTime p95 < 2s: p95 takes 72 searches, 5 measured");
    }

    /** Its percentiles may be good nevertheless. */
    @Test
    void aDatabaseThatDidNotKeepUpIsNotMetAndWhatGaveOutIsNamed() throws IOException {
        run.set("validity", JSON.readTree("""
                {"valid": true, "warnings": [],
                 "saturation": {"gaveOut": ["locks (of 8.0 sessions at work at once on average, 7.1 waited)"],
                                "signs": ["60 of 812 were not answered"], "advice": "smaller batches"}}"""));

        assertThat(trial().outcome()).isEqualTo(Outcome.NOT_MET);
        assertThat(trial().why()).containsExactly("60 of 812 were not answered");
        assertThat(trial().gaveOut()).containsExactly("locks (of 8.0 sessions at work at once on average, 7.1 waited)");
    }

    /** It is made again; if that one is disturbed, too, it counts. */
    @Test
    void aMissInADisturbedRunSaysNothingTheFirstTime() throws IOException {
        objective("all responseTime p50 < 1ms", false, "3.1ms");
        run.set("validity", JSON.readTree("""
                {"valid": true, "verdict": "disturbed", "warnings": ["javac took CPU time"],
                 "disturbance": {"percentilesOffPercent": 31, "causes": ["other programs (javac 31 %) took CPU time"]}}"""));

        assertThat(trial().outcome()).isEqualTo(Outcome.INVALID);
        assertThat(trial().why()).singleElement().asString().startsWith("disturbed: other programs (javac 31 %)");

        before = List.of(Outcome.INVALID);
        assertThat(trial().outcome()).isEqualTo(Outcome.NOT_MET);
    }

    private ObjectNode objective(String text, boolean met, String measured) {
        return run.withArray("objectives")
                .addObject()
                .put("text", text)
                .put("met", met)
                .put("measured", measured);
    }

    private Trial trial() throws IOException {
        Path of = Files.createDirectories(directory.resolve("run"));
        JSON.writeValue(of.resolve("run.json").toFile(), run);
        Files.writeString(of.resolve("environment.json"), "{\"formatVersion\": 1, \"sections\": {}}");
        return CapacityRuns.trial(new RunLog.Entry(1, 0, "80", "run", 75, 0), 80, PartialRun.in(of), before);
    }
}
