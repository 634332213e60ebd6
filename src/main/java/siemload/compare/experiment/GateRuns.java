package siemload.compare.experiment;

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
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.Experiment.Axis;
import siemload.compare.experiment.Experiment.ComparedVariant;
import siemload.compare.experiment.GateResult.ExactChange;
import siemload.compare.statistics.DecisionText;
import siemload.compare.statistics.PairedRatios;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.Setting;
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

    private static final List<Property<?>> OF_LOAD = List.of(
            Property.USERS,
            Property.ARRIVALS,
            Property.EPS,
            Property.WARMUP,
            Property.DURATION,
            Property.WORKERS,
            Property.PROBES,
            Property.CHECKS);

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
        Map<String, String> settings = ExperimentPlan.ofJob(host);
        VariantConnections.requireKnown(List.of(GateRules.BASELINE, GateRules.CANDIDATE), host.variantOptions());
        GateSides sides = GateSides.of(settings, ofBaseline, ofCandidate);
        Experiment asked = experiment(settings, sides, pairs.orElse(MOST_RUNS));
        ExperimentPlan ofProcesses = new ExperimentPlan(asked, host);
        this.slices = Slices.canTakeTurns(ofProcesses.plans().values());
        this.plan = slices ? new ExperimentPlan(asked.with(shortened(), pairs.orElse(MOST_SLICES)), host) : ofProcesses;
        int repeats = paired().repeats();
        this.most = repeats + (repeats + 3) / 4;
        Map<String, String> candidate = paired().variants().get(1).settings();
        if (ofCandidate.isEmpty() && !candidate.containsKey(Property.URL.name())) {
            throw new ConfigException(
                    new Origin.Option(GateRules.CANDIDATE),
                    "is missing (give what differs on its side: --candidate NAME=VALUE, or --url.candidate)");
        }
        if (paired().variants().get(0).settings().equals(candidate)) {
            host.line("gate: both sides are the same, so this shows how noisy the host is, and no more");
        }
        if (plan.asksStatements()) {
            this.certificates = Optional.empty();
            return;
        }
        settings.put(Property.SCENARIO.name(), "certificate");
        settings.put(Property.SEARCHES.name(), String.join(",", plan.searches()));
        // A certificate has no users, and nothing that takes time.
        GateSides still = new GateSides(withoutLoad(sides.baseline), withoutLoad(sides.candidate));
        this.certificates =
                Optional.of(new ExperimentPlan(experiment(withoutLoad(settings), still, 1), host).experiment());
    }

    private Experiment paired() {
        return plan.experiment();
    }

    /** The properties of slices, of which those win that were given; what a slice misses never ends the gate. */
    private Map<String, String> shortened() {
        Map<String, String> shortened = new LinkedHashMap<>(Map.of(
                Property.WARMUP.name(), "1s",
                Property.DURATION.name(), SECONDS + "s",
                Property.SETTLE.name(), "false"));
        host.settings().list().stream().filter(Setting::wasGiven).forEach(given -> shortened.remove(given.name()));
        shortened.put(Property.FAIL_ON.name(), "breakdown");
        return shortened;
    }

    private static Map<String, String> withoutLoad(Map<String, String> settings) {
        Map<String, String> kept = new LinkedHashMap<>(settings);
        OF_LOAD.forEach(property -> kept.remove(property.name()));
        kept.keySet().removeIf(Settings::isOfScenario);
        return kept;
    }

    private static Experiment experiment(Map<String, String> settings, GateSides sides, int pairs) {
        Map<String, String> same = new LinkedHashMap<>(settings);
        same.keySet().removeAll(sides.baseline.keySet());
        same.keySet().removeAll(sides.candidate.keySet());
        List<ComparedVariant> cells = List.of(
                new ComparedVariant(GateRules.BASELINE, sides.baseline),
                new ComparedVariant(GateRules.CANDIDATE, sides.candidate),
                new ComparedVariant(GateRules.CONTROL, sides.baseline));
        return new Experiment(
                settings.getOrDefault(Property.SCENARIO.name(), ""),
                "Is the candidate worse than the baseline?",
                Experiment.Kind.COMPARISON,
                List.of(new Axis(
                        Axis.NAMED, cells.stream().map(ComparedVariant::label).toList())),
                cells,
                same,
                new Experiment.Judgement(
                        GateRules.BASELINE, TOLD, List.of(new Metric("p95")), TOLD.smallest(), List.of()),
                pairs,
                Long.parseLong(same.getOrDefault(Property.SEED.name(), "1")),
                List.of());
    }

    /** The scenario's name, by which runs of a gate are told from others. */
    public String name() {
        return paired().name();
    }

    public Path directory() {
        return directory;
    }

    /**
     * The facts without noise that this gate looks at: those of certificates, or, of statements, that both sides gave equal
     * answers.
     */
    public Set<String> facts() {
        return certificates.isPresent() ? ExactChange.facts() : Set.of(ExactChange.ANSWERS);
    }

    /** For people, before anything starts. */
    public List<String> describe() throws IOException {
        int pairs = paired().repeats();
        double seconds = plan.seconds(slices ? AROUND_A_SLICE_SECONDS : RunLog.AROUND_A_RUN_SECONDS);
        List<String> lines = new ArrayList<>();
        lines.add("gate " + name() + ": " + pairs + " pairs and a control, " + paired().runs() + " runs, at most "
                + most * paired().variants().size() + "; " + ExperimentPlan.roughly(seconds));
        if (slices) {
            lines.add(
                    "  in slices that take turns in one process, longer ones where searches are rare; it ends earlier,"
                            + " from " + FIRST_LOOK + " pairs on, where these are enough");
        }
        lines.add("  finds a median in 4 of 5 cases that is slower by " + smallestFound());
        lines.add(
                certificates.isPresent()
                        ? "  before them a certificate of each side, and a second one of the baseline"
                        : "  no certificates, since nobody knows the right answers to statements: both sides must give"
                                + " equal answers");
        int searches = plan.searches().size();
        int needed = GateRules.pairsForAll(searches);
        if (pairs < needed) {
            lines.add("gate " + name() + ": " + pairs
                    + " pairs may be too few to decide anything: where all metrics of "
                    + (searches == 1 ? "one search" : searches + " searches") + " can be compared, it takes " + needed);
        }
        return lines;
    }

    /** By how much pairs differ is known where there was such a gate before. */
    private String smallestFound() throws IOException {
        double matters = TOLD.smallest();
        int pairs = paired().repeats();
        Optional<Path> before = ResultFile.GATE.newest(
                directory.resolveSibling(""),
                gate -> gate.name().equals(name()) && !gate.verdicts().isEmpty());
        if (before.isEmpty()) {
            double visible = Math.log1p(PairedRatios.visibleDelta(1, pairs));
            return DecisionText.percent(matters) + " where pairs differ by "
                    + DecisionText.percent(Math.log1p(matters) / visible)
                    + " or less; the first gate here shows by how much they do";
        }
        double spread = ResultFile.GATE.read(before.get()).verdicts().stream()
                .filter(verdict -> verdict.metric().equals(TOLD.name()))
                .mapToDouble(verdict -> verdict.decision().spread())
                .max()
                .orElse(0);
        return DecisionText.percent(Math.max(matters, PairedRatios.visibleDelta(spread, pairs)))
                + ", since pairs differed by " + DecisionText.percent(spread) + " in " + before.get();
    }

    /** Looks at all that the runs will need of servers; as {@link ExperimentPlan#checkServers}. */
    public int checkServers() {
        return plan.checkServers();
    }

    /** Makes all runs and decides. */
    public GateResult decide(String startedAt, Set<String> tolerated) throws IOException, InterruptedException {
        Map<String, List<StepRecord>> facts = new HashMap<>();
        if (certificates.isPresent()) {
            Path place = directory.resolve("certificates");
            for (RunLog.Entry entry : make(place, certificates.get(), RunLog.ofProcesses(host))) {
                facts.put(
                        entry.variant(),
                        RunResult.read(RunFile.RUN.in(place.resolve(entry.directory())))
                                .steps());
            }
        }
        try (Slices open = new Slices(host, slices ? plan.plans() : Map.of(), gatling)) {
            if (slices) {
                warmUp(open);
            }
            return decided(
                    startedAt,
                    facts,
                    tolerated,
                    slices
                            ? (log, run, title, results) -> open.measure(run.variant(), results)
                            : RunLog.ofProcesses(host));
        }
    }

    /** A load on each side that does not count; slices are longer where it had too few searches of a kind. */
    private void warmUp(Slices open) throws IOException, InterruptedException {
        long fewest = Long.MAX_VALUE;
        for (String side : paired().labels()) {
            host.status("gate " + name() + ": warming up " + side);
            Path place = Files.createDirectories(directory.resolve("warm-up").resolve(side));
            open.measure(side, place);
            for (Map.Entry<String, Long> searches :
                    RunFigures.read(RunLog.newest(place)).searches().entrySet()) {
                fewest = searches.getKey().equals(RunFigures.ALL) ? fewest : Math.min(fewest, searches.getValue());
            }
        }
        if (fewest < FEWEST_SEARCHES && shortened().containsKey(Property.DURATION.name())) {
            long divisor = Math.max(1, fewest);
            long seconds = Math.min(LONGEST_SECONDS, (SECONDS * FEWEST_SEARCHES + divisor - 1) / divisor);
            host.line("gate " + name() + ": slices of " + seconds + " s, since in " + SECONDS + " s there were only "
                    + fewest + " searches of a kind");
            Map<String, String> longer = Map.of(Property.DURATION.name(), seconds + "s");
            plan = new ExperimentPlan(paired().with(longer, paired().repeats()), host);
            open.use(plan.plans());
        }
    }

    private GateResult decided(
            String startedAt, Map<String, List<StepRecord>> facts, Set<String> tolerated, RunLog.Maker maker)
            throws IOException, InterruptedException {
        int pairs = paired().repeats();
        int wanted = slices ? Math.min(FIRST_LOOK, pairs) : pairs;
        int blocks = wanted;
        int looks = (pairs - wanted + LOOK_EVERY - 1) / LOOK_EVERY;
        while (true) {
            make(directory.resolve(PAIRS), paired().with(Map.of(), blocks), maker);
            Comparison comparison = Comparer.compare(directory.resolve(PAIRS), OtherDifferences.ACCEPT);
            int missing = wanted - GateRules.validBlocks(comparison).size();
            if (missing > 0 && blocks + missing <= most - (pairs - wanted)) {
                blocks += missing;
                host.line("gate " + name() + ": pairs that cannot be trusted and are made again: " + missing);
                continue;
            }
            GateResult result = GateRules.decide(startedAt, facts, tolerated, comparison, wanted);
            if (missing > 0 || wanted == pairs || GateRules.isEnough(result, looks)) {
                return result;
            }
            int more = Math.min(LOOK_EVERY, pairs - wanted);
            wanted += more;
            blocks += more;
        }
    }

    private List<RunLog.Entry> make(Path place, Experiment experiment, RunLog.Maker maker)
            throws IOException, InterruptedException {
        try (Ledger ledger = new Ledger(place, experiment)) {
            ledger.makeMissing(host, maker);
            return ledger.entries();
        }
    }

    /**
     * The two sides of a gate: the values of all properties that either of them names, so that what holds for both sides also
     * holds for the one that does not speak of it. Immutable.
     *
     * @param baseline by property
     * @param candidate by property
     */
    record GateSides(Map<String, String> baseline, Map<String, String> candidate) {
        private static final String PARAMETERS = Property.PARAMETERS.name();

        /**
         * The sides as they were given, over what was said for both.
         *
         * @param common by property
         */
        static GateSides of(
                Map<String, String> common, Map<String, String> ofBaseline, Map<String, String> ofCandidate) {
            GateSides sides = new GateSides(folded(ofBaseline), folded(ofCandidate));
            common.forEach((property, shared) -> {
                if (sides.baseline.containsKey(property) || sides.candidate.containsKey(property)) {
                    for (Map<String, String> side : List.of(sides.baseline, sides.candidate)) {
                        side.merge(
                                property, shared, (own, all) -> property.equals(PARAMETERS) ? overlaid(all, own) : own);
                    }
                }
            });
            return sides;
        }

        /** Parameters of the database one by one: {@code parameters.jit=off}, since a comma ends a property here. */
        private static Map<String, String> folded(Map<String, String> side) {
            Map<String, String> folded = new LinkedHashMap<>();
            side.forEach((property, value) -> {
                boolean isOne = property.startsWith(PARAMETERS + ".");
                String written = isOne ? property.substring(PARAMETERS.length() + 1) + "=" + value : value;
                folded.merge(isOne ? PARAMETERS : property, written, (some, more) -> some + "," + more);
            });
            return folded;
        }

        /** The shared parameters with a side's own ones, which win. */
        private static String overlaid(String shared, String own) {
            Map<String, String> parameters = new LinkedHashMap<>();
            for (String parameter : (shared + "," + own).split(",", -1)) {
                parameters.put(parameter.replaceFirst("=.*", "").strip(), parameter.strip());
            }
            parameters.remove("");
            return String.join(",", parameters.values());
        }
    }
}
