package siemload.compare;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import siemload.compare.statistics.Interval;
import siemload.results.RunResult.StepRecord;

/**
 * What a gate decided, as {@code gate.json} holds it. Immutable.
 *
 * @param name of the scenario
 * @param startedAt when, as in RFC 3339
 * @param outcome what follows
 * @param reasons why, for people: one sentence each, the weightiest first; empty where nothing was found
 * @param exact facts free of noise that must not change at all, and did
 * @param tolerated those of them that were declared beforehand to be meant
 * @param unsteady facts that also differed between two runs of the baseline, so that nothing follows from them
 * @param verdicts the candidate against the baseline, of all metrics that block
 * @param control the baseline against itself, in the same blocks
 * @param leftOut what could not be compared, and why
 * @param blocksWanted how many blocks of valid runs were to be made
 * @param blocksValid how many there are
 * @param paired all runs of the second tier
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

    /** How a gate ends. */
    public enum Outcome {
        /** No regression was decided. */
        PASSED,
        /** A fact changed, or a metric got worse for certain by more than what matters. */
        REGRESSION,
        /** The baseline differed from itself: this night says neither good nor bad. */
        HOST_TOO_NOISY,
        /** Too few runs can be trusted. */
        INVALID;

        /** For people: {@code host too noisy}. */
        String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /**
     * A fact that is free of noise, the same in every run of the same variant on the same data, and is another one with the candidate.
     *
     * @param fact its kind: answers, rows, plan, blocks, wal
     * @param step what it is a fact of: {@code HAWAT1 first}
     */
    public record ExactChange(String fact, String step, String baseline, String candidate) {
        static final String ANSWERS = "answers";
        private static final String LOG = "wal";

        /** In place of a fact that one side has not. */
        private static final String NONE = "(none)";

        /** The names by which people tolerate a change, and what they stand for among the facts and the figures of a step. */
        private static final SortedMap<String, String> FACTS = new TreeMap<>(Map.of(
                ANSWERS,
                "answersHash",
                "plan",
                "planShape",
                "rows",
                "rows",
                "blocks",
                "blocksTouched",
                LOG,
                "walBytesPerEvent"));

        /** Some indexes choose among equal pages by chance, which makes about 1 % of the log. */
        private static final double LOG_TOLERANCE = 0.05;

        /** All names by which a change can be tolerated, sorted. */
        public static Set<String> facts() {
            return Collections.unmodifiableSet(FACTS.keySet());
        }

        /** What changed between two runs, step by step; a step that only one of them has is a change, too. */
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
                FACTS.forEach((fact, key) -> {
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

        /** Whether only one side has the fact. */
        boolean isOneSided() {
            return baseline.equals(NONE) || candidate.equals(NONE);
        }

        /** For people. */
        public String sentence() {
            return step + ": " + fact + " changed from " + baseline + " to " + candidate;
        }
    }
}
