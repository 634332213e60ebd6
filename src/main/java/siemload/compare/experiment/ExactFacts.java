package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import siemload.compare.experiment.GateResult.ExactChange;
import siemload.results.StepRecord;

/**
 * Facts that are the same in every run of the same variant on the same data: what was answered, by which plan, reading how
 * many blocks. Stateless.
 */
final class ExactFacts {
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

    /** The steps that failed, with the reasons, in words. */
    static List<String> failures(List<StepRecord> steps) {
        return steps.stream()
                .filter(StepRecord::failed)
                .map(step -> step.name() + ": " + step.facts().get(StepRecord.ERROR))
                .toList();
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
            String was = before.getOrDefault(key, ExactChange.NONE);
            String is = after.getOrDefault(key, ExactChange.NONE);
            String[] parts = key.split("\t", 2);
            if (!was.equals(is) && !(parts[1].equals(LOG) && isNear(was, is))) {
                changes.add(new ExactChange(parts[1], parts[0], was, is));
            }
        }
        return changes;
    }

    private static boolean isNear(String was, String is) {
        try {
            double before = Double.parseDouble(was);
            return Math.abs(Double.parseDouble(is) - before) <= LOG_TOLERANCE * before;
        } catch (NumberFormatException missing) {
            return false;
        }
    }

    private static Map<String, String> facts(List<StepRecord> steps) {
        Map<String, String> facts = new LinkedHashMap<>();
        Map<String, Integer> occurrences = new LinkedHashMap<>();
        for (StepRecord step : steps) {
            int occurrence = occurrences.merge(step.name(), 1, Integer::sum);
            String name = occurrence == 1 ? step.name() : step.name() + " (" + occurrence + ")";
            FACTS.forEach((fact, key) -> {
                String value = step.facts().getOrDefault(key, "");
                if (!value.isEmpty()) {
                    facts.put(name + "\t" + fact, value);
                }
            });
            FIGURES.forEach((fact, key) -> {
                Double value = step.figures().get(key);
                if (value != null) {
                    facts.put(name + "\t" + fact, value == Math.rint(value) ? "" + value.longValue() : "" + value);
                }
            });
        }
        return facts;
    }
}
