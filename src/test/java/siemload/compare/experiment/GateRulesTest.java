package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.compare.experiment.Comparer.Measured;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.GateResult.Outcome;

@Tag("any-java")
class GateRulesTest extends GateFixture {
    @TempDir
    private Path directory;

    @Test
    void aSlowdownOfATenthIsFoundInNineOfTenNights() {
        int found = 0;
        for (long entry = 1; entry <= 20; entry++) {
            found += gate(Map.of("candidate", 1.10), entry).outcome() == Outcome.REGRESSION ? 1 : 0;
        }
        assertThat(found).isGreaterThanOrEqualTo(18);
    }

    @Test
    void elevenPairsAreEnoughForTheTenSearchesAndNineForTwo() {
        assertThat(GateRules.pairsForAll(10, List.of())).isEqualTo(PAIRS);
        assertThat(GateRules.pairsForAll(2, List.of())).isEqualTo(9);
    }

    /** The parts of a result are no parts of its file, which gates of all versions have alike. */
    @Test
    void aGateIsReadAsItWasWritten() throws Exception {
        GateResult result = gate(Map.of("candidate", 1.5), 1);
        Path file = ResultFile.GATE.in(directory);
        ResultFile.GATE.write(directory, result);

        assertThat(ResultFile.GATE.read(directory)).isEqualTo(result);
        assertThat(new ObjectMapper().readTree(file.toFile()).fieldNames())
                .toIterable()
                .containsExactly(
                        "formatVersion",
                        "name",
                        "startedAt",
                        "outcome",
                        "reasons",
                        "exact",
                        "tolerated",
                        "unsteady",
                        "verdicts",
                        "control",
                        "leftOut",
                        "blocksWanted",
                        "blocksValid",
                        "blocksMost",
                        "paired");
    }

    @Test
    void aBaselineThatDiffersFromItselfMakesTheHostTooNoisy() {
        GateResult result = gate(Map.of("control", 1.5, "candidate", 1.5), 3);
        assertThat(result.outcome()).isEqualTo(Outcome.HOST_TOO_NOISY);
        assertThat(result.reasons()).first().asString().contains("the baseline differs from itself");
    }

    @Test
    void runsThatCannotBeTrustedAreNeverGreen() {
        Experiment experiment = experiment();
        List<Measured> runs = new ArrayList<>(Examples.runs(experiment, Map.of(), 1));
        runs.set(4, untrusted(runs.get(4)));
        GateResult result = decide(experiment, runs, NO_CERTIFICATES);
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.blocks().blocksValid()).isEqualTo(PAIRS - 1);
        assertThat(result.reasons()).anyMatch(reason -> reason.contains("the feeder fell behind"));
    }

    @Test
    void aNightInWhichNothingWasMeasuredIsInvalid() {
        assertThat(withRuns(run -> Examples.with(run, Examples.figures(Map.of())))
                        .outcome())
                .isEqualTo(Outcome.INVALID);
    }

    @Test
    void tooFewPairsForSoManyMetricsDecideNothing() {
        Experiment experiment = experiment().with(Map.of(), 6);
        GateResult result = GateRules.decide(
                "",
                NO_CERTIFICATES,
                Comparer.compare(experiment, Examples.runs(experiment, Map.of(), 1), OtherDifferences.ACCEPT),
                6,
                6);
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.reasons()).first().asString().contains("6 pairs can decide nothing about 8 metrics");
    }

    @Test
    void oneStalledRunOfTheBaselineDoesNotHideASlowdown() {
        for (long entry = 1; entry <= 2; entry++) {
            Experiment experiment = experiment();
            List<Measured> runs = new ArrayList<>(Examples.runs(experiment, Map.of("candidate", 1.35), entry));
            int stalled = indexOf(runs, GateRules.BASELINE, 4);
            runs.set(stalled, Examples.with(runs.get(stalled), Examples.figures(times(runs.get(stalled), 3))));
            assertThat(decide(experiment, runs, NO_CERTIFICATES).outcome()).isNotEqualTo(Outcome.PASSED);
        }
    }

    private static int indexOf(List<Measured> runs, String cell, int block) {
        for (int i = 0; i < runs.size(); i++) {
            if (runs.get(i).variant().equals(cell) && runs.get(i).block() == block) {
                return i;
            }
        }
        throw new IllegalArgumentException(cell + " has no run in block " + block);
    }

    private static Map<String, Map<String, Double>> times(Measured run, double factor) {
        Map<String, Map<String, Double>> slower = new TreeMap<>();
        run.figures().figures().forEach((subject, values) -> {
            Map<String, Double> times = new TreeMap<>();
            values.forEach((metric, value) -> times.put(metric, value * factor));
            slower.put(subject, times);
        });
        return slower;
    }

    private static Measured untrusted(Measured run) {
        return Examples.with(
                run,
                Examples.figures(
                        run.figures().figures(), Examples.ENVIRONMENT, List.of("the feeder fell behind by 3 %")));
    }
}
