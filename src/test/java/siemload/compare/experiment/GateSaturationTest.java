package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.compare.experiment.GateResult.Outcome;
import siemload.compare.report.GateJunit;

/** Sides that do not keep up. */
class GateSaturationTest extends GateFixture {
    @Test
    void aCandidateThatIsSaturatedWhereTheBaselineIsNotIsARegressionHoweverFastItIs() {
        GateResult result = saturated(Map.of(GateRules.CANDIDATE, 5));
        assertThat(result.outcome()).isEqualTo(Outcome.REGRESSION);
        assertThat(result.reasons())
                .containsExactly("the candidate was saturated in 5 of 11 blocks, the baseline in 0: the CPUs gave out");
    }

    @Test
    void oneThatAnswersTooLittleForAnythingElseIsToo() {
        GateResult result = withCandidate(run ->
                Examples.saturated(Examples.with(run, Examples.figures(Map.of("all", Map.of("throughput", 1.0)))), 1));
        assertThat(result.outcome()).isEqualTo(Outcome.REGRESSION);
    }

    @Test
    void fewSaturatedBlocksOfTheCandidateAreNotGreen() {
        assertInvalid(
                saturated(Map.of(GateRules.CANDIDATE, 4)),
                "the candidate was saturated in 4 of 11 blocks, the baseline in 0: too few blocks to be certain that it"
                        + " is not chance");
    }

    @Test
    void twoSidesThatDoNotKeepUpAreNotEquallyGood() {
        assertInvalid(
                saturated(Map.of(GateRules.BASELINE, 6, GateRules.CANDIDATE, 6, GateRules.CONTROL, 6)),
                "the baseline was saturated itself in 6 of 11 blocks (the CPUs gave out), so that nothing can pass: lower"
                        + " the load, by fewer users or a longer think time");
    }

    private static void assertInvalid(GateResult result, String reason) {
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.reasons()).containsExactly(reason);
    }

    @Test
    void aBaselineThatIsSaturatedOnlyInItsControlMakesTheHostTooNoisy() {
        GateResult result = saturated(Map.of(GateRules.CONTROL, 5, GateRules.CANDIDATE, 5));

        assertThat(result.outcome()).isEqualTo(Outcome.HOST_TOO_NOISY);
        assertThat(GateJunit.of(result))
                .as("of its test cases that one fails")
                .containsOnlyOnce("<failure")
                .contains("type=\"HOST TOO NOISY\"");
    }

    @Test
    void aPercentileOfWhichOnlyABoundIsKnownPassesNothing() {
        GateResult result = withRuns(run -> run.block() == 0 ? Examples.saturated(run, 0.06) : run);
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.reasons())
                .contains(
                        "HAWAT1 p95 of candidate and baseline: too many searches were not answered, so that only the least"
                                + " that it can be is known")
                .noneMatch(reason -> reason.contains("p50"));
    }

    /** Equal sides, of which so many runs were saturated. */
    private static GateResult saturated(Map<String, Integer> blocks) {
        return withRuns(run -> run.block() < blocks.getOrDefault(run.variant(), 0) ? Examples.saturated(run, 0) : run);
    }
}
