package siemload.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.compare.statistics.Decision.Quantity;
import siemload.compare.statistics.Decision.Verdict;

class DecisionTest {
    private static final double[] SLOWER = {0.1, 0.11, 0.12, 0.1, 0.09, 0.1, 0.11};

    @ParameterizedTest
    @CsvSource({"1, TIME, WORSE", "1, RATE, BETTER", "-1, TIME, BETTER", "-1, AMOUNT, BETTER", "-1, RATE, WORSE"})
    void moreTimeIsWorseAndMoreEventsAreBetter(int sign, Quantity quantity, Verdict expected) {
        assertThat(verdict(sign > 0 ? SLOWER : turned(SLOWER), quantity)).isEqualTo(expected);
    }

    @Test
    void aSmallDifferenceIsSameHoweverCertain() {
        double[] small = {0.02, 0.021, 0.02, 0.019, 0.02, 0.022, 0.02};

        assertThat(verdict(small, Quantity.TIME)).isEqualTo(Verdict.SAME);
        assertThat(decision(small, 1).differs()).isTrue();
    }

    /** Below 5 %, but perhaps above it: the difference is certain, whether it matters is not. */
    @Test
    void aDifferenceOfPerhapsFivePercentIsUnclear() {
        double[] about = {0.03, 0.04, 0.02, 0.06, 0.045, 0.06, 0.03, 0.058, 0.042};

        assertThat(decision(about, 1).differs()).isTrue();
        assertThat(verdict(about, Quantity.TIME)).isEqualTo(Verdict.UNCLEAR);
    }

    /** Seven pairs have 2/128 = 0.016 at best; adjusted for eight comparisons that is 0.125. */
    @Test
    void theAdjustedPValueCounts() {
        Decision amongEight = decision(SLOWER, 8);

        assertThat(amongEight.pValue()).isEqualTo(0.125);
        assertThat(amongEight.verdict()).isEqualTo(Verdict.UNCLEAR);
    }

    /** What the gate looks at once more: beyond what matters, and not yet certain. */
    @Test
    void seemsWorseIsBeyondWhatMattersWithoutBeingCertain() {
        assertThat(decision(SLOWER, 8).seemsWorse()).isTrue();
        assertThat(decision(SLOWER, 1).seemsWorse()).as("is worse").isFalse();
        assertThat(decision(turned(SLOWER), 8).seemsWorse()).as("is faster").isFalse();
        assertThat(decision(new double[] {0.1, 0.1, 0.1, 0.1, 0.1}, 1).seemsWorse())
                .as("too few pairs")
                .isFalse();
        assertThat(decision(new double[] {0.03, 0.04, 0.06, 0.045, 0.06, 0.03}, 8)
                        .seemsWorse())
                .as("may be less than what matters")
                .isFalse();
        assertThat(rate(turned(SLOWER)).seemsWorse()).isTrue();
        assertThat(rate(SLOWER).seemsWorse()).as("more searches").isFalse();
    }

    private static Decision rate(double[] values) {
        return Decision.of(PairedRatios.of(values, 2_000, 1), 0.125, 8, 0.05, Quantity.RATE);
    }

    /** m 2 / 2^n below 0.05: 2/64 = 0.031, but 2 * 2/64 = 0.0625; 8 * 2/256 = 0.0625, 8 * 2/512 = 0.031. */
    @Test
    void moreComparisonsNeedMorePairs() {
        assertThat(Decision.leastPairs(1)).isEqualTo(6);
        assertThat(Decision.leastPairs(2)).isEqualTo(7);
        assertThat(Decision.leastPairs(8)).isEqualTo(9);
    }

    /**
     * A against A with random order in each pair: 400 nights of 8 searches each, with noise of 3 % of which every tenth value
     * is five times as large, and the smallest margin in use. At most 5 % may alarm.
     */
    @Test
    void aVariantAgainstItselfRarelyAlarms() {
        Random random = new Random(11);
        int alarms = 0;
        for (int night = 0; night < 400; night++) {
            List<PairedRatios> searches = Stream.generate(() -> PairedRatios.of(noise(random, 11, 0), 200, 1))
                    .limit(8)
                    .toList();
            double[] adjusted = Decision.adjustedByHolm(
                    searches.stream().mapToDouble(PairedRatios::pValue).toArray());
            alarms += IntStream.range(0, 8)
                            .mapToObj(i -> Decision.of(searches.get(i), adjusted[i], 8, 0.02, Quantity.TIME))
                            .anyMatch(decision -> decision.verdict().isDifference())
                    ? 1
                    : 0;
        }

        assertThat(alarms).isLessThanOrEqualTo(20);
    }

    /** True +10 %, the same noise, a margin of 5 %, one question: found in at least nine of ten. */
    @Test
    void tenPercentMoreAreFound() {
        Random random = new Random(13);
        long found = Stream.generate(() -> decision(noise(random, 9, Math.log(1.1)), 1))
                .limit(400)
                .filter(decision -> decision.verdict() == Verdict.WORSE)
                .count();

        assertThat(found).isGreaterThanOrEqualTo(360);
    }

    /** Sorted 0.01, 0.02, 0.03, 0.04 times 4, 3, 2, 1 is 0.04, 0.06, 0.06, 0.04; none below the one before it, and none above 1. */
    @Test
    void byHolmEachIsMultipliedByHowManyAreAtLeastAsLarge() {
        assertThat(Decision.adjustedByHolm(0.03, 0.01, 0.04, 0.02))
                .containsExactly(new double[] {0.06, 0.04, 0.06, 0.06}, within(1e-12));
        assertThat(Decision.adjustedByHolm(0.6, 0.9)).containsExactly(1, 1);
        assertThat(Decision.adjustedByHolm()).isEmpty();
    }

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
            a certain difference that perhaps does not matter is not decided | UNCLEAR | TIME | 1.041 | 1.01 | 1.072 | not decided (ratio 1.01-1.07): there is a difference, but perhaps less than the 5 % that matter
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

        assertThat(decision.sentence("HAWAT3 p95", "index", "full-scan"))
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

        assertThat(few.why()).isEqualTo(why);
    }

    private static double[] noise(Random random, int pairs, double shift) {
        double[] logs = new double[pairs];
        Arrays.setAll(logs, i -> shift + 0.03 * random.nextGaussian() * (random.nextInt(10) == 0 ? 5 : 0.8));
        return logs;
    }

    private static double[] turned(double[] logs) {
        return Arrays.stream(logs).map(log -> -log).toArray();
    }

    private static Verdict verdict(double[] logs, Quantity quantity) {
        PairedRatios ratios = PairedRatios.of(logs, 200, 1);
        return Decision.of(ratios, ratios.pValue(), 1, 0.05, quantity).verdict();
    }

    private static Decision decision(double[] logs, int comparisons) {
        PairedRatios ratios = PairedRatios.of(logs, 200, 1);
        double[] all = new double[comparisons];
        Arrays.fill(all, ratios.pValue());
        return Decision.of(ratios, Decision.adjustedByHolm(all)[0], comparisons, 0.05, Quantity.TIME);
    }
}
