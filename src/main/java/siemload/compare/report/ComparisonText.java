package siemload.compare.report;

import java.util.ArrayList;
import java.util.List;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Comparison.ClaimResult.Outcome;
import siemload.compare.experiment.Comparison.PairVerdict;

/** What an experiment says on the terminal. Stateless and thread-safe. */
public final class ComparisonText {
    private static final int WIDTH = "not decided".length();

    private ComparisonText() {}

    /**
     * One line each: why there is no verdict, the verdicts against the baseline, what there was too little of, the source's
     * conclusion, runs that do not count.
     */
    public static List<String> of(Comparison comparison) {
        List<String> lines = new ArrayList<>();
        comparison.withheld().forEach(reason -> lines.add("no verdict: " + reason));
        comparison.verdicts().stream()
                .filter(verdict ->
                        verdict.baseline().equals(comparison.experiment().baseline()))
                .forEach(verdict -> lines.add(padded(verdict) + "  " + verdict.sentence()));
        comparison.gaps().forEach(gap -> lines.add("not compared: " + gap));
        if (comparison.claim().outcome() != Outcome.NO_CLAIM) {
            lines.add("the source says: " + comparison.experiment().source().says());
            lines.add("that is " + VerdictWords.of(comparison.claim().outcome()) + ": "
                    + comparison.claim().explanation());
        }
        comparison
                .invalidRuns()
                .forEach(run -> lines.add("run " + run.position() + " (" + run.variant() + ") does not count: "
                        + String.join("; ", run.invalid())));
        return List.copyOf(lines);
    }

    private static String padded(PairVerdict verdict) {
        String word = VerdictWords.of(verdict);
        return word + " ".repeat(WIDTH - word.length());
    }
}
