package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import siemload.compare.experiment.GateResult.Outcome;
import siemload.compare.experiment.GateRules.Certificates;
import siemload.results.StepRecord;

/** What must be exactly equal: answers, blocks, and the log that is written. */
class GateCertificatesTest extends GateFixture {
    @Test
    void aChangedAnswerBlocksHoweverFastItCame() {
        GateResult result = gate(certificates(step("a", 10), step("b", 10), step("a", 10), Set.of()));
        assertThat(result.outcome()).isEqualTo(Outcome.REGRESSION);
        assertThat(result.reasons()).containsExactly("HAWAT1 first: answers changed from a to b");
    }

    @Test
    void blocksThatDifferBetweenTwoRunsOfTheBaselineSayNothing() {
        GateResult result = gate(certificates(step("a", 10), step("a", 14), step("a", 11), Set.of()));
        assertThat(result.outcome()).isEqualTo(Outcome.PASSED);
        assertThat(result.facts().unsteady()).containsExactly("HAWAT1 first: blocks changed from 10 to 11");
    }

    @Test
    void aChangeThatIsMeantIsShownAndDoesNotBlock() {
        GateResult result = gate(certificates(step("a", 10), step("a", 14), step("a", 10), Set.of("blocks")));
        assertThat(result.outcome()).isEqualTo(Outcome.PASSED);
        assertThat(result.facts().tolerated()).hasSize(1);
    }

    @Test
    void aTwentiethMoreLogIsWithinWhatIndexesDoByChance() {
        assertThat(gate(certificates(feed(2000), feed(2100), feed(2000), Set.of()))
                        .outcome())
                .isEqualTo(Outcome.PASSED);
        assertThat(gate(certificates(feed(2000), feed(2101), feed(2000), Set.of()))
                        .reasons())
                .containsExactly("feed: wal changed from 2000 to 2101");
    }

    @Test
    void aStepThatOnlyOneSideHasIsAChange() {
        Certificates certificates =
                new Certificates(List.of(step("a", 10)), List.of(), List.of(step("a", 10)), Set.of());
        assertThat(gate(certificates).outcome()).isEqualTo(Outcome.REGRESSION);
    }

    @Test
    void aCertificateOfTheBaselineWithAHoleCertifiesNothing() {
        StepRecord failed = new StepRecord("HAWAT1 first", Map.of(StepRecord.ERROR, "timeout"), Map.of());
        GateResult result = gate(certificates(step("a", 10), step("a", 10), failed, Set.of()));
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.reasons()).contains("the certificate of the baseline has a hole: HAWAT1 first: timeout");
    }

    @Test
    void aDatabaseThatAnswersTheSameSearchInTwoWaysIsNotGreen() {
        assertThat(gate(certificates(step("a", 10), step("c", 10), step("b", 10), Set.of()))
                        .outcome())
                .isEqualTo(Outcome.INVALID);
    }

    private static GateResult gate(Certificates certificates) {
        Experiment experiment = experiment();
        return decide(experiment, Examples.runs(experiment, Map.of(), 1), certificates);
    }

    private static Certificates certificates(
            StepRecord baseline, StepRecord candidate, StepRecord control, Set<String> tolerated) {
        return new Certificates(List.of(baseline), List.of(candidate), List.of(control), tolerated);
    }

    private static StepRecord step(String answers, double blocks) {
        return new StepRecord("HAWAT1 first", Map.of("answersHash", answers), Map.of("blocksTouched", blocks));
    }

    private static StepRecord feed(double logBytes) {
        return new StepRecord("feed", Map.of(), Map.of("walBytesPerEvent", logBytes));
    }
}
