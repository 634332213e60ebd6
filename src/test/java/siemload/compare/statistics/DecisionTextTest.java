package siemload.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.compare.statistics.Decision.Quantity;
import siemload.compare.statistics.Decision.Verdict;

class DecisionTextTest {

    /** 1 / 0.8 is 1.25: in the same time a quarter more. Visible: exp(2.8 * 0.04 * sqrt(pi/2 / 9)) - 1 = 4.8 %; half of it needs four times as many. */
    @ParameterizedTest(name = "{0}: {1} {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            a much faster variant is so many times faster | BETTER | TIME | 1/41 | 1/45 | 1/38 | HAWAT3 p95: index is 41x faster than full-scan (ratio 0.022-0.026), decided
            and a much slower one so many times slower | WORSE | TIME | 2.14 | 1.9 | 2.3 | HAWAT3 p95: index is 2.1x slower than full-scan (ratio 1.90-2.30), decided
            smaller differences are percentages | WORSE | TIME | 1.32 | 1.26 | 1.4 | HAWAT3 p95: index is 32 % slower than full-scan (ratio 1.26-1.40), decided
            of what is done in the same time | BETTER | TIME | 0.8 | 0.75 | 0.9 | HAWAT3 p95: index is 25 % faster than full-scan (ratio 0.75-0.90), decided
            more is better for rates | BETTER | RATE | 1.8 | 1.7 | 1.9 | HAWAT3 p95: index has 1.8x as many as full-scan (ratio 1.70-1.90), decided
            and fewer is worse | WORSE | RATE | 0.9 | 0.85 | 0.93 | HAWAT3 p95: index has 10 % fewer than full-scan (ratio 0.85-0.93), decided
            down to a fraction | WORSE | RATE | 1/17 | 1/18 | 1/16 | HAWAT3 p95: index has 1/17 as many as full-scan (ratio 0.056-0.063), decided
            amounts are much | WORSE | AMOUNT | 3 | 2.5 | 3.5 | HAWAT3 p95: index has 3x as much as full-scan (ratio 2.50-3.50), decided
            or less | BETTER | AMOUNT | 0.9 | 0.85 | 0.93 | HAWAT3 p95: index has 10 % less than full-scan (ratio 0.85-0.93), decided
            the same is said with a certain difference | SAME | TIME | 1.032 | 1.011 | 1.044 | HAWAT3 p95: index is 3.2 % slower than full-scan (ratio 1.01-1.04), within the 5 % that matter
            and without one | SAME | TIME | 1.004 | 0.988 | 1.023 | HAWAT3 p95: index is the same as full-scan within the 5 % that matter (ratio 0.99-1.02)
            a certain difference that perhaps does not matter is not decided | UNCLEAR | TIME | 1.041 | 1.01 | 1.072 | HAWAT3 p95: index is 4.1 % slower than full-scan (ratio 1.01-1.07), not decided whether by the 5 % that matter
            where nothing was seen it says what could have been | UNCLEAR | TIME | 1.01 | 0.96 | 1.06 | HAWAT3 p95, index against full-scan: no difference larger than 4.8 % could be seen with 9 pairs; about 36 pairs would show 2.4 %
            a large difference that noise may have made is not decided | UNCLEAR | TIME | 1.3 | 0.96 | 1.8 | HAWAT3 p95: index seems to be 30 % slower than full-scan (ratio 0.96-1.80), not decided with 9 pairs
            nor one for the better | UNCLEAR | TIME | 1/1.42 | 0.4 | 1.065 | HAWAT3 p95: index seems to be 42 % faster than full-scan (ratio 0.40-1.07), not decided with 9 pairs
            nor one of rates | UNCLEAR | RATE | 1.3 | 0.96 | 1.8 | HAWAT3 p95: index seems to have 30 % more than full-scan (ratio 0.96-1.80), not decided with 9 pairs
            """)
    void aDecisionIsToldInOneSentence(
            String which,
            Verdict verdict,
            Quantity quantity,
            String estimate,
            String low,
            String high,
            String expected) {
        Interval ratio = new Interval(ratio(estimate), ratio(low), ratio(high));
        Decision decision = new Decision(verdict, ratio, 9, 0.04, 0.01, 1, 0.05, quantity);

        assertThat(DecisionText.of("HAWAT3 p95", "index", "full-scan", decision))
                .as(which)
                .isEqualTo(expected);
    }

    /** A number, or one divided by one. */
    private static double ratio(String text) {
        return text.startsWith("1/") ? 1 / Double.parseDouble(text.substring(2)) : Double.parseDouble(text);
    }

    @Test
    void fewPairsSayHowManyAreNeeded() {
        assertThat(few(3, 1))
                .isEqualTo(
                        "HAWAT3 p95: only 3 pairs: nothing can be decided; 6 are needed; seen: index is 41x faster than"
                                + " full-scan (ratio 0.022-0.026)");
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
}
