package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.Comparison.Series;
import siemload.compare.experiment.GateResult.ExactChange;
import siemload.compare.experiment.GateResult.Outcome;
import siemload.compare.statistics.Decision;
import siemload.compare.statistics.Decision.Verdict;
import siemload.results.StepRecord;

/**
 * Decides whether a candidate may pass. It fails closed: what cannot be trusted is never green. Used by one thread.
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

    private static final List<Metric> OF_A_SEARCH = List.of(new Metric("p50"), new Metric("p95"), new Metric("p99"));
    private static final List<Metric> BLOCKING = and(OF_A_SEARCH, List.of(new Metric("cpuMicrosPerSearch")));

    /** The share of the blocks that must have a metric with the baseline. */
    private static final double ENOUGH = 0.75;

    /** And the share of these that must have it with the candidate; lower, since counts that are just enough vary. */
    private static final double ENOUGH_ANSWERED = 0.5;

    private final Comparison paired;
    /** Those of which all runs can be trusted. */
    private final Set<Integer> blocks;

    /** What was found; what was found first decides: a fact that changed, then doubts, then metrics. */
    private final Map<Outcome, List<String>> reasons = new LinkedHashMap<>();

    /** What is compared, what cannot be and does not decide, and what the candidate alone answered too seldom for: in words. */
    private final List<Verdicts.Question> asked = new ArrayList<>();

    private final List<String> leftOut = new ArrayList<>();
    private final List<String> fallenOut = new ArrayList<>();
    private final List<ExactChange> exact = new ArrayList<>();
    private final List<ExactChange> meant = new ArrayList<>();
    private final List<ExactChange> unsteady = new ArrayList<>();

    private GateRules(Comparison paired) {
        this.paired = paired;
        this.blocks = validBlocks(paired);
    }

    private static List<Metric> and(List<Metric> some, List<Metric> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    /** Whether an experiment has the runs of a gate. */
    static boolean isGate(Experiment experiment) {
        return experiment.labels().equals(List.of(BASELINE, CANDIDATE, CONTROL));
    }

    /**
     * How many pairs it takes that a change can be decided at all where every metric can be compared: those of each search,
     * and those of all searches together.
     *
     * @param searches how many kinds of searches the analysts run
     * @param also what is asked beside what every gate asks
     */
    public static int pairsForAll(int searches, List<Metric> also) {
        int ofEach = (int) also.stream().filter(Metric::isOfEachSearch).count();
        return Decision.leastPairs(searches * (OF_A_SEARCH.size() + ofEach) + BLOCKING.size() + also.size());
    }

    /** What a gate asks beside what every gate asks. */
    static List<Metric> also(Experiment paired) {
        return paired.judged().alsoShow().stream()
                .filter(metric -> !BLOCKING.contains(metric))
                .toList();
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
        return new GateRules(paired).result(startedAt, certificates, blocksWanted, blocksMost);
    }

    private GateResult result(String startedAt, Certificates certificates, int blocksWanted, int blocksMost) {
        facts(certificates);
        answers(certificates.tolerated());
        invalid(blocksWanted);
        List<Series> figures = paired.figures().stream()
                .flatMap(series -> series.within(blocks).stream())
                .toList();
        ask(figures);
        Verdicts verdicts = new Verdicts(paired.experiment(), figures, paired.asked());
        List<PairVerdict> candidate = verdicts.between(BASELINE, CANDIDATE, asked);
        List<PairVerdict> control = verdicts.between(BASELINE, CONTROL, asked);
        GateSaturation saturation = GateSaturation.of(paired, blocks);
        add(Outcome.HOST_TOO_NOISY, saturation.noise());
        add(Outcome.REGRESSION, saturation.regression());
        tooLittle(blocksWanted, candidate);
        judge(candidate, control);
        add(Outcome.INVALID, saturation.doubts());
        add(Outcome.INVALID, verdicts.onlyBounds(BASELINE, CANDIDATE, asked));
        add(Outcome.INVALID, fallenOut);
        return new GateResult(
                GateResult.FORMAT_VERSION,
                paired.experiment().name(),
                startedAt,
                reasons.keySet().stream().findFirst().orElse(Outcome.PASSED),
                reasons.values().stream().flatMap(List::stream).toList(),
                exact,
                meant,
                unsteady.stream().map(ExactChange::sentence).toList(),
                candidate,
                control,
                leftOut,
                blocksWanted,
                blocks.size(),
                blocksMost,
                paired);
    }

    private void add(Outcome outcome, String sentence) {
        reasons.computeIfAbsent(outcome, unused -> new ArrayList<>()).add(sentence);
    }

    private void add(Outcome outcome, List<String> sentences) {
        sentences.forEach(sentence -> add(outcome, sentence));
    }

    /** A certificate with holes certifies nothing, nor does one of a database that answers the same search in two ways. */
    private void facts(Certificates certificates) {
        unsteady.addAll(ExactFacts.changes(certificates.baseline(), certificates.control()));
        for (ExactChange change : ExactFacts.changes(certificates.baseline(), certificates.candidate())) {
            if (unsteady.stream().noneMatch(change::isOfSameFact)) {
                (certificates.tolerated().contains(change.fact()) ? meant : exact).add(change);
            }
        }
        exact.forEach(change -> add(Outcome.REGRESSION, change.sentence()));
        for (List<StepRecord> steps : List.of(certificates.baseline(), certificates.control())) {
            for (StepRecord step : steps) {
                if (step.failed()) {
                    add(
                            Outcome.INVALID,
                            "the certificate of the baseline has a hole: " + step.name() + ": "
                                    + step.facts().get(StepRecord.ERROR));
                }
            }
        }
        for (ExactChange change : unsteady) {
            if (!certificates.tolerated().contains(change.fact())
                    && (change.isOneSided() || ExactFacts.isAnswer(change.fact()))) {
                add(Outcome.INVALID, "two certificates of the baseline differ: " + change.sentence());
            }
        }
    }

    /** The blocks of which all runs can be trusted. */
    public static Set<Integer> validBlocks(Comparison paired) {
        Set<Integer> blocks = new LinkedHashSet<>();
        paired.runs().forEach(run -> blocks.add(run.block()));
        blocks.removeIf(block -> paired.runs().stream()
                        .filter(run -> run.block() == block && run.invalid().isEmpty())
                        .count()
                != paired.experiment().variants().size());
        return blocks;
    }

    /** How the candidate is saturated where the baseline is not, in words; empty if it is not. */
    public static List<String> saturationRegression(Comparison paired) {
        return GateSaturation.of(paired, validBlocks(paired)).regression();
    }

    /** In place of certificates, where statements ask data of which nobody knows the right answers. */
    private void answers(Set<String> tolerated) {
        for (Comparison.Answers held : paired.answers()) {
            boolean isControl = held.candidate().equals(CONTROL);
            if (held.questions() == 0 || (isControl && held.differing() > 0)) {
                add(Outcome.INVALID, held.sentence());
            } else if (held.differing() > 0 && !tolerated.contains(ExactFacts.ANSWERS)) {
                add(Outcome.REGRESSION, held.sentence());
            }
        }
    }

    private void invalid(int wanted) {
        if (blocks.size() < wanted) {
            add(Outcome.INVALID, "only " + blocks.size() + " of " + wanted + " blocks of runs can be trusted");
            paired.runs().stream()
                    .filter(run -> !run.invalid().isEmpty())
                    .forEach(run -> add(
                            Outcome.INVALID,
                            "run " + run.position() + " (" + run.variant() + "): " + String.join("; ", run.invalid())));
        }
        paired.differences()
                .forEach(difference -> add(Outcome.INVALID, "something else differed: " + difference.sentence()));
    }

    private void tooLittle(int wanted, List<PairVerdict> verdicts) {
        int valid = blocks.size();
        if (valid > 0 && verdicts.isEmpty()) {
            add(
                    Outcome.INVALID,
                    "nothing could be compared: too few " + paired.asked().many() + " for any metric");
        }
        int least = Decision.leastPairs(Math.max(1, verdicts.size()));
        if (valid >= wanted && valid < least) {
            add(
                    Outcome.INVALID,
                    valid + " pairs can decide nothing about " + verdicts.size() + " metrics at once; it takes "
                            + least);
        }
    }

    private void judge(List<PairVerdict> candidate, List<PairVerdict> control) {
        for (PairVerdict verdict : control) {
            if (verdict.decision().verdict().isDifference()) {
                add(Outcome.HOST_TOO_NOISY, GateResult.differsFromItself(verdict.sentence()));
            }
        }
        for (PairVerdict verdict : candidate) {
            if (verdict.decision().verdict() == Verdict.WORSE) {
                add(Outcome.REGRESSION, verdict.sentence());
            }
        }
        for (PairVerdict verdict : candidate) {
            if (verdict.decision().seemsWorse()) {
                add(Outcome.INVALID, verdict.sentence());
            }
        }
    }

    /**
     * What a gate asks of its pairs: every blocking metric that the baseline has in nearly all blocks. What is asked does not
     * depend on the candidate, since one that is slow enough answers too few searches for any metric.
     *
     * @param figures of valid blocks only
     */
    private void ask(List<Series> figures) {
        List<Metric> also = also(paired.experiment());
        for (String subject : figures.stream().map(Series::subject).distinct().toList()) {
            List<String> fallen = new ArrayList<>();
            int before = asked.size();
            for (Metric metric : and(BLOCKING, also)) {
                ask(
                        new Verdicts.Question(subject, metric, metric.smallest()),
                        figures.stream()
                                .filter(series -> series.subject().equals(subject) && series.isOf(metric))
                                .toList(),
                        fallen);
            }
            // What is left of a search tells how it went: its median needs fewer searches than its other percentiles.
            (asked.size() > before ? leftOut : fallenOut).addAll(fallen);
        }
        for (Metric metric : also) {
            if (asked.stream().noneMatch(question -> question.metric().equals(metric))) {
                fallenOut.add(
                        metric.name() + " was asked for and cannot be compared: too few blocks have it, in both runs"
                                + " of the baseline and that of the candidate");
            }
        }
    }

    private void ask(Verdicts.Question question, List<Series> own, List<String> fallen) {
        Set<Integer> known = common(common(blocks, own, BASELINE), own, CONTROL);
        Set<Integer> answered = common(known, own, CANDIDATE);
        String figure = question.subject() + " " + question.metric().name();
        String needed =
                question.metric().searchesNeeded() + " " + paired.asked().many() + " that it takes";
        if (known.isEmpty() || known.size() < ENOUGH * blocks.size()) {
            if (!own.isEmpty()) {
                leftOut.add(figure + ": only " + known.size() + " of " + blocks.size() + " blocks had the " + needed
                        + ", in both runs of the baseline");
            }
        } else if (answered.size() >= ENOUGH_ANSWERED * known.size()) {
            asked.add(question);
        } else {
            fallen.add(figure + ": the candidate answered the " + needed + " in only " + answered.size() + " of the "
                    + known.size() + " blocks in which the baseline did");
        }
    }

    private static Set<Integer> common(Set<Integer> blocks, List<Series> series, String cell) {
        Set<Integer> common = new LinkedHashSet<>(blocks);
        common.removeIf(block -> series.stream()
                .noneMatch(one -> one.variant().equals(cell) && one.values().containsKey(block)));
        return common;
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

        /** @param blocks the valid ones */
        static GateSaturation of(Comparison paired, Set<Integer> blocks) {
            Map<Integer, String> baseline = saturated(paired, blocks, BASELINE);
            Map<Integer, String> control = saturated(paired, blocks, CONTROL);
            Map<Integer, String> candidate = saturated(paired, blocks, CANDIDATE);
            GateSaturation found = new GateSaturation(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            String ofBlocks = " of " + blocks.size() + " blocks";
            if (isMoreOften(control, baseline) || isMoreOften(baseline, control)) {
                found.noise.add(GateResult.differsFromItself(
                        "saturated in " + baseline.size() + " and in " + control.size() + ofBlocks));
            }
            String seen = "the candidate was saturated in " + candidate.size() + ofBlocks + ", the baseline in "
                    + baseline.size();
            if (isMoreOften(candidate, baseline)) {
                found.regression.add(seen + ": " + first(candidate) + " gave out");
            } else if (without(candidate, baseline) > without(baseline, candidate)) {
                found.doubts.add(seen + ": too few blocks to be certain that it is not chance");
            }
            if (!baseline.isEmpty() && baseline.size() >= ITSELF * blocks.size()) {
                found.doubts.add("the baseline was saturated itself in " + baseline.size() + ofBlocks + " ("
                        + first(baseline)
                        + " gave out), so that nothing can pass: lower the load, by fewer users or a longer"
                        + " think time");
            }
            return found;
        }

        /** By an exact one-sided sign test: five blocks to none, seven to one, ... */
        private static boolean isMoreOften(Map<Integer, String> one, Map<Integer, String> other) {
            int only = without(one, other);
            int all = only + without(other, one);
            double tail = 0;
            double ways = 1;
            for (int k = all; k >= only; k--) {
                tail += ways;
                ways = ways * k / (all - k + 1);
            }
            return only > 0 && Math.scalb(tail, -all) < SIGNIFICANCE;
        }

        private static int without(Map<Integer, String> one, Map<Integer, String> other) {
            return (int) one.keySet().stream()
                    .filter(block -> !other.containsKey(block))
                    .count();
        }

        /** What gave out, by block. */
        private static Map<Integer, String> saturated(Comparison paired, Set<Integer> blocks, String side) {
            Map<Integer, String> saturated = new LinkedHashMap<>();
            paired.runs().stream()
                    .filter(run -> run.variant().equals(side) && run.saturated() && blocks.contains(run.block()))
                    .forEach(run ->
                            saturated.putIfAbsent(run.block(), run.gaveOut().get(0)));
            return saturated;
        }

        private static String first(Map<Integer, String> saturated) {
            return saturated.values().iterator().next();
        }
    }

    /**
     * Facts that are the same in every run of the same variant on the same data: what was answered, by which plan, reading how
     * many blocks. Stateless.
     */
    static final class ExactFacts {
        static final String ANSWERS = "answers";

        /** The names by which people tolerate a change, and what they stand for in a step. */
        private static final Map<String, String> FACTS = Map.of(ANSWERS, "answersHash", "plan", "planShape");

        private static final String LOG = "wal";
        private static final Map<String, String> FIGURES =
                Map.of("rows", "rows", "blocks", "blocksTouched", LOG, "walBytesPerEvent");

        /** Some indexes choose among equal pages by chance, which makes about 1 % of the log. */
        private static final double LOG_TOLERANCE = 0.05;

        private ExactFacts() {}

        /** Whether the fact is about what was answered, which no noise can change. */
        static boolean isAnswer(String fact) {
            return fact.equals(ANSWERS) || fact.equals("rows");
        }

        /** All names by which a change can be tolerated, sorted. */
        static Set<String> names() {
            Set<String> names = new TreeSet<>(FACTS.keySet());
            names.addAll(FIGURES.keySet());
            return names;
        }

        /** What changed between two runs, step by step; a step that only one of them has is a change, too. */
        static List<ExactChange> changes(List<StepRecord> baseline, List<StepRecord> candidate) {
            Map<String, String> before = facts(baseline);
            Map<String, String> after = facts(candidate);
            Set<String> keys = new TreeSet<>(before.keySet());
            keys.addAll(after.keySet());
            List<ExactChange> changes = new ArrayList<>();
            for (String key : keys) {
                String[] parts = key.split("\t", 2);
                ExactChange change = new ExactChange(
                        parts[1],
                        parts[0],
                        before.getOrDefault(key, ExactChange.NONE),
                        after.getOrDefault(key, ExactChange.NONE));
                boolean near = change.fact().equals(LOG) && !change.isOneSided() && isNear(change);
                if (!change.baseline().equals(change.candidate()) && !near) {
                    changes.add(change);
                }
            }
            return changes;
        }

        private static boolean isNear(ExactChange change) {
            double before = Double.parseDouble(change.baseline());
            return Math.abs(Double.parseDouble(change.candidate()) - before) <= LOG_TOLERANCE * before;
        }

        private static Map<String, String> facts(List<StepRecord> steps) {
            Map<String, String> facts = new LinkedHashMap<>();
            Map<String, Integer> occurrences = new LinkedHashMap<>();
            for (StepRecord step : steps) {
                int occurrence = occurrences.merge(step.name(), 1, Integer::sum);
                String name = (occurrence == 1 ? step.name() : step.name() + " (" + occurrence + ")") + "\t";
                FACTS.forEach((fact, key) -> {
                    String value = step.facts().getOrDefault(key, "");
                    if (!value.isEmpty()) {
                        facts.put(name + fact, value);
                    }
                });
                FIGURES.forEach((fact, key) -> Optional.ofNullable(
                                step.figures().get(key))
                        .ifPresent(value -> facts.put(
                                name + fact, value == Math.rint(value) ? "" + value.longValue() : "" + value)));
            }
            return facts;
        }
    }
}
