package siemload.compare.statistics;

import java.util.Comparator;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.hipparchus.stat.inference.AlternativeHypothesis;
import org.hipparchus.stat.inference.BinomialTest;

/**
 * The decision about one figure of a candidate against its baseline, with the reasons. Immutable.
 *
 * <p>BETTER and WORSE need at least {@value PairedRatios#LEAST_PAIRS} pairs, an interval wholly on one side of 1, an adjusted p-value below
 * 0.05, and an estimate at least as far from 1 as the change that matters. SAME needs an interval wholly within the change that matters; a
 * smaller difference may still be certain. The change that matters is a factor in both directions: 5 % are 1.05 and 1 / 1.05. See
 * docs/adr/014 for simulations of these rules.
 *
 * @param ratio candidate / baseline with its 95 % interval
 * @param pairs the number of pairs of runs
 * @param spread the standard deviation of the log ratios of the pairs
 * @param pValue the sign-flip p-value, adjusted by Holm's method for all comparisons decided at once
 * @param comparisons the number of comparisons decided at once, including this one
 * @param practicalDelta the smallest change that matters, above 0: 0.05 is 5 %
 */
public record Decision(
        Verdict verdict,
        Interval ratio,
        int pairs,
        double spread,
        double pValue,
        int comparisons,
        double practicalDelta,
        Quantity quantity) {

    static final double SIGNIFICANCE = 0.05;

    private static final int MANY_PAIRS = 1000;
    private static final String NOT_SEEN = "no difference larger than ";

    /** From 2x on, a factor is easier to read than a percentage. */
    private static final double FASTER_BY_FACTOR = 2;

    private static final double MORE_BY_FACTOR = 1.5;

    public Decision {
        if (!(practicalDelta > 0) || comparisons < 1) {
            throw new IllegalArgumentException("practicalDelta must be above 0 and comparisons at least 1, was "
                    + practicalDelta + " and " + comparisons);
        }
    }

    /**
     * Decides one of several comparisons.
     *
     * @param adjustedP the p-value of these ratios among those of all comparisons, from {@link #adjustedByHolm}
     */
    public static Decision of(
            PairedRatios ratios, double adjustedP, int comparisons, double practicalDelta, Quantity quantity) {
        Interval ratio = ratios.ratio();
        double factor = 1 + practicalDelta;
        Function<Verdict, Decision> as = verdict -> new Decision(
                verdict, ratio, ratios.pairs(), ratios.spread(), adjustedP, comparisons, practicalDelta, quantity);
        if (ratios.pairs() >= PairedRatios.LEAST_PAIRS && ratio.within(1 / factor, factor)) {
            return as.apply(Verdict.SAME);
        }
        Decision open = as.apply(Verdict.UNCLEAR);
        return !ratio.isWithin(practicalDelta) && open.differs()
                ? as.apply(ratio.estimate() > 1 == quantity.moreIsBetter() ? Verdict.BETTER : Verdict.WORSE)
                : open;
    }

    /**
     * Returns the adjusted p-values of several questions asked at once, in the order of the questions, by Holm's step-down method: Holm, A
     * Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 6 (1979). If all hypotheses below 0.05 are
     * rejected, a true hypothesis is rejected in at most 5 % of cases.
     *
     * @throws IllegalArgumentException for a value outside of 0 to 1
     */
    public static double[] adjustedByHolm(double... pValues) {
        for (double p : pValues) {
            if (!(p >= 0 && p <= 1)) {
                throw new IllegalArgumentException("a p-value is 0 to 1, was " + p);
            }
        }
        int[] ascending = IntStream.range(0, pValues.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> pValues[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        double[] adjusted = new double[pValues.length];
        double largest = 0;
        for (int rank = 0; rank < ascending.length; rank++) {
            largest = Math.max(largest, Math.min(1, (ascending.length - rank) * pValues[ascending[rank]]));
            adjusted[ascending[rank]] = largest;
        }
        return adjusted;
    }

    /** Returns the smallest number of pairs with which a difference can be decided among this many comparisons. */
    public static int leastPairs(int comparisons) {
        int pairs = PairedRatios.LEAST_PAIRS;
        while (comparisons * Math.scalb(1.0, 1 - pairs) >= SIGNIFICANCE) {
            pairs++;
        }
        return pairs;
    }

    /**
     * Returns whether the first side is affected more often than the second (for instance five times to none), by an exact one-sided sign
     * test. Each number says how often one side was affected and the other was not.
     */
    public static boolean isMoreOften(int one, int other) {
        return one > 0
                && new BinomialTest().binomialTest(one + other, one, 0.5, AlternativeHypothesis.GREATER_THAN)
                        < SIGNIFICANCE;
    }

    /** Returns whether a difference of any size is certain: the interval excludes 1, and the p-value is small enough. */
    public boolean differs() {
        return pairs >= PairedRatios.LEAST_PAIRS && (ratio.low() > 1 || ratio.high() < 1) && pValue < SIGNIFICANCE;
    }

    /** Returns whether the whole interval is worse by more than the change that matters, although the decision is not WORSE. */
    public boolean seemsWorse() {
        boolean beyond =
                quantity.moreIsBetter() ? ratio.high() < 1 / (1 + practicalDelta) : ratio.low() > 1 + practicalDelta;
        return verdict == Verdict.UNCLEAR && pairs >= PairedRatios.LEAST_PAIRS && beyond;
    }

    /**
     * Returns the decision as a sentence: {@code HAWAT3 p95: index against full-scan is better, 41x faster (ratio 0.022-0.026)}. In "5 %
     * faster", the percentage is of the baseline's speed, in "5 % slower" of its time, and in "5 % more" or "5 % less" of its value.
     *
     * @param figure subject and metric: {@code HAWAT3 p95}
     */
    public String sentence(String figure, String candidate, String baseline) {
        return figure + ": " + candidate + " against " + baseline + " is " + verdict.words()
                + (verdict.isDifference() ? ", " + brief() : "") + " (ratio " + ratio.bounds() + ")"
                + (verdict == Verdict.UNCLEAR ? ": " + why() : "");
    }

    /** Returns a key for the reason of an UNCLEAR decision, equal for all decisions with the same reason whatever their noise. */
    public String reason() {
        String why = why();
        return why.startsWith(NOT_SEEN) ? pairs + " pairs, " + practicalDelta : why;
    }

    /** Returns why nothing was decided, without naming a subject or metric, so that all figures with the same reason can share the text. */
    public String why() {
        int least = leastPairs(comparisons);
        if (pairs < least) {
            // With so few pairs, even the clearest difference is not decided.
            String among = least == PairedRatios.LEAST_PAIRS ? "" : " among " + comparisons + " comparisons";
            return "only " + pairs + (pairs == 1 ? " pair: " : " pairs: ")
                    + (pairs < PairedRatios.LEAST_PAIRS
                            ? "nothing can be decided; " + least + " are needed" + among
                            : "no difference can be decided" + among + "; " + least + " are needed");
        }
        double matters = practicalDelta;
        if (differs()) {
            return "there is a difference, but perhaps less than the " + Interval.percent(matters) + " that matter";
        }
        if (!ratio.isWithin(matters)) {
            return "not decided with " + pairs + " pairs";
        }
        double visible = PairedRatios.visibleDelta(spread, pairs);
        double wanted = visible > matters ? matters : visible / 2;
        int needed = PairedRatios.pairsNeeded(spread, wanted);
        return NOT_SEEN + Interval.percent(visible) + " could be seen with " + pairs + " pairs; "
                + (needed > MANY_PAIRS ? "more than " + MANY_PAIRS : "about " + needed) + " pairs would show "
                + Interval.percent(wanted);
    }

    /**
     * Returns a decided or apparent difference in a few words: {@code 41x faster} is 41 times the speed, and {@code 50 % faster} is 1.5
     * times the speed.
     */
    public String brief() {
        double estimate = ratio.estimate();
        boolean more = estimate >= 1;
        double factor = more ? estimate : 1 / estimate;
        if (quantity == Quantity.TIME) {
            return (factor >= FASTER_BY_FACTOR ? Interval.significant(factor, 2) + "x" : Interval.percent(factor - 1))
                    + (more ? " slower" : " faster");
        }
        boolean amount = quantity == Quantity.AMOUNT;
        return factor >= MORE_BY_FACTOR
                ? (more ? Interval.significant(factor, 2) + "x" : "1/" + Interval.significant(factor, 2))
                        + (amount ? " as much" : " as many")
                : Interval.percent(Math.abs(estimate - 1)) + (more ? " more" : amount ? " less" : " fewer");
    }

    /** The decision about a candidate compared with its baseline. */
    public enum Verdict {
        /** Better by at least the change that matters. */
        BETTER,
        /** Worse by at least the change that matters. */
        WORSE,
        /** Any difference is smaller than the change that matters. */
        SAME,
        /** The pairs allow no other verdict. */
        UNCLEAR;

        /** Returns the verdict in words: {@code not decided}. */
        public String words() {
            return switch (this) {
                case BETTER -> "better";
                case WORSE -> "worse";
                case SAME -> "the same";
                case UNCLEAR -> "not decided";
            };
        }

        /** Returns whether a difference that matters was decided, in either direction. */
        public boolean isDifference() {
            return this == BETTER || this == WORSE;
        }
    }

    /** The kind of a figure, which says whether more or less is better, and in which words a difference is put. */
    public enum Quantity {
        /** Response times and other times: less is better, in words "41x faster" or "3.2 % slower". */
        TIME,
        /** Bytes, processor time, blocks and other amounts: less is better, in words "1.8x as much" or "3.2 % less". */
        AMOUNT,
        /** Events and searches a second: more is better, in words "1.8x as many" or "3.2 % fewer". */
        RATE;

        /** Returns whether a ratio above 1 is a gain. */
        public boolean moreIsBetter() {
            return this == RATE;
        }
    }
}
