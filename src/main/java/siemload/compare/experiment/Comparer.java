package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import siemload.compare.statistics.Median;
import siemload.results.RunFile;
import siemload.results.RunResultFile;
import siemload.results.RunVerdict;
import siemload.results.Validity;

/**
 * Turns the runs of an experiment into what they say, from their files alone. Runs of one block are compared with each
 * other; a run that is invalid takes the others of its block out of those pairs that it is part of, no more. Stateless.
 */
public final class Comparer {
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /** "page 2" before "page 10". */
    private static final Comparator<String> BY_NAME = Comparator.comparing(Comparer::withLongNumbers);

    private Comparer() {}

    private static String withLongNumbers(String name) {
        return NUMBER.matcher(name)
                .replaceAll(number -> "0".repeat(Math.max(0, 12 - number.group().length())) + number.group());
    }

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
    }

    /**
     * Compares the runs that a directory holds so far.
     *
     * @throws IOException if files of a run are missing or broken
     */
    public static Comparison compare(Path directory, OtherDifferences others) throws IOException {
        Experiment experiment = Ledger.readExperiment(directory);
        List<Measured> runs = new ArrayList<>();
        for (Ledger.Entry entry : Ledger.entries(directory)) {
            Path run = directory.resolve(entry.directory());
            if (experiment.isWithinRuns()) {
                Axis fact = experiment.axes().get(0);
                for (String value : fact.values()) {
                    runs.add(measured(entry, value, RunFiguresReader.read(run, fact.property(), value)));
                }
            } else {
                runs.add(measured(entry, entry.variant(), RunFiguresReader.read(run)));
            }
        }
        Comparison comparison =
                compare(experiment, runs, AnswerAgreement.ofStatements(directory, experiment, runs), others);
        return new Comparison(
                comparison.formatVersion(),
                comparison.experiment(),
                comparison.runs(),
                comparison.figures(),
                comparison.found(),
                comparison.withheld(),
                comparison.gaps(),
                comparison.claims(),
                comparison.sides(),
                comparison.answers(),
                disturbed(directory));
    }

    /** How many of the runs that count were disturbed, in words: one sentence at most. */
    private static List<String> disturbed(Path directory) throws IOException {
        int disturbed = 0;
        int again = 0;
        int worst = 0;
        double off = 0;
        List<Ledger.Entry> entries = Ledger.entries(directory);
        for (Ledger.Entry entry : entries) {
            Validity validity = RunResultFile.read(RunFile.RUN.in(directory.resolve(entry.directory())))
                    .validity();
            if (validity.verdict() == RunVerdict.DISTURBED) {
                disturbed++;
                again += entry.otherSeconds() > 0 ? 1 : 0;
                if (validity.disturbance().percentilesOffPercent() >= off) {
                    off = validity.disturbance().percentilesOffPercent();
                    worst = entry.position();
                }
            }
        }
        return disturbed == 0
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT,
                        "%d of %d runs were disturbed by other programs%s; the percentiles of run %d may be off by up to %.0f %%",
                        disturbed,
                        entries.size(),
                        again == 0 ? "" : ", " + again + " of them also when made again",
                        worst,
                        Math.ceil(off)));
    }

    private static Measured measured(Ledger.Entry entry, String cell, RunFigures figures) {
        return new Measured(entry.position(), entry.block(), cell, entry.directory(), entry.seconds(), figures);
    }

    /** Compares these runs, which ask no statements. */
    public static Comparison compare(Experiment experiment, List<Measured> runs, OtherDifferences others) {
        return compare(experiment, runs, List.of(), others);
    }

    static Comparison compare(
            Experiment experiment, List<Measured> runs, List<Comparison.Answers> answers, OtherDifferences others) {
        List<Measured> valid = runs.stream().filter(Measured::isValid).toList();
        List<Differences.RunFacts> facts = valid.stream()
                .map(run -> new Differences.RunFacts(
                        run.position(), run.variant(), run.figures().environment()))
                .toList();
        Sides sides = Sides.of(experiment, facts);
        List<Difference> differences = Differences.between(facts, experiment.varied(), sides);
        List<Comparison.Series> figures = series(experiment, valid);
        List<String> withheld = new ArrayList<>(withheld(valid, differences, others));
        withheld.addAll(AnswerAgreement.doubts(experiment, runs, answers));
        List<Comparison.PairVerdict> verdicts = withheld.isEmpty() ? Verdicts.of(experiment, figures) : List.of();
        List<String> gaps = new ArrayList<>(withoutRuns(experiment, valid));
        gaps.addAll(gaps(experiment, valid, figures, withheld.isEmpty() && verdicts.isEmpty()));
        if (experiment.isOfNamed() && !valid.isEmpty()) {
            answers.stream()
                    .filter(held -> held.questions() == 0)
                    .map(Comparison.Answers::sentence)
                    .forEach(gaps::add);
        }
        return new Comparison(
                Comparison.FORMAT_VERSION,
                experiment,
                runs.stream().map(Comparer::record).toList(),
                figures,
                new Comparison.Findings(
                        verdicts,
                        withheld.isEmpty() ? GrowthFit.of(experiment, sizes(experiment, valid), figures) : List.of(),
                        plans(experiment, valid),
                        differences),
                withheld,
                gaps,
                Claims.judge(experiment, figures, verdicts, withheld),
                sides.described(experiment, facts),
                answers,
                List.of());
    }

    /** Where no run at all counts, that is why there is no verdict. */
    private static List<String> withoutRuns(Experiment experiment, List<Measured> valid) {
        return valid.isEmpty()
                ? List.of()
                : experiment.variants().stream()
                        .map(ComparedVariant::label)
                        .filter(label ->
                                valid.stream().noneMatch(run -> run.variant().equals(label)))
                        .map(label ->
                                experiment.spoken(label) + ": no run of it counts, so that nothing is known of it")
                        .toList();
    }

    private static List<String> withheld(List<Measured> valid, List<Difference> differences, OtherDifferences others) {
        List<String> reasons = new ArrayList<>();
        if (valid.isEmpty()) {
            reasons.add("no run is valid");
        }
        differences.stream()
                .filter(difference -> others == OtherDifferences.WITHHOLD || difference.definesSearch())
                .forEach(difference -> reasons.add(difference.sentence()));
        return reasons;
    }

    /** The numbers along the axis, by cell, in its order; empty unless all values are numbers, or data sets of known size. */
    private static Map<String, Double> sizes(Experiment experiment, List<Measured> runs) {
        Map<String, Double> sizes = new LinkedHashMap<>();
        for (ComparedVariant cell : experiment.variants()) {
            String size = runs.stream()
                    .filter(run -> run.variant().equals(cell.label())
                            && cell.settings().containsKey("dataset"))
                    .map(run -> run.figures()
                            .environment()
                            .getOrDefault("dataset", Map.of())
                            .getOrDefault("events", ""))
                    .findFirst()
                    .orElse(cell.label());
            try {
                sizes.put(cell.label(), Double.parseDouble(size.replace("_", "")));
            } catch (NumberFormatException noNumber) {
                return Map.of();
            }
        }
        return sizes;
    }

    private static Comparison.Run record(Measured run) {
        return new Comparison.Run(
                run.position(),
                run.block(),
                run.variant(),
                run.figures().runId(),
                run.directory(),
                run.seconds(),
                run.figures().invalid(),
                run.figures().overload().gaveOut());
    }

    private static List<Comparison.Series> series(Experiment experiment, List<Measured> runs) {
        Map<String, Set<String>> measured = new TreeMap<>(BY_NAME);
        runs.forEach(run -> run.figures()
                .figures()
                .forEach((subject, values) -> measured.computeIfAbsent(subject, unused -> new TreeSet<>())
                        .addAll(values.keySet())));
        List<Comparison.Series> series = new ArrayList<>();
        measured.forEach((subject, metrics) -> metrics.forEach(metric ->
                experiment.variants().forEach(cell -> add(subject, new Metric(metric), cell.label(), runs, series))));
        return series;
    }

    private static void add(
            String subject, Metric metric, String cell, List<Measured> runs, List<Comparison.Series> series) {
        Map<Integer, Double> values = new LinkedHashMap<>();
        List<Integer> bounds = new ArrayList<>();
        for (Measured run : runs) {
            OptionalDouble value = run.figures().figure(subject, metric);
            if (run.variant().equals(cell) && value.isPresent()) {
                values.put(run.block(), value.getAsDouble());
                if (run.figures().isBound(subject, metric)) {
                    bounds.add(run.block());
                }
            }
        }
        if (!values.isEmpty()) {
            double median = Median.of(values.values());
            series.add(new Comparison.Series(subject, metric.name(), cell, values, median, bounds));
        }
    }

    /** Tells where the metric that decides is missing; what other metrics lack, the table shows. */
    private static List<String> gaps(
            Experiment experiment, List<Measured> runs, List<Comparison.Series> figures, boolean nothingCompared) {
        if (runs.isEmpty()) {
            return List.of();
        }
        List<String> gaps = new ArrayList<>(tooFewSearches(experiment, runs));
        gaps.addAll(Verdicts.withoutVerdict(experiment, figures));
        experiment.judged().subjects().stream()
                .filter(subject ->
                        runs.stream().noneMatch(run -> run.figures().figures().containsKey(subject)))
                .forEach(subject -> gaps.add("no run measured " + subject));
        if (runs.stream()
                .noneMatch(run -> run.figures()
                        .metrics()
                        .contains(experiment.judged().metric().name()))) {
            gaps.add("no run has a figure " + experiment.judged().metric().name());
        }
        if (nothingCompared && gaps.isEmpty()) {
            gaps.add("anything: no two variants have a valid run with "
                    + experiment.judged().metric().name() + " in the same block");
        }
        return gaps;
    }

    private static List<String> tooFewSearches(Experiment experiment, List<Measured> runs) {
        Metric metric = experiment.judged().metric();
        Set<String> few = new LinkedHashSet<>();
        for (ComparedVariant cell : experiment.variants()) {
            Map<String, List<Long>> searches = new TreeMap<>();
            for (Measured run : runs) {
                if (run.variant().equals(cell.label())) {
                    run.figures().withTooFewSearches(metric).stream()
                            .filter(experiment.judged()::asksFor)
                            .forEach(subject -> searches.computeIfAbsent(subject, unused -> new ArrayList<>())
                                    .add(run.figures().searches().getOrDefault(subject, 0L)));
                }
            }
            searches.forEach((subject, counts) -> few.add(subject + " with " + cell.label() + " (" + counts.size()
                    + (counts.size() == 1 ? " run, " : " runs, ") + Collections.max(counts) + " at most)"));
        }
        return few.isEmpty()
                ? List.of()
                : List.of("fewer searches in a run than the " + metric.searchesNeeded() + " that " + metric.name()
                        + " takes: " + String.join(", ", few) + "; a longer --duration has more");
    }

    private static List<Comparison.PlanShapes> plans(Experiment experiment, List<Measured> runs) {
        Set<String> searches = new TreeSet<>(BY_NAME);
        runs.forEach(run -> searches.addAll(run.figures().plans().keySet()));
        List<Comparison.PlanShapes> plans = new ArrayList<>();
        for (String search : searches) {
            Map<String, List<String>> byCell = new LinkedHashMap<>();
            for (ComparedVariant cell : experiment.variants()) {
                List<String> shapes = runs.stream()
                        .filter(run -> run.variant().equals(cell.label()))
                        .map(run -> run.figures().plans().getOrDefault(search, ""))
                        .filter(shape -> !shape.isEmpty())
                        .distinct()
                        .toList();
                if (!shapes.isEmpty()) {
                    byCell.put(cell.label(), shapes);
                }
            }
            plans.add(new Comparison.PlanShapes(search, byCell));
        }
        return plans;
    }
}
