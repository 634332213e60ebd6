package siemload.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.compare.statistics.Decision.Quantity;
import siemload.compare.statistics.Decision.Verdict;

class DecisionTextTest {

    /** 1 / 0.8 is 1.25: in the same time a quarter more. Visible: exp(2.8 * 0.04 * sqrt(pi/2 / 9)) - 1 = 4.8 %; half of it needs four times as many. */
    @ParameterizedTest(name = "{0}: {1} {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            a much faster variant is so many times faster | BETTER | TIME | 1/41 | 1/45 | 1/38 | better, 41x faster (ratio 0.022-0.026)
            and a much slower one so many times slower | WORSE | TIME | 2.14 | 1.9 | 2.3 | worse, 2.1x slower (ratio 1.90-2.30)
            smaller differences are percentages | WORSE | TIME | 1.32 | 1.26 | 1.4 | worse, 32 % slower (ratio 1.26-1.40)
            of what is done in the same time | BETTER | TIME | 0.8 | 0.75 | 0.9 | better, 25 % faster (ratio 0.75-0.90)
            more is better for rates | BETTER | RATE | 1.8 | 1.7 | 1.9 | better, 1.8x as many (ratio 1.70-1.90)
            and fewer is worse | WORSE | RATE | 0.9 | 0.85 | 0.93 | worse, 10 % fewer (ratio 0.85-0.93)
            down to a fraction | WORSE | RATE | 1/17 | 1/18 | 1/16 | worse, 1/17 as many (ratio 0.056-0.063)
            amounts are much | WORSE | AMOUNT | 3 | 2.5 | 3.5 | worse, 3x as much (ratio 2.50-3.50)
            or less | BETTER | AMOUNT | 0.9 | 0.85 | 0.93 | better, 10 % less (ratio 0.85-0.93)
            the same has its ratio alone | SAME | TIME | 1.004 | 0.988 | 1.023 | the same (ratio 0.99-1.02)
            a certain difference that perhaps does not matter is not decided | UNCLEAR | TIME | 1.041 | 1.01 | 1.072 | not decided (ratio 1.01-1.07): not decided whether by the 5 % that matter
            where nothing was seen it says what could have been | UNCLEAR | TIME | 1.01 | 0.96 | 1.06 | not decided (ratio 0.96-1.06): no difference larger than 4.8 % could be seen with 9 pairs; about 36 pairs would show 2.4 %
            a large difference that noise may have made is not decided | UNCLEAR | TIME | 1.3 | 0.96 | 1.8 | not decided (ratio 0.96-1.80): not decided with 9 pairs
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
                .isEqualTo("HAWAT3 p95: index against full-scan is " + expected);
    }

    /** A number, or one divided by one. */
    private static double ratio(String text) {
        return text.startsWith("1/") ? 1 / Double.parseDouble(text.substring(2)) : Double.parseDouble(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        3 | 1 | only 3 pairs: nothing can be decided; 6 are needed
        1 | 8 | only 1 pair: nothing can be decided; 9 are needed among 8 comparisons
        6 | 8 | only 6 pairs: no difference can be decided among 8 comparisons; 9 are needed
        """)
    void fewPairsSayHowManyAreNeeded(int pairs, int comparisons, String why) {
        Interval ratio = new Interval(1 / 41.0, 1 / 45.0, 1 / 38.0);
        Decision few = new Decision(Verdict.UNCLEAR, ratio, pairs, 0.04, 0.2, comparisons, 0.05, Quantity.TIME);

        assertThat(DecisionText.why(few)).isEqualTo(why);
    }
}
