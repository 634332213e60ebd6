package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.compare.experiment.Comparer.Measured;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.statistics.Verdict;

/** Runs whose database did not keep up, in an experiment: {@code p95} of variant b against a. */
class SaturatedRunsTest {
    private static final Experiment TWO = Examples.experiment(9, "hint", "a", "b");

    @Test
    void theyCountAndAreToldFirst() {
        Comparison comparison = compare(Map.of("b", 2.0), Set.of("b"), 0.04);

        assertThat(comparison.saturated()).hasSize(1);
        assertThat(comparison.saturated().get(0)).contains("b was saturated in 9 of 9 runs: the CPUs gave out (run ");
        assertThat(verdicts(comparison)).isNotEmpty().containsOnly(Verdict.WORSE);
    }

    @Test
    void anExperimentInWhichAllKeptUpSaysNothingOfIt() {
        assertThat(compare(Map.of(), Set.of(), 0).saturated()).isEmpty();
    }

    @Test
    void upToATwentiethUnansweredItsPercentileIsKnown() {
        assertThat(verdicts(compare(Map.of("b", 0.5), Set.of("b"), 0.05))).containsOnly(Verdict.BETTER);
    }

    /** The true p95 of a saturated variant is at least what was seen. */
    @ParameterizedTest
    @CsvSource({"b, 2, true", "b, 0.5, false", "b, 1, false", "a, 2, false", "a, 0.5, true", "a, 1, false"})
    void ofABoundOnlyWhatFollowsIsDecided(String saturated, double factor, boolean decided) {
        Comparison comparison = compare(Map.of("b", factor), Set.of(saturated), 0.051);

        assertThat(comparison.found().verdicts().isEmpty()).isEqualTo(!decided);
        assertThat(comparison.gaps().stream().anyMatch(gap -> gap.contains("only the least that it can be is known")))
                .isEqualTo(!decided);
    }

    @Test
    void ofTwoBoundsNothingFollows() {
        assertThat(compare(Map.of("b", 2.0), Set.of("a", "b"), 0.051).found().verdicts())
                .isEmpty();
    }

    private static List<Verdict> verdicts(Comparison comparison) {
        return comparison.found().verdicts().stream()
                .map(PairVerdict::decision)
                .map(decision -> decision.verdict())
                .toList();
    }

    private static Comparison compare(Map<String, Double> factors, Set<String> saturated, double unanswered) {
        List<Measured> runs = Examples.runs(TWO, factors, 1).stream()
                .map(run -> saturated.contains(run.variant()) ? Examples.saturated(run, unanswered) : run)
                .toList();
        return Comparer.compare(TWO, runs, OtherDifferences.WITHHOLD);
    }
}
