package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.Comparison.Series;
import siemload.compare.experiment.GateResult.ExactChange;
import siemload.compare.experiment.GateResult.Outcome;
import siemload.compare.statistics.Decision;
import siemload.compare.statistics.Median;
import siemload.compare.statistics.Verdict;
import siemload.results.StepRecord;

/**
 * Decides whether a candidate may pass. It fails closed: what cannot be trusted is never green. Stateless.
 *
 * <ol>
 *   <li>Facts without noise: any change blocks, unless it was declared to be meant. A fact that differs between two runs of
 *       the baseline is none; but a fact that one of them lacks, or other answers, are reasons for doubt.
 *   <li>Saturation: a candidate that does not keep up where the baseline does blocks, see {@link GateSaturation}.
 *   <li>Pairs of runs: a metric that got worse for certain by more than what matters blocks, unless the baseline differs
 *       from itself in the same blocks, which makes the host too noisy to say. Where all of an interval is worse than what
 *       matters, but too few pairs agree to be certain, nothing is decided, which is not green.
 * </ol>
 */
public final class GateRules {
    /** The cells of a gate's runs. */
    public static final String BASELINE = "baseline";

    public static final String CANDIDATE = "candidate";
    /** The baseline once more. */
    public static final String CONTROL = "control";

    private GateRules() {}

    /** Whether an experiment has the runs of a gate. */
    static boolean isGate(Experiment experiment) {
        return experiment.variants().stream()
                .map(ComparedVariant::label)
                .toList()
                .equals(List.of(BASELINE, CANDIDATE, CONTROL));
    }

    /**
     * How many pairs it takes that a change can be decided at all where every metric can be compared: those of each search,
     * and those of all searches together.
     *
     * @param searches how many kinds of searches the analysts run
     * @param also what is asked beside what every gate asks
     */
    public static int pairsForAll(int searches, List<Metric> also) {
        return GateQuestions.pairsForAll(searches, also);
    }

    /** The names of facts whose change may be declared to be meant, sorted. */
    public static Set<String> facts() {
        return ExactFacts.names();
    }

    /**
     * The steps of a certificate of each cell; empty lists where none was made.
     *
     * @param tolerated the names of facts whose change is meant
     */
    public record Certificates(
            List<StepRecord> baseline, List<StepRecord> candidate, List<StepRecord> control, Set<String> tolerated) {
        public Certificates {
            baseline = List.copyOf(baseline);
            candidate = List.copyOf(candidate);
            control = List.copyOf(control);
            tolerated = Set.copyOf(tolerated);
        }
    }

    /**
     * Decides.
     *
     * @param paired the runs of all three cells
     * @param blocksMost how many blocks were to be made at most
     */
    public static GateResult decide(
            String startedAt, Certificates certificates, Comparison paired, int blocksWanted, int blocksMost) {
        List<ExactChange> unsteady = ExactFacts.changes(certificates.baseline(), certificates.control());
        List<ExactChange> changes = ExactFacts.changes(certificates.baseline(), certificates.candidate()).stream()
                .filter(change -> unsteady.stream().noneMatch(other -> isSameFact(change, other)))
                .toList();
        List<ExactChange> exact = changes.stream()
                .filter(change -> !certificates.tolerated().contains(change.fact()))
                .toList();
        Set<Integer> blocks = validBlocks(paired);
        List<Series> figures = within(paired.figures(), blocks);
        GateQuestions questions = GateQuestions.of(figures, blocks, GateQuestions.also(paired.experiment()));
        Verdicts verdicts = new Verdicts(figures, paired.experiment().seed());
        List<PairVerdict> candidate = verdicts.between(BASELINE, CANDIDATE, questions.asked());
        List<PairVerdict> control = verdicts.between(BASELINE, CONTROL, questions.asked());
        Reasons reasons = new Reasons();
        exact.forEach(change -> reasons.add(Outcome.REGRESSION, change.sentence()));
        doubtfulFacts(certificates, unsteady, reasons);
        answers(paired, certificates.tolerated(), reasons);
        invalid(paired, blocks.size(), blocksWanted, reasons);
        GateSaturation saturation = GateSaturation.of(paired, blocks);
        saturation.noise().forEach(sentence -> reasons.add(Outcome.HOST_TOO_NOISY, sentence));
        saturation.regression().forEach(sentence -> reasons.add(Outcome.REGRESSION, sentence));
        tooLittle(blocks.size(), blocksWanted, candidate, reasons);
        judge(candidate, control, reasons);
        saturation.doubts().forEach(sentence -> reasons.add(Outcome.INVALID, sentence));
        verdicts.onlyBounds(BASELINE, CANDIDATE, questions.asked())
                .forEach(sentence -> reasons.add(Outcome.INVALID, sentence));
        questions.fallenOut().forEach(sentence -> reasons.add(Outcome.INVALID, sentence));
        return new GateResult(
                GateResult.FORMAT_VERSION,
                paired.experiment().name(),
                startedAt,
                reasons.outcome(),
                reasons.sentences(),
                new GateResult.Facts(
                        exact,
                        changes.stream()
                                .filter(change -> !exact.contains(change))
                                .toList(),
                        unsteady.stream().map(ExactChange::sentence).toList()),
                new GateResult.Compared(candidate, control, questions.leftOut()),
                new GateResult.Blocks(blocksWanted, blocks.size(), blocksMost),
                paired);
    }

    /** What was found; what was found first decides: a fact that changed, then doubts, then metrics. */
    private static final class Reasons {
        private final Map<Outcome, List<String>> byOutcome = new LinkedHashMap<>();

        void add(Outcome outcome, String sentence) {
            byOutcome.computeIfAbsent(outcome, unused -> new ArrayList<>()).add(sentence);
        }

        Outcome outcome() {
            return byOutcome.keySet().stream().findFirst().orElse(Outcome.PASSED);
        }

        List<String> sentences() {
            return byOutcome.values().stream().flatMap(List::stream).toList();
        }
    }

    private static boolean isSameFact(ExactChange one, ExactChange other) {
        return one.fact().equals(other.fact()) && one.step().equals(other.step());
    }

    /** The blocks of which all runs can be trusted. */
    public static Set<Integer> validBlocks(Comparison paired) {
        Map<Integer, Integer> valid = new LinkedHashMap<>();
        paired.runs().stream()
                .filter(run -> run.invalid().isEmpty())
                .forEach(run -> valid.merge(run.block(), 1, Integer::sum));
        Set<Integer> blocks = new LinkedHashSet<>();
        valid.forEach((block, runs) -> {
            if (runs == paired.experiment().variants().size()) {
                blocks.add(block);
            }
        });
        return blocks;
    }

    /** How the candidate is saturated where the baseline is not, in words; empty if it is not. */
    public static List<String> saturationRegression(Comparison paired) {
        return GateSaturation.of(paired, validBlocks(paired)).regression();
    }

    private static List<Series> within(List<Series> figures, Set<Integer> blocks) {
        List<Series> kept = new ArrayList<>();
        for (Series series : figures) {
            Map<Integer, Double> values = new LinkedHashMap<>(series.values());
            values.keySet().retainAll(blocks);
            if (!values.isEmpty()) {
                kept.add(new Series(
                        series.subject(),
                        series.metric(),
                        series.variant(),
                        values,
                        Median.of(values.values()),
                        series.bounds().stream().filter(blocks::contains).toList()));
            }
        }
        return kept;
    }

    /** A certificate with holes certifies nothing, nor does one of a database that answers the same search in two ways. */
    private static void doubtfulFacts(Certificates certificates, List<ExactChange> unsteady, Reasons reasons) {
        List.of(certificates.baseline(), certificates.control())
                .forEach(steps -> ExactFacts.failures(steps)
                        .forEach(failure -> reasons.add(
                                Outcome.INVALID, "the certificate of the baseline has a hole: " + failure)));
        unsteady.stream()
                .filter(change -> !certificates.tolerated().contains(change.fact()))
                .filter(change -> change.isOneSided() || ExactFacts.isAnswer(change.fact()))
                .forEach(change ->
                        reasons.add(Outcome.INVALID, "two certificates of the baseline differ: " + change.sentence()));
    }

    /** In place of certificates, where statements ask data of which nobody knows the right answers. */
    private static void answers(Comparison paired, Set<String> tolerated, Reasons reasons) {
        for (Comparison.Answers held : paired.answers()) {
            boolean isControl = held.candidate().equals(CONTROL);
            if (held.questions() == 0 || (isControl && held.differing() > 0)) {
                reasons.add(Outcome.INVALID, held.sentence());
            } else if (held.differing() > 0 && !tolerated.contains(ExactFacts.ANSWERS)) {
                reasons.add(Outcome.REGRESSION, held.sentence());
            }
        }
    }

    private static void invalid(Comparison paired, int valid, int wanted, Reasons reasons) {
        if (valid < wanted) {
            reasons.add(Outcome.INVALID, "only " + valid + " of " + wanted + " blocks of runs can be trusted");
            paired.runs().stream()
                    .filter(run -> !run.invalid().isEmpty())
                    .forEach(run -> reasons.add(
                            Outcome.INVALID,
                            "run " + run.position() + " (" + run.variant() + "): " + String.join("; ", run.invalid())));
        }
        paired.found()
                .differences()
                .forEach(difference ->
                        reasons.add(Outcome.INVALID, "something else differed: " + difference.sentence()));
    }

    private static void tooLittle(int valid, int wanted, List<PairVerdict> verdicts, Reasons reasons) {
        if (valid > 0 && verdicts.isEmpty()) {
            reasons.add(Outcome.INVALID, "nothing could be compared: too few searches for any metric");
        }
        int least = Decision.leastPairs(Math.max(1, verdicts.size()));
        if (valid >= wanted && valid < least) {
            reasons.add(
                    Outcome.INVALID,
                    valid + " pairs can decide nothing about " + verdicts.size() + " metrics at once; it takes "
                            + least);
        }
    }

    private static void judge(List<PairVerdict> candidate, List<PairVerdict> control, Reasons reasons) {
        control.stream()
                .filter(verdict -> verdict.decision().verdict().isDifference())
                .forEach(verdict ->
                        reasons.add(Outcome.HOST_TOO_NOISY, GateResult.differsFromItself(verdict.sentence())));
        candidate.stream()
                .filter(verdict -> verdict.decision().verdict() == Verdict.WORSE)
                .forEach(verdict -> reasons.add(Outcome.REGRESSION, verdict.sentence()));
        candidate.stream()
                .filter(verdict -> verdict.decision().seemsWorse())
                .forEach(verdict -> reasons.add(Outcome.INVALID, verdict.sentence()));
    }

    /**
     * What follows for a gate from runs whose database did not keep up, in words. A sign test over blocks decides: of those in which
     * only one of two sides was saturated, half would be its own by chance. Immutable.
     *
     * @param noise the baseline differs from itself in this
     * @param regression the candidate is saturated where the baseline is not
     * @param doubts why nothing can pass: the candidate is saturated a little more often, or the baseline is saturated itself
     */
    private record GateSaturation(List<String> noise, List<String> regression, List<String> doubts) {
        private static final double SIGNIFICANCE = 0.05;
        /** The share of the blocks from which on a side counts as saturated, and not now and then. */
        private static final double ITSELF = 0.5;

        GateSaturation {
            noise = List.copyOf(noise);
            regression = List.copyOf(regression);
            doubts = List.copyOf(doubts);
        }

        /** @param blocks the valid ones */
        static GateSaturation of(Comparison paired, Set<Integer> blocks) {
            Set<Integer> baseline = saturated(paired, blocks, GateRules.BASELINE);
            Set<Integer> control = saturated(paired, blocks, GateRules.CONTROL);
            Set<Integer> candidate = saturated(paired, blocks, GateRules.CANDIDATE);
            List<String> noise = new ArrayList<>();
            if (isMoreOften(control, baseline) || isMoreOften(baseline, control)) {
                noise.add(GateResult.differsFromItself("saturated in " + baseline.size() + " and in " + control.size()
                        + " of " + blocks.size() + " blocks"));
            }
            List<String> regression = new ArrayList<>();
            List<String> doubts = new ArrayList<>();
            int more = without(candidate, baseline).size();
            String seen = "the candidate was saturated in " + candidate.size() + " of " + blocks.size()
                    + " blocks, the baseline in " + baseline.size();
            if (isMoreOften(candidate, baseline)) {
                regression.add(seen + ": " + reason(paired, candidate, GateRules.CANDIDATE) + " gave out");
            } else if (more > without(baseline, candidate).size()) {
                doubts.add(seen + ": too few blocks to be certain that it is not chance");
            }
            if (!baseline.isEmpty() && baseline.size() >= ITSELF * blocks.size()) {
                doubts.add(
                        "the baseline was saturated itself in " + baseline.size() + " of " + blocks.size() + " blocks ("
                                + reason(paired, baseline, GateRules.BASELINE)
                                + " gave out), so that nothing can pass: lower the load, by fewer users or a longer think time");
            }
            return new GateSaturation(noise, regression, doubts);
        }

        /** By an exact one-sided sign test: five blocks to none, seven to one, ... */
        private static boolean isMoreOften(Set<Integer> one, Set<Integer> other) {
            int only = without(one, other).size();
            int all = only + without(other, one).size();
            double tail = 0;
            double ways = 1;
            for (int k = all; k >= only; k--) {
                tail += ways;
                ways = ways * k / (all - k + 1);
            }
            return only > 0 && Math.scalb(tail, -all) < SIGNIFICANCE;
        }

        private static Set<Integer> without(Set<Integer> one, Set<Integer> other) {
            Set<Integer> left = new LinkedHashSet<>(one);
            left.removeAll(other);
            return left;
        }

        private static Set<Integer> saturated(Comparison paired, Set<Integer> blocks, String side) {
            Set<Integer> saturated = new LinkedHashSet<>();
            paired.runs().stream()
                    .filter(run -> run.variant().equals(side) && run.saturated() && blocks.contains(run.block()))
                    .forEach(run -> saturated.add(run.block()));
            return saturated;
        }

        private static String reason(Comparison paired, Set<Integer> blocks, String side) {
            return paired.runs().stream()
                    .filter(run -> run.variant().equals(side) && blocks.contains(run.block()) && run.saturated())
                    .map(run -> run.gaveOut().get(0))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
