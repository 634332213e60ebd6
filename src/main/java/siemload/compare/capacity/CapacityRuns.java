package siemload.compare.capacity;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.compare.capacity.LoadSearch.Answer;
import siemload.compare.capacity.LoadSearch.Step;
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
            throw new TargetException(
                    brokeDown.getMessage() + "; start the same command again to go on from there", brokeDown);
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
        return question.hasFrontier() ? frontier() : List.of(search(0, question.first(), Map.of()));
    }

    /**
     * First the most of the second load beside the least of the first one, then the most of the first one at even steps of the
     * second one down to nothing. Each search begins where the one before it ended.
     */
    private List<Capacity> frontier() throws IOException, InterruptedException {
        List<Capacity> found = new ArrayList<>();
        LoadRange first = question.first();
        LoadRange second = question.second();
        found.add(search(0, second, Map.of(first.varied().label(), first.least())));
        Finding top = found.get(0).finding();
        double start = first.start();
        for (int point = 1; top.hasLoad() && point < question.points(); point++) {
            double level = level(top.estimate(), point);
            Capacity next = search(
                    point, first.startingAt(start), Map.of(second.varied().label(), level));
            start = next.finding().hasLoad() ? next.finding().estimate() : start;
            found.add(next);
            host.line(next.sentence());
        }
        return found;
    }

    /** The value of the second load at a point of the frontier: nothing at the last one, where there can be nothing. */
    private double level(double top, int point) {
        LoadRange second = question.second();
        int steps = question.points() - 1;
        double level = second.varied().rounded(top * (steps - point) / steps);
        double none = second.varied() == VariedLoad.EVENTS_PER_SECOND ? 0 : second.least();
        return level < second.least() ? none : level;
    }

    private Capacity search(int number, LoadRange range, Map<String, Double> beside)
            throws IOException, InterruptedException {
        LoadSearch search = new LoadSearch(range, question.precisionRatio(), question.mostRuns());
        while (true) {
            List<Trial> made = log.of(number);
            Step step = search.after(made.stream()
                    .map(trial -> new Answer(trial.load(), trial.outcome()))
                    .toList());
            if (step instanceof Step.Run run) {
                make(number, range.varied(), run.load(), beside);
            } else if (step instanceof Step.End end) {
                host.status("");
                return capacity(range.varied(), beside, end.finding(), made);
            }
        }
    }

    private void make(int number, VariedLoad varied, double load, Map<String, Double> beside)
            throws IOException, InterruptedException {
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
                seconds -> run.title() + ", " + SeparateRun.roughly(Math.max(0, plan.secondsOfRun() - seconds))
                        + " left of this run");
        Trial trial = TrialReader.read(number, load, log.directory(), ended.directory(), ended.seconds());
        log.add(trial);
        host.line("  " + CapacityWords.outcome(trial));
    }

    private static Capacity capacity(
            VariedLoad varied, Map<String, Double> beside, Finding finding, List<Trial> trials) {
        List<String> gaveOut = trials.stream()
                .filter(trial -> trial.outcome() == TrialOutcome.NOT_MET)
                .min((one, other) -> Double.compare(one.load(), other.load()))
                .map(Trial::gaveOut)
                .orElse(List.of());
        return new Capacity(
                varied,
                beside,
                finding,
                CapacityWords.sentence(varied, beside, finding, trials),
                gaveOut,
                scalability(varied, trials),
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
