package siemload.compare.report;

import java.util.ArrayList;
import java.util.List;
import siemload.compare.experiment.Comparison;
import siemload.results.report.Table;

/** What an experiment says on the terminal. Stateless and thread-safe. */
public final class ComparisonText {

    private ComparisonText() {}

    /**
     * Which variants did not keep up, why there is no verdict, the verdicts against the baseline as a table with each reason once, what there was too little
     * of, the source's conclusion, runs that do not count.
     */
    public static List<String> of(Comparison comparison) {
        List<String> lines = new ArrayList<>();
        comparison.saturated().forEach(lines::add);
        comparison.sides().forEach(side -> lines.add(side.sentence()));
        lines.addAll(comparison.equalAnswers());
        comparison.withheld().forEach(reason -> lines.add("no verdict: " + reason));
        VerdictTable verdicts = VerdictTable.of(comparison.verdictsAgainstBaseline());
        if (!verdicts.rows().isEmpty()) {
            lines.add(MetricWords.ratios(comparison.experiment()) + ":");
            lines.add(Table.of(VerdictTable.SIDES, verdicts.cells()));
            lines.addAll(verdicts.footnotes());
        }
        comparison.gaps().forEach(gap -> lines.add("not compared: " + gap));
        comparison.disturbed().forEach(sentence -> lines.add("disturbed: " + sentence));
        comparison.claims().forEach(claim -> {
            lines.add(claim.source().spoken() + " says: " + claim.source().says());
            lines.add("that is " + VerdictWords.of(claim.outcome()) + ": " + claim.explanation());
        });
        comparison
                .invalidRuns()
                .forEach(run -> lines.add("run " + run.position() + " (" + run.variant() + ") does not count: "
                        + String.join("; ", run.invalid())));
        return List.copyOf(lines);
    }
}
