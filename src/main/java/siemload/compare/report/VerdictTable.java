package siemload.compare.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import siemload.compare.experiment.Comparison.ClaimResult;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.Metric;
import siemload.compare.statistics.Decision;
import siemload.compare.statistics.Decision.Verdict;
import siemload.compare.statistics.DecisionText;
import siemload.compare.statistics.Interval;
import siemload.compare.statistics.PairedRatios;

/**
 * VerdictTable as people look them up: a row for each, what is worse first, and below them why some say nothing. Immutable.
 *
 * @param reasons each once, however many rows share it
 * @param notes what else must be known to read the rows
 */
record VerdictTable(List<Row> rows, List<String> reasons, List<String> notes) {
    private static final List<Verdict> WEIGHTIEST_FIRST =
            List.of(Verdict.WORSE, Verdict.BETTER, Verdict.UNCLEAR, Verdict.SAME);

    VerdictTable {
        rows = List.copyOf(rows);
        reasons = List.copyOf(reasons);
        notes = List.copyOf(notes);
    }

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
        private static Row of(PairVerdict verdict, int reason) {
            Decision decision = verdict.decision();
            return new Row(
                    verdict.subject(),
                    new Metric(verdict.metric()).words(),
                    verdict.candidate(),
                    verdict.baseline(),
                    digits(decision.ratio().estimate()),
                    bounds(decision.ratio()),
                    decision.verdict(),
                    VerdictTable.words(verdict)
                            + (decision.verdict().isDifference() ? ", " + DecisionText.brief(decision) : ""),
                    reason);
        }

        /** The verdict with the number of its reason: {@code not decided [1]}. */
        String numbered() {
            return reason == 0 ? words : words + " [" + reason + "]";
        }
    }

    static VerdictTable of(List<PairVerdict> verdicts) {
        List<PairVerdict> sorted = verdicts.stream()
                .sorted(Comparator.comparing(
                        verdict -> WEIGHTIEST_FIRST.indexOf(verdict.decision().verdict())))
                .toList();
        // Of those that share a reason, the noisiest figure says what could have been seen.
        Map<String, Decision> noisiest = new LinkedHashMap<>();
        List<Row> rows = new ArrayList<>();
        for (PairVerdict verdict : sorted) {
            int number = 0;
            if (verdict.decision().verdict() == Verdict.UNCLEAR) {
                String reason = DecisionText.reason(verdict.decision());
                noisiest.merge(
                        reason, verdict.decision(), (one, other) -> one.spread() >= other.spread() ? one : other);
                number = List.copyOf(noisiest.keySet()).indexOf(reason) + 1;
            }
            rows.add(Row.of(verdict, number));
        }
        boolean few = verdicts.stream().anyMatch(verdict -> verdict.decision().pairs() < PairedRatios.LEAST_PAIRS);
        return new VerdictTable(
                rows,
                noisiest.values().stream().map(DecisionText::why).toList(),
                few
                        ? List.of("with fewer than " + PairedRatios.LEAST_PAIRS
                                + " pairs an interval is the range of what was seen")
                        : List.of());
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
        return switch (outcome) {
            case CONFIRMED -> "confirmed";
            case CONTRADICTED -> "contradicted";
            case NOT_DECIDABLE -> "not decidable";
        };
    }

    /** {@code 0.97-1.03}. */
    static String bounds(Interval ratio) {
        return digits(ratio.low()) + "-" + digits(ratio.high());
    }

    /** Two decimals where a ratio is near 1; elsewhere two digits that mean something, of large ones three. */
    static String digits(double ratio) {
        if ((ratio >= 0.1 && ratio < 10) || !Double.isFinite(ratio)) {
            return String.format(Locale.ROOT, "%.2f", ratio);
        }
        return BigDecimal.valueOf(ratio)
                .round(new MathContext(ratio < 1 ? 2 : 3, RoundingMode.HALF_UP))
                .toPlainString();
    }
}
