package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.compare.experiment.Comparer.Measured;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.Verdicts.Ratio;
import siemload.compare.statistics.Decision.Verdict;

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
    void upToATwentiethUnansweredItsPercentileIsKnown() {
        assertThat(verdicts(compare(Map.of("b", 0.5), Set.of("b"), 0.05))).containsOnly(Verdict.BETTER);
    }

    /** The true p95 of a saturated variant is at least what was seen. */
    @ParameterizedTest
    @CsvSource({"b, 2, true", "b, 0.5, false", "b, 1, false", "a, 2, false", "a, 0.5, true", "a, 1, false"})
    void ofABoundOnlyWhatFollowsIsDecided(String saturated, double factor, boolean decided) {
        Comparison comparison = compare(Map.of("b", factor), Set.of(saturated), 0.051);

        assertThat(comparison.verdicts().isEmpty()).isEqualTo(!decided);
        assertThat(comparison.gaps().stream().anyMatch(gap -> gap.contains("only the least that it can be is known")))
                .isEqualTo(!decided);
    }

    /** What was given up is missing among them: a percentile of those that are left is lower than the true one. */
    @ParameterizedTest
    @CsvSource({"p95, 0.05", "p50, 0.5", "lastEventP50, 0.05", "firstEventP95, 0.005", "latenessP99, 1", "throughput, 1"
    })
    void timesOfAnsweredSearchesAloneMayMissFewer(String metric, double share) {
        assertThat(new Metric(metric).mayMiss()).isCloseTo(share, within(1e-12));
    }

    @Test
    void aRatioOfRatiosLeavesOutBlocksInWhichOneIsABound() {
        Ratio one = new Ratio("HAWAT1", "b", "a");
        Ratio other = new Ratio("HAWAT3", "b", "a");
        List<Measured> runs = Examples.runs(TWO, Map.of(), 1).stream()
                .map(run -> run.block() < 2 && run.variant().equals("b") ? Examples.saturated(run, 0.051) : run)
                .toList();
        List<Comparison.Series> figures =
                Comparer.compare(TWO, runs, OtherDifferences.WITHHOLD).figures();

        assertThat(new Verdicts(TWO, figures).ofRatios(Map.of(other, one)))
                .singleElement()
                .satisfies(verdict -> assertThat(verdict.decision().pairs()).isEqualTo(7));
    }

    private static List<Verdict> verdicts(Comparison comparison) {
        return comparison.verdicts().stream()
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
