package siemload.compare.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.Metric;
import siemload.compare.experiment.SourceClaim.ClaimResult;
import siemload.compare.statistics.Decision;
import siemload.compare.statistics.Decision.Verdict;
import siemload.compare.statistics.DecisionText;
import siemload.compare.statistics.PairedRatios;

/**
 * Verdicts as people look them up: a row for each, what is worse first, and below them why some say nothing. Immutable.
 *
 * @param reasons each once, however many rows share it
 * @param notes what else must be known to read the rows
 */
record VerdictTable(List<Row> rows, List<String> reasons, List<String> notes) {
    private static final List<Verdict> WEIGHTIEST_FIRST =
            List.of(Verdict.WORSE, Verdict.BETTER, Verdict.UNCLEAR, Verdict.SAME);

    /**
     * One verdict.
     *
     * @param metric in words: {@code last event}
     * @param ratio candidate / baseline
     * @param interval {@code 0.97-1.03}
     * @param kind of the verdict
     * @param words for the verdict: {@code worse, 7 % slower}
     * @param reason which one of the reasons holds, 1 for the first; 0 where something was decided
     */
    record Row(
            String subject,
            String metric,
            String candidate,
            String baseline,
            String ratio,
            String interval,
            Verdict kind,
            String words,
            int reason) {

        /** The verdict with the number of its reason: {@code not decided [1]}. */
        String numbered() {
            return reason == 0 ? words : words + " [" + reason + "]";
        }
    }

    static VerdictTable of(List<PairVerdict> verdicts) {
        // Of those that share a reason, the noisiest figure says what could have been seen.
        Map<String, Decision> noisiest = new LinkedHashMap<>();
        List<Row> rows = new ArrayList<>();
        verdicts.stream()
                .sorted(Comparator.comparing(
                        verdict -> WEIGHTIEST_FIRST.indexOf(verdict.decision().verdict())))
                .forEach(verdict -> {
                    Decision decision = verdict.decision();
                    int number = 0;
                    if (decision.verdict() == Verdict.UNCLEAR) {
                        String reason = DecisionText.reason(decision);
                        noisiest.merge(reason, decision, (one, other) -> one.spread() >= other.spread() ? one : other);
                        number = List.copyOf(noisiest.keySet()).indexOf(reason) + 1;
                    }
                    rows.add(new Row(
                            verdict.subject(),
                            new Metric(verdict.metric()).words(),
                            verdict.candidate(),
                            verdict.baseline(),
                            DecisionText.ratio(decision.ratio().estimate()),
                            DecisionText.bounds(decision.ratio()),
                            decision.verdict(),
                            words(verdict)
                                    + (decision.verdict().isDifference() ? ", " + DecisionText.brief(decision) : ""),
                            number));
                });
        boolean few = verdicts.stream().anyMatch(verdict -> verdict.decision().pairs() < PairedRatios.LEAST_PAIRS);
        String note =
                "with fewer than " + PairedRatios.LEAST_PAIRS + " pairs an interval is the range of what was seen";
        return new VerdictTable(
                rows, noisiest.values().stream().map(DecisionText::why).toList(), few ? List.of(note) : List.of());
    }

    /** The reasons with their numbers, and the notes, a line each. */
    String footnotes() {
        List<String> footnotes = new ArrayList<>();
        reasons.forEach(reason -> footnotes.add("[" + (footnotes.size() + 1) + "] " + reason));
        footnotes.addAll(notes);
        return String.join("\n", footnotes);
    }

    static String words(PairVerdict verdict) {
        return switch (verdict.decision().verdict()) {
            case BETTER -> "better";
            case WORSE -> "worse";
            case SAME -> "the same";
            case UNCLEAR -> "not decided";
        };
    }

    static String words(ClaimResult.Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
