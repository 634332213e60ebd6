package siemload.compare.statistics;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import siemload.compare.statistics.Decision.Quantity;

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
     * The sentence of a decision, for instance {@code HAWAT3 p95: index is 41x faster than full-scan (ratio 0.022-0.026), decided}.
     * Percentages of faster and slower are of the speed and of the time, the larger by the smaller; those of more and less
     * are of the baseline.
     *
     * @param figure subject and metric: {@code HAWAT3 p95}
     */
    public static String of(String figure, String candidate, String baseline, Decision decision) {
        String verb = decision.quantity() == Quantity.TIME ? "is" : "has";
        String brief = brief(decision);
        String interval = " (ratio " + bounds(decision.ratio()) + ")";
        String than = brief + (brief.contains(" as ") ? " as " : " than ") + baseline + interval;
        String seen = candidate + " " + verb + " " + than;
        String matter = "within the " + percent(decision.practicalDelta()) + " that matter";
        return switch (decision.verdict()) {
            case BETTER, WORSE -> figure + ": " + seen + ", decided";
            case SAME ->
                figure + ": "
                        + (decision.differs()
                                ? seen + ", " + matter
                                : candidate + " is the same as " + baseline + " " + matter + interval);
            case UNCLEAR ->
                switch (Doubt.of(decision)) {
                    case TOO_FEW_PAIRS -> figure + ": " + why(decision) + "; seen: " + seen;
                    case PERHAPS_TOO_SMALL -> figure + ": " + seen + ", " + why(decision);
                    case PERHAPS_NOISE ->
                        figure + ": " + candidate + " seems to " + (verb.equals("is") ? "be " : "have ") + than + ", "
                                + why(decision);
                    case NOT_SEEN -> figure + ", " + candidate + " against " + baseline + ": " + why(decision);
                };
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
            case PERHAPS_TOO_SMALL ->
                "not decided whether by the " + percent(undecided.practicalDelta()) + " that matter";
            case PERHAPS_NOISE -> "not decided with " + pairs + " pairs";
            case NOT_SEEN -> {
                double visible = PairedRatios.visibleDelta(undecided.spread(), pairs);
                double wanted = visible > undecided.practicalDelta() ? undecided.practicalDelta() : visible / 2;
                int needed = PairedRatios.pairsNeeded(undecided.spread(), wanted);
                yield "no difference larger than " + percent(visible) + " could be seen with " + pairs + " pairs; "
                        + (needed > MANY_PAIRS ? "more than " + MANY_PAIRS : "about " + needed) + " pairs would show "
                        + percent(wanted);
            }
        };
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
