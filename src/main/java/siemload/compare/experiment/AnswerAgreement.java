package siemload.compare.experiment;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import siemload.compare.experiment.Comparer.Measured;
import siemload.compare.experiment.Comparison.Answers;
import siemload.config.Secrets;
import siemload.results.RunFile;
import siemload.results.TableReader;

/**
 * Whether named variants answered alike: another database that is fast because it finds something else is no faster one.
 * Steps of procedures ask the same in each run, so that their answers are held against each other. Windows of analysts end
 * at the moment of the search, so that no two runs ask the same: there a sample of each run must be what the events of the
 * data set, which is the same one, say. Of statements of data that are there already nobody knows the right answers: there the
 * same statement with the same values must give the same rows. Stateless.
 */
final class AnswerAgreement {
    private static final int MOST_STEPS = 5;

    private AnswerAgreement() {}

    /**
     * What the statements of named variants, or of the sides of a gate, were answered; nothing for others.
     *
     * @param directory of the experiment
     */
    static List<Answers> ofStatements(Path directory, Experiment experiment, List<Measured> runs) throws IOException {
        boolean asked = runs.stream()
                .flatMap(run -> run.figures().environment().getOrDefault("scenario", Map.of()).keySet().stream())
                .anyMatch(value -> value.startsWith("statements."));
        if (!asked || !(experiment.isOfNamed() || GateRules.isGate(experiment))) {
            return List.of();
        }
        String baseline = experiment.judged().baseline();
        Map<String, String> known = new HashMap<>();
        for (Path run : counted(directory, baseline, runs)) {
            read(run, known::putIfAbsent);
        }
        List<Answers> all = new ArrayList<>();
        List<ComparedVariant> others = new ArrayList<>(experiment.variants());
        others.removeIf(variant -> variant.label().equals(baseline));
        if (GateRules.isGate(experiment)) {
            // Where the baseline does not answer like itself, nothing follows from what the candidate answers.
            Collections.reverse(others);
        }
        for (ComparedVariant variant : others) {
            Set<String> common = new HashSet<>();
            Map<String, String> differing = new TreeMap<>();
            for (Path run : counted(directory, variant.label(), runs)) {
                read(run, (question, rows) -> {
                    String before = known.get(question);
                    if (before != null) {
                        common.add(question);
                        if (!before.equals(rows)) {
                            differing.putIfAbsent(question, rowsOf(before) + " and " + rowsOf(rows) + " rows");
                        }
                    }
                });
            }
            all.add(new Answers(
                    baseline,
                    variant.label(),
                    common.size(),
                    differing.size(),
                    differing.entrySet().stream()
                            .limit(MOST_STEPS)
                            .map(one -> spoken(one.getKey()) + " (" + one.getValue() + ")")
                            .toList()));
        }
        return all;
    }

    private static List<Path> counted(Path directory, String variant, List<Measured> runs) {
        return runs.stream()
                .filter(run -> run.variant().equals(variant) && run.isValid())
                .map(run -> directory.resolve(run.directory()))
                .filter(run -> Files.isRegularFile(RunFile.ANSWERS.in(run)))
                .toList();
    }

    /** Gives each statement with its values, and a sum of its rows that begins with their number. */
    private static void read(Path run, BiConsumer<String, String> reader) throws IOException {
        new TableReader(run, RunFile.ANSWERS)
                .read(row -> reader.accept(
                        row.text("statement") + " " + row.text("values"), row.text("rows") + " " + row.text("sum")));
    }

    private static String rowsOf(String sum) {
        return sum.replaceFirst(" .*", "");
    }

    private static String spoken(String question) {
        String[] parts = question.split(" ", 2);
        return parts[1].isEmpty()
                ? parts[0]
                : parts[0] + " with "
                        + Secrets.masked(URLDecoder.decode(parts[1].replace("&", ", "), StandardCharsets.UTF_8));
    }

    /** Why nothing is compared, in words; empty where answers agree, or variants have no names. */
    static List<String> doubts(Experiment experiment, List<Measured> runs, List<Answers> answered) {
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
        answered.stream()
                .filter(answers -> answers.differing() > 0)
                .map(Answers::sentence)
                .forEach(doubts::add);
        boolean heldAgainstEachOther =
                !answered.isEmpty() && answered.stream().allMatch(answers -> answers.questions() > 0);
        for (String name : heldAgainstEachOther ? List.<String>of() : experiment.names()) {
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
        }
        for (String name : experiment.names()) {
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
