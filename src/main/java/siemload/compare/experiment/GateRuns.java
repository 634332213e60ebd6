package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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
import siemload.config.Settings;
import siemload.results.RunFile;
import siemload.results.RunResultFile;
import siemload.results.StepRecord;
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
    /** Gatling's start, a copy of the data, and the results, about. */
    private static final double AROUND_A_SLICE_SECONDS = 3;

    private final RunHost host;
    private final ToIntFunction<Path> gatling;
    private final boolean slices;
    private ExperimentPlan plan;
    private Experiment paired;
    /** None where statements ask data of which nobody knows the right answers. */
    private final Optional<Experiment> certificates;

    /** Blocks at most, where some cannot be trusted and are made again: a quarter more than are wanted. */
    private final int most;

    private final Path directory;

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
        this.paired = plan.experiment();
        this.most = paired.repeats() + (paired.repeats() + 3) / 4;
        Map<String, String> baseline = paired.variants().get(0).settings();
        Map<String, String> candidate = paired.variants().get(1).settings();
        if (ofCandidate.isEmpty() && !candidate.containsKey(Property.URL.name())) {
            throw new ConfigException(
                    new Origin.Option(GateRules.CANDIDATE),
                    "is missing (give what differs on its side: --candidate NAME=VALUE, or --url.candidate)");
        }
        if (baseline.equals(candidate)) {
            host.line("gate: both sides are the same, so this shows how noisy the host is, and no more");
        }
        if (plan.asksStatements()) {
            this.certificates = Optional.empty();
            return;
        }
        settings.put(Property.SCENARIO.name(), "certificate");
        settings.put(Property.SEARCHES.name(), String.join(",", plan.searches()));
        // A certificate has no users, and nothing that takes time.
        GateSides withoutLoad = new GateSides(withoutLoad(sides.baseline()), withoutLoad(sides.candidate()));
        this.certificates =
                Optional.of(new ExperimentPlan(experiment(withoutLoad(settings), withoutLoad, 1), host).experiment());
    }

    /** The properties of slices, of which those win that were given; what a slice misses never ends the gate. */
    private Map<String, String> shortened() {
        Map<String, String> shortened = new LinkedHashMap<>(Map.of(
                Property.WARMUP.name(), "1s",
                Property.DURATION.name(), SECONDS + "s",
                Property.SETTLE.name(), "false"));
        shortened
                .keySet()
                .removeIf(name -> host.settings().list().stream()
                        .anyMatch(setting -> setting.name().equals(name) && setting.wasGiven()));
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
        same.keySet().removeAll(sides.baseline().keySet());
        same.keySet().removeAll(sides.candidate().keySet());
        return new Experiment(
                settings.getOrDefault(Property.SCENARIO.name(), ""),
                "Is the candidate worse than the baseline?",
                Experiment.Kind.COMPARISON,
                List.of(new Axis(Axis.NAMED, List.of(GateRules.BASELINE, GateRules.CANDIDATE, GateRules.CONTROL))),
                List.of(
                        new ComparedVariant(GateRules.BASELINE, sides.baseline()),
                        new ComparedVariant(GateRules.CANDIDATE, sides.candidate()),
                        new ComparedVariant(GateRules.CONTROL, sides.baseline())),
                same,
                new Experiment.Judgement(
                        GateRules.BASELINE, TOLD, List.of(new Metric("p95")), TOLD.smallest(), List.of()),
                pairs,
                Long.parseLong(same.getOrDefault(Property.SEED.name(), "1")),
                List.of());
    }

    /** The scenario's name, by which runs of a gate are told from others. */
    public String name() {
        return paired.name();
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
        List<String> lines = new ArrayList<>();
        double seconds = plan.seconds(slices ? AROUND_A_SLICE_SECONDS : RunLog.AROUND_A_RUN_SECONDS);
        lines.add("gate " + paired.name() + ": " + paired.repeats() + " pairs and a control, " + paired.runs()
                + " runs, at most " + most * paired.variants().size() + "; " + ExperimentPlan.roughly(seconds));
        if (slices) {
            lines.add(
                    "  in slices that take turns in one process, longer ones where searches are rare; it ends earlier,"
                            + " from " + FIRST_LOOK + " pairs on, where these are enough");
        }
        lines.add("  " + smallestFound());
        lines.add(
                certificates.isPresent()
                        ? "  before them a certificate of each side, and a second one of the baseline"
                        : "  no certificates, since nobody knows the right answers to statements: both sides must give"
                                + " equal answers");
        int searches = plan.searches().size();
        int needed = GateRules.pairsForAll(searches);
        if (paired.repeats() < needed) {
            lines.add("gate " + paired.name() + ": " + paired.repeats()
                    + " pairs may be too few to decide anything: where all metrics of "
                    + (searches == 1 ? "one search" : searches + " searches") + " can be compared, it takes " + needed);
        }
        return lines;
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
            for (RunLog.Entry entry : make(place, certificates.get())) {
                facts.put(
                        entry.variant(),
                        RunResultFile.read(RunFile.RUN.in(place.resolve(entry.directory())))
                                .steps());
            }
        }
        Path place = directory.resolve(PAIRS);
        if (!slices) {
            return decide(startedAt, facts, tolerated, blocks -> make(place, paired.with(Map.of(), blocks)));
        }
        try (Slices open = warmedUp()) {
            return decide(startedAt, facts, tolerated, blocks -> {
                try (Ledger ledger = new Ledger(place, paired.with(Map.of(), blocks))) {
                    ledger.makeMissing(host, ledger.ofSlices(host, open));
                }
            });
        }
    }

    /** Both sides after a load each that does not count; slices are made longer where it had too few searches of a kind. */
    private Slices warmedUp() throws IOException, InterruptedException {
        List<Long> searches = new ArrayList<>();
        Slices open = warmedUp("warm-up", searches);
        long fewest = searches.stream().reduce(Long.MAX_VALUE, Math::min);
        if (fewest >= FEWEST_SEARCHES || !shortened().containsKey(Property.DURATION.name())) {
            return open;
        }
        open.close();
        long divisor = Math.max(1, fewest);
        long seconds = Math.min(LONGEST_SECONDS, (SECONDS * FEWEST_SEARCHES + divisor - 1) / divisor);
        host.line("gate " + paired.name() + ": slices of " + seconds + " s, since in " + SECONDS + " s there were only "
                + fewest + " searches of a kind");
        Map<String, String> longer = Map.of(Property.DURATION.name(), seconds + "s");
        plan = new ExperimentPlan(paired.with(longer, paired.repeats()), host);
        paired = plan.experiment();
        return warmedUp("warm-up-again", new ArrayList<>());
    }

    /** @param searches takes how many there were of each kind */
    private Slices warmedUp(String name, List<Long> searches) throws IOException, InterruptedException {
        Slices open = new Slices(host, plan.plans(), gatling);
        try {
            for (String side : paired.labels()) {
                host.status("gate " + paired.name() + ": warming up " + side);
                Path place = Files.createDirectories(directory.resolve(name).resolve(side));
                open.measure(side, place);
                RunFigures.read(RunLog.newest(place)).searches().forEach((kind, count) -> {
                    if (!kind.equals(RunFigures.ALL)) {
                        searches.add(count);
                    }
                });
            }
            return open;
        } catch (IOException | InterruptedException | RuntimeException failed) {
            open.close();
            throw failed;
        }
    }

    /** Makes those of so many blocks that are not there yet. */
    private interface Blocks {
        void make(int blocks) throws IOException, InterruptedException;
    }

    private GateResult decide(
            String startedAt, Map<String, List<StepRecord>> facts, Set<String> tolerated, Blocks making)
            throws IOException, InterruptedException {
        int wanted = slices ? Math.min(FIRST_LOOK, paired.repeats()) : paired.repeats();
        int blocks = wanted;
        int looks = (paired.repeats() - wanted + LOOK_EVERY - 1) / LOOK_EVERY;
        while (true) {
            making.make(blocks);
            Comparison comparison = Comparer.compare(directory.resolve(PAIRS), OtherDifferences.ACCEPT);
            int missing = wanted - GateRules.validBlocks(comparison).size();
            if (missing > 0 && blocks + missing <= most - (paired.repeats() - wanted)) {
                blocks += missing;
                host.line("gate " + paired.name() + ": pairs that cannot be trusted and are made again: " + missing);
                continue;
            }
            GateResult result = GateRules.decide(startedAt, facts, tolerated, comparison, wanted);
            if (missing > 0 || wanted == paired.repeats() || GateRules.isEnough(result, looks)) {
                return result;
            }
            int more = Math.min(LOOK_EVERY, paired.repeats() - wanted);
            wanted += more;
            blocks += more;
        }
    }

    /** The smallest slowdown that is found; by how much pairs differ is known where there was such a gate before. */
    private String smallestFound() throws IOException {
        double matters = TOLD.smallest();
        String finds = "finds a median in 4 of 5 cases that is slower by ";
        Optional<Path> before = ResultFile.GATE.newest(
                directory.resolveSibling(""),
                gate -> gate.name().equals(paired.name()) && !gate.verdicts().isEmpty());
        if (before.isEmpty()) {
            double visible = Math.log1p(PairedRatios.visibleDelta(1, paired.repeats()));
            return finds + DecisionText.percent(matters) + " where pairs differ by "
                    + DecisionText.percent(Math.log1p(matters) / visible)
                    + " or less; the first gate here shows by how much they do";
        }
        double spread = ResultFile.GATE.read(before.get()).verdicts().stream()
                .filter(verdict -> verdict.metric().equals(TOLD.name()))
                .mapToDouble(verdict -> verdict.decision().spread())
                .max()
                .orElse(0);
        return finds + DecisionText.percent(Math.max(matters, PairedRatios.visibleDelta(spread, paired.repeats())))
                + ", since pairs differed by " + DecisionText.percent(spread) + " in " + before.get();
    }

    private List<RunLog.Entry> make(Path place, Experiment experiment) throws IOException, InterruptedException {
        try (Ledger ledger = new Ledger(place, experiment)) {
            ledger.makeMissing(host, ledger.ofProcesses(host));
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
            Map<String, String> baseline = folded(ofBaseline);
            Map<String, String> candidate = folded(ofCandidate);
            common.forEach((property, shared) -> {
                if (baseline.containsKey(property) || candidate.containsKey(property)) {
                    for (Map<String, String> side : List.of(baseline, candidate)) {
                        side.merge(
                                property, shared, (own, all) -> property.equals(PARAMETERS) ? overlaid(all, own) : own);
                    }
                }
            });
            return new GateSides(baseline, candidate);
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
            Arrays.stream((shared + "," + own).split(",", -1))
                    .filter(parameter -> !parameter.isBlank())
                    .forEach(parameter ->
                            parameters.put(parameter.replaceFirst("=.*", "").strip(), parameter.strip()));
            return String.join(",", parameters.values());
        }
    }
}
