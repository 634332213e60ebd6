package siemload.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.compare.CapacityResult.Outcome;
import siemload.compare.CapacityResult.Trial;
import siemload.results.PartialRun;

/** What a valid run that met its only objective says of its load, and what it says where something is otherwise. */
@Tag("any-java")
class TrialReaderTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path EXAMPLE = Path.of("src/test/resources/golden/run.json");
    private static final String MET =
            "{\"text\": \"HAWAT1 responseTime p95 < 2s\", \"met\": true, \"measured\": \"0.21s\"}";
    private static final String VALID = "\"valid\": true, \"verdict\": \"valid\", \"warnings\": []";
    private static final String MISSED = MET.replace("true", "false");

    @TempDir
    private Path directory;

    /** A disturbed run is made again where it missed something; if that one is disturbed, too, it counts. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        all is met | MET | `` | ``
        never where it is not valid | INVALID | the clock jumped | "valid": false, "verdict": "notValid", "warnings": ["the clock jumped"]
        nor where it did not keep up, though its percentiles are good | NOT_MET | 60 of 812 were not answered | "valid": true, "warnings": [], "saturation": {"gaveOut": ["locks"], "signs": ["60 of 812 were not answered"], "advice": "smaller batches"}
        disturbed runs may be met | MET | `` | "valid": true, "verdict": "disturbed", "warnings": ["javac"], "disturbance": {"percentilesOffPercent": 31, "causes": ["javac took CPU time"]}
        """)
    void whatTheRunIsDecides(String rule, Outcome outcome, String why, String validity) throws Exception {
        Trial trial = trial(validity.isEmpty() ? VALID : validity, List.of(), MET);

        assertThat(trial.outcome()).as(rule).isEqualTo(outcome);
        assertThat(String.join("; ", trial.why())).contains(why);
        assertThat(trial.gaveOut()).hasSize(why.startsWith("60") ? 1 : 0);
        assertThat(trial.load()).isEqualTo(80);
        assertThat(trial.directory()).isEqualTo("run");
    }

    @Test
    void aMissInADisturbedRunSaysNothingTheFirstTime() throws Exception {
        String disturbed = "\"valid\": true, \"verdict\": \"disturbed\", \"warnings\": [\"javac\"], \"disturbance\":"
                + " {\"percentilesOffPercent\": 31, \"causes\": [\"javac took CPU time\"]}";

        Trial first = trial(disturbed, List.of(), MISSED);
        assertThat(first.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(first.why()).singleElement().asString().startsWith("disturbed: javac took CPU time");
        assertThat(trial(disturbed, List.of(Outcome.INVALID), MISSED).outcome()).isEqualTo(Outcome.NOT_MET);
    }

    @Test
    void aRunWithTooFewSearchesForAnObjectiveSaysNothing() throws Exception {
        String few = MET.replace(
                "}", ", \"outcome\": \"undecided\", \"reason\": \"p95 takes 72 searches\", \"searchesMissing\": 67}");

        Trial trial = trial(VALID, List.of(), few);

        assertThat(trial.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(trial.why()).contains("HAWAT1 responseTime p95 < 2s: p95 takes 72 searches");
    }

    /** Its searches are left out, since their times lie in other files. */
    private Trial trial(String validity, List<Outcome> before, String objective) throws Exception {
        ObjectNode run = (ObjectNode) JSON.readTree(EXAMPLE.toFile());
        run.putArray("searches");
        run.set("objectives", JSON.readTree("[" + objective + "]"));
        run.set("validity", JSON.readTree("{" + validity + "}"));
        Path of = Files.createDirectories(directory.resolve("run"));
        JSON.writeValue(of.resolve("run.json").toFile(), run);
        Files.writeString(of.resolve("environment.json"), "{\"formatVersion\": 1, \"sections\": {}}");
        return CapacityRuns.trial(new RunLog.Entry(1, 0, "80", "run", 75, 0), 80, PartialRun.in(of), before);
    }
}
