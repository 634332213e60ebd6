package siemload.compare.statistics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.compare.statistics.DecisionText.Doubt;

/**
 * Why some of several decisions are UNCLEAR: each reason once, however many share it. Immutable.
 *
 * @param sentences the reasons, without a full stop, in the order in which the decisions have them
 * @param numbers for each decision the number of its reason, 1 for the first; 0 where something was decided
 */
public record UndecidedReasons(List<String> sentences, List<Integer> numbers) {

    public UndecidedReasons {
        sentences = List.copyOf(sentences);
        numbers = List.copyOf(numbers);
    }

    /** What makes two reasons the same one: whatever their sentences speak of, but for how noisy the figures are. */
    private record Reason(Doubt doubt, int pairs, int comparisons, double practicalDelta) {
        static Reason of(Decision undecided) {
            Doubt doubt = Doubt.of(undecided);
            return switch (doubt) {
                case TOO_FEW_PAIRS -> new Reason(doubt, undecided.pairs(), undecided.comparisons(), 0);
                case PERHAPS_NOISE -> new Reason(doubt, undecided.pairs(), 0, 0);
                case PERHAPS_TOO_SMALL -> new Reason(doubt, 0, 0, undecided.practicalDelta());
                case NOT_SEEN -> new Reason(doubt, undecided.pairs(), 0, undecided.practicalDelta());
            };
        }
    }

    /** The reasons of these decisions; for those that share one, the noisiest figure says what could have been seen. */
    public static UndecidedReasons of(List<Decision> decisions) {
        Map<Reason, Decision> noisiest = new LinkedHashMap<>();
        for (Decision decision : decisions) {
            if (decision.verdict() == Verdict.UNCLEAR) {
                noisiest.merge(
                        Reason.of(decision), decision, (one, other) -> one.spread() >= other.spread() ? one : other);
            }
        }
        List<Reason> reasons = List.copyOf(noisiest.keySet());
        List<Integer> numbers = new ArrayList<>();
        for (Decision decision : decisions) {
            numbers.add(decision.verdict() == Verdict.UNCLEAR ? reasons.indexOf(Reason.of(decision)) + 1 : 0);
        }
        return new UndecidedReasons(
                noisiest.values().stream().map(DecisionText::why).toList(), numbers);
    }
}
