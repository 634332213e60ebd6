package siemload.compare.capacity;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import siemload.compare.experiment.Experiments;
import siemload.compare.experiment.Growth.Scalability;
import siemload.compare.experiment.RunDirectories;
import siemload.compare.experiment.SeparateRun;
import siemload.config.Property;
import siemload.database.TargetException;
import siemload.run.RunHost;
import siemload.run.RunProcesses;

/** The runs of a capacity: each at the load that follows from those before it. Used by one thread. */
public final class CapacityRuns {
    private static final String GO_ON = "; start the same command again to go on from there";

    private final RunHost host;
    private final RunProcesses processes;
    private final CapacityPlan plan;
    private final CapacityQuestion question;
    private final TrialLog log;

    private CapacityRuns(RunHost host, CapacityPlan plan, TrialLog log) {
        this.host = host;
        this.processes = new RunProcesses(host);
        this.plan = plan;
        this.question = plan.question();
        this.log = log;
    }

    /**
     * Makes all runs that are needed and not yet made.
     *
     * @return the directory, with {@code capacity.json} in it
     * @throws TargetException if a run broke down
     */
    public static Path make(RunHost host, CapacityPlan plan, Experiments.Start start)
            throws IOException, InterruptedException {
        Path below = host.settings().value(Property.RESULTS).toAbsolutePath().resolve("capacities");
        Optional<Path> begun =
                start == Experiments.Start.ANEW ? Optional.empty() : TrialLog.findUnfinished(below, plan.question());
        try (TrialLog log = open(host, begun, below, plan.question())) {
            List<Capacity> capacities = new CapacityRuns(host, plan, log).capacities();
            CapacityResult.FILE.write(
                    log.directory(), new CapacityResult(CapacityResult.FORMAT_VERSION, plan.question(), capacities));
            return log.directory();
        } catch (TargetException brokeDown) {
            throw new TargetException(brokeDown.getMessage() + GO_ON, brokeDown);
        } catch (InterruptedException interrupted) {
            throw new InterruptedException(Objects.requireNonNullElse(interrupted.getMessage(), "interrupted") + GO_ON);
        }
    }

    private static TrialLog open(RunHost host, Optional<Path> begun, Path below, CapacityQuestion question)
            throws IOException {
        if (begun.isEmpty()) {
            return TrialLog.create(below, question, Instant.now());
        }
        new RunProcesses(host).awaitOrphans();
        TrialLog log = TrialLog.resume(begun.get());
        host.line("goes on after " + log.trials().size() + " runs (--fresh starts anew)");
        return log;
    }

    private List<Capacity> capacities() throws IOException, InterruptedException {
        CapacitySearches searches = new CapacitySearches(question);
        while (true) {
            CapacitySearches.Step step = searches.after(log.trials());
            if (step instanceof CapacitySearches.Step.Run run) {
                make(run.search(), run.load());
            } else if (step instanceof CapacitySearches.Step.End end) {
                host.status("");
                return end.searches().stream()
                        .map(ended -> capacity(searches, ended))
                        .toList();
            }
        }
    }

    private void make(CapacitySearches.Search search, double load) throws IOException, InterruptedException {
        VariedLoad varied = search.varied();
        Map<String, Double> beside = search.beside();
        int position = log.trials().size() + 1;
        Map<String, String> settings = new LinkedHashMap<>(question.settings());
        beside.forEach(
                (name, value) -> settings.put(VariedLoad.of(name).property().name(), VariedLoad.number(value)));
        settings.put(varied.property().name(), VariedLoad.number(load));
        settings.put(Property.SEED.name(), Long.toString(plan.seed() + position - 1));
        String label = CapacityWords.load(varied, load, beside);
        SeparateRun run = new SeparateRun(
                question.scenario() + ": run " + position + " of at most " + question.runs() + ", " + label,
                settings,
                new RunDirectories(log.directory()).of(position, label));
        SeparateRun.Ended ended = run.make(
                host,
                processes,
                processes.variables(RunProcesses.Environment.INHERITED),
                going -> run.title() + ", " + SeparateRun.roughly(going.leftOf(plan.secondsOfRun()))
                        + " left of this run");
        List<TrialOutcome> before = log.of(search.number()).stream()
                .filter(trial -> trial.load() == load)
                .map(Trial::outcome)
                .toList();
        Trial trial =
                TrialReader.read(search.number(), load, log.directory(), ended.directory(), ended.seconds(), before);
        log.add(trial);
        host.line("  " + CapacityWords.outcome(trial));
    }

    private Capacity capacity(CapacitySearches searches, CapacitySearches.Ended ended) {
        CapacitySearches.Search search = ended.search();
        List<Trial> trials = log.of(search.number());
        List<String> gaveOut = trials.stream()
                .filter(trial -> trial.outcome() == TrialOutcome.NOT_MET)
                .min((one, other) -> Double.compare(one.load(), other.load()))
                .map(Trial::gaveOut)
                .orElse(List.of());
        return new Capacity(
                search.varied(),
                search.beside(),
                ended.finding(),
                CapacityWords.sentence(search.varied(), search.beside(), ended.finding(), trials),
                searches.contradiction(ended, trials),
                gaveOut,
                scalability(search.varied(), trials),
                trials);
    }

    /** Of users alone: whoever arrives at a rate does not wait for others. */
    private static Scalability scalability(VariedLoad varied, List<Trial> trials) {
        if (varied != VariedLoad.USERS) {
            return Scalability.none("the law is one of users who wait for answers");
        }
        Map<Double, List<Double>> throughput = new LinkedHashMap<>();
        trials.stream()
                .filter(trial -> trial.outcome() != TrialOutcome.INVALID
                        && trial.figures().searchesPerSecond() > 0)
                .forEach(trial -> throughput
                        .computeIfAbsent(trial.load(), unused -> new ArrayList<>())
                        .add(trial.figures().searchesPerSecond()));
        return Scalability.of(
                "all searches",
                throughput.keySet().stream().mapToDouble(load -> load).toArray(),
                throughput.values().stream()
                        .mapToDouble(some ->
                                some.stream().mapToDouble(one -> one).average().orElseThrow())
                        .toArray());
    }
}
