package siemload.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.compare.Comparer.Verdicts;
import siemload.compare.Comparison.PairVerdict;
import siemload.compare.Comparison.Series;
import siemload.compare.GateRules.GateResult.ExactChange;
import siemload.compare.GateRules.GateResult.Outcome;
import siemload.compare.statistics.Decision;
import siemload.compare.statistics.Decision.Verdict;
import siemload.compare.statistics.Interval;
import siemload.results.RunResult.StepRecord;

/**
 * Decides whether a candidate may pass. A gate fails closed: it never passes with results that cannot be trusted. Used by one thread.
 *
 * <ol>
 *   <li>Facts without noise: any change blocks, unless it was declared to be intended. A fact that differs between two runs of the baseline
 *       does not count. If one of these runs lacks the fact, or answers or rows differ, the gate passes only if the change is intended.
 *   <li>Saturation: a candidate that does not keep up with the load is blocked if the baseline keeps up.
 *   <li>Pairs of runs: a metric that certainly got worse by more than the change that matters blocks, unless the baseline differs from
 *       itself in the same blocks: then the host is too noisy. If the whole interval is worse than the change that matters but too few
 *       pairs agree, nothing is decided, and the gate does not pass.
 * </ol>
 */
public final class GateRules {
    /** The label of the baseline's run in each block. */
    public static final String BASELINE = "baseline";

    public static final String CANDIDATE = "candidate";
    /** The label of the baseline's second run in each block. */
    public static final String CONTROL = "control";

    static final List<String> SIDES = List.of(BASELINE, CANDIDATE, CONTROL);

    /** The metrics that can block a candidate; the last metric exists only for all searches together. */
    private static final List<Metric> BLOCKING =
            List.of(new Metric("p50"), new Metric("p95"), new Metric("p99"), new Metric("cpuMicrosPerSearch"));

    /** The change of a median that matters to a gate, as a ratio; small enough to find a median that is slower by 3 %. */
    private static final double MEDIAN_MARGIN = 0.02;

    /** The share of the blocks in which the baseline must have a metric. */
    private static final double ENOUGH = 0.75;

    /** Of the blocks in which the baseline has a metric, the share in which the candidate also needs the metric; low, since counts vary. */
    private static final double ENOUGH_ANSWERED = 0.5;

    /** The smallest share of saturated blocks from which on the baseline itself counts as saturated. */
    private static final double ITSELF = 0.5;

    /** A gate ends early if a p-value is below this number divided by the number of looks before the last one. */
    private static final double BEFORE_THE_END = 0.003;

    private static final String DIFFERS_FROM_ITSELF = "the baseline differs from itself: ";

    private final Comparison paired;
    /** The blocks in which all runs can be trusted. */
    private final Set<Integer> blocks;

    /** The findings of a gate by outcome; the first kind decides: changed facts, then doubts, then metrics. */
    private final Map<Outcome, List<String>> reasons = new LinkedHashMap<>();

    /** The compared figures; below, in words, all other figures, and figures for which only the candidate has too few answers. */
    private final List<Verdicts.Question> asked = new ArrayList<>();

    private final List<String> leftOut = new ArrayList<>();
    private final List<String> fallenOut = new ArrayList<>();

    /** @param paired the comparison of the runs of baseline, candidate and control */
    GateRules(Comparison paired) {
        this.paired = paired;
        this.blocks = validBlocks(paired);
    }

    /** Returns whether an experiment has the runs of a gate. */
    static boolean isGate(Experiment experiment) {
        return experiment.labels().equals(SIDES);
    }

    /** Returns the smallest change of a metric that blocks a candidate, as a ratio. */
    static double margin(Metric metric) {
        return metric.name().equals("p50") ? MEDIAN_MARGIN : metric.smallest();
    }

    /**
     * Returns whether more pairs would hardly change the result. Several looks before the end hardly add to the chance of a false alarm: a
     * gate ends early only with a very small p-value (Haybittle, British Journal of Radiology 44 (1971); Peto et al., British Journal of
     * Cancer 34 (1976)), or if all intervals lie within the change that matters.
     *
     * @param looks the number of looks before the last one, over which a p-value of 0.003 is spread
     */
    static boolean isEnough(GateResult result, int looks) {
        Stream<Decision> decisions = result.verdicts().stream().map(PairVerdict::decision);
        return switch (result.outcome()) {
            case REGRESSION ->
                !result.exact().isEmpty()
                        || decisions.anyMatch(
                                one -> one.verdict() == Verdict.WORSE && one.pValue() < BEFORE_THE_END / looks);
            case PASSED ->
                decisions.allMatch(one -> one.ratio().within(1 / (1 + one.practicalDelta()), 1 + one.practicalDelta()));
            case HOST_TOO_NOISY, INVALID -> false;
        };
    }

    /**
     * Decides whether the candidate may pass; may be called once.
     *
     * @param certificates the steps of the certificates of baseline, candidate and control; empty if no certificate was made
     * @param tolerated the names of facts that are intended to change
     * @param wanted the wanted number of blocks of valid runs
     */
    GateResult decide(String startedAt, Map<String, List<StepRecord>> certificates, Set<String> tolerated, int wanted) {
        List<StepRecord> baseline = certificates.getOrDefault(BASELINE, List.of());
        List<StepRecord> control = certificates.getOrDefault(CONTROL, List.of());
        List<ExactChange> unsteady = ExactChange.between(baseline, control);
        Map<Boolean, List<ExactChange>> byMeant =
                ExactChange.between(baseline, certificates.getOrDefault(CANDIDATE, List.of())).stream()
                        .filter(change -> unsteady.stream()
                                .noneMatch(one -> one.fact().equals(change.fact())
                                        && one.step().equals(change.step())))
                        .collect(Collectors.partitioningBy(change -> tolerated.contains(change.fact())));
        List<ExactChange> changed = byMeant.getOrDefault(false, List.of());
        changed.forEach(change -> add(Outcome.REGRESSION, change.sentence()));
        // A certificate with a failed step proves nothing, and neither do certificates of a baseline that answers one
        // search in two ways.
        Stream.concat(baseline.stream(), control.stream())
                .filter(StepRecord::failed)
                .forEach(step -> add(
                        Outcome.INVALID,
                        "a step failed in a certificate of the baseline: " + step.name() + ": "
                                + step.facts().get(StepRecord.ERROR)));
        unsteady.stream()
                .filter(change -> !tolerated.contains(change.fact()))
                .filter(change -> change.isOneSided()
                        || List.of(ExactChange.ANSWERS, "rows").contains(change.fact()))
                .forEach(change ->
                        add(Outcome.INVALID, "two certificates of the baseline differ: " + change.sentence()));
        // Answers replace certificates for statements on existing data, for which the correct answers are unknown.
        for (Comparison.Answers held : paired.answers()) {
            if (held.questions() == 0 || (held.candidate().equals(CONTROL) && held.differing() > 0)) {
                add(Outcome.INVALID, held.sentence());
            } else if (held.differing() > 0 && !tolerated.contains(ExactChange.ANSWERS)) {
                add(Outcome.REGRESSION, held.sentence());
            }
        }
        if (blocks.size() < wanted) {
            add(Outcome.INVALID, "only " + blocks.size() + " of " + wanted + " blocks of runs can be trusted");
            paired.invalidRuns()
                    .forEach(run -> add(
                            Outcome.INVALID,
                            "run " + run.position() + " (" + run.variant() + "): " + String.join("; ", run.invalid())));
        }
        paired.differences()
                .forEach(difference -> add(Outcome.INVALID, "another condition differed: " + difference.sentence()));
        List<Series> figures = paired.figures().stream()
                .flatMap(series -> series.within(blocks).stream())
                .toList();
        figures.stream().map(Series::subject).distinct().forEach(subject -> ask(figures, subject));
        Verdicts verdicts = new Verdicts(paired.experiment(), figures);
        List<PairVerdict> ofCandidate = verdicts.between(BASELINE, CANDIDATE, asked);
        List<PairVerdict> ofControl = verdicts.between(BASELINE, CONTROL, asked);
        List<String> doubts = saturation();
        judge(wanted, ofCandidate, ofControl);
        doubts.addAll(verdicts.open(BASELINE, CANDIDATE, asked));
        doubts.addAll(fallenOut);
        doubts.forEach(doubt -> add(Outcome.INVALID, doubt));
        return new GateResult(
                paired.experiment().name(),
                startedAt,
                reasons.keySet().stream().findFirst().orElse(Outcome.PASSED),
                reasons.values().stream().flatMap(List::stream).toList(),
                changed,
                byMeant.getOrDefault(true, List.of()),
                unsteady.stream().map(ExactChange::sentence).toList(),
                ofCandidate,
                ofControl,
                leftOut,
                wanted,
                blocks.size(),
                paired);
    }

    private void add(Outcome outcome, String sentence) {
        reasons.computeIfAbsent(outcome, unused -> new ArrayList<>()).add(sentence);
    }

    /** The blocks in which all runs can be trusted. */
    static Set<Integer> validBlocks(Comparison paired) {
        Map<Integer, Integer> valid = new LinkedHashMap<>();
        paired.runs().forEach(run -> valid.merge(run.block(), run.invalid().isEmpty() ? 1 : 0, Integer::sum));
        valid.values().removeIf(runs -> runs != paired.experiment().variants().size());
        return valid.keySet();
    }

    private void judge(int wanted, List<PairVerdict> candidate, List<PairVerdict> control) {
        int valid = blocks.size();
        int least = Decision.leastPairs(Math.max(1, candidate.size()));
        if (valid > 0 && candidate.isEmpty()) {
            add(Outcome.INVALID, "nothing could be compared: too few searches for any metric");
        }
        if (valid >= wanted && valid < least) {
            String many = candidate.size() + " metrics at once; " + least + " are needed";
            add(Outcome.INVALID, valid + " pairs are too few to decide about " + many);
        }
        control.stream()
                .filter(verdict -> verdict.decision().verdict().isDifference())
                .forEach(verdict -> add(Outcome.HOST_TOO_NOISY, DIFFERS_FROM_ITSELF + verdict.sentence()));
        candidate.stream()
                .filter(verdict -> verdict.decision().verdict() == Verdict.WORSE)
                .forEach(verdict -> add(Outcome.REGRESSION, verdict.sentence()));
        candidate.stream()
                .filter(verdict -> verdict.decision().seemsWorse())
                .forEach(verdict -> add(Outcome.INVALID, verdict.sentence()));
    }

    /**
     * Collects the questions about a subject: every blocking metric that the baseline has in nearly all blocks. Questions do not depend on
     * the candidate's speed, since a very slow candidate has too few answers for any metric.
     *
     * @param figures the figures of valid blocks
     */
    private void ask(List<Series> figures, String subject) {
        List<String> fallen = new ArrayList<>();
        int before = asked.size();
        for (Metric metric : BLOCKING) {
            Map<String, Set<Integer>> having = figures.stream()
                    .filter(series -> series.subject().equals(subject) && series.isOf(metric))
                    .collect(Collectors.toMap(
                            Series::variant, series -> series.values().keySet()));
            Set<Integer> known = new HashSet<>(having.getOrDefault(BASELINE, Set.of()));
            known.retainAll(having.getOrDefault(CONTROL, Set.of()));
            Set<Integer> answered = new HashSet<>(known);
            answered.retainAll(having.getOrDefault(CANDIDATE, Set.of()));
            String figure = subject + " " + metric.words();
            String needed = "required " + metric.searchesNeeded() + " searches";
            if (!known.isEmpty() && known.size() >= ENOUGH * blocks.size()) {
                if (answered.size() >= ENOUGH_ANSWERED * known.size()) {
                    asked.add(new Verdicts.Question(subject, metric, margin(metric)));
                } else {
                    fallen.add(figure + ": the candidate answered the " + needed + " in only " + answered.size()
                            + " of the " + known.size() + " blocks in which the baseline did");
                }
            } else if (!having.isEmpty()) {
                leftOut.add(figure + ": only " + known.size() + " of " + blocks.size() + " blocks had the " + needed
                        + ", in both runs of the baseline");
            }
        }
        // Metrics that the candidate lacks make a gate invalid only if no metric of the subject can be compared: the
        // median needs fewer searches than other percentiles.
        (asked.size() > before ? leftOut : fallenOut).addAll(fallen);
    }

    /**
     * Judges saturated runs by a sign test over the blocks in which only one of two sides was saturated: by chance, each side would be
     * saturated in half of these blocks.
     *
     * @return the reasons why the gate cannot pass: the candidate is saturated a little more often, or the baseline is saturated itself
     */
    private List<String> saturation() {
        Map<Integer, String> baseline = saturated(BASELINE);
        Map<Integer, String> control = saturated(CONTROL);
        Map<Integer, String> candidate = saturated(CANDIDATE);
        List<String> doubts = new ArrayList<>();
        String ofBlocks = " of " + blocks.size() + " blocks";
        if (isMoreOften(control, baseline) || isMoreOften(baseline, control)) {
            String both = "saturated in " + baseline.size() + " and in " + control.size() + ofBlocks;
            add(Outcome.HOST_TOO_NOISY, DIFFERS_FROM_ITSELF + both);
        }
        String seen = "the candidate was saturated in " + candidate.size() + ofBlocks + ", the baseline in "
                + baseline.size();
        if (isMoreOften(candidate, baseline)) {
            add(
                    Outcome.REGRESSION,
                    seen + " (bottleneck: " + candidate.values().iterator().next() + ")");
        } else if (without(candidate, baseline) > without(baseline, candidate)) {
            doubts.add(seen + ": too few blocks to exclude chance");
        }
        if (!baseline.isEmpty() && baseline.size() >= ITSELF * blocks.size()) {
            doubts.add("the baseline itself was saturated in " + baseline.size() + ofBlocks + " (bottleneck: "
                    + baseline.values().iterator().next() + "), so no candidate can pass: lower the load with"
                    + " fewer users or a longer think time");
        }
        return doubts;
    }

    private static boolean isMoreOften(Map<Integer, String> one, Map<Integer, String> other) {
        return Decision.isMoreOften(without(one, other), without(other, one));
    }

    private static int without(Map<Integer, String> one, Map<Integer, String> other) {
        Set<Integer> alone = new HashSet<>(one.keySet());
        alone.removeAll(other.keySet());
        return alone.size();
    }

    /** Returns the blocks in which a side was saturated, each with the side's first bottleneck. */
    private Map<Integer, String> saturated(String side) {
        Map<Integer, String> saturated = new LinkedHashMap<>();
        paired.runs().stream()
                .filter(run -> run.variant().equals(side) && run.saturated() && blocks.contains(run.block()))
                .forEach(run -> saturated.putIfAbsent(run.block(), run.gaveOut().get(0)));
        return saturated;
    }

    /**
     * The result of a gate, as {@code gate.json} holds it. Immutable.
     *
     * @param name the name of the scenario
     * @param startedAt the start of the gate, as in RFC 3339
     * @param outcome the decision
     * @param reasons the reasons for the decision, one sentence each, the most important first; empty if nothing was found
     * @param exact facts without noise that changed without being declared to change
     * @param tolerated changes of facts that were declared to be intended
     * @param unsteady facts that prove nothing, since they differ between two runs of the baseline
     * @param verdicts the candidate against the baseline, for all metrics that can block
     * @param control the baseline against itself, in the same blocks
     * @param leftOut the figures that could not be compared, with the reasons
     * @param blocksWanted the wanted number of blocks of valid runs
     * @param blocksValid the number of blocks of valid runs
     * @param paired the comparison of all pairs of runs
     */
    public record GateResult(
            String name,
            String startedAt,
            Outcome outcome,
            List<String> reasons,
            List<ExactChange> exact,
            List<ExactChange> tolerated,
            List<String> unsteady,
            List<Comparison.PairVerdict> verdicts,
            List<Comparison.PairVerdict> control,
            List<String> leftOut,
            int blocksWanted,
            int blocksValid,
            Comparison paired) {

        /** The outcome of a gate. */
        public enum Outcome {
            /** Nothing was found that blocks the candidate. */
            PASSED,
            /** A fact changed, a metric certainly got worse by more than the change that matters, or only the candidate was saturated. */
            REGRESSION,
            /** The baseline differed from itself: nothing can be concluded. */
            HOST_TOO_NOISY,
            /** Too few runs can be trusted, or there are doubts about the result. */
            INVALID;

            /** Returns the outcome in words: {@code host too noisy}. */
            String words() {
                return name().toLowerCase(Locale.ROOT).replace('_', ' ');
            }
        }

        /**
         * A fact that has no noise, since every run of a variant on the same data has the same one, and that differs with the candidate.
         *
         * @param fact the kind of fact: answers, rows, plan, blocks, wal
         * @param step the step that has the fact: {@code HAWAT1 first}
         */
        public record ExactChange(String fact, String step, String baseline, String candidate) {
            static final String ANSWERS = "answers";
            private static final String LOG = "wal";

            /** The text in place of a fact that one side lacks. */
            private static final String NONE = "(none)";

            /** The names of facts whose changes users may tolerate, each with the key of a fact or figure of a step. */
            private static final SortedMap<String, String> KEYS = new TreeMap<>(Map.ofEntries(
                    Map.entry(ANSWERS, "answersHash"),
                    Map.entry("blocks", "blocksTouched"),
                    Map.entry("plan", "planShape"),
                    Map.entry("rows", "rows"),
                    Map.entry(LOG, "walBytesPerEvent")));

            static final List<String> FACTS = List.copyOf(KEYS.keySet());

            /** The largest ratio of change with which log bytes count as equal: random choices of some indexes cause about 1 %. */
            private static final double LOG_TOLERANCE = 0.05;

            /** Returns the changes between two runs, step by step; a step that only one run has is also a change. */
            static List<ExactChange> between(List<StepRecord> baseline, List<StepRecord> candidate) {
                Map<List<String>, String> before = facts(baseline);
                Map<List<String>, String> after = facts(candidate);
                Map<List<String>, String> all = new LinkedHashMap<>(before);
                all.putAll(after);
                return all.keySet().stream()
                        .map(key -> new ExactChange(
                                key.get(1), key.get(0), before.getOrDefault(key, NONE), after.getOrDefault(key, NONE)))
                        .filter(change -> !change.isNone())
                        .sorted(Comparator.comparing(ExactChange::step).thenComparing(ExactChange::fact))
                        .toList();
            }

            private boolean isNone() {
                if (isOneSided() || !fact.equals(LOG)) {
                    return baseline.equals(candidate);
                }
                double before = Double.parseDouble(baseline);
                return Math.abs(Double.parseDouble(candidate) - before) <= LOG_TOLERANCE * before;
            }

            private static Map<List<String>, String> facts(List<StepRecord> steps) {
                Map<List<String>, String> facts = new LinkedHashMap<>();
                Map<String, Integer> occurrences = new HashMap<>();
                for (StepRecord step : steps) {
                    int occurrence = occurrences.merge(step.name(), 1, Integer::sum);
                    String name = occurrence == 1 ? step.name() : step.name() + " (" + occurrence + ")";
                    KEYS.forEach((fact, key) -> {
                        double figure = step.figures().getOrDefault(key, Double.NaN);
                        String value = Double.isFinite(figure)
                                ? Interval.significant(figure, 0)
                                : step.facts().getOrDefault(key, "");
                        if (!value.isEmpty()) {
                            facts.put(List.of(name, fact), value);
                        }
                    });
                }
                return facts;
            }

            /** Returns whether only one side has this fact. */
            boolean isOneSided() {
                return baseline.equals(NONE) || candidate.equals(NONE);
            }

            /** The change in words. */
            public String sentence() {
                return step + ": " + fact + " changed from " + baseline + " to " + candidate;
            }
        }
    }
}
