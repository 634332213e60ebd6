package siemload.compare.statistics;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Decisions in plain English, one sentence each, without a full stop. Stateless and thread-safe. */
public final class DecisionText {
    private static final int MANY_PAIRS = 1000;

    /** From here on a factor reads better than a percentage. */
    private static final double FASTER_BY_FACTOR = 2;

    private static final double MORE_BY_FACTOR = 1.5;

    private DecisionText() {}

    /** Why a decision is UNCLEAR. */
    private enum Doubt {
        /** However clear the difference is, it cannot be decided among so many comparisons. */
        TOO_FEW_PAIRS,
        /** There is a difference for certain, but perhaps a smaller one than what matters. */
        PERHAPS_TOO_SMALL,
        /** What was seen matters, but may be noise. */
        PERHAPS_NOISE,
        /** No difference was seen; one that matters may have been missed. */
        NOT_SEEN;

        static Doubt of(Decision undecided) {
            if (undecided.pairs() < Decision.leastPairs(undecided.comparisons())) {
                return TOO_FEW_PAIRS;
            }
            if (undecided.differs()) {
                return PERHAPS_TOO_SMALL;
            }
            double factor = 1 + undecided.practicalDelta();
            double estimate = undecided.ratio().estimate();
            return estimate >= factor || estimate <= 1 / factor ? PERHAPS_NOISE : NOT_SEEN;
        }
    }

    /**
     * The sentence of a decision, for instance {@code HAWAT3 p95: index is 41x faster than full-scan (38-45), decided}.
     * Percentages of faster and slower are of the speed and of the time, the larger by the smaller; those of more and less
     * are of the baseline.
     *
     * @param figure subject and metric: {@code HAWAT3 p95}
     */
    public static String of(String figure, String candidate, String baseline, Decision decision) {
        boolean time = decision.quantity() == Quantity.TIME;
        Difference difference = difference(decision);
        String than = difference.brief + " " + difference.joint + " " + baseline + " (" + difference.ends + ")";
        String seen = candidate + (time ? " is " : " has ") + than;
        String matter = "within the " + size(decision.practicalDelta()) + " that matter";
        return switch (decision.verdict()) {
            case BETTER, WORSE -> figure + ": " + seen + ", decided";
            case SAME ->
                figure + ": "
                        + (decision.differs()
                                ? seen + ", " + matter
                                : candidate + " is the same as " + baseline + " " + matter + " (" + ends(decision)
                                        + ")");
            case UNCLEAR ->
                switch (Doubt.of(decision)) {
                    case TOO_FEW_PAIRS -> figure + ": " + why(decision) + "; seen: " + seen;
                    case PERHAPS_TOO_SMALL -> figure + ": " + seen + ", " + why(decision);
                    case PERHAPS_NOISE ->
                        figure + ": " + candidate + (time ? " seems to be " : " seems to have ") + than + ", "
                                + why(decision);
                    case NOT_SEEN -> figure + ", " + candidate + " against " + baseline + ": " + why(decision);
                };
        };
    }

    /** A difference that was decided, or seems to be there, in a few words: {@code 41x faster}. */
    public static String brief(Decision decision) {
        return difference(decision).brief;
    }

    /** What makes the reasons of two UNCLEAR decisions the same one: their words, but for how noisy the figures are. */
    public static String reason(Decision undecided) {
        return Doubt.of(undecided) == Doubt.NOT_SEEN
                ? undecided.pairs() + " pairs, " + undecided.practicalDelta()
                : why(undecided);
    }

    /** Why nothing was decided, in words that hold for all figures of which the same is true. */
    public static String why(Decision undecided) {
        int pairs = undecided.pairs();
        return switch (Doubt.of(undecided)) {
            case TOO_FEW_PAIRS -> {
                int needed = Decision.leastPairs(undecided.comparisons());
                String among =
                        needed == PairedRatios.LEAST_PAIRS ? "" : " among " + undecided.comparisons() + " comparisons";
                yield "only " + pairs + (pairs == 1 ? " pair: " : " pairs: ")
                        + (pairs < PairedRatios.LEAST_PAIRS
                                ? "nothing can be decided; " + needed + " are needed" + among
                                : "no difference can be decided" + among + "; " + needed + " are needed");
            }
            case PERHAPS_TOO_SMALL -> "not decided whether by the " + size(undecided.practicalDelta()) + " that matter";
            case PERHAPS_NOISE -> "not decided with " + pairs + " pairs";
            case NOT_SEEN -> {
                double visible = PairedRatios.visibleDelta(undecided.spread(), pairs);
                double wanted = visible > undecided.practicalDelta() ? undecided.practicalDelta() : visible / 2;
                int needed = PairedRatios.pairsNeeded(undecided.spread(), wanted);
                yield "no difference larger than " + size(visible) + " could be seen with " + pairs + " pairs; "
                        + (needed > MANY_PAIRS ? "more than " + MANY_PAIRS : "about " + needed) + " pairs would show "
                        + percent(wanted);
            }
        };
    }

    /**
     * A difference in words.
     *
     * @param brief {@code 41x faster}
     * @param joint what stands between it and the baseline: {@code than}
     * @param ends of its interval, in the same form: {@code 38-45}
     */
    private record Difference(String brief, String joint, String ends) {}

    /** Faster by half is three halves of the speed, as 41x faster is 41 times the speed. */
    private static Difference difference(Decision decision) {
        Interval ratio = decision.ratio();
        boolean more = ratio.estimate() >= 1;
        Interval factor = more ? ratio : ratio.reciprocal();
        String factors = digits(factor.low()) + "-" + digits(factor.high());
        if (decision.quantity() == Quantity.TIME) {
            String word = more ? " slower" : " faster";
            return factor.estimate() >= FASTER_BY_FACTOR
                    ? new Difference(digits(factor.estimate()) + "x" + word, "than", factors)
                    : new Difference(percent(factor.estimate() - 1) + word, "than", changes(decision, factor, 1));
        }
        boolean amount = decision.quantity() == Quantity.AMOUNT;
        String as = amount ? " as much" : " as many";
        if (factor.estimate() >= MORE_BY_FACTOR) {
            return more
                    ? new Difference(digits(factor.estimate()) + "x" + as, "as", factors)
                    : new Difference(
                            "1/" + digits(factor.estimate()) + as,
                            "as",
                            "1/" + digits(factor.high()) + " to 1/" + digits(factor.low()));
        }
        return new Difference(
                percent(Math.abs(ratio.estimate() - 1)) + (more ? " more" : amount ? " less" : " fewer"),
                "than",
                changes(decision, ratio, more ? 1 : -1));
    }

    /** As sizes where all have one direction, else each end with its own. */
    private static String changes(Decision decision, Interval factor, int sign) {
        if (decision.ratio().contains(1)) {
            return ends(decision);
        }
        double one = sign * (factor.low() - 1);
        double other = sign * (factor.high() - 1);
        return digits(100 * Math.min(one, other)) + "-" + percent(Math.max(one, other));
    }

    /** For instance {@code 1.2 % faster to 2.3 % slower}, or of what is no time {@code -1.2 to +2.3 %}. */
    private static String ends(Decision decision) {
        double low = decision.ratio().low();
        double high = decision.ratio().high();
        return decision.quantity() == Quantity.TIME
                ? pace(low) + " to " + pace(high)
                : (low < 1 ? "-" : "+") + digits(100 * Math.abs(low - 1)) + " to " + (high < 1 ? "-" : "+")
                        + percent(Math.abs(high - 1));
    }

    private static String pace(double ratio) {
        return size(Math.max(ratio, 1 / ratio) - 1) + (ratio < 1 ? " faster" : " slower");
    }

    /** A size of a difference: {@code 5 %}, or from 100 % on {@code 2.8x}. */
    private static String size(double difference) {
        return difference < 1 ? percent(difference) : digits(1 + difference) + "x";
    }

    private static String percent(double ratio) {
        return digits(100 * ratio) + " %";
    }

    /** Two significant digits without noise behind them. */
    private static String digits(double value) {
        if (!Double.isFinite(value)) {
            return value > 0 ? "infinitely many" : String.valueOf(value);
        }
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(2, RoundingMode.HALF_UP));
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
