package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.Experiment.Axis;
import siemload.compare.experiment.Experiment.ComparedVariant;
import siemload.compare.experiment.GateResult.ExactChange;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.results.RunFile;
import siemload.results.RunResultFile;
import siemload.results.StepRecord;
import siemload.run.RunHost;
import siemload.run.RunProcesses;

/** The runs of a gate: a certificate of each side first, then blocks of baseline, candidate and baseline once more. */
public final class GateRuns {
    /** The directory with the runs of the second tier, an experiment as any other. */
    public static final String PAIRS = "pairs";

    /** What the page of the pairs tells first; a median needs fewer searches than any other figure of the gate. */
    private static final Metric TOLD = new Metric("p50");

    private static final List<Property<?>> OF_LOAD = List.of(
            Property.USERS,
            Property.EPS,
            Property.BATCH,
            Property.CACHES,
            Property.WARMUP,
            Property.DURATION,
            Property.THINK_TIME,
            Property.WORKERS,
            Property.PROBES,
            Property.CHECKS);

    private final RunHost host;
    private final RunProcesses processes;
    private final ExperimentPlan plan;
    private final Experiment paired;
    /** None where statements ask data of which nobody knows the right answers. */
    private final Optional<Experiment> certificates;

    /** Blocks at most, where some cannot be trusted and are made again: a quarter more than are wanted. */
    private final int most;

    private final Path directory;

    /**
     * Decides what is to be run.
     *
     * @throws ConfigException if one side is not possible
     */
    public GateRuns(
            RunHost host, Map<String, String> ofBaseline, Map<String, String> ofCandidate, int pairs, Path directory) {
        this.host = host;
        this.processes = new RunProcesses(host);
        this.most = pairs + (pairs + 3) / 4;
        this.directory = directory;
        Map<String, String> settings = ExperimentPlan.ofJob(host);
        VariantConnections.requireKnown(List.of(GateRules.BASELINE, GateRules.CANDIDATE), host.variantOptions());
        GateSides sides = GateSides.of(settings, ofBaseline, ofCandidate);
        this.plan = new ExperimentPlan(experiment(settings, sides, pairs), host);
        this.paired = plan.experiment();
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

    private static Map<String, String> withoutLoad(Map<String, String> settings) {
        Map<String, String> kept = new LinkedHashMap<>(settings);
        OF_LOAD.forEach(property -> kept.remove(property.name()));
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
    public List<String> describe() {
        List<String> lines = new ArrayList<>();
        lines.add("gate " + paired.name() + ": " + paired.repeats() + " pairs and a control, " + paired.runs()
                + " runs, at most " + most * paired.variants().size() + "; " + ExperimentPlan.roughly(plan.seconds()));
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
        int blocks = paired.repeats();
        while (true) {
            Path place = directory.resolve(PAIRS);
            make(place, paired.with(Map.of(), blocks));
            Comparison comparison = Comparer.compare(place, OtherDifferences.ACCEPT);
            int missing = paired.repeats() - GateRules.validBlocks(comparison).size();
            if (missing <= 0 || blocks + missing > most) {
                return GateRules.decide(startedAt, facts, tolerated, comparison, paired.repeats());
            }
            blocks += missing;
            host.line("gate " + paired.name() + ": "
                    + (missing == 1
                            ? "1 pair cannot be trusted and is made again"
                            : missing + " pairs cannot be trusted and are made again"));
        }
    }

    private List<RunLog.Entry> make(Path place, Experiment experiment) throws IOException, InterruptedException {
        try (Ledger ledger = new Ledger(place, experiment)) {
            ledger.makeMissing(host, processes);
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
