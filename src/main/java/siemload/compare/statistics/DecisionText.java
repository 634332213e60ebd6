package siemload.compare.statistics;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import siemload.compare.statistics.Decision.Quantity;
import siemload.compare.statistics.Decision.Verdict;

/** Decisions in plain English, one sentence each, without a full stop. Stateless and thread-safe. */
public final class DecisionText {
    private static final int MANY_PAIRS = 1000;
    private static final String NOT_SEEN = "no difference larger than ";

    /** From here on a factor reads better than a percentage. */
    private static final double FASTER_BY_FACTOR = 2;

    private static final double MORE_BY_FACTOR = 1.5;

    private DecisionText() {}

    /**
     * The sentence of a decision: {@code HAWAT3 p95: index against full-scan is better, 41x faster (ratio 0.022-0.026)}.
     * Percentages of faster and slower are of the speed and of the time, the larger by the smaller; those of more and less
     * are of the baseline.
     *
     * @param figure subject and metric: {@code HAWAT3 p95}
     */
    public static String of(String figure, String candidate, String baseline, Decision decision) {
        Verdict verdict = decision.verdict();
        return figure + ": " + candidate + " against " + baseline + " is " + verdict.words()
                + (verdict.isDifference() ? ", " + brief(decision) : "") + " (ratio " + bounds(decision.ratio()) + ")"
                + (verdict == Verdict.UNCLEAR ? ": " + why(decision) : "");
    }

    /** What makes the reasons of two UNCLEAR decisions the same one: their words, but for how noisy the figures are. */
    public static String reason(Decision undecided) {
        String why = why(undecided);
        return why.startsWith(NOT_SEEN) ? undecided.pairs() + " pairs, " + undecided.practicalDelta() : why;
    }

    /** Why nothing was decided, in words that hold for all figures of which the same is true. */
    public static String why(Decision undecided) {
        int pairs = undecided.pairs();
        int least = Decision.leastPairs(undecided.comparisons());
        if (pairs < least) {
            // However clear the difference is.
            String among =
                    least == PairedRatios.LEAST_PAIRS ? "" : " among " + undecided.comparisons() + " comparisons";
            return "only " + pairs + (pairs == 1 ? " pair: " : " pairs: ")
                    + (pairs < PairedRatios.LEAST_PAIRS
                            ? "nothing can be decided; " + least + " are needed" + among
                            : "no difference can be decided" + among + "; " + least + " are needed");
        }
        double matters = undecided.practicalDelta();
        if (undecided.differs()) {
            return "not decided whether by the " + percent(matters) + " that matter";
        }
        if (!undecided.ratio().isWithin(matters)) {
            return "not decided with " + pairs + " pairs";
        }
        double visible = PairedRatios.visibleDelta(undecided.spread(), pairs);
        double wanted = visible > matters ? matters : visible / 2;
        int needed = PairedRatios.pairsNeeded(undecided.spread(), wanted);
        return NOT_SEEN + percent(visible) + " could be seen with " + pairs + " pairs; "
                + (needed > MANY_PAIRS ? "more than " + MANY_PAIRS : "about " + needed) + " pairs would show "
                + percent(wanted);
    }

    /**
     * A difference that was decided, or seems to be there, in a few words: {@code 41x faster}. Faster by half is three halves of the
     * speed, as 41x faster is 41 times the speed.
     */
    public static String brief(Decision decision) {
        double ratio = decision.ratio().estimate();
        boolean more = ratio >= 1;
        double factor = more ? ratio : 1 / ratio;
        if (decision.quantity() == Quantity.TIME) {
            return (factor >= FASTER_BY_FACTOR ? significant(factor, 2) + "x" : percent(factor - 1))
                    + (more ? " slower" : " faster");
        }
        boolean amount = decision.quantity() == Quantity.AMOUNT;
        return factor >= MORE_BY_FACTOR
                ? (more ? significant(factor, 2) + "x" : "1/" + significant(factor, 2))
                        + (amount ? " as much" : " as many")
                : percent(Math.abs(ratio - 1)) + (more ? " more" : amount ? " less" : " fewer");
    }

    /** The interval of a ratio: {@code 0.97-1.03}. */
    public static String bounds(Interval ratio) {
        return ratio(ratio.low()) + "-" + ratio(ratio.high());
    }

    /** Two decimals where a ratio is near 1; elsewhere two digits that mean something, of large ones three. */
    public static String ratio(double ratio) {
        if ((ratio >= 0.1 && ratio < 10) || !Double.isFinite(ratio)) {
            return String.format(Locale.ROOT, "%.2f", ratio);
        }
        return BigDecimal.valueOf(ratio)
                .round(new MathContext(ratio < 1 ? 2 : 3, RoundingMode.HALF_UP))
                .toPlainString();
    }

    /** With two digits that mean something: {@code 3.2 %}. */
    public static String percent(double ratio) {
        return significant(100 * ratio, 2) + " %";
    }

    /** So many digits that mean something, without zeros behind them. */
    public static String significant(double value, int digits) {
        if (!Double.isFinite(value)) {
            return value > 0 ? "infinitely many" : String.valueOf(value);
        }
        BigDecimal rounded = BigDecimal.valueOf(value).round(new MathContext(digits, RoundingMode.HALF_UP));
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
