package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import siemload.compare.experiment.Comparison.ClaimResult;
import siemload.compare.experiment.Comparison.ClaimResult.Outcome;
import siemload.compare.experiment.Comparison.ClaimResult.Tested;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.Comparison.Series;
import siemload.compare.experiment.SourceClaim.Against;
import siemload.compare.experiment.SourceClaim.Expectation;
import siemload.compare.statistics.Decision;
import siemload.compare.statistics.Interval;
import siemload.compare.statistics.PairedRatios;
import siemload.compare.statistics.Verdict;

/** Holds what an earlier study found against what was measured. Used by one thread. */
record Claims(Experiment experiment, List<Series> figures, List<PairVerdict> verdicts) {
    private static final int TOLD_IN_FULL = 2;

    /** A verdict that was held against an expectation. */
    private record Judged(PairVerdict verdict, Outcome outcome) {}

    /** What became of each source of the experiment, in their order. */
    static List<ClaimResult> judge(
            Experiment experiment, List<Series> figures, List<PairVerdict> verdicts, List<String> withheld) {
        Claims claims = new Claims(experiment, figures, verdicts);
        return experiment.sources().stream()
                .map(source -> claims.judge(source, !withheld.isEmpty()))
                .toList();
    }

    /** Contradicted by one verdict that says the opposite; confirmed if all agree; otherwise not decidable. */
    private ClaimResult judge(SourceClaim claim, boolean withheld) {
        if (claim.expects().isEmpty()) {
            return result(claim, Outcome.NOT_DECIDABLE, "the study gave no direction that could be tested", List.of());
        }
        if (withheld) {
            return result(claim, Outcome.NOT_DECIDABLE, "the verdicts are withheld", List.of());
        }
        List<Judged> judged = claim.expects().stream()
                .flatMap(expected ->
                        concerned(expected).stream().map(verdict -> new Judged(verdict, stand(expected, verdict))))
                .toList();
        List<PairVerdict> against = verdicts(judged, Outcome.CONTRADICTED);
        List<PairVerdict> open = verdicts(judged, Outcome.NOT_DECIDABLE);
        if (!against.isEmpty()) {
            return result(claim, Outcome.CONTRADICTED, explanation(against, judged, "do not agree"), judged);
        }
        List<String> missing = claim.expects().stream()
                .filter(expected -> concerned(expected).isEmpty())
                .map(expected -> spoken(expected.of(), baseline(expected), expected.subjects()))
                .toList();
        if (judged.isEmpty()) {
            return result(claim, Outcome.NOT_DECIDABLE, "nothing that the study speaks of was measured", judged);
        }
        if (!open.isEmpty()) {
            return result(claim, Outcome.NOT_DECIDABLE, explanation(open, judged, "are open"), judged);
        }
        return missing.isEmpty()
                ? result(
                        claim,
                        Outcome.CONFIRMED,
                        explanation(verdicts(judged, Outcome.CONFIRMED), judged, "agree"),
                        judged)
                : result(claim, Outcome.NOT_DECIDABLE, "not measured: " + String.join("; ", missing), judged);
    }

    private static List<PairVerdict> verdicts(List<Judged> judged, Outcome outcome) {
        return judged.stream()
                .filter(one -> one.outcome() == outcome)
                .map(Judged::verdict)
                .toList();
    }

    private static ClaimResult result(SourceClaim claim, Outcome outcome, String explanation, List<Judged> judged) {
        List<Tested> tested = judged.stream()
                .map(one -> new Tested(
                        one.verdict().subject() + ", " + one.verdict().candidate() + " to "
                                + one.verdict().baseline(),
                        one.verdict().decision().ratio(),
                        one.outcome()))
                .toList();
        return new ClaimResult(claim, outcome, explanation, tested);
    }

    /** A few verdicts in their own words; of many, whose they are and the words of the first. */
    private static String explanation(List<PairVerdict> telling, List<Judged> judged, String whatTheyDo) {
        if (telling.size() <= TOLD_IN_FULL) {
            return String.join("; ", telling.stream().map(PairVerdict::sentence).toList());
        }
        List<String> subjects =
                telling.stream().map(PairVerdict::subject).distinct().toList();
        return telling.size() + " of " + judged.size() + " verdicts " + whatTheyDo + " (" + String.join(", ", subjects)
                + "), for instance " + telling.get(0).sentence();
    }

    private String baseline(Expectation expected) {
        return expected.than().isEmpty() ? experiment.judged().baseline() : expected.than();
    }

    /** The verdicts that an expectation speaks of. */
    private List<PairVerdict> concerned(Expectation expected) {
        String baseline = baseline(expected);
        if (expected.against().isRatio()) {
            return ofRatios(expected, baseline);
        }
        return verdicts.stream()
                .filter(verdict -> isAsked(expected, verdict.subject()))
                .flatMap(verdict -> seenFrom(verdict, expected.of(), baseline).stream())
                .toList();
    }

    private static boolean isAsked(Expectation expected, String subject) {
        return expected.subjects().isEmpty() || expected.subjects().contains(subject);
    }

    /** The verdict of one variant beside the other; each pair of variants has one, whichever of them is looked at. */
    private Optional<PairVerdict> seenFrom(PairVerdict verdict, String of, String baseline) {
        if (verdict.candidate().equals(of) && verdict.baseline().equals(baseline)) {
            return Optional.of(verdict);
        }
        return verdict.candidate().equals(baseline) && verdict.baseline().equals(of)
                ? Verdicts.turned(verdict, experiment)
                : Optional.empty();
    }

    private List<PairVerdict> ofRatios(Expectation expected, String baseline) {
        Against against = expected.against();
        Set<String> subjects = new LinkedHashSet<>();
        figures.stream()
                .filter(series ->
                        series.metric().equals(experiment.judged().metric().name()))
                .map(Series::subject)
                .filter(subject -> isAsked(expected, subject) && !subject.equals(against.subject()))
                .forEach(subjects::add);
        List<Verdicts.RatioPair> pairs = new ArrayList<>();
        for (String subject : subjects) {
            pairs.add(new Verdicts.RatioPair(
                    new Verdicts.Ratio(
                            against.subject().isEmpty() ? subject : against.subject(),
                            against.of().isEmpty() ? expected.of() : against.of(),
                            against.than().isEmpty() ? baseline : against.than()),
                    new Verdicts.Ratio(subject, expected.of(), baseline)));
        }
        return Verdicts.ofRatios(experiment, figures, pairs);
    }

    private static String spoken(String of, String baseline, List<String> subjects) {
        return of + " to " + baseline + (subjects.isEmpty() ? "" : " of " + String.join(", ", subjects));
    }

    private static Outcome stand(Expectation expected, PairVerdict verdict) {
        Decision decision = verdict.decision();
        return switch (expected.is()) {
            case BETTER -> direction(Verdict.BETTER, expected.atLeast(), decision);
            case WORSE -> direction(Verdict.WORSE, expected.atLeast(), decision);
            case SAME -> direction(Verdict.SAME, 1, decision);
            case NOT_WORSE -> notWorse(expected.atMost(), decision);
            case DIFFERENT ->
                switch (decision.verdict()) {
                    case BETTER, WORSE -> Outcome.CONFIRMED;
                    case SAME -> Outcome.CONTRADICTED;
                    case UNCLEAR -> Outcome.NOT_DECIDABLE;
                };
            case NOT_PROPORTIONAL ->
                notProportional(number(verdict.candidate()) / number(verdict.baseline()), decision);
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
        if (decision.verdict() == Verdict.SAME || atLeast <= 1) {
            return Outcome.CONFIRMED;
        }
        Interval ratio = decision.ratio();
        double nearEnd = ratio.estimate() >= 1 ? ratio.low() : 1 / ratio.high();
        double farEnd = ratio.estimate() >= 1 ? ratio.high() : 1 / ratio.low();
        if (nearEnd >= atLeast) {
            return Outcome.CONFIRMED;
        }
        return farEnd < atLeast ? Outcome.CONTRADICTED : Outcome.NOT_DECIDABLE;
    }

    /** The end of the interval that is worse shows it, also where it is not known whether it is better or the same. */
    private static Outcome notWorse(double atMost, Decision decision) {
        Interval worse = aboveIsWorse(decision);
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

    /** The ratio, turned so that what is above 1 is worse. */
    private static Interval aboveIsWorse(Decision decision) {
        return decision.quantity().moreIsBetter() ? decision.ratio().reciprocal() : decision.ratio();
    }

    /** As the file may write it: {@code 1_000}. */
    private static double number(String label) {
        return Double.parseDouble(label.replace("_", ""));
    }

    /** @param times how many times as large the number of the axis is */
    private static Outcome notProportional(double times, Decision decision) {
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
