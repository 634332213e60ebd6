package siemload.compare.experiment;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.compare.experiment.Comparison.Answers;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.Comparison.PlanShapes;
import siemload.compare.experiment.Comparison.Series;
import siemload.compare.experiment.Experiment.Axis;
import siemload.config.Secrets;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.TableReader;
import siemload.results.Validity;
import siemload.results.Validity.RunVerdict;

/**
 * Turns the runs of an experiment into what they say, from their files alone. Runs of one block are compared with each
 * other; a run that is invalid takes the others of its block out of those pairs that it is part of, no more. Stateless.
 */
public final class Comparer {
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /** "page 2" before "page 10". */
    private static final Comparator<String> BY_NAME = Comparator.comparing(name -> NUMBER.matcher(name)
            .replaceAll(number -> "0".repeat(Math.max(0, 12 - number.group().length())) + number.group()));

    private Comparer() {}

    /** Whether verdicts are given although something else differed, but for what searches of one name ask for. */
    public enum OtherDifferences {
        WITHHOLD,
        ACCEPT
    }

    /**
     * A run and where it belongs.
     *
     * @param position 1 for the first
     */
    public record Measured(
            int position, int block, String variant, String directory, double seconds, RunFigures figures) {
        boolean isValid() {
            return figures.invalid().isEmpty();
        }

        private boolean isValid(String of) {
            return isValid() && variant.equals(of);
        }

        private Map<String, String> environment(String section) {
            return figures.environment().getOrDefault(section, Map.of());
        }

        private Comparison.Run told() {
            return new Comparison.Run(
                    position,
                    block,
                    variant,
                    figures.runId(),
                    directory,
                    seconds,
                    figures.invalid(),
                    figures.gaveOut());
        }
    }

    /**
     * Compares the runs that a directory holds so far.
     *
     * @throws IOException if files of a run are missing or broken
     */
    public static Comparison compare(Path directory, OtherDifferences others) throws IOException {
        Experiment experiment = Ledger.FILE.read(directory);
        List<RunLog.Entry> entries = Ledger.entries(directory);
        List<Measured> runs = new ArrayList<>();
        int disturbed = 0;
        double off = 0;
        for (RunLog.Entry entry : entries) {
            Path run = directory.resolve(entry.directory());
            Axis fact = experiment.axes().get(0);
            for (String variant : experiment.isWithinRuns() ? fact.values() : List.of(entry.variant())) {
                RunFigures figures = experiment.isWithinRuns()
                        ? RunFigures.read(run, fact.property(), variant)
                        : RunFigures.read(run);
                runs.add(new Measured(
                        entry.position(), entry.block(), variant, entry.directory(), entry.seconds(), figures));
            }
            Validity validity = RunResult.read(RunFile.RUN.in(run)).validity();
            if (validity.verdict() == RunVerdict.DISTURBED) {
                disturbed++;
                off = Math.max(off, validity.disturbance().percentilesOffPercent());
            }
        }
        String sentence =
                disturbed + " of " + entries.size() + " runs were disturbed by other programs; their percentiles"
                        + " may be off by up to about " + Math.round(Math.ceil(off)) + " %";
        List<Answers> answers = AnswerAgreement.ofStatements(directory, experiment, runs);
        return compare(experiment, runs, answers, disturbed == 0 ? List.of() : List.of(sentence), others);
    }

    /** Compares these runs, which ask no statements. */
    public static Comparison compare(Experiment experiment, List<Measured> runs, OtherDifferences others) {
        return compare(experiment, runs, List.of(), List.of(), others);
    }

    static Comparison compare(
            Experiment experiment,
            List<Measured> runs,
            List<Answers> answers,
            List<String> disturbed,
            OtherDifferences others) {
        List<Measured> valid = runs.stream().filter(Measured::isValid).toList();
        List<Difference> differences = Difference.between(valid, experiment.varied());
        Verdicts decider = new Verdicts(experiment, series(experiment, valid));
        List<String> withheld = new ArrayList<>(valid.isEmpty() ? List.of("no run is valid") : List.of());
        differences.stream()
                .filter(difference -> others == OtherDifferences.WITHHOLD || difference.definesSearch())
                .forEach(difference -> withheld.add(difference.sentence()));
        withheld.addAll(AnswerAgreement.doubts(experiment, runs, answers));
        List<PairVerdict> verdicts = withheld.isEmpty() ? decider.all() : List.of();
        return new Comparison(
                experiment,
                runs.stream().map(Measured::told).toList(),
                decider.figures(),
                verdicts,
                plans(experiment, valid),
                differences,
                withheld,
                valid.isEmpty() ? List.of() : gaps(decider, valid, answers, withheld.isEmpty() && verdicts.isEmpty()),
                experiment.sources().stream()
                        .map(source -> source.judge(decider, verdicts, !withheld.isEmpty()))
                        .toList(),
                sides(experiment, valid, answers),
                answers,
                disturbed);
    }

    private static List<Series> series(Experiment experiment, List<Measured> runs) {
        Map<String, Set<String>> measured = new TreeMap<>(BY_NAME);
        runs.forEach(run -> run.figures
                .figures()
                .forEach((subject, values) -> measured.computeIfAbsent(subject, unused -> new TreeSet<>())
                        .addAll(values.keySet())));
        List<Series> series = new ArrayList<>();
        measured.forEach((subject, names) ->
                names.forEach(name -> experiment.labels().forEach(label -> {
                    Metric metric = new Metric(name);
                    Map<Integer, Double> values = new LinkedHashMap<>();
                    List<Integer> bounds = new ArrayList<>();
                    for (Measured run : runs) {
                        OptionalDouble value = run.figures.figure(subject, metric);
                        if (run.variant.equals(label) && value.isPresent()) {
                            values.put(run.block, value.getAsDouble());
                            if (run.figures.isBound(subject, metric)) {
                                bounds.add(run.block);
                            }
                        }
                    }
                    Series.of(subject, name, label, values, bounds).ifPresent(series::add);
                })));
        return series;
    }

    /** Tells where the metric that decides is missing; what other metrics lack, the table shows. */
    private static List<String> gaps(
            Verdicts decider, List<Measured> valid, List<Answers> answers, boolean nothingCompared) {
        Experiment experiment = decider.experiment();
        Metric metric = experiment.metric();
        List<String> gaps = new ArrayList<>();
        Set<String> few = new LinkedHashSet<>();
        for (String label : experiment.labels()) {
            List<Measured> own =
                    valid.stream().filter(run -> run.isValid(label)).toList();
            if (own.isEmpty()) {
                gaps.add(experiment.spoken(label) + ": no run of it counts, so that nothing is known of it");
            }
            own.stream()
                    .flatMap(run -> run.figures.withTooFewSearches(metric).stream())
                    .filter(experiment.judged()::asksFor)
                    .sorted()
                    .forEach(subject -> few.add(subject + " with " + label));
        }
        if (!few.isEmpty()) {
            gaps.add("fewer searches in a run than the " + metric.searchesNeeded() + " that " + metric.name()
                    + " takes: " + String.join(", ", few) + "; a longer --duration has more");
        }
        int before = gaps.size();
        String baseline = experiment.judged().baseline();
        for (String other : decider.labels()) {
            gaps.addAll(other.equals(baseline) ? List.of() : decider.open(baseline, other, decider.questions()));
        }
        for (String subject : experiment.judged().subjects()) {
            if (valid.stream().noneMatch(run -> run.figures.figures().containsKey(subject))) {
                gaps.add("no run measured " + subject);
            }
        }
        if (nothingCompared && few.isEmpty() && gaps.size() == before) {
            gaps.add("anything: no two variants have a valid run with " + metric.name() + " in the same block");
        }
        answers.stream()
                .filter(held -> experiment.isOfNamed() && held.questions() == 0)
                .forEach(held -> gaps.add(held.sentence()));
        return gaps;
    }

    private static List<PlanShapes> plans(Experiment experiment, List<Measured> runs) {
        Map<String, Map<String, List<String>>> shapes = new TreeMap<>(BY_NAME);
        for (String label : experiment.labels()) {
            for (Measured run : runs) {
                run.figures.plans().forEach((search, shape) -> {
                    Map<String, List<String>> of = shapes.computeIfAbsent(search, unused -> new LinkedHashMap<>());
                    if (run.variant.equals(label) && !shape.isEmpty()) {
                        List<String> seen = of.computeIfAbsent(label, unused -> new ArrayList<>());
                        seen.addAll(seen.contains(shape) ? List.of() : List.of(shape));
                    }
                });
            }
        }
        List<PlanShapes> plans = new ArrayList<>();
        shapes.forEach((search, of) -> plans.add(new PlanShapes(search, of)));
        return plans;
    }

    /** What each variant of an experiment by names ran on, for people, {@code ours is memory 1, embedded}, and which answered alike. */
    private static List<String> sides(Experiment experiment, List<Measured> runs, List<Answers> answers) {
        List<String> sides = new ArrayList<>();
        for (String name : experiment.names()) {
            Optional<Measured> first =
                    runs.stream().filter(run -> run.isValid(name)).findFirst();
            Map<String, String> server =
                    first.map(run -> run.environment("database")).orElse(Map.of());
            String version = server.containsKey("version") ? " " + server.get("version") : "";
            String place = Stream.of("provision", "url")
                    .filter(server::containsKey)
                    .map(fact -> ", " + server.get(fact))
                    .collect(Collectors.joining());
            sides.add(
                    first.isEmpty()
                            ? name + " has no run that counts"
                            : name + " is " + server.getOrDefault("target", "a database") + version + place);
        }
        answers.stream()
                .filter(held -> held.questions() > 0 && held.differing() == 0)
                .forEach(held -> sides.add(held.sentence()));
        return sides;
    }

    /**
     * Whether named variants answered alike: another database that is fast because it finds something else is no faster one.
     * Steps of procedures ask the same in each run, so that their answers are held against each other. Windows of analysts end
     * at the moment of the search, so that no two runs ask the same: there a sample of each run must be what the events of the
     * data set, which is the same one, say. Of statements of data that are there already nobody knows the right answers: there the
     * same statement with the same values must give the same rows. Stateless.
     */
    static final class AnswerAgreement {
        private static final int MOST_STEPS = 5;

        private AnswerAgreement() {}

        /**
         * What the statements of named variants, or of the sides of a gate, were answered; nothing for others.
         *
         * @param directory of the experiment
         */
        static List<Answers> ofStatements(Path directory, Experiment experiment, List<Measured> runs)
                throws IOException {
            boolean asked = runs.stream()
                    .flatMap(run -> run.environment("scenario").keySet().stream())
                    .anyMatch(value -> value.startsWith("statements."));
            if (!asked || !experiment.isOfNamed()) {
                return List.of();
            }
            String baseline = experiment.judged().baseline();
            Map<String, String> known = new HashMap<>();
            read(directory, baseline, runs, known::putIfAbsent);
            List<String> others = new ArrayList<>(experiment.labels());
            others.remove(baseline);
            if (GateRules.isGate(experiment)) {
                // Where the baseline does not answer like itself, nothing follows from what the candidate answers.
                Collections.reverse(others);
            }
            List<Answers> all = new ArrayList<>();
            for (String variant : others) {
                Set<String> common = new HashSet<>();
                Map<String, String> differing = new TreeMap<>();
                read(directory, variant, runs, (question, rows) -> {
                    String before = known.get(question);
                    if (before != null) {
                        common.add(question);
                        if (!before.equals(rows)) {
                            String[] parts = question.split(" ", 2);
                            String values = decoded(parts[1].replace("&", ", "));
                            differing.putIfAbsent(
                                    question,
                                    parts[0] + (values.isEmpty() ? "" : " with " + Secrets.masked(values)) + " ("
                                            + before.replaceFirst(" .*", "") + " and " + rows.replaceFirst(" .*", "")
                                            + " rows)");
                        }
                    }
                });
                List<String> examples =
                        differing.values().stream().limit(MOST_STEPS).toList();
                all.add(new Answers(baseline, variant, common.size(), differing.size(), examples));
            }
            return all;
        }

        private static String decoded(String values) {
            try {
                return URLDecoder.decode(values, StandardCharsets.UTF_8);
            } catch (IllegalArgumentException asItStands) {
                return values;
            }
        }

        /** Gives each statement with its values that valid runs of a variant asked, and a sum of its rows that begins with their number. */
        private static void read(Path directory, String variant, List<Measured> runs, BiConsumer<String, String> reader)
                throws IOException {
            for (Measured run : runs) {
                Path place = directory.resolve(run.directory);
                if (run.isValid(variant) && Files.isRegularFile(RunFile.ANSWERS.in(place))) {
                    TableReader.read(
                            place,
                            RunFile.ANSWERS,
                            row -> reader.accept(
                                    row.text("statement") + " " + row.text("values"),
                                    row.text("rows") + " " + row.text("sum")));
                }
            }
        }

        /** Why nothing is compared, in words; empty where answers agree, or variants have no names. A gate judges by itself. */
        static List<String> doubts(Experiment experiment, List<Measured> runs, List<Answers> answered) {
            if (!experiment.isOfNamed() || GateRules.isGate(experiment)) {
                return List.of();
            }
            List<String> doubts = new ArrayList<>();
            for (Measured run : runs) {
                RunFigures.Answers answers = run.figures.answers();
                if (answers.wrong() > 0) {
                    doubts.add(answers.wrong() + " of " + answers.checked() + " answers of " + run.variant
                            + " that were checked were wrong in run " + run.position
                            + " (wrong-answers.txt beside its run.json has them)");
                }
            }
            answered.stream().filter(answers -> answers.differing() > 0).forEach(one -> doubts.add(one.sentence()));
            boolean heldAgainstEachOther =
                    !answered.isEmpty() && answered.stream().allMatch(answers -> answers.questions() > 0);
            Map<String, Set<List<String>>> known = hashes(experiment.judged().baseline(), runs);
            for (String name : experiment.names()) {
                List<Integer> unchecked = runs.stream()
                        .filter(run -> run.isValid(name)
                                && run.figures.answers().searched()
                                && run.figures.answers().checked() == 0)
                        .map(Measured::position)
                        .toList();
                if (!unchecked.isEmpty() && !heldAgainstEachOther) {
                    doubts.add("no answer of " + name + " was checked in " + Difference.runs(unchecked)
                            + ", so that nobody knows whether the variants answered alike (give checks above 0)");
                }
                Map<String, Set<List<String>>> after = hashes(name, runs);
                List<String> steps = new ArrayList<>();
                known.forEach((step, before) -> {
                    Set<List<String>> others = after.getOrDefault(step, before);
                    // Where the runs of neither agree among themselves, as beside a feeder, their answers cannot be the
                    // same.
                    if (!others.equals(before) && (before.size() == 1 || others.size() == 1)) {
                        steps.add(step);
                    }
                });
                if (!steps.isEmpty()) {
                    int more = steps.size() - MOST_STEPS;
                    doubts.add(name + " did not answer like "
                            + experiment.judged().baseline() + ": "
                            + String.join(", ", steps.subList(0, Math.min(MOST_STEPS, steps.size())))
                            + (more > 0 ? " and " + more + " more" : ""));
                }
            }
            return doubts;
        }

        /** What the valid runs of a variant answered, by step. */
        private static Map<String, Set<List<String>>> hashes(String variant, List<Measured> runs) {
            Map<String, Set<List<String>>> all = new TreeMap<>();
            runs.stream()
                    .filter(run -> run.isValid(variant))
                    .map(run -> run.figures.answers().hashes())
                    .forEach(hashes -> hashes.forEach((step, answered) ->
                            all.computeIfAbsent(step, unused -> new HashSet<>()).add(answered)));
            return all;
        }
    }
}
