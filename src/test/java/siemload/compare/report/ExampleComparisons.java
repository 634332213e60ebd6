package siemload.compare.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiFunction;
import siemload.compare.experiment.Comparer;
import siemload.compare.experiment.Comparer.Measured;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Experiment;
import siemload.compare.experiment.Experiment.Axis;
import siemload.compare.experiment.Experiment.ComparedVariant;
import siemload.compare.experiment.GateResult;
import siemload.compare.experiment.GateRules;
import siemload.compare.experiment.Ledger;
import siemload.compare.experiment.Metric;
import siemload.compare.experiment.RunFigures;
import siemload.compare.experiment.SourceClaim;
import siemload.compare.experiment.SourceClaim.Against;
import siemload.compare.experiment.SourceClaim.Direction;
import siemload.compare.experiment.SourceClaim.Expectation;

/** Comparisons of each kind, of runs that were never made: figures by formula, noise of 3 % and drift by seed. */
public final class ExampleComparisons {
    private static final List<String> HINTS = List.of("none", "full-scan", "full-scan-parallel", "index");
    private static final List<String> SEARCHES =
            List.of("MENTAT", "HAWAT1", "HAWAT2", "HAWAT3", "HAWAT4", "HAWAT5", "HAWAT6", "HAWAT7", "OTHER1", "OTHER2");

    private ExampleComparisons() {}

    /** By name, in an order. */
    public static Map<String, Comparison> all() {
        Map<String, Comparison> all = new LinkedHashMap<>();
        for (Comparison one : List.of(
                hints(),
                indexTax(),
                pageDepth(),
                scaling(),
                slides(),
                servers(),
                withheld(),
                nothingMeasured(),
                oneIsMissing())) {
            all.put(one.experiment().name(), one);
        }
        return all;
    }

    /** A regret table of four hints, with plans, and a run that does not count. */
    static Comparison hints() {
        SourceClaim claim = new SourceClaim(
                "",
                0,
                "Without the index, the first page of a category takes 110 to 340 times as long.",
                List.of(new Expectation(
                        "full-scan", Direction.WORSE, 50, List.of("HAWAT3"), "", new Against("", "", ""))));
        Experiment experiment =
                experiment("hints", Experiment.Kind.REGRET, "hint", HINTS, "p50", List.of("p95"), 9, List.of(claim));
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
        List<Measured> planned = new ArrayList<>();
        for (Measured run : runs) {
            List<String> invalid = run.position() == 7 ? List.of("other programs took 23 % of the CPUs") : List.of();
            boolean index = run.variant().equals("none") || run.variant().equals("index");
            String plan = index ? "time index events_detect_time, sorted" : run.variant() + ", sorted";
            planned.add(with(run, Map.of("HAWAT3 first", plan), run.figures().environment(), invalid));
        }
        return Comparer.compare(experiment, planned, OtherDifferences.WITHHOLD);
    }

    static Comparison indexTax() {
        List<String> sets = List.of("native", "none", "time", "fields", "compound");
        List<String> costs = List.of("eventsPerSecond", "walBytesPerEvent", "diskBytesPerEvent");
        Experiment experiment =
                experiment("index-tax", Experiment.Kind.PARETO, "indexes", sets, "p95", costs, 6, List.of());
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
        Experiment experiment = experiment(
                "page-depth", Experiment.Kind.DEPTH, "paging", ways, "lastEventMicros", List.of(), 6, List.of());
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
        List<Measured> planned = new ArrayList<>();
        for (Measured run : runs) {
            Map<String, String> plans = new TreeMap<>();
            for (int page : pages) {
                boolean scan = page > 100 && run.variant().equals("offset");
                plans.put("HAWAT3 page " + page, scan ? "full scan, sorted" : "time index events_detect_time");
            }
            planned.add(with(run, plans, run.figures().environment(), List.of()));
        }
        return Comparer.compare(experiment, planned, OtherDifferences.WITHHOLD);
    }

    static Comparison scaling() {
        List<String> users = List.of("1", "5", "10", "25", "50", "100");
        Experiment experiment = experiment(
                "users", Experiment.Kind.SCALING, "users", users, "mean", List.of("throughput"), 6, List.of());
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
        SourceClaim claim = new SourceClaim("CESNET", 5, "The opposite order is best avoided.", List.of());
        return experiment(
                "ts3.2", Experiment.Kind.SLIDES, "order", HINTS, "lastEventMicros", List.of(), 9, List.of(claim));
    }

    /** A series of the source: ten searches, two orders, one of which is slower in one search. */
    static Comparison slides() {
        List<SourceClaim> sources = List.of(
                new SourceClaim(
                        "",
                        0,
                        "The direction of the sort makes no difference.",
                        List.of(new Expectation(
                                "oldestFirst", Direction.SAME, 1, List.of(), "", new Against("", "", "")))),
                new SourceClaim(
                        "CESNET",
                        5,
                        "The opposite order is best avoided.",
                        List.of(new Expectation(
                                "oldestFirst", Direction.WORSE, 1, List.of("HAWAT3"), "", new Against("", "", "")))),
                new SourceClaim(
                        "CESNET",
                        7,
                        "Small results suffer more.",
                        List.of(new Expectation(
                                "oldestFirst",
                                Direction.WORSE,
                                1,
                                List.of("HAWAT3"),
                                "",
                                new Against("", "", "HAWAT1")))));
        Experiment experiment = experiment(
                "ts2.4",
                Experiment.Kind.SLIDES,
                "order",
                List.of("newestFirst", "oldestFirst"),
                "lastEventMicros",
                List.of("firstEventMicros"),
                9,
                sources);
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
        Experiment experiment =
                experiment("gate", Experiment.Kind.COMPARISON, "hint", sides, "p50", List.of(), 11, List.of());
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
        return GateRules.decide("2026-11-21T02:00:00Z", Map.of(), Set.of(), paired, 11);
    }

    /** Two variants by name on servers of their own, one of which has a directory on this machine. */
    static Comparison servers() {
        List<String> names = List.of("ours", "theirs");
        Experiment experiment =
                experiment("servers", Experiment.Kind.COMPARISON, "variants", names, "p50", List.of(), 9, List.of());
        List<Measured> connected = new ArrayList<>();
        for (Measured run : runs(
                experiment,
                (cell, noise) ->
                        Map.of("HAWAT1", Map.of("p50", (cell.equals("ours") ? 180_000 : 120_000) * noise.next())))) {
            boolean ours = run.variant().equals("ours");
            Map<String, Map<String, String>> environment =
                    new TreeMap<>(run.figures().environment());
            environment.put(
                    "database",
                    Map.of(
                            "target", "memory",
                            "version", ours ? "1.0" : "1.1",
                            "provision", ours ? "embedded" : "external",
                            "url", ours ? "memory" : "memory://db2"));
            if (ours) {
                environment.put("filesystem", Map.of("data.type", "ext4"));
            }
            connected.add(with(run, Map.of(), environment, List.of()));
        }
        return Comparer.compare(experiment, connected, OtherDifferences.WITHHOLD);
    }

    /** Somebody changed a setting between the runs. */
    static Comparison withheld() {
        List<String> layouts = List.of("mentat", "address");
        Experiment experiment =
                experiment("changed", Experiment.Kind.COMPARISON, "layout", layouts, "p95", List.of(), 6, List.of());
        List<Measured> changed = new ArrayList<>();
        for (Measured run :
                runs(experiment, (cell, noise) -> Map.of("HAWAT1", Map.of("p95", 250_000 * noise.next())))) {
            String memory = run.position() > 5 ? "64MB" : "4MB";
            Map<String, Map<String, String>> environment =
                    new TreeMap<>(run.figures().environment());
            environment.put("database", Map.of("version", "18.6", "setting.work_mem", memory));
            changed.add(with(run, Map.of(), environment, List.of()));
        }
        return Comparer.compare(experiment, changed, OtherDifferences.WITHHOLD);
    }

    /** Four runs of six, none of which counts, and a label that is no markup. */
    static Comparison nothingMeasured() {
        List<String> users = List.of("1", "<b>2</b>");
        Experiment experiment =
                experiment("nothing", Experiment.Kind.SCALING, "users", users, "p95", List.of("p50"), 3, List.of());
        List<Measured> invalid = new ArrayList<>();
        for (Measured run : runs(experiment, (cell, noise) -> Map.of())) {
            invalid.add(with(run, Map.of(), run.figures().environment(), List.of("no search was answered")));
        }
        return Comparer.compare(experiment, invalid.subList(0, 4), OtherDifferences.WITHHOLD);
    }

    /** A hint whose runs all broke down. */
    static Comparison oneIsMissing() {
        Experiment experiment =
                experiment("missing", Experiment.Kind.REGRET, "hint", HINTS, "p50", List.of(), 3, List.of());
        List<Measured> some = new ArrayList<>();
        for (Measured run :
                runs(experiment, (cell, noise) -> Map.of("HAWAT1", Map.of("p50", 250_000 * noise.next())))) {
            boolean broken = run.variant().equals("full-scan");
            String plan = run.variant().startsWith("full-scan") ? "table events" : "address index events_hulls";
            some.add(with(
                    run,
                    Map.of("HAWAT1 first", plan),
                    run.figures().environment(),
                    broken ? List.of("it broke down") : List.of()));
        }
        return Comparer.compare(experiment, some, OtherDifferences.WITHHOLD);
    }

    private static Experiment experiment(
            String name,
            Experiment.Kind kind,
            String property,
            List<String> values,
            String metric,
            List<String> alsoShow,
            int repeats,
            List<SourceClaim> sources) {
        return new Experiment(
                name,
                "What does " + property + " change for analysts?",
                kind,
                List.of(new Axis(property, values)),
                values.stream()
                        .map(value -> new ComparedVariant(
                                value, Map.of(property.equals("variants") ? "url" : property, value)))
                        .toList(),
                Map.of("scenario", "hawat"),
                new Experiment.Judgement(
                        values.get(0),
                        new Metric(metric),
                        alsoShow.stream().map(Metric::new).toList(),
                        0.05,
                        List.of()),
                repeats,
                1,
                sources);
    }

    private static Comparison compare(
            Experiment experiment, BiFunction<String, Noise, Map<String, Map<String, Double>>> figures) {
        return Comparer.compare(experiment, runs(experiment, figures), OtherDifferences.WITHHOLD);
    }

    private static List<Measured> runs(
            Experiment experiment, BiFunction<String, Noise, Map<String, Map<String, Double>>> figures) {
        Noise noise = new Noise();
        List<Measured> runs = new ArrayList<>();
        for (Ledger.Slot slot : Ledger.slots(experiment)) {
            noise.drift = 1 + 0.004 * slot.position();
            String cell = slot.variant().label();
            RunFigures made = new RunFigures(
                    experiment.name() + "-" + slot.position(),
                    figures.apply(cell, noise),
                    Map.of(),
                    Map.of(),
                    Map.of("database", Map.of("version", "18.6"), "hardware", Map.of("processors", "2")),
                    RunFigures.Answers.NONE,
                    RunFigures.Overload.NONE,
                    List.of());
            runs.add(new Measured(slot.position() + 1, slot.block(), cell, "runs/" + (slot.position() + 1), 60, made));
        }
        return runs;
    }

    private static Measured with(
            Measured run,
            Map<String, String> plans,
            Map<String, Map<String, String>> environment,
            List<String> invalid) {
        RunFigures old = run.figures();
        RunFigures other = new RunFigures(
                old.runId(), old.figures(), old.searches(), plans, environment, old.answers(), old.overload(), invalid);
        return new Measured(run.position(), run.block(), run.variant(), run.directory(), run.seconds(), other);
    }

    /** Factors around 1. */
    private static final class Noise {
        private final SplittableRandom random = new SplittableRandom(3);
        private double drift = 1;

        double next() {
            double normal = 0;
            for (int i = 0; i < 12; i++) {
                normal += random.nextDouble();
            }
            return drift * Math.exp(0.03 * (normal - 6));
        }
    }
}
