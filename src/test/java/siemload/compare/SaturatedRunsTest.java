package siemload.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.compare.Comparer.Measured;
import siemload.compare.Comparer.OtherDifferences;
import siemload.compare.Comparer.Verdicts;
import siemload.compare.Comparer.Verdicts.Ratio;
import siemload.compare.statistics.Decision.Verdict;

/** Runs whose database did not keep up, in an experiment: {@code p95} of variant b against a. */
class SaturatedRunsTest {
    private static final Experiment TWO = Examples.experiment(9, "hint", "a", "b");

    @Test
    void theyCountAndAreToldFirst() {
        Comparison comparison = compare(2, run -> run.variant().equals("b"), 0.04);

        assertThat(comparison.saturated()).hasSize(1);
        assertThat(comparison.saturated().get(0))
                .contains("b was saturated in 9 of 9 runs; bottleneck: the CPUs (run ");
        assertThat(comparison.verdicts())
                .isNotEmpty()
                .allMatch(verdict -> verdict.decision().verdict() == Verdict.WORSE);
    }

    /** The true p95 of a saturated variant is at least what was seen, where more than a twentieth is unanswered. */
    @ParameterizedTest
    @CsvSource({
        "b, 2, 0.051, true",
        "b, 0.5, 0.051, false",
        "b, 0.5, 0.05, true",
        "b, 1, 0.051, false",
        "a, 2, 0.051, false",
        "a, 0.5, 0.051, true",
        "a, 1, 0.051, false"
    })
    void ofABoundOnlyWhatFollowsIsDecided(String saturated, double factor, double unanswered, boolean decided) {
        Comparison comparison = compare(factor, run -> run.variant().equals(saturated), unanswered);

        assertThat(comparison.verdicts().isEmpty()).isEqualTo(!decided);
        assertThat(comparison.gaps().stream().anyMatch(gap -> gap.contains("only a lower bound is known")))
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
        Comparison comparison =
                compare(1, run -> run.block() < 2 && run.variant().equals("b"), 0.051);

        assertThat(new Verdicts(TWO, comparison.figures()).ofRatios(Map.of(other, one)))
                .singleElement()
                .satisfies(verdict -> assertThat(verdict.decision().pairs()).isEqualTo(7));
    }

    /** Where b takes so many times as long, and some are saturated. */
    private static Comparison compare(double factor, Predicate<Measured> saturated, double unanswered) {
        List<Measured> runs = Examples.runs(TWO, Map.of("b", factor), 1);
        return Examples.compare(
                TWO, Examples.with(runs, saturated, change -> change.saturate(unanswered)), OtherDifferences.WITHHOLD);
    }
}
