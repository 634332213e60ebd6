package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import siemload.compare.experiment.Comparer.Measured;

/**
 * Whether named variants answered alike: another database that is fast because it finds something else is no faster one.
 * Steps of procedures ask the same in each run, so that their answers are held against each other. Windows of analysts end
 * at the moment of the search, so that no two runs ask the same: there a sample of each run must be what the events of the
 * data set, which is the same one, say. Stateless.
 */
final class AnswerAgreement {
    private static final int MOST_STEPS = 5;

    private AnswerAgreement() {}

    /** Why nothing is compared, in words; empty where answers agree, or variants have no names. */
    static List<String> doubts(Experiment experiment, List<Measured> runs) {
        if (!experiment.isOfNamed()) {
            return List.of();
        }
        List<String> doubts = new ArrayList<>();
        for (Measured run : runs) {
            RunAnswers answers = run.figures().answers();
            if (answers.wrong() > 0) {
                doubts.add(answers.wrong() + " of " + answers.checked() + " answers of " + run.variant()
                        + " that were checked were wrong in run " + run.position()
                        + " (wrong-answers.txt beside its run.json has them)");
            }
        }
        for (String name : experiment.names()) {
            List<Integer> unchecked = runs.stream()
                    .filter(run -> run.variant().equals(name) && run.isValid())
                    .filter(run -> run.figures().answers().searched()
                            && run.figures().answers().checked() == 0)
                    .map(Measured::position)
                    .toList();
            if (!unchecked.isEmpty()) {
                doubts.add("no answer of " + name + " was checked in " + Difference.runs(unchecked)
                        + ", so that nobody knows whether the variants answered alike (give checks above 0)");
            }
            if (!name.equals(experiment.judged().baseline())) {
                different(experiment.judged().baseline(), name, runs).ifPresent(doubts::add);
            }
        }
        return doubts;
    }

    private static Optional<String> different(String baseline, String candidate, List<Measured> runs) {
        Map<String, Set<List<String>>> before = hashes(baseline, runs);
        Map<String, Set<List<String>>> after = hashes(candidate, runs);
        List<String> steps = before.keySet().stream()
                .filter(step -> after.containsKey(step)
                        && differ(before.getOrDefault(step, Set.of()), after.getOrDefault(step, Set.of())))
                .toList();
        if (steps.isEmpty()) {
            return Optional.empty();
        }
        String more = steps.size() > MOST_STEPS ? " and " + (steps.size() - MOST_STEPS) + " more" : "";
        return Optional.of(candidate + " did not answer like " + baseline + ": "
                + steps.stream().limit(MOST_STEPS).collect(Collectors.joining(", ")) + more);
    }

    /** Where the runs of neither agree among themselves, as beside a feeder, their answers cannot be the same. */
    private static boolean differ(Set<List<String>> before, Set<List<String>> after) {
        Set<List<String>> all = new LinkedHashSet<>(before);
        all.addAll(after);
        return all.size() > 1 && !(before.size() > 1 && after.size() > 1);
    }

    /** What the valid runs of a variant answered, by step. */
    private static Map<String, Set<List<String>>> hashes(String variant, List<Measured> runs) {
        Map<String, Set<List<String>>> hashes = new TreeMap<>();
        runs.stream()
                .filter(run -> run.variant().equals(variant) && run.isValid())
                .forEach(run -> run.figures()
                        .answers()
                        .hashes()
                        .forEach((step, answered) -> hashes.computeIfAbsent(step, unused -> new LinkedHashSet<>())
                                .add(answered)));
        return hashes;
    }
}
