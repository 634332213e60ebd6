package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import siemload.compare.experiment.Experiment.Axis;
import siemload.compare.experiment.Experiment.ComparedVariant;

/** Runs that were never made. */
final class Examples {
    static final Map<String, Map<String, String>> ENVIRONMENT = Map.of(
            "database", Map.of("version", "18.6", "setting.work_mem", "4MB"),
            "hardware", Map.of("processors", "2"),
            "tables", Map.of("events", "1000000"),
            "scenario", Map.of("hint", "none", "users", "20"));

    private Examples() {}

    static Experiment experiment(int repeats, String property, String... values) {
        Axis axis = new Axis(property, List.of(values));
        return new Experiment(
                "example",
                "Does it matter?",
                Experiment.Kind.COMPARISON,
                List.of(axis),
                ComparedVariant.of(List.of(axis)),
                Map.of("scenario", "hawat"),
                new Experiment.Judgement(values[0], new Metric("p95"), List.of(), 0.1, List.of()),
                repeats,
                1,
                List.of());
    }

    /** The experiment with other judgement and sources. */
    static Experiment with(Experiment one, Experiment.Judgement judged, List<SourceClaim> sources) {
        return new Experiment(
                one.name(),
                one.question(),
                one.kind(),
                one.axes(),
                one.variants(),
                one.settings(),
                judged,
                one.repeats(),
                one.seed(),
                sources);
    }

    static RunFigures figures(Map<String, Map<String, Double>> figures) {
        return figures(figures, ENVIRONMENT, List.of());
    }

    static RunFigures figures(
            Map<String, Map<String, Double>> figures,
            Map<String, Map<String, String>> environment,
            List<String> invalid) {
        return new RunFigures(
                "run",
                figures,
                Map.of(),
                Map.of(),
                environment,
                RunFigures.Answers.NONE,
                RunFigures.Overload.NONE,
                invalid);
    }

    /** The run with other figures. */
    static Comparer.Measured with(Comparer.Measured run, RunFigures figures) {
        return new Comparer.Measured(
                run.position(), run.block(), run.variant(), run.directory(), run.seconds(), figures);
    }

    /** The run with a database that did not keep up, and this share of each search without an answer. */
    static Comparer.Measured saturated(Comparer.Measured run, double unanswered) {
        return unanswered(run, unanswered, List.of("the CPUs"));
    }

    /** The run with this share of each search without an answer, and what gave out, if anything did. */
    static Comparer.Measured unanswered(Comparer.Measured run, double unanswered, List<String> gaveOut) {
        RunFigures old = run.figures();
        Map<String, Double> shares = new TreeMap<>();
        old.figures().keySet().forEach(subject -> shares.put(subject, unanswered));
        return with(
                run,
                new RunFigures(
                        old.runId(),
                        old.figures(),
                        old.searches(),
                        old.plans(),
                        old.environment(),
                        old.answers(),
                        new RunFigures.Overload(gaveOut, shares),
                        old.invalid()));
    }

    /** The environment with another value in it. */
    static Map<String, Map<String, String>> environmentWith(String section, String key, String value) {
        Map<String, Map<String, String>> environment = new TreeMap<>(ENVIRONMENT);
        Map<String, String> values = new HashMap<>(environment.getOrDefault(section, Map.of()));
        values.put(key, value);
        environment.put(section, values);
        return environment;
    }

    /**
     * Runs of an experiment on a host that drifts, whose neighbours are noisy in every fifth block, and on which equal runs
     * differ by 3 %.
     *
     * @param factors by cell, how many times its figures are those of the first
     */
    static List<Comparer.Measured> runs(Experiment experiment, Map<String, Double> factors, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Comparer.Measured> runs = new ArrayList<>();
        Map<Integer, Double> neighbours = new HashMap<>();
        for (Ledger.Slot slot : Ledger.slots(experiment)) {
            double drift = 1 + 0.01 * slot.position();
            double neighbour = neighbours.computeIfAbsent(slot.block(), block -> random.nextInt(5) == 0 ? 1.3 : 1.0);
            Map<String, Map<String, Double>> figures = new TreeMap<>();
            for (String search : List.of("HAWAT1", "HAWAT3", "MENTAT", "all")) {
                Map<String, Double> values = new TreeMap<>();
                double factor = factors.getOrDefault(slot.variant().label(), 1.0) * drift * neighbour;
                values.put("p50", 10_000 * factor * noise(random));
                values.put("p95", 30_000 * factor * noise(random));
                figures.put(search, values);
            }
            runs.add(new Comparer.Measured(
                    slot.position() + 1,
                    slot.block(),
                    slot.variant().label(),
                    "runs/" + slot.position(),
                    60,
                    figures(figures)));
        }
        return runs;
    }

    private static double noise(SplittableRandom random) {
        double normal = 0;
        for (int i = 0; i < 12; i++) {
            normal += random.nextDouble();
        }
        return Math.exp(0.03 * (normal - 6));
    }
}
