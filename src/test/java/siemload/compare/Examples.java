package siemload.compare;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import siemload.compare.Comparer.Measured;
import siemload.compare.Comparer.OtherDifferences;
import siemload.compare.Experiment.Axis;
import siemload.compare.Experiment.ComparedVariant;
import siemload.compare.RunLog.Ledger;

/** Experiments and runs that were never made. */
public final class Examples {
    public static final Map<String, Map<String, String>> ENVIRONMENT = Map.of(
            "database", Map.of("version", "18.6", "setting.work_mem", "4MB"),
            "hardware", Map.of("processors", "2"),
            "tables", Map.of("events", "1000000"),
            "scenario", Map.of("hint", "none", "users", "20"));

    private Examples() {}

    /** What a test may change of a run. */
    public static final class Change {
        public Map<String, Map<String, Double>> figures;
        public Map<String, Long> searches;
        public Map<String, String> plans;
        public Map<String, Map<String, String>> environment;
        public RunFigures.Answers answers;
        public List<String> gaveOut;
        public Map<String, Double> unanswered;
        public List<String> invalid;

        private Change(RunFigures old) {
            figures = old.figures();
            searches = old.searches();
            plans = old.plans();
            environment = new TreeMap<>(old.environment());
            answers = old.answers();
            gaveOut = old.gaveOut();
            unanswered = old.unanswered();
            invalid = old.invalid();
        }

        /** The database did not keep up, and this share of each search has no answer. */
        public void saturate(double share) {
            gaveOut = List.of("the CPUs");
            unanswered = figures.keySet().stream().collect(Collectors.toMap(subject -> subject, unused -> share));
        }

        /** Another value of the environment. */
        public void set(String section, String key, String value) {
            Map<String, String> values = new TreeMap<>(environment.getOrDefault(section, Map.of()));
            values.put(key, value);
            environment.put(section, values);
        }
    }

    /** The run with something changed. */
    public static Measured with(Measured run, Consumer<Change> change) {
        Change to = new Change(run.figures());
        change.accept(to);
        RunFigures changed = new RunFigures(
                to.figures, to.searches, to.plans, to.environment, to.answers, to.gaveOut, to.unanswered, to.invalid);
        return new Measured(run.position(), run.block(), run.variant(), run.directory(), run.seconds(), changed);
    }

    /** Runs of which some are changed. */
    public static List<Measured> with(List<Measured> runs, Predicate<Measured> which, Consumer<Change> change) {
        return runs.stream()
                .map(run -> which.test(run) ? with(run, change) : run)
                .toList();
    }

    /** Compares runs that ask no statements. */
    static Comparison compare(Experiment experiment, List<Measured> runs, OtherDifferences others) {
        return Comparer.compare(experiment, runs, List.of(), List.of(), others);
    }

    static Experiment experiment(int repeats, String property, String... values) {
        return experiment(
                "example", Experiment.Kind.COMPARISON, property, List.of(values), "p95", List.of(), 0.1, repeats);
    }

    public static Experiment experiment(
            String name,
            Experiment.Kind kind,
            String property,
            List<String> values,
            String metric,
            List<String> alsoShow,
            double smallest,
            int repeats,
            SourceClaim... sources) {
        Axis axis = new Axis(property, values);
        return new Experiment(
                name,
                "What does " + property + " change for analysts?",
                kind,
                List.of(axis),
                ComparedVariant.of(List.of(axis)),
                Map.of("scenario", "hawat"),
                values.get(0),
                new Metric(metric),
                alsoShow.stream().map(Metric::new).toList(),
                smallest,
                List.of(),
                repeats,
                1,
                List.of(sources));
    }

    /** A run of an experiment. */
    public static Measured run(Ledger.Slot slot, Map<String, Map<String, Double>> figures) {
        int position = slot.position();
        RunFigures made = new RunFigures(
                figures,
                Map.of(),
                Map.of(),
                ENVIRONMENT,
                new RunFigures.Answers(false, 0, 0, Map.of()),
                List.of(),
                Map.of(),
                List.of());
        return new Measured(position + 1, slot.block(), slot.variant().label(), "runs/" + (position + 1), 60, made);
    }

    /**
     * Runs of an experiment on a host that drifts, whose neighbours are noisy in every fifth block, and on which equal runs
     * differ by 3 %.
     *
     * @param factors by cell, how many times its figures are those of the first
     */
    static List<Measured> runs(Experiment experiment, Map<String, Double> factors, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Measured> runs = new ArrayList<>();
        Map<Integer, Double> neighbours = new HashMap<>();
        for (Ledger.Slot slot : Ledger.slots(experiment)) {
            double neighbour = neighbours.computeIfAbsent(slot.block(), block -> random.nextInt(5) == 0 ? 1.3 : 1.0);
            double factor =
                    factors.getOrDefault(slot.variant().label(), 1.0) * (1 + 0.01 * slot.position()) * neighbour;
            Map<String, Map<String, Double>> figures = new TreeMap<>();
            for (String search : List.of("HAWAT1", "HAWAT3", "MENTAT", "all")) {
                double p50 = 10_000 * factor * noise(random);
                figures.put(search, Map.of("p50", p50, "p95", 30_000 * factor * noise(random)));
            }
            runs.add(run(slot, figures));
        }
        return runs;
    }

    /** A factor near 1. */
    public static double noise(SplittableRandom random) {
        double normal = 0;
        for (int i = 0; i < 12; i++) {
            normal += random.nextDouble();
        }
        return Math.exp(0.03 * (normal - 6));
    }
}
