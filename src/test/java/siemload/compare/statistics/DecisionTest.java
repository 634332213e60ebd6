package siemload.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.compare.statistics.Decision.Quantity;
import siemload.compare.statistics.Decision.Verdict;

class DecisionTest {
    private static final double[] SLOWER = {0.1, 0.11, 0.12, 0.1, 0.09, 0.1, 0.11};

    @Test
    void clearlySlowerIsWorseAndClearlyMoreEventsAreBetter() {
        assertThat(verdict(SLOWER, Quantity.TIME)).isEqualTo(Verdict.WORSE);
        assertThat(verdict(SLOWER, Quantity.RATE)).isEqualTo(Verdict.BETTER);
        assertThat(verdict(turned(SLOWER), Quantity.TIME)).isEqualTo(Verdict.BETTER);
        assertThat(verdict(turned(SLOWER), Quantity.AMOUNT)).isEqualTo(Verdict.BETTER);
        assertThat(verdict(turned(SLOWER), Quantity.RATE)).isEqualTo(Verdict.WORSE);
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
            PairedRatios[] searches = new PairedRatios[8];
            for (int i = 0; i < searches.length; i++) {
                searches[i] = PairedRatios.of(noise(random, 11, 0), 200, night);
            }
            alarms += alarms(searches, 0.02) ? 1 : 0;
        }

        assertThat(alarms).isLessThanOrEqualTo(20);
    }

    private static boolean alarms(PairedRatios[] searches, double margin) {
        double[] adjusted = Decision.adjustedByHolm(
                Arrays.stream(searches).mapToDouble(PairedRatios::pValue).toArray());
        boolean alarm = false;
        for (int i = 0; i < searches.length; i++) {
            Verdict verdict = Decision.of(searches[i], adjusted[i], 8, margin, Quantity.TIME)
                    .verdict();
            alarm |= verdict == Verdict.WORSE || verdict == Verdict.BETTER;
        }
        return alarm;
    }

    /** True +10 %, the same noise, a margin of 5 %, one question: found in at least nine of ten. */
    @ParameterizedTest
    @ValueSource(ints = {9, 11})
    void tenPercentMoreAreFound(int pairs) {
        Random random = new Random(13);
        int found = 0;
        for (int trial = 0; trial < 400; trial++) {
            Decision decision = decision(noise(random, pairs, Math.log(1.1)), 1);
            found += decision.verdict() == Verdict.WORSE ? 1 : 0;
        }

        assertThat(found).isGreaterThanOrEqualTo(360);
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
