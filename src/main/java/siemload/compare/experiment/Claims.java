package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import siemload.compare.experiment.Comparison.ClaimResult;
import siemload.compare.experiment.Comparison.ClaimResult.Outcome;
import siemload.compare.experiment.Comparison.ClaimResult.Tested;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.Comparison.Series;
import siemload.compare.experiment.SourceClaim.Against;
import siemload.compare.experiment.SourceClaim.Expectation;
import siemload.compare.experiment.Verdicts.Ratio;
import siemload.compare.experiment.Verdicts.RatioPair;
import siemload.compare.statistics.Decision;
import siemload.compare.statistics.Decision.Verdict;
import siemload.compare.statistics.Interval;
import siemload.compare.statistics.PairedRatios;

/** Holds what an earlier study found against what was measured. Used by one thread. */
record Claims(Experiment experiment, Verdicts decider, List<PairVerdict> verdicts) {
    private static final int TOLD_IN_FULL = 2;

    /** A verdict that was held against an expectation. */
    private record Judged(PairVerdict verdict, Outcome outcome) {}

    /** What became of each source of the experiment, in their order. */
    List<ClaimResult> judge(List<String> withheld) {
        return experiment.sources().stream()
                .map(source -> judge(source, !withheld.isEmpty()))
                .toList();
    }

    /** Contradicted by one verdict that says the opposite; confirmed if all agree; otherwise not decidable. */
    private ClaimResult judge(SourceClaim claim, boolean withheld) {
        List<Judged> judged = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (Expectation expected : withheld ? List.<Expectation>of() : claim.expects()) {
            List<PairVerdict> concerned = concerned(expected);
            concerned.forEach(verdict -> judged.add(new Judged(verdict, stand(expected, verdict))));
            if (concerned.isEmpty()) {
                missing.add(expected.of() + " to " + baseline(expected)
                        + (expected.subjects().isEmpty() ? "" : " of " + String.join(", ", expected.subjects())));
            }
        }
        List<Outcome> outcomes = judged.stream().map(Judged::outcome).toList();
        Outcome outcome = outcomes.contains(Outcome.CONTRADICTED)
                ? Outcome.CONTRADICTED
                : outcomes.isEmpty() || !missing.isEmpty() || outcomes.contains(Outcome.NOT_DECIDABLE)
                        ? Outcome.NOT_DECIDABLE
                        : Outcome.CONFIRMED;
        String why = claim.expects().isEmpty()
                ? "the study gave no direction that could be tested"
                : withheld
                        ? "the verdicts are withheld"
                        : outcomes.isEmpty()
                                ? "nothing that the study speaks of was measured"
                                : outcomes.contains(outcome)
                                        ? explanation(judged, outcome)
                                        : "not measured: " + String.join("; ", missing);
        List<Tested> tested = judged.stream()
                .map(one -> new Tested(
                        one.verdict.subject() + ", " + one.verdict.candidate() + " to " + one.verdict.baseline(),
                        one.verdict.decision().ratio(),
                        one.outcome))
                .toList();
        return new ClaimResult(claim, outcome, why, tested);
    }

    /** A few verdicts in their own words; of many, whose they are and the words of the first. */
    private static String explanation(List<Judged> judged, Outcome outcome) {
        List<PairVerdict> telling = judged.stream()
                .filter(one -> one.outcome() == outcome)
                .map(Judged::verdict)
                .toList();
        if (telling.size() <= TOLD_IN_FULL) {
            return telling.stream().map(PairVerdict::sentence).collect(Collectors.joining("; "));
        }
        String whatTheyDo = switch (outcome) {
            case CONFIRMED -> "agree";
            case CONTRADICTED -> "do not agree";
            case NOT_DECIDABLE -> "are open";
        };
        String subjects = telling.stream().map(PairVerdict::subject).distinct().collect(Collectors.joining(", "));
        return telling.size() + " of " + judged.size() + " verdicts " + whatTheyDo + " (" + subjects
                + "), for instance " + telling.get(0).sentence();
    }

    private String baseline(Expectation expected) {
        return otherwise(expected.than(), experiment.judged().baseline());
    }

    private static String otherwise(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }

    /** The verdicts that an expectation speaks of. */
    private List<PairVerdict> concerned(Expectation expected) {
        return expected.against().isRatio()
                ? ofRatios(expected, expected.against(), baseline(expected))
                : verdicts.stream()
                        .filter(verdict -> expected.speaksOf(verdict.subject()))
                        .flatMap(verdict -> seenFrom(verdict, expected.of(), baseline(expected)).stream())
                        .toList();
    }

    /** The verdict of one variant beside the other; each pair of variants has one, whichever of them is looked at. */
    private Optional<PairVerdict> seenFrom(PairVerdict verdict, String of, String baseline) {
        if (verdict.candidate().equals(of) && verdict.baseline().equals(baseline)) {
            return Optional.of(verdict);
        }
        return verdict.candidate().equals(baseline) && verdict.baseline().equals(of)
                ? decider.turned(verdict)
                : Optional.empty();
    }

    private List<PairVerdict> ofRatios(Expectation expected, Against against, String baseline) {
        List<RatioPair> pairs = decider.figures().stream()
                .filter(series -> series.isOf(experiment.metric()))
                .map(Series::subject)
                .distinct()
                .filter(subject -> expected.speaksOf(subject) && !subject.equals(against.subject()))
                .map(subject -> new RatioPair(
                        new Ratio(
                                otherwise(against.subject(), subject),
                                otherwise(against.of(), expected.of()),
                                otherwise(against.than(), baseline)),
                        new Ratio(subject, expected.of(), baseline)))
                .toList();
        return decider.ofRatios(pairs);
    }

    private static Outcome stand(Expectation expected, PairVerdict verdict) {
        Decision decision = verdict.decision();
        return switch (expected.is()) {
            case BETTER -> direction(Verdict.BETTER, expected.times(), decision);
            case WORSE -> direction(Verdict.WORSE, expected.times(), decision);
            case SAME -> direction(Verdict.SAME, 1, decision);
            case NOT_WORSE -> notWorse(expected.times(), decision);
            case DIFFERENT ->
                expected.times() == 1
                        ? switch (decision.verdict()) {
                            case BETTER, WORSE -> Outcome.CONFIRMED;
                            case SAME -> Outcome.CONTRADICTED;
                            case UNCLEAR -> Outcome.NOT_DECIDABLE;
                        }
                        : other(expected.times(), decision);
        };
    }

    /** Only what holds over the whole interval agrees or does not: where {@code atLeast} lies within it, nothing is known. */
    private static Outcome direction(Verdict wanted, double atLeast, Decision decision) {
        if (decision.verdict() == Verdict.UNCLEAR) {
            return Outcome.NOT_DECIDABLE;
        }
        if (decision.verdict() != wanted) {
            return Outcome.CONTRADICTED;
        }
        Interval times = decision.ratio().estimate() >= 1
                ? decision.ratio()
                : decision.ratio().reciprocal();
        if (wanted == Verdict.SAME || atLeast <= 1 || times.low() >= atLeast) {
            return Outcome.CONFIRMED;
        }
        return times.high() < atLeast ? Outcome.CONTRADICTED : Outcome.NOT_DECIDABLE;
    }

    /** The end of the interval that is worse shows it, also where it is not known whether it is better or the same. */
    private static Outcome notWorse(double atMost, Decision decision) {
        Interval worse = decision.quantity().moreIsBetter() ? decision.ratio().reciprocal() : decision.ratio();
        if (decision.pairs() < PairedRatios.LEAST_PAIRS) {
            return Outcome.NOT_DECIDABLE;
        }
        if (worse.high() < Math.max(atMost, 1 + decision.practicalDelta())) {
            return Outcome.CONFIRMED;
        }
        return decision.verdict() == Verdict.WORSE && worse.low() > atMost
                ? Outcome.CONTRADICTED
                : Outcome.NOT_DECIDABLE;
    }

    /** @param times how many times as much it is not */
    private static Outcome other(double times, Decision decision) {
        Interval ratio = decision.ratio();
        double factor = 1 + decision.practicalDelta();
        if (decision.pairs() < PairedRatios.LEAST_PAIRS) {
            return Outcome.NOT_DECIDABLE;
        }
        if (ratio.high() < times / factor || ratio.low() > times * factor) {
            return Outcome.CONFIRMED;
        }
        return ratio.within(times / factor, times * factor) ? Outcome.CONTRADICTED : Outcome.NOT_DECIDABLE;
    }
}
