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

    private static String unclear(String figure, String candidate, String baseline, Decision decision) {
        int needed = Decision.leastPairs(decision.comparisons());
        if (decision.pairs() < needed) {
            return figure + ": " + tooFew(decision, needed) + "; seen: " + seen(candidate, baseline, decision);
        }
        if (decision.differs()) {
            return figure + ": " + seen(candidate, baseline, decision) + ", not decided whether by the "
                    + size(decision.practicalDelta()) + " that matter";
        }
        double factor = 1 + decision.practicalDelta();
        double estimate = decision.ratio().estimate();
        if (estimate >= factor || estimate <= 1 / factor) {
            return figure + ": " + candidate
                    + (decision.quantity() == Quantity.TIME ? " seems to be " : " seems to have ")
                    + difference(decision.ratio(), decision.quantity(), baseline) + ", not decided with "
                    + decision.pairs() + " pairs";
        }
        return figure + ", " + candidate + " against " + baseline + ": " + notSeen(decision);
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
