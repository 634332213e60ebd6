package siemload.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.compare.statistics.Decision.Verdict;
import siemload.compare.statistics.DecisionText.UndecidedReasons;

class UndecidedReasonsTest {

    @Test
    void figuresThatShareAReasonHaveItOnceWhateverTheirSizes() {
        UndecidedReasons reasons = UndecidedReasons.of(
                List.of(undecided(41, 1, 0, 0.05), undecided(1.01, 1, 0, 0.1), undecided(0.5, 1, 0, 0.2)));

        assertThat(reasons.sentences())
                .containsExactly("only 1 pair: nothing can be decided; 7 are needed among 2 comparisons");
        assertThat(reasons.numbers()).containsExactly(1, 1, 1);
    }

    /** Visible with a spread of 0.04 and 9 pairs: exp(2.8 * 0.04 * sqrt(pi/2 / 9)) - 1 = 4.8 %; with 0.06 7.3 %. */
    @Test
    void theNoisiestFigureSaysWhatCouldHaveBeenSeen() {
        UndecidedReasons reasons =
                UndecidedReasons.of(List.of(undecided(1.01, 9, 0.04, 0.05), undecided(1.01, 9, 0.06, 0.05)));

        assertThat(reasons.sentences())
                .singleElement()
                .asString()
                .startsWith("no difference larger than 7.3 % could be seen");
    }

    @Test
    void otherReasonsHaveOtherNumbersAndWhatIsDecidedHasNone() {
        Decision same = new Decision(Verdict.SAME, new Interval(1, 0.99, 1.01), 9, 0.01, 1, 2, 0.05, Quantity.TIME);
        UndecidedReasons reasons =
                UndecidedReasons.of(List.of(undecided(1.3, 9, 0.04, 0.05), same, undecided(1.01, 9, 0.04, 0.05)));

        assertThat(reasons.sentences()).hasSize(2).first().isEqualTo("not decided with 9 pairs");
        assertThat(reasons.numbers()).containsExactly(1, 0, 2);
    }

    private static Decision undecided(double ratio, int pairs, double spread, double matters) {
        Interval around = new Interval(ratio, Math.min(ratio, 0.96), Math.max(ratio, 1.06));
        return new Decision(Verdict.UNCLEAR, around, pairs, spread, 0.2, 2, matters, Quantity.TIME);
    }
}
