package siemload.compare;

import java.io.IOException;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.compare.Comparison.Answers;
import siemload.compare.Comparison.Difference;
import siemload.compare.Comparison.PairVerdict;
import siemload.compare.Comparison.Series;
import siemload.compare.Experiment.Axis;
import siemload.compare.RunLog.Ledger;
import siemload.compare.statistics.Decision;
import siemload.compare.statistics.Decision.Verdict;
import siemload.compare.statistics.PairedRatios;
import siemload.config.Secrets;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.Validity;
import siemload.results.Validity.RunVerdict;

/**
 * Compares the runs of an experiment, and reads only the files of these runs. Runs of one block are compared with each other; an invalid
 * run removes only the pairs that it is part of. Stateless.
 */
public final class Comparer {
    private static final int MOST_EXAMPLES = 5;
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /** Sorts names with numbers in natural order: "page 2" before "page 10". */
    private static final Comparator<String> BY_NAME = Comparator.comparing(name -> NUMBER.matcher(name)
            .replaceAll(number -> "0".repeat(Math.max(0, 12 - number.group().length())) + number.group()));

    private Comparer() {}

    /** Says whether to withhold verdicts if runs differ in more than the axis. Different searches with the same name are never compared. */
    public enum OtherDifferences {
        WITHHOLD,
        ACCEPT
    }

    /** A run with its figures; the first run has position 1. */
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
     * Compares the runs that the directory holds so far.
     *
     * @throws IOException if files of a run are missing or broken
     */
    public static Comparison compare(Path directory, OtherDifferences others) throws IOException {
        Experiment experiment = Ledger.FILE.read(directory);
        List<RunLog.Entry> entries = Ledger.entries(directory);
        List<Measured> runs = new ArrayList<>();
        int disturbed = 0;
        double off = 0;
        Axis fact = experiment.axes().get(0);
        boolean within = experiment.isWithinRuns();
        for (RunLog.Entry entry : entries) {
            Path run = directory.resolve(entry.directory());
            RunResult result = RunResult.read(RunFile.RUN.in(run));
            for (String variant : within ? fact.values() : List.of(entry.variant())) {
                RunFigures figures =
                        within ? RunFigures.of(result, run, fact.property(), variant) : RunFigures.of(result, run);
                runs.add(new Measured(
                        entry.position(), entry.block(), variant, entry.directory(), entry.seconds(), figures));
            }
            Validity validity = result.validity();
            if (validity.verdict() == RunVerdict.DISTURBED) {
                disturbed++;
                off = Math.max(off, validity.disturbance().percentilesOffPercent());
            }
        }
        String told = disturbed + " of " + entries.size()
                + " runs were disturbed by other programs; their percentiles may be off by up to about "
                + Math.round(Math.ceil(off)) + " %";
        List<Answers> answers = answers(directory, experiment, runs);
        return compare(experiment, runs, answers, disturbed == 0 ? List.of() : List.of(told), others);
    }

    /** Compares these runs. The caller has compared their answers, and gives a sentence about disturbed runs, if there are any. */
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
                plans(valid),
                differences,
                withheld,
                valid.isEmpty() ? List.of() : gaps(decider, valid, answers, withheld.isEmpty() && verdicts.isEmpty()),
                experiment.sources().stream()
                        .map(source -> source.judge(decider, !withheld.isEmpty()))
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

    /** Returns the figures of the deciding metric that could not be compared; for other metrics the table shows the gaps. */
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
                gaps.add(experiment.spoken(label) + ": none of its runs counts, so nothing is known about it");
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
                    + " needs: " + String.join(", ", few) + " (use a longer --duration)");
        }
        int before = gaps.size();
        decider.others().forEach(other -> gaps.addAll(decider.open(experiment.baseline(), other, decider.questions())));
        for (String subject : experiment.subjects()) {
            if (valid.stream().noneMatch(run -> run.figures.figures().containsKey(subject))) {
                gaps.add("no run measured " + subject);
            }
        }
        if (nothingCompared && few.isEmpty() && gaps.size() == before) {
            gaps.add("every variant: no block has a valid run with " + metric.name() + " both of "
                    + experiment.spoken(experiment.baseline()) + " and of another variant");
        }
        answers.stream()
                .filter(held -> experiment.isOfNamed() && held.questions() == 0)
                .forEach(held -> gaps.add(held.sentence()));
        return gaps;
    }

    private static Map<String, Map<String, Set<String>>> plans(List<Measured> runs) {
        Map<String, Map<String, Set<String>>> plans = new TreeMap<>(BY_NAME);
        runs.forEach(run -> run.figures.plans().forEach((search, shape) -> {
            Map<String, Set<String>> shapes = plans.computeIfAbsent(search, unused -> new TreeMap<>());
            if (!shape.isEmpty()) {
                shapes.computeIfAbsent(run.variant, unused -> new LinkedHashSet<>())
                        .add(shape);
            }
        }));
        return plans;
    }

    /** Describes the server of each named variant, {@code ours is memory 1, embedded}, and says which variants gave equal answers. */
    private static List<String> sides(Experiment experiment, List<Measured> runs, List<Answers> answers) {
        List<String> sides = new ArrayList<>();
        for (String name : experiment.names()) {
            Optional<Measured> run =
                    runs.stream().filter(one -> one.isValid(name)).findFirst();
            Map<String, String> server =
                    run.map(one -> one.environment("database")).orElse(Map.of());
            String facts = Stream.of("version", "provision", "url")
                    .filter(server::containsKey)
                    .map(fact -> (fact.equals("version") ? " " : ", ") + server.get(fact))
                    .collect(Collectors.joining());
            String ran = " is " + server.getOrDefault("target", "a database") + facts;
            sides.add(name + (run.isEmpty() ? " has no run that counts" : ran));
        }
        answers.stream()
                .filter(held -> held.questions() > 0 && held.differing() == 0)
                .forEach(held -> sides.add(held.sentence()));
        return sides;
    }

    /**
     * Compares the answers of named variants, or of the sides of a gate, to the same questions; returns an empty list if no question was
     * asked. A database with other answers does not count as faster. This method compares the steps of procedures, and the statements on
     * existing data that have equal values: every run executes these in the same way. Analysts search windows that end at the time of the
     * search, so no two runs ask the same question; instead, a sample of each run's answers is checked against the events of the data set.
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
                    String values = row.text("values").replace("&", ", ");
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
            // If two runs of the baseline answer differently, the candidate's answers prove nothing.
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
                // If answers to a step vary within each side, as with a feeder, the sides need not give equal answers.
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

    /** Returns why answers of named variants forbid verdicts, in words; empty if answers agree, and for gates, which decide themselves. */
    private static List<String> doubts(Experiment experiment, List<Measured> runs, List<Answers> answered) {
        if (!experiment.isOfNamed() || GateRules.isGate(experiment)) {
            return List.of();
        }
        List<String> doubts = new ArrayList<>();
        for (Measured run : runs) {
            RunFigures.Answers answers = run.figures.answers();
            if (answers.wrong() > 0) {
                doubts.add(answers.wrong() + " of " + answers.checked() + " checked answers of " + run.variant
                        + " were wrong in run " + run.position + " (see wrong-answers.txt next to its run.json)");
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
                        + ", so it is unknown whether the variants answered alike (set checks above 0)");
            }
        }
        return doubts;
    }

    /**
     * Decides how two variants compare in each figure. The p-values of all decisions about a pair of variants are adjusted together, by
     * Holm's method. Immutable.
     */
    record Verdicts(Experiment experiment, List<Series> figures) {

        /**
         * A question about a pair of variants.
         *
         * @param smallest the smallest change that matters, as a ratio above 0
         */
        record Question(String subject, Metric metric, double smallest) {
            private String figure() {
                return subject + " " + metric.words();
            }
        }

        /**
         * The ratios of a candidate to a baseline for one question.
         *
         * @param logs the logarithm of candidate / baseline in each block that both have; infinite where one of the two values is 0
         * @param worse whether the true values of the baseline may be worse, since too many searches got no answer
         * @param better whether the true values of the candidate may be worse, for the same reason
         */
        private record Pair(
                Question question,
                String baseline,
                String candidate,
                Map<Integer, Double> logs,
                boolean worse,
                boolean better) {
            private long withoutRatio() {
                return logs.values().stream()
                        .filter(log -> !Double.isFinite(log))
                        .count();
            }

            /** Returns whether the verdict also holds if true values are worse than the measured bounds. */
            private boolean isKnown(Verdict verdict) {
                return switch (verdict) {
                    case WORSE -> !worse;
                    case BETTER -> !better;
                    case SAME, UNCLEAR -> !worse && !better;
                };
            }
        }

        /** A ratio of two variants in one subject, which has a value in each block. */
        record Ratio(String subject, String of, String than) {
            private String words() {
                return subject + " (" + of + " / " + than + ")";
            }
        }

        /** All variants except the baseline. */
        Stream<String> others() {
            return experiment.labels().stream().filter(label -> !label.equals(experiment.baseline()));
        }

        /** Returns a question for each subject that has the deciding metric, or, if the experiment names subjects, for each of those. */
        List<Question> questions() {
            Metric metric = experiment.metric();
            List<String> subjects = figures.stream()
                    .filter(series -> experiment.asksFor(series.subject()) && series.isOf(metric))
                    .map(Series::subject)
                    .distinct()
                    .toList();
            // If there is only one search, its figures are also those of all searches.
            boolean twice = experiment.subjects().isEmpty() && subjects.size() == 2;
            return subjects.stream()
                    .filter(subject -> !twice || !subject.equals(RunFigures.ALL))
                    .map(subject -> new Question(subject, metric, experiment.smallest()))
                    .toList();
        }

        /** The verdicts on each variant of an experiment against its baseline, by the deciding metric. */
        List<PairVerdict> all() {
            return others().flatMap(other -> between(experiment.baseline(), other, questions()).stream())
                    .toList();
        }

        /** Returns the verdicts on all questions for which the runs of both variants have figures. */
        List<PairVerdict> between(String baseline, String candidate, List<Question> questions) {
            return decided(questions.stream()
                    .map(question -> pair(question, baseline, candidate))
                    .toList());
        }

        private Pair pair(Question question, String baseline, String candidate) {
            Series before = series(question.subject(), question.metric(), baseline);
            Series after = series(question.subject(), question.metric(), candidate);
            boolean worse = !before.bounds().isEmpty();
            boolean better = !after.bounds().isEmpty();
            return new Pair(question, baseline, candidate, logs(before, after), worse, better);
        }

        private static Map<Integer, Double> logs(Series before, Series after) {
            Map<Integer, Double> logs = new LinkedHashMap<>();
            before.values().forEach((block, value) -> {
                Double other = after.values().get(block);
                if (other != null) {
                    logs.put(block, value == 0 && other == 0 ? 0 : Math.log(other) - Math.log(value));
                }
            });
            return logs;
        }

        /** Returns the verdicts on the pairs with common blocks and a finite ratio in each of these blocks. */
        private List<PairVerdict> decided(List<Pair> asked) {
            List<Pair> pairs = asked.stream()
                    .filter(pair -> !pair.logs.isEmpty() && pair.withoutRatio() == 0)
                    .toList();
            List<PairedRatios> ratios = pairs.stream()
                    .map(pair ->
                            pair.logs.values().stream().mapToDouble(log -> log).toArray())
                    .map(logs -> PairedRatios.of(logs, experiment.seed()))
                    .toList();
            double[] adjusted = Decision.adjustedByHolm(
                    ratios.stream().mapToDouble(PairedRatios::pValue).toArray());
            List<PairVerdict> verdicts = new ArrayList<>();
            for (int i = 0; i < adjusted.length; i++) {
                Pair pair = pairs.get(i);
                Question asks = pair.question;
                Decision decision =
                        Decision.of(ratios.get(i), adjusted[i], adjusted.length, asks.smallest, asks.metric.quantity());
                if (pair.isKnown(decision.verdict())) {
                    String candidate = experiment.spoken(pair.candidate);
                    String sentence = decision.sentence(asks.figure(), candidate, experiment.spoken(pair.baseline));
                    verdicts.add(new PairVerdict(
                            asks.subject, asks.metric.name(), pair.baseline, pair.candidate, decision, sentence));
                }
            }
            return verdicts;
        }

        /**
         * Compares ratios of the deciding metric with each other, to see whether a change affects one subject more than another. A block
         * counts if it has all four values and none of them is only a bound. The p-values of all these comparisons are adjusted together.
         *
         * @param ratios each ratio with the ratio to compare it with
         */
        List<PairVerdict> ofRatios(Map<Ratio, Ratio> ratios) {
            Metric metric = experiment.metric();
            List<Pair> pairs = new ArrayList<>();
            ratios.forEach((one, baseline) -> {
                Question question = new Question("ratios", metric, experiment.smallest());
                Map<Integer, Double> logs = known(one);
                Map<Integer, Double> others = known(baseline);
                logs.keySet().retainAll(others.keySet());
                logs.replaceAll((block, log) -> log - others.getOrDefault(block, 0.0));
                pairs.add(new Pair(question, baseline.words(), one.words(), logs, false, false));
            });
            return decided(pairs);
        }

        /** The logarithms of ratios of the deciding metric, for blocks in which no value is 0 or only a bound. */
        private Map<Integer, Double> known(Ratio ratio) {
            Series before = series(ratio.subject(), experiment.metric(), ratio.than());
            Series after = series(ratio.subject(), experiment.metric(), ratio.of());
            Map<Integer, Double> logs = logs(before, after);
            logs.keySet().removeAll(before.bounds());
            logs.keySet().removeAll(after.bounds());
            logs.values().removeIf(log -> !Double.isFinite(log));
            logs.keySet().removeIf(block -> before.values().getOrDefault(block, 0.0) <= 0);
            return logs;
        }

        /** The reasons why some of these questions have no verdict, in words. */
        List<String> open(String baseline, String candidate, List<Question> questions) {
            List<String> open = new ArrayList<>();
            String one = experiment.spoken(candidate);
            String other = experiment.spoken(baseline);
            for (Question question : questions) {
                Pair pair = pair(question, baseline, candidate);
                long zeros = pair.withoutRatio();
                if (zeros > 0) {
                    open.add(question.figure() + " has no ratio of " + one + " to " + other + ": one of them is 0 in "
                            + zeros + (zeros == 1 ? " pair" : " pairs"));
                } else if ((pair.worse || pair.better)
                        && between(baseline, candidate, questions).stream()
                                .noneMatch(verdict -> verdict.isOf(question.subject, question.metric.name()))) {
                    open.add(question.figure() + " of " + one + " and " + other
                            + ": too many searches were not answered, so only a lower bound is known");
                }
            }
            return open;
        }

        /** Returns the series of a figure; the series is empty if the figure was not measured. */
        private Series series(String subject, Metric metric, String variant) {
            return figures.stream()
                    .filter(series -> series.subject().equals(subject)
                            && series.isOf(metric)
                            && series.variant().equals(variant))
                    .findFirst()
                    .orElseGet(() -> new Series(subject, metric.name(), variant, Map.of(), Double.NaN, List.of()));
        }
    }
}
