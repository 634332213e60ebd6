package siemload.compare.statistics;

import static siemload.compare.statistics.Wording.difference;
import static siemload.compare.statistics.Wording.ends;
import static siemload.compare.statistics.Wording.percent;
import static siemload.compare.statistics.Wording.size;

/** Decisions in plain English, one sentence each, without a full stop. Stateless and thread-safe. */
public final class DecisionText {
    private static final int MANY_PAIRS = 1000;

    private DecisionText() {}

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
    public static String seen(String candidate, String baseline, Decision decision) {
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
        return Wording.brief(decision.ratio(), decision.quantity());
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

    /** Why nothing was decided, in words that hold for all figures of which the same is true. */
    static String why(Decision undecided) {
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
}
