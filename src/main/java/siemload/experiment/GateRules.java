package siemload.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import siemload.experiment.Comparison.PairVerdict;
import siemload.experiment.Comparison.Series;
import siemload.experiment.GateResult.ExactChange;
import siemload.experiment.GateResult.Outcome;
import siemload.measure.StepRecord;
import siemload.statistics.Decision;
import siemload.statistics.Median;
import siemload.statistics.Verdict;

/**
 * Decides whether a candidate may pass. It fails closed: what cannot be trusted is never green. Stateless.
 *
 * <ol>
 *   <li>Facts without noise: any change blocks, unless it was declared to be meant. A fact that differs between two runs of
 *       the baseline is none; but a fact that one of them lacks, or other answers, are reasons for doubt.
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

    private static final List<Metric> OF_A_SEARCH = List.of(new Metric("p50"), new Metric("p95"), new Metric("p99"));
    private static final List<Metric> BLOCKING = Stream.concat(
                    OF_A_SEARCH.stream(), Stream.of(new Metric("cpuMicrosPerSearch")))
            .toList();

    /** The share of the blocks that must have a metric with the baseline. */
    private static final double ENOUGH = 0.75;

    /** And the share of these that must have it with the candidate; lower, since counts that are just enough vary. */
    private static final double ENOUGH_ANSWERED = 0.5;

    private GateRules() {}

    /**
     * How many pairs it takes that a change can be decided at all where every metric can be compared: those of each search,
     * and those of all searches together.
     *
     * @param searches how many kinds of searches the analysts run
     */
    public static int pairsForAll(int searches) {
        return Decision.leastPairs(searches * OF_A_SEARCH.size() + BLOCKING.size());
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
        List<String> leftOut = new ArrayList<>();
        List<String> fallenOut = new ArrayList<>();
        List<Verdicts.Question> questions = questions(figures, blocks, leftOut, fallenOut);
        Verdicts verdicts = new Verdicts(figures, paired.experiment().seed());
        List<PairVerdict> candidate = verdicts.between(BASELINE, CANDIDATE, questions);
        List<PairVerdict> control = verdicts.between(BASELINE, CONTROL, questions);
        Reasons reasons = new Reasons();
        exact.forEach(change -> reasons.add(Outcome.REGRESSION, change.sentence()));
        doubtfulFacts(certificates, unsteady, reasons);
        invalid(paired, blocks.size(), blocksWanted, candidate, reasons);
        judge(candidate, control, reasons);
        fallenOut.forEach(sentence -> reasons.add(Outcome.INVALID, sentence));
        return new GateResult(
                GateResult.FORMAT_VERSION,
                paired.experiment().name(),
                startedAt,
                reasons.outcome(),
                reasons.sentences(),
                exact,
                changes.stream().filter(change -> !exact.contains(change)).toList(),
                unsteady.stream().map(ExactChange::sentence).toList(),
                candidate,
                control,
                leftOut,
                blocksWanted,
                blocks.size(),
                blocksMost,
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
            if (runs == paired.experiment().cells().size()) {
                blocks.add(block);
            }
        });
        return blocks;
    }

    private static List<Series> within(List<Series> figures, Set<Integer> blocks) {
        List<Series> kept = new ArrayList<>();
        for (Series series : figures) {
            Map<Integer, Double> values = new LinkedHashMap<>(series.values());
            values.keySet().retainAll(blocks);
            if (!values.isEmpty()) {
                kept.add(new Series(
                        series.subject(), series.metric(), series.cell(), values, Median.of(values.values())));
            }
        }
        return kept;
    }

    /**
     * All blocking metrics that the baseline has in nearly all blocks: what is asked does not depend on the candidate, since
     * one that is slow enough answers too few searches for any metric.
     *
     * @param leftOut gets what the baseline itself answered too seldom
     * @param fallenOut gets the searches that the candidate answered too seldom for any metric
     */
    private static List<Verdicts.Question> questions(
            List<Series> figures, Set<Integer> blocks, List<String> leftOut, List<String> fallenOut) {
        List<Verdicts.Question> questions = new ArrayList<>();
        Set<String> subjects = new LinkedHashSet<>();
        figures.forEach(series -> subjects.add(series.subject()));
        for (String subject : subjects) {
            List<String> fallen = new ArrayList<>();
            int before = questions.size();
            for (Metric metric : BLOCKING) {
                Set<Integer> asked = new LinkedHashSet<>(blocks);
                asked.retainAll(having(figures, subject, metric, BASELINE));
                asked.retainAll(having(figures, subject, metric, CONTROL));
                Set<Integer> answered = new LinkedHashSet<>(asked);
                answered.retainAll(having(figures, subject, metric, CANDIDATE));
                if (asked.isEmpty() || asked.size() < ENOUGH * blocks.size()) {
                    if (figures.stream().anyMatch(series -> isOf(series, subject, metric))) {
                        leftOut.add(subject + " " + metric.name() + ": only " + asked.size() + " of " + blocks.size()
                                + " blocks had the " + metric.searchesNeeded()
                                + " searches that it takes, in both runs of the baseline");
                    }
                } else if (answered.size() < ENOUGH_ANSWERED * asked.size()) {
                    fallen.add(subject + " " + metric.name() + ": the candidate answered the " + metric.searchesNeeded()
                            + " searches that it takes in only " + answered.size() + " of the " + asked.size()
                            + " blocks in which the baseline did");
                } else {
                    questions.add(new Verdicts.Question(subject, metric, metric.smallest()));
                }
            }
            // What is left of a search tells how it went: its median needs fewer searches than its other percentiles.
            (questions.size() > before ? leftOut : fallenOut).addAll(fallen);
        }
        return questions;
    }

    private static Set<Integer> having(List<Series> figures, String subject, Metric metric, String cell) {
        Set<Integer> blocks = new LinkedHashSet<>();
        figures.stream()
                .filter(series -> isOf(series, subject, metric) && series.cell().equals(cell))
                .forEach(series -> blocks.addAll(series.values().keySet()));
        return blocks;
    }

    private static boolean isOf(Series series, String subject, Metric metric) {
        return series.subject().equals(subject) && series.metric().equals(metric.name());
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

    private static void invalid(Comparison paired, int valid, int wanted, List<PairVerdict> verdicts, Reasons reasons) {
        if (valid < wanted) {
            reasons.add(Outcome.INVALID, "only " + valid + " of " + wanted + " blocks of runs can be trusted");
            paired.runs().stream()
                    .filter(run -> !run.invalid().isEmpty())
                    .forEach(run -> reasons.add(
                            Outcome.INVALID,
                            "run " + run.position() + " (" + run.cell() + "): " + String.join("; ", run.invalid())));
        }
        paired.differences()
                .forEach(difference ->
                        reasons.add(Outcome.INVALID, "something else differed: " + difference.sentence()));
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
                .filter(verdict -> verdict.decision().verdict() == Verdict.BETTER
                        || verdict.decision().verdict() == Verdict.WORSE)
                .forEach(verdict ->
                        reasons.add(Outcome.HOST_TOO_NOISY, "the baseline differs from itself: " + verdict.sentence()));
        candidate.stream()
                .filter(verdict -> verdict.decision().verdict() == Verdict.WORSE)
                .forEach(verdict -> reasons.add(Outcome.REGRESSION, verdict.sentence()));
        candidate.stream()
                .filter(verdict -> verdict.decision().seemsWorse())
                .forEach(verdict -> reasons.add(Outcome.INVALID, verdict.sentence()));
    }
}
