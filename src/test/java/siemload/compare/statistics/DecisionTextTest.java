package siemload.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DecisionTextTest {

    @Test
    void aMuchFasterVariantIsSoManyTimesFaster() {
        assertThat(sentence(Verdict.BETTER, 1 / 41.0, 1 / 45.0, 1 / 38.0, Quantity.TIME))
                .isEqualTo("HAWAT3 p95: index is 41x faster than full-scan (38-45), decided");
        assertThat(sentence(Verdict.WORSE, 2.14, 1.9, 2.3, Quantity.TIME))
                .isEqualTo("HAWAT3 p95: index is 2.1x slower than full-scan (1.9-2.3), decided");
    }

    /** 1 / 0.8 is 1.25: in the same time a quarter more. */
    @Test
    void smallerDifferencesArePercentages() {
        assertThat(sentence(Verdict.WORSE, 1.32, 1.26, 1.4, Quantity.TIME))
                .isEqualTo("HAWAT3 p95: index is 32 % slower than full-scan (26-40 %), decided");
        assertThat(sentence(Verdict.BETTER, 0.8, 0.75, 0.9, Quantity.TIME))
                .isEqualTo("HAWAT3 p95: index is 25 % faster than full-scan (11-33 %), decided");
    }

    @Test
    void moreIsBetterForRates() {
        assertThat(sentence(Verdict.BETTER, 1.8, 1.7, 1.9, Quantity.RATE))
                .isEqualTo("HAWAT3 p95: index has 1.8x as many as full-scan (1.7-1.9), decided");
        assertThat(sentence(Verdict.WORSE, 0.9, 0.85, 0.93, Quantity.RATE))
                .isEqualTo("HAWAT3 p95: index has 10 % fewer than full-scan (7-15 %), decided");
        assertThat(sentence(Verdict.WORSE, 1 / 17.0, 1 / 18.0, 1 / 16.0, Quantity.RATE))
                .isEqualTo("HAWAT3 p95: index has 1/17 as many as full-scan (1/18 to 1/16), decided");
    }

    @Test
    void amountsAreMuchOrLess() {
        assertThat(sentence(Verdict.WORSE, 3, 2.5, 3.5, Quantity.AMOUNT))
                .isEqualTo("HAWAT3 p95: index has 3x as much as full-scan (2.5-3.5), decided");
        assertThat(sentence(Verdict.BETTER, 0.9, 0.85, 0.93, Quantity.AMOUNT))
                .isEqualTo("HAWAT3 p95: index has 10 % less than full-scan (7-15 %), decided");
    }

    @Test
    void theSameIsSaidWithOrWithoutACertainDifference() {
        assertThat(sentence(Verdict.SAME, 1.032, 1.011, 1.044, Quantity.TIME))
                .isEqualTo("HAWAT3 p95: index is 3.2 % slower than full-scan (1.1-4.4 %), within the 5 % that matter");
        assertThat(sentence(Verdict.SAME, 1.004, 0.988, 1.023, Quantity.TIME))
                .isEqualTo(
                        "HAWAT3 p95: index is the same as full-scan within the 5 % that matter (1.2 % faster to 2.3 %"
                                + " slower)");
    }

    @Test
    void aCertainDifferenceThatPerhapsDoesNotMatterIsNotDecided() {
        assertThat(sentence(Verdict.UNCLEAR, 1.041, 1.01, 1.072, Quantity.TIME))
                .isEqualTo("HAWAT3 p95: index is 4.1 % slower than full-scan (1-7.2 %), not decided whether by the 5 %"
                        + " that matter");
    }

    /** Visible: exp(2.8 * 0.04 * sqrt(pi/2 / 9)) - 1 = 4.8 %; half of it needs four times as many. */
    @Test
    void whereNothingWasSeenItSaysWhatCouldHaveBeen() {
        assertThat(sentence(Verdict.UNCLEAR, 1.01, 0.96, 1.06, Quantity.TIME))
                .isEqualTo("HAWAT3 p95, index against full-scan: no difference larger than 4.8 % could be seen with 9"
                        + " pairs; about 36 pairs would show 2.4 %");
    }

    @Test
    void aLargeDifferenceThatNoiseMayHaveMadeIsNotDecided() {
        assertThat(sentence(Verdict.UNCLEAR, 1.3, 0.96, 1.8, Quantity.TIME))
                .isEqualTo("HAWAT3 p95: index seems to be 30 % slower than full-scan (4.2 % faster to 80 % slower), not"
                        + " decided with 9 pairs");
        assertThat(sentence(Verdict.UNCLEAR, 1 / 1.42, 0.4, 1.065, Quantity.TIME))
                .isEqualTo("HAWAT3 p95: index seems to be 42 % faster than full-scan (2.5x faster to 6.5 % slower), not"
                        + " decided with 9 pairs");
        assertThat(sentence(Verdict.UNCLEAR, 1.3, 0.96, 1.8, Quantity.RATE))
                .isEqualTo("HAWAT3 p95: index seems to have 30 % more than full-scan (-4 to +80 %), not decided with 9"
                        + " pairs");
    }

    @Test
    void fewPairsSayHowManyAreNeeded() {
        assertThat(few(3, 1))
                .isEqualTo(
                        "HAWAT3 p95: only 3 pairs: nothing can be decided; 6 are needed; seen: index is 41x faster than"
                                + " full-scan (38-45)");
        assertThat(few(1, 8))
                .startsWith("HAWAT3 p95: only 1 pair: nothing can be decided; 9 are needed among 8 comparisons; seen:");
        assertThat(few(6, 8))
                .startsWith(
                        "HAWAT3 p95: only 6 pairs: no difference can be decided among 8 comparisons; 9 are needed;");
    }

    private static String few(int pairs, int comparisons) {
        Interval ratio = new Interval(1 / 41.0, 1 / 45.0, 1 / 38.0);
        return DecisionText.of(
                "HAWAT3 p95",
                "index",
                "full-scan",
                new Decision(Verdict.UNCLEAR, ratio, pairs, 0.04, 0.2, comparisons, 0.05, Quantity.TIME));
    }

    private static String sentence(Verdict verdict, double estimate, double low, double high, Quantity quantity) {
        Interval ratio = new Interval(estimate, low, high);
        return DecisionText.of(
                "HAWAT3 p95", "index", "full-scan", new Decision(verdict, ratio, 9, 0.04, 0.01, 1, 0.05, quantity));
    }
}
