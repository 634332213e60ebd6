package siemload.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import siemload.compare.Comparer.Measured;
import siemload.compare.Comparer.OtherDifferences;
import siemload.compare.GateRules.GateResult;
import siemload.compare.RunLog.Ledger;
import siemload.compare.SourceClaim.Against;
import siemload.compare.SourceClaim.Direction;
import siemload.compare.SourceClaim.Expectation;

/** Comparisons of each kind, of runs that were never made: figures by formula, noise of 3 % and drift by seed. */
public final class ExampleComparisons {
    private static final List<String> HINTS = List.of("none", "full-scan", "full-scan-parallel", "index");
    private static final List<String> SEARCHES =
            List.of("MENTAT", "HAWAT1", "HAWAT2", "HAWAT3", "HAWAT4", "HAWAT5", "HAWAT6", "HAWAT7", "OTHER1", "OTHER2");

    private ExampleComparisons() {}

    /** By name, in an order. */
    public static Map<String, Comparison> all() {
        Map<String, Comparison> all = new LinkedHashMap<>();
        for (Comparison one :
                List.of(hints(), indexTax(), pageDepth(), scaling(), slides(), servers(), oneIsMissing())) {
            all.put(one.experiment().name(), one);
        }
        return all;
    }

    /** A regret table of four hints, with plans, and a run that does not count. */
    static Comparison hints() {
        SourceClaim claim = claim(
                "",
                0,
                "Without the index, the first page of a category takes 110 to 340 times as long.",
                expect("full-scan", Direction.WORSE, 50, "", "HAWAT3"));
        Experiment experiment =
                experiment("hints", Experiment.Kind.REGRET, "hint", HINTS, "p50", List.of("p95"), 9, claim);
        Map<String, double[]> micros = new TreeMap<>(Map.of(
                "HAWAT1", new double[] {180_000, 190_000, 240_000, 176_000},
                "HAWAT3", new double[] {2_400, 410_000, 530_000, 2_430},
                "TEXT", new double[] {640_000, 655_000, 380_000, 2_900_000}));
        List<Measured> runs = runs(experiment, (cell, noise) -> {
            Map<String, Map<String, Double>> figures = new TreeMap<>();
            micros.forEach((search, values) -> {
                double median = values[HINTS.indexOf(cell)] * noise.next();
                figures.put(search, Map.of("p50", median, "p95", 2.2 * median));
            });
            return figures;
        });
        return compare(experiment, runs, (run, change) -> {
            change.invalid = run.position() == 7 ? List.of("other programs took 23 % of the CPUs") : List.of();
            boolean index = run.variant().equals("none") || run.variant().equals("index");
            String plan = index ? "time index events_detect_time, sorted" : run.variant() + ", sorted";
            change.plans = Map.of("HAWAT3 first", plan);
        });
    }

    static Comparison indexTax() {
        List<String> sets = List.of("native", "none", "time", "fields", "compound");
        List<String> costs = List.of("eventsPerSecond", "walBytesPerEvent", "diskBytesPerEvent");
        Experiment experiment = experiment("index-tax", Experiment.Kind.PARETO, "indexes", sets, "p95", costs, 6);
        double[] read = {260_000, 5_900_000, 1_200_000, 240_000, 150_000};
        double[] rate = {11_000, 190_000, 120_000, 21_000, 9_000};
        double[] log = {6_900, 1_300, 1_450, 4_800, 7_600};
        return compare(experiment, (cell, noise) -> {
            int i = sets.indexOf(cell);
            Map<String, Double> load = new TreeMap<>();
            load.put("eventsPerSecond", rate[i] * noise.next());
            load.put("walBytesPerEvent", log[i] * noise.next());
            load.put("diskBytesPerEvent", 0.4 * log[i] + 600);
            Map<String, Map<String, Double>> figures = new TreeMap<>();
            figures.put("HAWAT1", Map.of("p95", read[i] * noise.next()));
            figures.put("MENTAT", Map.of("p95", (i == 1 ? 4_000_000 : 3_000) * noise.next()));
            figures.put("load", load);
            return figures;
        });
    }

    static Comparison pageDepth() {
        List<String> ways = List.of("offset", "keyset", "cursor");
        Experiment experiment =
                experiment("page-depth", Experiment.Kind.DEPTH, "paging", ways, "lastEventMicros", List.of(), 6);
        int[] pages = {1, 10, 100, 1000, 10_000};
        List<Measured> runs = runs(experiment, (cell, noise) -> {
            Map<String, Map<String, Double>> figures = new TreeMap<>();
            for (String search : List.of("HAWAT3", "MENTAT")) {
                for (int page : pages) {
                    double micros = cell.equals("offset") ? 1_000 + 170.0 * page : cell.equals("keyset") ? 1_300 : 900;
                    figures.put(search + " page " + page, Map.of("lastEventMicros", micros * noise.next()));
                }
            }
            return figures;
        });
        return compare(experiment, runs, (run, change) -> {
            change.plans = new TreeMap<>();
            for (int page : pages) {
                boolean scan = page > 100 && run.variant().equals("offset");
                change.plans.put("HAWAT3 page " + page, scan ? "full scan, sorted" : "time index events_detect_time");
            }
        });
    }

    static Comparison scaling() {
        List<String> users = List.of("1", "5", "10", "25", "50", "100");
        Experiment experiment =
                experiment("users", Experiment.Kind.SCALING, "users", users, "mean", List.of("throughput"), 6);
        return compare(experiment, (cell, noise) -> {
            double n = Double.parseDouble(cell);
            Map<String, Map<String, Double>> figures = new TreeMap<>();
            for (String search : List.of("HAWAT1", "HAWAT3")) {
                double throughput = 40 * n / (1 + 0.08 * (n - 1) + 0.0008 * n * (n - 1)) * noise.next();
                double mean = (search.equals("HAWAT1") ? 1e6 : 0.02e6) * n / throughput;
                figures.put(search, new TreeMap<>(Map.of("mean", mean, "throughput", throughput)));
            }
            return figures;
        });
    }

    /** One that tests a conclusion, too, and was not made yet. */
    static Experiment planned() {
        return experiment(
                "ts3.2",
                Experiment.Kind.SLIDES,
                "order",
                HINTS,
                "lastEventMicros",
                List.of(),
                9,
                claim("CESNET", 5, "The opposite order is best avoided."));
    }

    /** A series of the source: ten searches, two orders, one of which is slower in one search. */
    static Comparison slides() {
        Experiment experiment = experiment(
                "ts2.4",
                Experiment.Kind.SLIDES,
                "order",
                List.of("newestFirst", "oldestFirst"),
                "lastEventMicros",
                List.of("firstEventMicros"),
                9,
                claim(
                        "",
                        0,
                        "The direction of the sort makes no difference.",
                        expect("oldestFirst", Direction.SAME, 1, "")),
                claim(
                        "CESNET",
                        5,
                        "The opposite order is best avoided.",
                        expect("oldestFirst", Direction.WORSE, 1, "", "HAWAT3")),
                claim(
                        "CESNET",
                        7,
                        "Small results suffer more.",
                        expect("oldestFirst", Direction.WORSE, 1, "HAWAT1", "HAWAT3")));
        return compare(experiment, (cell, noise) -> {
            Map<String, Map<String, Double>> figures = new TreeMap<>();
            for (int i = 0; i < SEARCHES.size(); i++) {
                double micros = 3_000 * Math.pow(2.7, i) * (cell.equals("oldestFirst") && i == 3 ? 1.3 : 1);
                double last = micros * noise.next();
                Map<String, Double> values =
                        new TreeMap<>(Map.of("lastEventMicros", last, "firstEventMicros", last / 10));
                values.put("rows", 20 * Math.pow(2.5, i));
                values.put("bytes", (560 + 15 * i) * 20 * Math.pow(2.5, i));
                figures.put(SEARCHES.get(i), values);
            }
            return figures;
        });
    }

    /** A night in which one search got slower, and the baseline differed from itself in another. */
    static GateResult gate() {
        List<String> sides = List.of(GateRules.BASELINE, GateRules.CANDIDATE, GateRules.CONTROL);
        Experiment experiment = experiment("gate", Experiment.Kind.COMPARISON, "hint", sides, "p50", List.of(), 11);
        Comparison paired = compare(experiment, (cell, noise) -> {
            double slower = cell.equals(GateRules.CANDIDATE) ? 1.3 : 1;
            double itself = cell.equals(GateRules.CONTROL) ? 1.4 : 1;
            Map<String, Map<String, Double>> figures = new TreeMap<>();
            for (String search : SEARCHES.subList(0, 3)) {
                double median = 20_000 * noise.next();
                double factor = search.equals("HAWAT1") ? slower : search.equals("HAWAT2") ? itself : 1;
                figures.put(search, Map.of("p50", median * factor, "p95", 2.2 * median * noise.next()));
            }
            return figures;
        });
        return new GateRules(paired).decide("2026-11-21T02:00:00Z", Map.of(), Set.of(), 11);
    }

    /**
     * Two variants by name on servers of their own, one of which has a directory on this machine. Somebody changed a setting between the
     * runs, of which one does not count, and two are missing.
     */
    static Comparison servers() {
        List<String> names = List.of("ours", "theirs");
        Experiment experiment =
                experiment("servers", Experiment.Kind.COMPARISON, "variants", names, "p50", List.of(), 9);
        List<Measured> runs = runs(
                experiment,
                (cell, noise) ->
                        Map.of("HAWAT1", Map.of("p50", (cell.equals("ours") ? 180_000 : 120_000) * noise.next())));
        return compare(experiment, runs.subList(0, 16), (run, change) -> {
            boolean ours = run.variant().equals("ours");
            change.set("database", "target", "memory");
            change.set("database", "version", ours ? "1.0" : "1.1");
            change.set("database", "provision", ours ? "embedded" : "external");
            change.set("database", "url", ours ? "memory" : "memory://db2");
            change.set("database", "setting.work_mem", run.position() > 5 ? "64MB" : "4MB");
            change.invalid = run.position() == 3 ? List.of("no search was answered") : List.of();
            if (ours) {
                change.set("filesystem", "data.type", "ext4");
            }
        });
    }

    /** A hint whose runs all broke down. */
    static Comparison oneIsMissing() {
        Experiment experiment = experiment("missing", Experiment.Kind.REGRET, "hint", HINTS, "p50", List.of(), 3);
        List<Measured> runs =
                runs(experiment, (cell, noise) -> Map.of("HAWAT1", Map.of("p50", 250_000 * noise.next())));
        return compare(experiment, runs, (run, change) -> {
            boolean scan = run.variant().startsWith("full-scan");
            change.plans = Map.of("HAWAT1 first", scan ? "table events" : "address index events_hulls");
            change.invalid = run.variant().equals("full-scan") ? List.of("it broke down") : List.of();
        });
    }

    private static SourceClaim claim(String study, int conclusion, String says, Expectation... expects) {
        return new SourceClaim(study, conclusion, says, List.of(expects));
    }

    /** @param against the subject whose ratio it is held against; empty for 1 */
    private static Expectation expect(String of, Direction is, double times, String against, String... subjects) {
        return new Expectation(of, is, times, List.of(subjects), "", new Against("", "", against));
    }

    private static Experiment experiment(
            String name,
            Experiment.Kind kind,
            String property,
            List<String> values,
            String metric,
            List<String> alsoShow,
            int repeats,
            SourceClaim... sources) {
        return Examples.experiment(name, kind, property, values, metric, alsoShow, 0.05, repeats, sources);
    }

    private static Comparison compare(
            Experiment experiment, BiFunction<String, Noise, Map<String, Map<String, Double>>> figures) {
        return Examples.compare(experiment, runs(experiment, figures), OtherDifferences.WITHHOLD);
    }

    private static Comparison compare(
            Experiment experiment, List<Measured> runs, BiConsumer<Measured, Examples.Change> changes) {
        List<Measured> changed = runs.stream()
                .map(run -> Examples.with(run, change -> changes.accept(run, change)))
                .toList();
        return Examples.compare(experiment, changed, OtherDifferences.WITHHOLD);
    }

    private static List<Measured> runs(
            Experiment experiment, BiFunction<String, Noise, Map<String, Map<String, Double>>> figures) {
        Noise noise = new Noise();
        List<Measured> runs = new ArrayList<>();
        for (Ledger.Slot slot : Ledger.slots(experiment)) {
            noise.drift = 1 + 0.004 * slot.position();
            runs.add(Examples.run(slot, figures.apply(slot.variant().label(), noise)));
        }
        return runs;
    }

    /** Factors around 1. */
    private static final class Noise {
        private final SplittableRandom random = new SplittableRandom(3);
        private double drift = 1;

        double next() {
            return drift * Examples.noise(random);
        }
    }
}
