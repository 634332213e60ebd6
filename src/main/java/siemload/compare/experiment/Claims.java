package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.List;
import siemload.compare.experiment.Comparison.ClaimResult;
import siemload.compare.experiment.Comparison.ClaimResult.Outcome;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.statistics.Decision;
import siemload.compare.statistics.Interval;
import siemload.compare.statistics.Verdict;

/** Holds what an earlier study found against what was measured. Stateless. */
final class Claims {
    private static final int TOLD_IN_FULL = 2;

    private Claims() {}

    /** Contradicted by one verdict that says the opposite; confirmed if all agree; otherwise not decidable. */
    static ClaimResult judge(Experiment experiment, List<PairVerdict> verdicts, List<String> withheld) {
        SourceClaim claim = experiment.source();
        if (!claim.isMade()) {
            return ClaimResult.NONE;
        }
        if (claim.expects().isEmpty()) {
            return new ClaimResult(Outcome.NOT_DECIDABLE, "the study gave no direction that could be tested");
        }
        if (!withheld.isEmpty()) {
            return new ClaimResult(Outcome.NOT_DECIDABLE, "the verdicts are withheld");
        }
        List<PairVerdict> tested = new ArrayList<>();
        List<PairVerdict> against = new ArrayList<>();
        List<PairVerdict> open = new ArrayList<>();
        for (SourceClaim.Expectation expected : claim.expects()) {
            for (PairVerdict verdict : verdicts) {
                if (concerns(expected, verdict, experiment.baseline())) {
                    tested.add(verdict);
                    switch (stand(expected, verdict.decision())) {
                        case NOT_DECIDABLE -> open.add(verdict);
                        case CONTRADICTED -> against.add(verdict);
                        default -> {}
                    }
                }
            }
        }
        return outcome(tested, against, open);
    }

    private static ClaimResult outcome(List<PairVerdict> tested, List<PairVerdict> against, List<PairVerdict> open) {
        if (!against.isEmpty()) {
            return new ClaimResult(Outcome.CONTRADICTED, explanation(against, tested, "do not agree"));
        }
        if (tested.isEmpty()) {
            return new ClaimResult(Outcome.NOT_DECIDABLE, "nothing that the study speaks of was measured");
        }
        return open.isEmpty()
                ? new ClaimResult(Outcome.CONFIRMED, explanation(tested, tested, "agree"))
                : new ClaimResult(Outcome.NOT_DECIDABLE, explanation(open, tested, "are open"));
    }

    /** A few verdicts in their own words; of many, whose they are and the words of the first. */
    private static String explanation(List<PairVerdict> telling, List<PairVerdict> tested, String whatTheyDo) {
        if (telling.size() <= TOLD_IN_FULL) {
            return String.join("; ", telling.stream().map(PairVerdict::sentence).toList());
        }
        List<String> subjects =
                telling.stream().map(PairVerdict::subject).distinct().toList();
        return telling.size() + " of " + tested.size() + " verdicts " + whatTheyDo + " (" + String.join(", ", subjects)
                + "), for instance " + telling.get(0).sentence();
    }

    private static boolean concerns(SourceClaim.Expectation expected, PairVerdict verdict, String baseline) {
        return verdict.baseline().equals(baseline)
                && verdict.candidate().equals(expected.of())
                && (expected.subjects().isEmpty() || expected.subjects().contains(verdict.subject()));
    }

    /** Only what holds over the whole interval agrees or does not: where {@code atLeast} lies within it, nothing is known. */
    private static Outcome stand(SourceClaim.Expectation expected, Decision decision) {
        if (decision.verdict() == Verdict.UNCLEAR) {
            return Outcome.NOT_DECIDABLE;
        }
        if (decision.verdict() != Verdict.valueOf(expected.is().name())) {
            return Outcome.CONTRADICTED;
        }
        if (decision.verdict() == Verdict.SAME || expected.atLeast() <= 1) {
            return Outcome.CONFIRMED;
        }
        Interval ratio = decision.ratio();
        double nearEnd = ratio.estimate() >= 1 ? ratio.low() : 1 / ratio.high();
        double farEnd = ratio.estimate() >= 1 ? ratio.high() : 1 / ratio.low();
        if (nearEnd >= expected.atLeast()) {
            return Outcome.CONFIRMED;
        }
        return farEnd < expected.atLeast() ? Outcome.CONTRADICTED : Outcome.NOT_DECIDABLE;
    }
}
