package siemload.compare;

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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.compare.Comparison.Answers;
import siemload.compare.Comparison.PairVerdict;
import siemload.compare.Comparison.PlanShapes;
import siemload.compare.Comparison.Series;
import siemload.compare.Experiment.Axis;
import siemload.config.Secrets;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.Validity;
import siemload.results.Validity.RunVerdict;

/**
 * Turns the runs of an experiment into what they say, from their files alone. Runs of one block are compared with each
 * other; a run that is invalid takes the others of its block out of those pairs that it is part of, no more. Stateless.
 */
public final class Comparer {
    private static final int MOST_EXAMPLES = 5;
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

    /** A run and where it belongs; its position is 1 for the first. */
    record Measured(int position, int block, String variant, String directory, double seconds, RunFigures figures) {
        boolean isValid() {
            return figures.invalid().isEmpty();
        }

        private boolean isValid(String of) {
            return isValid() && variant.equals(of);
        }

        Map<String, String> environment(String section) {
            return figures.environment().getOrDefault(section, Map.of());
        }

        private Comparison.Run told() {
            return new Comparison.Run(
                    position, block, variant, directory, seconds, figures.invalid(), figures.gaveOut());
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
        List<Double> disturbed = new ArrayList<>();
        for (RunLog.Entry entry : entries) {
            Path run = directory.resolve(entry.directory());
            Axis fact = experiment.axes().get(0);
            boolean within = experiment.isWithinRuns();
            for (String variant : within ? fact.values() : List.of(entry.variant())) {
                RunFigures figures = within ? RunFigures.read(run, fact.property(), variant) : RunFigures.read(run);
                runs.add(new Measured(
                        entry.position(), entry.block(), variant, entry.directory(), entry.seconds(), figures));
            }
            Validity validity = RunResult.read(RunFile.RUN.in(run)).validity();
            if (validity.verdict() == RunVerdict.DISTURBED) {
                disturbed.add(validity.disturbance().percentilesOffPercent());
            }
        }
        List<String> sentences = disturbed.isEmpty()
                ? List.of()
                : List.of(disturbed.size() + " of " + entries.size()
                        + " runs were disturbed by other programs; their percentiles may be off by up to about "
                        + Math.round(Math.ceil(Collections.max(disturbed))) + " %");
        List<Answers> answers = answers(directory, experiment, runs);
        return compare(experiment, runs, answers, sentences, others);
    }

    /** Compares these runs, which ask no statements. */
    static Comparison compare(Experiment experiment, List<Measured> runs, OtherDifferences others) {
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
        withheld.addAll(doubts(experiment, runs, answers));
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
                    runs.stream()
                            .filter(run -> run.variant.equals(label))
                            .forEach(run -> run.figures.figure(subject, metric).ifPresent(value -> {
                                values.put(run.block, value);
                                bounds.addAll(run.figures.isBound(subject, metric) ? List.of(run.block) : List.of());
                            }));
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
        List<String> few = new ArrayList<>();
        for (String label : experiment.labels()) {
            List<Measured> own =
                    valid.stream().filter(run -> run.isValid(label)).toList();
            if (own.isEmpty()) {
                gaps.add(experiment.spoken(label) + ": no run of it counts, so nothing is known of it");
            }
            own.stream()
                    .flatMap(run -> run.figures.withTooFewSearches(metric).stream())
                    .filter(experiment::asksFor)
                    .distinct()
                    .sorted()
                    .forEach(subject -> few.add(subject + " with " + label));
        }
        if (!few.isEmpty()) {
            gaps.add("fewer searches in a run than the " + metric.searchesNeeded() + " that " + metric.name()
                    + " takes: " + String.join(", ", few) + "; a longer --duration has more");
        }
        int before = gaps.size();
        List<String> labels = decider.labels();
        for (String other : labels.subList(1, labels.size())) {
            List<PairVerdict> given = decider.between(labels.get(0), other, decider.questions());
            gaps.addAll(decider.open(labels.get(0), other, decider.questions(), given));
        }
        for (String subject : experiment.subjects()) {
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
        experiment
                .labels()
                .forEach(label -> runs.forEach(run -> run.figures.plans().forEach((search, shape) -> {
                    Map<String, List<String>> of = shapes.computeIfAbsent(search, unused -> new LinkedHashMap<>());
                    if (run.variant.equals(label) && !shape.isEmpty()) {
                        List<String> seen = of.computeIfAbsent(label, unused -> new ArrayList<>());
                        seen.addAll(seen.contains(shape) ? List.of() : List.of(shape));
                    }
                })));
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
            String facts = Stream.of("provision", "url")
                    .filter(server::containsKey)
                    .map(fact -> ", " + server.get(fact))
                    .collect(Collectors.joining());
            String version = server.containsKey("version") ? " " + server.get("version") : "";
            sides.add(
                    first.isEmpty()
                            ? name + " has no run that counts"
                            : name + " is " + server.getOrDefault("target", "a database") + version + facts);
        }
        answers.stream()
                .filter(held -> held.questions() > 0 && held.differing() == 0)
                .forEach(held -> sides.add(held.sentence()));
        return sides;
    }

    /**
     * What named variants, or the sides of a gate, answered to the same questions; nothing where none was asked: another database that is
     * fast because it finds something else is no faster one. Steps of procedures ask the same in each run, and statements of data that are
     * there already with the same values, so that their answers are held against each other. Windows of analysts end at the moment of the
     * search, so that no two runs ask the same: there a sample of each run must be what the events of the data set say.
     */
    static List<Answers> answers(Path directory, Experiment experiment, List<Measured> runs) throws IOException {
        Map<String, Map<String, Set<String>>> byVariant = new HashMap<>();
        Set<String> steps = new HashSet<>();
        for (Measured run : runs.stream().filter(Measured::isValid).toList()) {
            Map<String, Set<String>> own = byVariant.computeIfAbsent(run.variant, unused -> new TreeMap<>());
            run.figures.answers().hashes().forEach((step, answer) -> add(own, step, answer.toString()));
            steps.addAll(run.figures.answers().hashes().keySet());
            Path place = directory.resolve(run.directory);
            if (Files.isRegularFile(RunFile.ANSWERS.in(place))) {
                RunFile.ANSWERS.read(place, row -> {
                    String values = decoded(row.text("values").replace("&", ", "));
                    String with = values.isEmpty() ? "" : " with " + values;
                    add(own, row.text("statement") + with, row.text("rows") + " " + row.text("sum"));
                });
            }
        }
        String baseline = experiment.baseline();
        boolean asked = byVariant.values().stream().anyMatch(one -> !one.isEmpty());
        List<String> others = new ArrayList<>(asked && experiment.isOfNamed() ? experiment.labels() : List.of());
        others.remove(baseline);
        if (GateRules.isGate(experiment)) {
            // Where the baseline does not answer like itself, nothing follows from what the candidate answers.
            Collections.reverse(others);
        }
        List<Answers> all = new ArrayList<>();
        for (String variant : others) {
            Map<String, Set<String>> known = new TreeMap<>(byVariant.getOrDefault(baseline, Map.of()));
            Map<String, Set<String>> own = byVariant.getOrDefault(variant, Map.of());
            known.keySet().retainAll(own.keySet());
            List<String> differing = new ArrayList<>();
            known.forEach((question, before) -> {
                Set<String> after = own.getOrDefault(question, before);
                boolean same = before.equals(after) && before.size() == 1;
                // Steps whose runs do not agree among themselves, as beside a feeder, cannot have the same answers.
                boolean open =
                        steps.contains(question) && (before.equals(after) || (before.size() > 1 && after.size() > 1));
                differing.addAll(same || open ? List.of() : List.of(question));
            });
            List<String> examples =
                    differing.stream().limit(MOST_EXAMPLES).map(Secrets::masked).toList();
            all.add(new Answers(baseline, variant, known.size(), differing.size(), examples));
        }
        return all;
    }

    private static void add(Map<String, Set<String>> answers, String question, String answer) {
        answers.computeIfAbsent(question, unused -> new HashSet<>()).add(answer);
    }

    private static String decoded(String values) {
        try {
            return URLDecoder.decode(values, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException asItStands) {
            return values;
        }
    }

    /** Why nothing is compared, in words; empty where answers agree, or variants have no names. A gate judges by itself. */
    private static List<String> doubts(Experiment experiment, List<Measured> runs, List<Answers> answered) {
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
        boolean held = !answered.isEmpty() && answered.stream().allMatch(answers -> answers.questions() > 0);
        for (String name : held ? List.<String>of() : experiment.names()) {
            List<Integer> unchecked = runs.stream()
                    .filter(run -> run.isValid(name)
                            && run.figures.answers().searched()
                            && run.figures.answers().checked() == 0)
                    .map(Measured::position)
                    .toList();
            if (!unchecked.isEmpty()) {
                doubts.add("no answer of " + name + " was checked in " + Difference.runs(unchecked)
                        + ", so it is unknown whether the variants answered alike (give checks above 0)");
            }
        }
        return doubts;
    }
}
