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
import siemload.compare.statistics.Decision;
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
import siemload.run.RunPlan;
import siemload.run.Slices;

/**
 * The runs of a gate: first a certificate of each side, then blocks of baseline, candidate and baseline again. If both sides can be open at
 * the same time, the runs are slices that take turns in this process, and the gate ends as soon as its result is certain.
 */
public final class GateRuns {
    /** The directory with the runs of all pairs, which has the form of an ordinary experiment's directory. */
    public static final String PAIRS = "pairs";

    /** The first metric on the page about pairs: the median, since it needs the fewest searches. */
    private static final Metric TOLD = new Metric("p50");

    private static final String PARAMETERS = Property.PARAMETERS.name();

    /** The name of the scenario, and so of the experiment, of certificates. */
    static final String CERTIFICATE = "certificate";

    /** The properties of a load, which a certificate does not have. */
    static final Set<String> OF_LOAD =
            Set.of("users arrivals eps warmup duration workers injectors via probes checks".split(" "));

    /** The default number of pairs if runs are slices. */
    private static final int MOST_SLICES = 24;

    private static final int MOST_RUNS = 11;
    /** The length of a slice in seconds; slices are longer if most of them would have too few answers for a median of a kind of search. */
    private static final long SECONDS = 8;

    private static final long LONGEST_SECONDS = 20;
    private static final long FEWEST_SEARCHES = 28;

    /** The number of blocks of slices before the gate first checks whether they are enough; further checks follow every few blocks. */
    private static final int FIRST_LOOK = 12;

    private static final int LOOK_EVERY = 4;
    /** The approximate seconds for the start of Gatling, the check of the fed events, and the results. */
    private static final double AROUND_A_SLICE_SECONDS = 3;

    private final RunHost host;
    private final ToIntFunction<Path> gatling;
    private final boolean slices;
    private final Path directory;
    /** Statements on existing data have no certificates, since their correct answers are unknown. */
    private final Optional<Experiment> certificates;
    /** Say whether slices have their default length, and whether the user left the number of pairs open. */
    private final boolean hasUsualLength;

    private final boolean hasUsualPairs;
    private ExperimentPlan plan;

    /**
     * Plans the runs.
     *
     * @param pairs the largest number of pairs; empty for the default
     * @param gatling generates the load of a run in this process, and takes a directory for Gatling's log
     * @throws ConfigException if one side cannot be run
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
        this.hasUsualPairs = pairs.isEmpty();
        this.hasUsualLength = slices && !baseline.containsKey(duration) && !candidate.containsKey(duration);
        // The defaults of slices. A missed objective of a slice ends the gate only if a side sets failOn.
        Map<String, String> ofSlices = new LinkedHashMap<>(Map.ofEntries(
                Map.entry(Property.WARMUP.name(), "1s"),
                Map.entry(duration, SECONDS + "s"),
                Map.entry(Property.SETTLE.name(), "false"),
                Map.entry(Property.FAIL_ON.name(), "breakdown")));
        ofSlices.putAll(common);
        Experiment sliced =
                experiment(side(ofSlices, ofBaseline), side(ofSlices, ofCandidate), pairs.orElse(MOST_SLICES));
        this.plan = slices ? new ExperimentPlan(sliced, host) : ofProcesses;
        List<ComparedVariant> cells = paired().variants();
        if (ofCandidate.isEmpty() && !cells.get(1).settings().containsKey(Property.URL.name())) {
            throw new ConfigException(
                    new Origin.Option(GateRules.CANDIDATE),
                    "is missing (give what the candidate changes: --candidate NAME=VALUE, or --url.candidate)");
        }
        if (cells.get(0).settings().equals(cells.get(1).settings())) {
            host.line("gate: both sides are the same, so the result only shows how noisy the host is");
        }
        if (plan.plans().values().stream().anyMatch(RunPlan::asksExisting) && !plan.asksStatements()) {
            throw new ConfigException(
                    new Origin.Option(Property.DATA.name()),
                    "existing allows a gate only for statements, since nothing compares the answers of both sides to"
                            + " siemload's searches (write them as statements, or make an experiment)");
        }
        this.certificates = plan.asksStatements()
                ? Optional.empty()
                : Optional.of(new ExperimentPlan(experiment(certificate(baseline), certificate(candidate), 1), host)
                        .experiment());
    }

    /** Returns the common settings, overridden by the settings of one side; parameters of the database are overridden one by one. */
    static Map<String, String> side(Map<String, String> common, Map<String, String> given) {
        Map<String, String> side = new LinkedHashMap<>(common);
        given.forEach((name, value) -> {
            // Parameters of one side may be given one by one, as in parameters.jit=off.
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

    /** Returns the settings of a certificate, which asks one side's searches one after the other, without users or other load. */
    private Map<String, String> certificate(Map<String, String> side) {
        Map<String, String> kept = new LinkedHashMap<>(side);
        kept.keySet().removeIf(name -> OF_LOAD.contains(name) || Settings.isOfScenario(name));
        kept.remove(Property.READ_URLS.name());
        kept.put(Property.SCENARIO.name(), CERTIFICATE);
        kept.put(Property.SEARCHES.name(), String.join(",", plan.searches()));
        return kept;
    }

    private Experiment paired() {
        return plan.experiment();
    }

    /** Returns how many blocks may be repeated because a run of theirs cannot be trusted. */
    private int spare() {
        return (paired().repeats() + 3) / 4;
    }

    /** Returns the experiment of two sides; settings that are equal on both sides become settings of the experiment. */
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
                GateRules.margin(TOLD),
                List.of(),
                pairs,
                Long.parseLong(same.getOrDefault(Property.SEED.name(), "1")),
                List.of());
    }

    /** Returns the scenario's name, by which gates are told apart. */
    private String name() {
        return paired().name();
    }

    /** Returns the facts without noise that this gate compares: all facts of certificates, or, for statements, only the answers. */
    public List<String> facts() {
        return certificates.isPresent() ? ExactChange.FACTS : List.of(ExactChange.ANSWERS);
    }

    /** Returns the plan of the gate in words, which are shown before the first run. */
    public List<String> describe() {
        int pairs = paired().repeats();
        double seconds = slices // with one block to warm up
                ? plan.seconds(AROUND_A_SLICE_SECONDS) * (pairs + 1) / pairs
                : plan.seconds(RunLog.AROUND_A_RUN_SECONDS);
        seconds += certificates.map(Experiment::runs).orElse(0) * RunLog.AROUND_A_RUN_SECONDS;
        List<String> lines = new ArrayList<>();
        lines.add("gate " + name() + ": " + pairs + " pairs and a control, " + paired().runs() + " runs, at most "
                + (pairs + spare()) * paired().variants().size() + " with repeats; " + RunLog.roughly(seconds));
        if (slices) {
            String rare = hasUsualPairs ? ", fewer and longer" : ", up to twice as long";
            String early = "; the gate may end early, after " + FIRST_LOOK + " pairs or more";
            lines.add("  in slices that take turns in one process"
                    + (hasUsualLength ? rare + " if searches are rare" : "") + (pairs > FIRST_LOOK ? early : ""));
        }
        // A gate compares at least the median of each search, the median of all searches, and the CPU time.
        List<String> few = plan.tooFew("pairs", plan.searches().size() + 2);
        double margin = GateRules.margin(TOLD);
        String found = "  in 4 of 5 cases the gate finds a median that is slower by "
                + Interval.percent(PairedRatios.foundDelta(margin, 0.02, pairs)) + " if pairs differ by 2 %, by "
                + Interval.percent(PairedRatios.foundDelta(margin, 0.05, pairs)) + " if pairs differ by 5 %";
        lines.addAll(few.isEmpty() ? List.of(found) : few);
        lines.add(
                certificates.isPresent()
                        ? "  before the pairs, a certificate of each side and a second one of the baseline"
                        : "  no certificates, since the right answers to statements are unknown: both sides must give"
                                + " equal answers");
        return lines;
    }

    /** Checks everything that the runs will need on servers, like {@link ExperimentPlan#checkServers}. */
    public void checkServers() {
        plan.checkServers();
    }

    /** Performs all runs of the gate, and decides whether the candidate may pass. */
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

    /** Warms up each side with a load that does not count, and makes slices longer if a kind of search gets too few answers. */
    private void warmUp(Slices open) throws IOException, InterruptedException {
        long fewest = Long.MAX_VALUE;
        for (String side : paired().labels()) {
            host.status("gate " + name() + ": warming up " + side);
            Path place = Files.createDirectories(directory.resolve("warm-up").resolve(side));
            open.measure(side, place);
            Map<String, Long> searches = RunFigures.read(RunLog.newest(place)).searches();
            for (String search : plan.searches()) { // without follow-ups and exact counts, which are few
                fewest = Math.min(fewest, searches.getOrDefault(search, 0L));
            }
        }
        if (fewest < FEWEST_SEARCHES && hasUsualLength) {
            double longer = Math.ceil((double) SECONDS * FEWEST_SEARCHES / Math.max(1, fewest));
            long seconds = (long) Math.min(LONGEST_SECONDS, longer);
            Map<String, String> changed = Map.of(Property.DURATION.name(), seconds + "s");
            // Fewer pairs of longer slices take no more time, unless the user has chosen the number of pairs.
            double fewer = MOST_SLICES * (SECONDS + AROUND_A_SLICE_SECONDS) / (seconds + AROUND_A_SLICE_SECONDS);
            int least =
                    Math.max(FIRST_LOOK, Decision.leastPairs(2 * plan.searches().size() + 3));
            int pairs = hasUsualPairs ? (int) Math.max(least, fewer) : paired().repeats();
            plan = new ExperimentPlan(paired().with(changed, pairs), host);
            host.line("gate " + name() + ": " + pairs + " pairs with slices of " + seconds + " s, since in " + SECONDS
                    + " s one kind of search was asked only " + fewest + " times");
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
            if (missing > 0 && again + missing <= spare()) {
                again += missing;
                host.line("gate " + name() + ": pairs that cannot be trusted and are repeated: " + missing);
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
