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
    enum Doubt {
        /** However clear the difference is, it cannot be decided among so many comparisons. */
        TOO_FEW_PAIRS,
        /** There is a difference for certain, but perhaps a smaller one than what matters. */
        PERHAPS_TOO_SMALL,
        /** What was seen matters, but may be noise. */
        PERHAPS_NOISE,
        /** No difference was seen; one that matters may have been missed. */
        NOT_SEEN;

        /** Why a decision is UNCLEAR. */
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
        String seen = seen(candidate, baseline, decision);
        return switch (decision.verdict()) {
            case BETTER, WORSE -> figure + ": " + seen + ", decided";
            case SAME -> figure + ": " + same(seen, candidate, baseline, decision);
            case UNCLEAR -> unclear(figure, candidate, baseline, decision);
        };
    }

    /** What was seen, decided or not: {@code index is 41x faster than full-scan (38-45)}. */
    private static String seen(String candidate, String baseline, Decision decision) {
        String verb = decision.quantity() == Quantity.TIME ? " is " : " has ";
        return candidate + verb + difference(decision.ratio(), decision.quantity(), baseline);
    }

    private static String same(String seen, String candidate, String baseline, Decision decision) {
        String matter = "within the " + size(decision.practicalDelta()) + " that matter";
        return decision.differs()
                ? seen + ", " + matter
                : candidate + " is the same as " + baseline + " " + matter + " ("
                        + ends(decision.ratio(), decision.quantity()) + ")";
    }

    /** A difference that was decided, or seems to be there, in a few words: {@code 41x faster}. */
    public static String brief(Decision decision) {
        return of(decision.ratio(), decision.quantity()).brief();
    }

    private static String unclear(String figure, String candidate, String baseline, Decision decision) {
        String why = why(decision);
        return switch (Doubt.of(decision)) {
            case TOO_FEW_PAIRS -> figure + ": " + why + "; seen: " + seen(candidate, baseline, decision);
            case PERHAPS_TOO_SMALL -> figure + ": " + seen(candidate, baseline, decision) + ", " + why;
            case PERHAPS_NOISE ->
                figure + ": " + candidate
                        + (decision.quantity() == Quantity.TIME ? " seems to be " : " seems to have ")
                        + difference(decision.ratio(), decision.quantity(), baseline) + ", " + why;
            case NOT_SEEN -> figure + ", " + candidate + " against " + baseline + ": " + why;
        };
    }

    /** What makes the reasons of two UNCLEAR decisions the same one: their words, but for how noisy the figures are. */
    public static String reason(Decision undecided) {
        return Doubt.of(undecided) == Doubt.NOT_SEEN
                ? undecided.pairs() + " pairs, " + undecided.practicalDelta()
                : why(undecided);
    }

    /** Why nothing was decided, in words that hold for all figures of which the same is true. */
    public static String why(Decision undecided) {
        return switch (Doubt.of(undecided)) {
            case TOO_FEW_PAIRS -> tooFew(undecided, Decision.leastPairs(undecided.comparisons()));
            case PERHAPS_TOO_SMALL -> "not decided whether by the " + size(undecided.practicalDelta()) + " that matter";
            case PERHAPS_NOISE -> "not decided with " + undecided.pairs() + " pairs";
            case NOT_SEEN -> notSeen(undecided);
        };
    }

    private static String tooFew(Decision decision, int needed) {
        String pairs = "only " + decision.pairs() + (decision.pairs() == 1 ? " pair: " : " pairs: ");
        if (decision.pairs() < PairedRatios.LEAST_PAIRS) {
            return pairs + "nothing can be decided; " + needed + " are needed" + among(decision, needed);
        }
        return pairs + "no difference can be decided" + among(decision, needed) + "; " + needed + " are needed";
    }

    private static String among(Decision decision, int needed) {
        return needed == PairedRatios.LEAST_PAIRS ? "" : " among " + decision.comparisons() + " comparisons";
    }

    private static String notSeen(Decision decision) {
        double visible = PairedRatios.visibleDelta(decision.spread(), decision.pairs());
        double wanted = visible > decision.practicalDelta() ? decision.practicalDelta() : visible / 2;
        int needed = PairedRatios.pairsNeeded(decision.spread(), wanted);
        String pairs = needed > MANY_PAIRS ? "more than " + MANY_PAIRS : "about " + needed;
        return "no difference larger than " + size(visible) + " could be seen with " + decision.pairs() + " pairs; "
                + pairs + " pairs would show " + percent(wanted);
    }

    /**
     * A difference in words.
     *
     * @param brief {@code 41x faster}
     * @param joint what stands between it and the baseline: {@code than}
     * @param ends of its interval, in the same form: {@code (38-45)}
     */
    private record Difference(String brief, String joint, String ends) {}

    /** For instance {@code 41x faster than full-scan (38-45)}. */
    static String difference(Interval ratio, Quantity quantity, String baseline) {
        Difference difference = of(ratio, quantity);
        return difference.brief() + " " + difference.joint() + " " + baseline + difference.ends();
    }

    private static Difference of(Interval ratio, Quantity quantity) {
        return switch (quantity) {
            case TIME -> time(ratio);
            case AMOUNT -> share(ratio, quantity, " as much", "less");
            case RATE -> share(ratio, quantity, " as many", "fewer");
        };
    }

    /** Faster by half is three halves of the speed, as 41x faster is 41 times the speed. */
    private static Difference time(Interval ratio) {
        boolean slower = ratio.estimate() >= 1;
        Interval factor = slower ? ratio : ratio.reciprocal();
        String word = slower ? " slower" : " faster";
        return factor.estimate() >= FASTER_BY_FACTOR
                ? new Difference(digits(factor.estimate()) + "x" + word, "than", factors(factor))
                : new Difference(
                        percent(factor.estimate() - 1) + word, "than", changes(ratio, Quantity.TIME, factor, 1));
    }

    private static Difference share(Interval ratio, Quantity quantity, String asMuch, String less) {
        boolean more = ratio.estimate() >= 1;
        if (more && ratio.estimate() >= MORE_BY_FACTOR) {
            return new Difference(digits(ratio.estimate()) + "x" + asMuch, "as", factors(ratio));
        }
        if (ratio.estimate() <= 1 / MORE_BY_FACTOR) {
            Interval parts = ratio.reciprocal();
            return new Difference(
                    "1/" + digits(parts.estimate()) + asMuch,
                    "as",
                    " (1/" + digits(parts.high()) + " to 1/" + digits(parts.low()) + ")");
        }
        return new Difference(
                percent(Math.abs(ratio.estimate() - 1)) + " " + (more ? "more" : less),
                "than",
                changes(ratio, quantity, ratio, more ? 1 : -1));
    }

    private static String factors(Interval factor) {
        return " (" + digits(factor.low()) + "-" + digits(factor.high()) + ")";
    }

    /** As sizes where all have one direction, else each end with its own. */
    private static String changes(Interval ratio, Quantity quantity, Interval factor, int sign) {
        if (ratio.contains(1)) {
            return " (" + ends(ratio, quantity) + ")";
        }
        double one = sign * (factor.low() - 1);
        double other = sign * (factor.high() - 1);
        return " (" + digits(100 * Math.min(one, other)) + "-" + percent(Math.max(one, other)) + ")";
    }

    /** For instance {@code 1.2 % faster to 2.3 % slower}, or of what is no time {@code -1.2 to +2.3 %}. */
    static String ends(Interval ratio, Quantity quantity) {
        return quantity == Quantity.TIME
                ? pace(ratio.low()) + " to " + pace(ratio.high())
                : sign(ratio.low()) + digits(100 * Math.abs(ratio.low() - 1)) + " to " + sign(ratio.high())
                        + percent(Math.abs(ratio.high() - 1));
    }

    private static String pace(double ratio) {
        return size(Math.max(ratio, 1 / ratio) - 1) + (ratio < 1 ? " faster" : " slower");
    }

    private static String sign(double ratio) {
        return ratio < 1 ? "-" : "+";
    }

    /** A size of a difference: {@code 5 %}, or from 100 % on {@code 2.8x}. */
    static String size(double difference) {
        return difference < 1 ? percent(difference) : digits(1 + difference) + "x";
    }

    static String percent(double ratio) {
        return digits(100 * ratio) + " %";
    }

    /** Two significant digits without noise behind them. */
    static String digits(double value) {
        if (!Double.isFinite(value)) {
            return value > 0 ? "infinitely many" : String.valueOf(value);
        }
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(2, RoundingMode.HALF_UP));
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
