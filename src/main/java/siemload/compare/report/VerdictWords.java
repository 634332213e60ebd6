package siemload.compare.report;

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
            case NO_CLAIM -> "no claim";
            case CONFIRMED -> "confirmed";
            case CONTRADICTED -> "contradicted";
            case NOT_DECIDABLE -> "not decidable";
        };
    }
}
