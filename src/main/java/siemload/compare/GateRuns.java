package siemload.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import siemload.compare.Comparer.OtherDifferences;
import siemload.compare.Experiment.Axis;
import siemload.compare.Experiment.ComparedVariant;
import siemload.compare.ExperimentPlan.VariantConnections;
import siemload.compare.GateRules.GateResult;
import siemload.compare.GateRules.GateResult.ExactChange;
import siemload.compare.RunLog.Ledger;
import siemload.compare.statistics.Interval;
import siemload.compare.statistics.PairedRatios;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResult.StepRecord;
import siemload.run.RunHost;
import siemload.run.Slices;

/**
 * The runs of a gate: a certificate of each side first, then blocks of baseline, candidate and baseline once more. Where both sides can
 * stand beside each other, the blocks are of slices that take turns in this process, and end as soon as what they say is certain.
 */
public final class GateRuns {
    /** The directory with the runs of the second tier, an experiment as any other. */
    public static final String PAIRS = "pairs";

    /** What the page of the pairs tells first; a median needs fewer searches than any other figure of the gate. */
    private static final Metric TOLD = new Metric("p50");

    private static final String PARAMETERS = Property.PARAMETERS.name();

    private static final Set<String> OF_LOAD =
            Set.of("users arrivals eps warmup duration workers probes checks".split(" "));

    /** Of slices, unless something else is asked for. */
    private static final int MOST_SLICES = 24;

    private static final int MOST_RUNS = 11;
    /** How long a slice is; longer where that has fewer searches of a kind than a median takes in nearly all of them. */
    private static final long SECONDS = 8;

    private static final long LONGEST_SECONDS = 20;
    private static final long FEWEST_SEARCHES = 28;

    /** After so many blocks of slices, and then after each so many more, it is looked whether that is enough. */
    private static final int FIRST_LOOK = 12;

    private static final int LOOK_EVERY = 4;
    /** Gatling's start, looking for the fed events, and the results, about. */
    private static final double AROUND_A_SLICE_SECONDS = 3;

    private final RunHost host;
    private final ToIntFunction<Path> gatling;
    private final boolean slices;
    private final Path directory;
    /** None where statements ask data of which nobody knows the right answers. */
    private final Optional<Experiment> certificates;
    /** Blocks at most, where some cannot be trusted and are made again: a quarter more than are wanted. */
    private final int most;

    /** Whether nobody says how long a slice is. */
    private final boolean hasUsualLength;

    private ExperimentPlan plan;

    /**
     * Decides what is to be run.
     *
     * @param pairs how many at most; empty for as many as are usual
     * @param gatling makes the load of a run in this process, and takes a directory for Gatling's log
     * @throws ConfigException if one side is not possible
     */
    public GateRuns(
            RunHost host,
            Map<String, String> ofBaseline,
            Map<String, String> ofCandidate,
            Optional<Integer> pairs,
            Path directory,
            ToIntFunction<Path> gatling) {
        this.host = host;
        this.gatling = gatling;
        this.directory = directory;
        VariantConnections.requireKnown(List.of(GateRules.BASELINE, GateRules.CANDIDATE), host.variantOptions());
        Map<String, String> common = ExperimentPlan.ofJob(host);
        Map<String, String> baseline = side(common, ofBaseline);
        Map<String, String> candidate = side(common, ofCandidate);
        ExperimentPlan ofProcesses = new ExperimentPlan(experiment(baseline, candidate, pairs.orElse(MOST_RUNS)), host);
        this.slices = Slices.canTakeTurns(ofProcesses.plans().values());
        String duration = Property.DURATION.name();
        this.hasUsualLength = slices && !baseline.containsKey(duration) && !candidate.containsKey(duration);
        // Unless something else is asked for; what a slice misses ends a gate only by a side's word.
        Map<String, String> ofSlices = new LinkedHashMap<>(Map.of(
                Property.WARMUP.name(),
                "1s",
                duration,
                SECONDS + "s",
                Property.SETTLE.name(),
                "false",
                Property.FAIL_ON.name(),
                "breakdown"));
        ofSlices.putAll(common);
        Experiment sliced =
                experiment(side(ofSlices, ofBaseline), side(ofSlices, ofCandidate), pairs.orElse(MOST_SLICES));
        this.plan = slices ? new ExperimentPlan(sliced, host) : ofProcesses;
        int repeats = paired().repeats();
        this.most = repeats + (repeats + 3) / 4;
        List<ComparedVariant> cells = paired().variants();
        if (ofCandidate.isEmpty() && !cells.get(1).settings().containsKey(Property.URL.name())) {
            throw new ConfigException(
                    new Origin.Option(GateRules.CANDIDATE),
                    "is missing (give what differs on its side: --candidate NAME=VALUE, or --url.candidate)");
        }
        if (cells.get(0).settings().equals(cells.get(1).settings())) {
            host.line("gate: both sides are the same, so this shows how noisy the host is, and no more");
        }
        this.certificates = plan.asksStatements()
                ? Optional.empty()
                : Optional.of(new ExperimentPlan(experiment(certificate(baseline), certificate(candidate), 1), host)
                        .experiment());
    }

    /** What holds for both sides, and what is given of one, which wins; parameters of the database one by one. */
    static Map<String, String> side(Map<String, String> common, Map<String, String> given) {
        Map<String, String> side = new LinkedHashMap<>(common);
        given.forEach((name, value) -> {
            // A comma ends a property here: parameters.jit=off.
            String one = name.startsWith(PARAMETERS + ".") ? name.substring(PARAMETERS.length() + 1) + "=" : "";
            if (one.isEmpty() && !name.equals(PARAMETERS)) {
                side.put(name, value);
                return;
            }
            Map<String, String> parameters = new LinkedHashMap<>();
            for (String parameter : (side.getOrDefault(PARAMETERS, "") + "," + one + value).split(",", -1)) {
                parameters.put(parameter.replaceFirst("=.*", "").strip(), parameter.strip());
            }
            parameters.remove("");
            side.put(PARAMETERS, String.join(",", parameters.values()));
        });
        return side;
    }

    /** A side's searches one by one: a certificate has no users, and nothing that takes time. */
    private Map<String, String> certificate(Map<String, String> side) {
        Map<String, String> kept = new LinkedHashMap<>(side);
        kept.keySet().removeIf(name -> OF_LOAD.contains(name) || Settings.isOfScenario(name));
        kept.put(Property.SCENARIO.name(), "certificate");
        kept.put(Property.SEARCHES.name(), String.join(",", plan.searches()));
        return kept;
    }

    private Experiment paired() {
        return plan.experiment();
    }

    /** The gate of two sides: what is the same on both is said once. */
    static Experiment experiment(Map<String, String> baseline, Map<String, String> candidate, int pairs) {
        Map<String, String> same = new LinkedHashMap<>(baseline);
        same.entrySet().retainAll(candidate.entrySet());
        Map<String, String> ofBaseline = new LinkedHashMap<>(baseline);
        Map<String, String> ofCandidate = new LinkedHashMap<>(candidate);
        ofBaseline.keySet().removeAll(same.keySet());
        ofCandidate.keySet().removeAll(same.keySet());
        return new Experiment(
                baseline.getOrDefault(Property.SCENARIO.name(), ""),
                "Is the candidate worse than the baseline?",
                Experiment.Kind.COMPARISON,
                List.of(new Axis(Axis.NAMED, GateRules.SIDES)),
                List.of(
                        new ComparedVariant(GateRules.BASELINE, ofBaseline),
                        new ComparedVariant(GateRules.CANDIDATE, ofCandidate),
                        new ComparedVariant(GateRules.CONTROL, ofBaseline)),
                same,
                GateRules.BASELINE,
                TOLD,
                List.of(new Metric("p95")),
                TOLD.smallest(),
                List.of(),
                pairs,
                Long.parseLong(same.getOrDefault(Property.SEED.name(), "1")),
                List.of());
    }

    /** The scenario's name, by which runs of a gate are told from others. */
    private String name() {
        return paired().name();
    }

    /**
     * The facts without noise that this gate looks at: those of certificates, or, of statements, that both sides gave equal
     * answers.
     */
    public List<String> facts() {
        return certificates.isPresent() ? ExactChange.FACTS : List.of(ExactChange.ANSWERS);
    }

    /** For people, before anything starts. */
    public List<String> describe() {
        int pairs = paired().repeats();
        double seconds = plan.seconds(slices ? AROUND_A_SLICE_SECONDS : RunLog.AROUND_A_RUN_SECONDS);
        List<String> lines = new ArrayList<>();
        lines.add("gate " + name() + ": " + pairs + " pairs and a control, " + paired().runs() + " runs, at most "
                + most * paired().variants().size() + "; " + RunLog.roughly(seconds));
        if (slices) {
            lines.add(
                    "  in slices that take turns in one process, longer ones where searches are rare; it ends earlier,"
                            + " from " + FIRST_LOOK + " pairs on, where these are enough");
        }
        double matters = TOLD.smallest();
        double differing = Math.log1p(matters) / Math.log1p(PairedRatios.visibleDelta(1, pairs));
        lines.add("  finds a median in 4 of 5 cases that is slower by " + Interval.percent(matters)
                + " where pairs differ by " + Interval.percent(differing) + " or less");
        lines.add(
                certificates.isPresent()
                        ? "  before them a certificate of each side, and a second one of the baseline"
                        : "  no certificates, since the right answers to statements are unknown: both sides must give"
                                + " equal answers");
        return lines;
    }

    /** Looks at all that the runs will need of servers; as {@link ExperimentPlan#checkServers}. */
    public void checkServers() {
        plan.checkServers();
    }

    /** Makes all runs and decides. */
    public GateResult decide(String startedAt, Set<String> tolerated) throws IOException, InterruptedException {
        Map<String, List<StepRecord>> facts = new HashMap<>();
        if (certificates.isPresent()) {
            Path place = directory.resolve("certificates");
            for (RunLog.Entry entry : make(place, certificates.get(), Optional.empty())) {
                Path run = RunFile.RUN.in(place.resolve(entry.directory()));
                facts.put(entry.variant(), RunResult.read(run).steps());
            }
        }
        if (!slices) {
            return decided(startedAt, facts, tolerated, Optional.empty());
        }
        try (Slices open = new Slices(host, plan.plans(), gatling)) {
            warmUp(open);
            RunLog.Maker slice = (run, title, results) -> open.measure(run.variant(), results);
            return decided(startedAt, facts, tolerated, Optional.of(slice));
        }
    }

    /** A load on each side that does not count; slices are longer where it had too few searches of a kind. */
    private void warmUp(Slices open) throws IOException, InterruptedException {
        long fewest = Long.MAX_VALUE;
        for (String side : paired().labels()) {
            host.status("gate " + name() + ": warming up " + side);
            Path place = Files.createDirectories(directory.resolve("warm-up").resolve(side));
            open.measure(side, place);
            Map<String, Long> searches =
                    new HashMap<>(RunFigures.read(RunLog.newest(place)).searches());
            searches.remove(RunFigures.ALL);
            fewest = Math.min(
                    fewest,
                    searches.values().stream().mapToLong(count -> count).min().orElse(fewest));
        }
        if (fewest < FEWEST_SEARCHES && hasUsualLength) {
            double longer = Math.ceil((double) SECONDS * FEWEST_SEARCHES / Math.max(1, fewest));
            long seconds = (long) Math.min(LONGEST_SECONDS, longer);
            host.line("gate " + name() + ": slices of " + seconds + " s, since in " + SECONDS + " s there were only "
                    + fewest + " searches of a kind");
            Map<String, String> changed = Map.of(Property.DURATION.name(), seconds + "s");
            plan = new ExperimentPlan(paired().with(changed, paired().repeats()), host);
            open.use(plan.plans());
        }
    }

    private GateResult decided(
            String startedAt, Map<String, List<StepRecord>> facts, Set<String> tolerated, Optional<RunLog.Maker> maker)
            throws IOException, InterruptedException {
        int pairs = paired().repeats();
        int wanted = slices ? Math.min(FIRST_LOOK, pairs) : pairs;
        int again = 0;
        int looks = (pairs - wanted + LOOK_EVERY - 1) / LOOK_EVERY;
        while (true) {
            make(directory.resolve(PAIRS), paired().with(Map.of(), wanted + again), maker);
            Comparison comparison = Comparer.compare(directory.resolve(PAIRS), OtherDifferences.ACCEPT);
            int missing = wanted - GateRules.validBlocks(comparison).size();
            if (missing > 0 && again + missing <= most - pairs) {
                again += missing;
                host.line("gate " + name() + ": pairs that cannot be trusted and are made again: " + missing);
                continue;
            }
            GateResult result = new GateRules(comparison).decide(startedAt, facts, tolerated, wanted);
            if (missing > 0 || wanted == pairs || GateRules.isEnough(result, looks)) {
                return result;
            }
            wanted = Math.min(wanted + LOOK_EVERY, pairs);
        }
    }

    private List<RunLog.Entry> make(Path place, Experiment experiment, Optional<RunLog.Maker> maker)
            throws IOException, InterruptedException {
        try (Ledger ledger = new Ledger(place, experiment)) {
            ledger.makeMissing(host, maker.orElseGet(() -> ledger.ofProcesses(host)));
            return ledger.entries();
        }
    }
}
