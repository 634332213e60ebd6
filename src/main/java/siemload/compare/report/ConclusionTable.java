package siemload.compare.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Comparison.ClaimResult;
import siemload.compare.experiment.Comparison.ClaimResult.Outcome;
import siemload.compare.experiment.Comparison.ClaimResult.Tested;
import siemload.compare.experiment.Conclusion;
import siemload.compare.experiment.Experiment;
import siemload.results.report.Table;
import siemload.results.report.Table.Side;

/**
 * What the studies behind a suite concluded, and how that stands: a row for each conclusion, below it one for each experiment
 * that tests it, and at the end one for each experiment that tests none. Immutable.
 */
public record ConclusionTable(List<Row> rows) {
    private static final List<String> HEAD = List.of("conclusion", "stands", "figures");
    private static final List<Side> SIDES = List.of(Side.LEFT, Side.LEFT, Side.LEFT);
    private static final String INDENT = "  ";
    private static final int MOST_FIGURES = 2;

    public ConclusionTable {
        rows = List.copyOf(rows);
    }

    /**
     * One row.
     *
     * @param title a conclusion with its number, or the name of an experiment
     * @param whole whether it is a conclusion, and not one of its experiments
     * @param outcome as in comparison.json; empty for an experiment without a conclusion
     * @param stands in words
     * @param figures ratios with their intervals, or why there are none
     */
    record Row(String title, boolean whole, String outcome, String stands, String figures) {}

    /**
     * The table of a suite.
     *
     * @param experiments all of it, in its order
     * @param made what those say that were made
     */
    public static ConclusionTable of(List<Experiment> experiments, List<Comparison> made) {
        List<Row> rows = new ArrayList<>();
        Set<String> telling = new LinkedHashSet<>();
        for (Conclusion conclusion : Conclusion.of(experiments, made)) {
            rows.add(new Row(
                    conclusion.study() + " " + conclusion.number() + ": " + conclusion.says(),
                    true,
                    conclusion.outcome().name(),
                    VerdictWords.of(conclusion.outcome()),
                    ""));
            for (Conclusion.Part part : conclusion.parts()) {
                telling.add(part.experiment());
                rows.add(new Row(
                        part.experiment(),
                        false,
                        part.outcome().name(),
                        VerdictWords.of(part.outcome()),
                        part.result().map(ConclusionTable::figures).orElse("not measured yet")));
            }
        }
        if (!rows.isEmpty()) {
            experiments.stream()
                    .filter(experiment -> !telling.contains(experiment.name()))
                    .forEach(experiment -> rows.add(other(experiment, made)));
        }
        return new ConclusionTable(rows);
    }

    private static Row other(Experiment experiment, List<Comparison> made) {
        String figures = made.stream()
                .filter(one -> one.experiment().name().equals(experiment.name()))
                .findFirst()
                .map(one -> one.withheld().isEmpty() ? VerdictWords.counts(one) : "verdicts withheld")
                .orElse("not measured yet");
        return new Row(experiment.name(), false, "", "no conclusion", figures);
    }

    /** The ratios that decided it, or those that are open; why, where there are none. */
    private static String figures(ClaimResult result) {
        List<Tested> telling = result.tested().stream()
                .filter(tested -> tested.outcome() == result.outcome())
                .toList();
        if (telling.isEmpty()) {
            return result.explanation();
        }
        List<String> shown = telling.stream()
                .limit(MOST_FIGURES)
                .map(tested -> tested.what() + ": "
                        + VerdictTable.digits(tested.ratio().estimate()) + " (" + VerdictTable.bounds(tested.ratio())
                        + ")")
                .toList();
        long confirming = result.tested().stream()
                .filter(tested -> tested.outcome() == Outcome.CONFIRMED)
                .count();
        String share = confirming + " of " + result.tested().size() + " as said";
        return share + "; " + String.join("; ", shown) + (telling.size() > MOST_FIGURES ? "; ..." : "");
    }

    /** For the terminal: nothing where no experiment tests a conclusion. */
    public List<String> lines() {
        if (rows.isEmpty()) {
            return List.of();
        }
        List<List<String>> cells = new ArrayList<>(List.of(HEAD));
        rows.forEach(row ->
                cells.add(List.of(row.whole() ? row.title() : INDENT + row.title(), row.stands(), row.figures())));
        return List.of(
                "figures are ratios of the metric that decides, with their 95 % intervals:", Table.of(SIDES, cells));
    }
}
