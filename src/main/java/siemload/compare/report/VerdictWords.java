package siemload.compare.report;

import java.util.List;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Comparison.ClaimResult;
import siemload.compare.experiment.Comparison.PairVerdict;

/** Verdicts in a word or two. Stateless and thread-safe. */
final class VerdictWords {
    private VerdictWords() {}

    static String of(PairVerdict verdict) {
        return switch (verdict.decision().verdict()) {
            case BETTER -> "better";
            case WORSE -> "worse";
            case SAME -> "the same";
            case UNCLEAR -> "not decided";
        };
    }

    static String of(ClaimResult.Outcome outcome) {
        return switch (outcome) {
            case CONFIRMED -> "confirmed";
            case CONTRADICTED -> "contradicted";
            case NOT_DECIDABLE -> "not decidable";
        };
    }

    /** How many verdicts against the baseline there are of each kind: {@code 2 worse, 7 the same}. */
    static String counts(Comparison comparison) {
        List<String> words = comparison.verdictsAgainstBaseline().stream()
                .map(VerdictWords::of)
                .toList();
        return String.join(
                ", ",
                words.stream()
                        .distinct()
                        .map(word -> words.stream().filter(word::equals).count() + " " + word)
                        .toList());
    }
}
