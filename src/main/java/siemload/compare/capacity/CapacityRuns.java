package siemload.compare.capacity;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.compare.capacity.Trial.TrialFigures;
import siemload.compare.experiment.Experiments;
import siemload.compare.experiment.ResultFile;
import siemload.compare.experiment.RunFigures;
import siemload.compare.experiment.RunFiguresReader;
import siemload.compare.experiment.RunLog;
import siemload.compare.experiment.SeparateRun;
import siemload.compare.statistics.UniversalScalability;
import siemload.config.Property;
import siemload.database.TargetException;
import siemload.results.FeederResult;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.RunResultFile;
import siemload.results.Validity.RunVerdict;
import siemload.run.Exhaustion;
import siemload.run.RunHost;
import siemload.run.RunProcesses;
import siemload.run.TimestampName;

/** The runs of a capacity: each at the load that follows from those before it. Used by one thread. */
public final class CapacityRuns {
    private static final RunLog.Form<CapacityQuestion, Trial> FORM = new RunLog.Form<>(
            new ResultFile<>("question.json", CapacityQuestion.class),
            "trials.jsonl",
            Trial.class,
            "a run at a load",
            Trial::directory,
            "another process looks for the capacity in it");

    private final RunHost host;
    private final RunProcesses processes;
    private final CapacityPlan plan;
    private final CapacityQuestion question;
    private final RunLog<Trial> log;

    private CapacityRuns(RunHost host, RunProcesses processes, CapacityPlan plan, RunLog<Trial> log) {
        this.host = host;
        this.processes = processes;
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
        CapacityQuestion question = plan.question();
        Path below = host.settings().value(Property.RESULTS).toAbsolutePath().resolve("capacities");
        Optional<Path> begun = start == Experiments.Start.ANEW
                ? Optional.empty()
                : FORM.question().newest(below, one -> !CapacityResult.FILE.isIn(one), question::equals);
        String name = question.scenario().replaceAll("[^A-Za-z0-9]+", "-") + "-" + TimestampName.of(Instant.now());
        Path directory = begun.orElseGet(() -> below.resolve(name));
        RunProcesses processes = new RunProcesses(host);
        if (begun.isPresent()) {
            processes.awaitOrphans();
        }
        return SeparateRun.resumable("; start the same command again to go on from there", () -> {
            try (RunLog<Trial> log = begun.isPresent()
                    ? RunLog.resume(directory, FORM, question, trial -> true)
                    : RunLog.create(directory, FORM, question)) {
                if (begun.isPresent()) {
                    host.line("goes on after " + log.entries().size() + " runs (--fresh starts anew)");
                }
                List<Capacity> capacities = new CapacityRuns(host, processes, plan, log).capacities();
                CapacityResult.FILE.write(
                        directory, new CapacityResult(CapacityResult.FORMAT_VERSION, question, capacities));
                return directory;
            }
        });
    }

    private List<Capacity> capacities() throws IOException, InterruptedException {
        CapacitySearches searches = new CapacitySearches(question);
        while (true) {
            CapacitySearches.Step step = searches.after(log.entries());
            if (step instanceof CapacitySearches.Step.Run run) {
                make(run.search(), run.load());
            } else if (step instanceof CapacitySearches.Step.End end) {
                host.status("");
                return end.searches().stream().map(this::capacity).toList();
            }
        }
    }

    private void make(CapacitySearches.Search search, double load) throws IOException, InterruptedException {
        VariedLoad varied = search.varied();
        Map<String, Double> beside = search.beside();
        int position = log.entries().size() + 1;
        Map<String, String> settings = new LinkedHashMap<>(question.settings());
        beside.forEach(
                (name, value) -> settings.put(VariedLoad.of(name).property().name(), VariedLoad.number(value)));
        settings.put(varied.property().name(), VariedLoad.number(load));
        settings.put(Property.SEED.name(), Long.toString(plan.seed() + position - 1));
        String label = CapacityWords.load(varied, load, beside);
        SeparateRun run = new SeparateRun(
                question.scenario() + ": run " + position + " of at most " + question.runs() + ", " + label,
                settings,
                log.place(position, label));
        SeparateRun.Ended ended = run.make(
                host,
                processes,
                processes.variables(RunProcesses.Environment.INHERITED),
                going -> run.title() + ", " + SeparateRun.roughly(going.leftOf(plan.secondsOfRun()))
                        + " left of this run");
        List<TrialOutcome> before = trials(search).stream()
                .filter(trial -> trial.load() == load)
                .map(Trial::outcome)
                .toList();
        Trial trial =
                TrialReader.read(search.number(), load, log.directory(), ended.directory(), ended.seconds(), before);
        log.add(trial);
        host.line("  " + CapacityWords.outcome(trial));
    }

    private List<Trial> trials(CapacitySearches.Search search) {
        return log.entries().stream()
                .filter(trial -> trial.search() == search.number())
                .toList();
    }

    private Capacity capacity(CapacitySearches.Ended ended) {
        CapacitySearches.Search search = ended.search();
        List<Trial> trials = trials(search);
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
                gaveOut,
                scalability(search.varied(), trials),
                trials);
    }

    /** Of users alone: whoever arrives at a rate does not wait for others. */
    private static UniversalScalability scalability(VariedLoad varied, List<Trial> trials) {
        if (varied != VariedLoad.USERS) {
            return UniversalScalability.none("the law is one of users who wait for answers");
        }
        Map<Double, List<Double>> throughput = new LinkedHashMap<>();
        trials.stream()
                .filter(trial -> trial.outcome() != TrialOutcome.INVALID
                        && trial.figures().searchesPerSecond() > 0)
                .forEach(trial -> throughput
                        .computeIfAbsent(trial.load(), unused -> new ArrayList<>())
                        .add(trial.figures().searchesPerSecond()));
        return UniversalScalability.of(
                "all searches",
                throughput.keySet().stream().mapToDouble(load -> load).toArray(),
                throughput.values().stream()
                        .mapToDouble(some ->
                                some.stream().mapToDouble(one -> one).average().orElseThrow())
                        .toArray());
    }

    /** Reads from the files of a run what it says of its load. Stateless. */
    static final class TrialReader {
        private TrialReader() {}

        /**
         * Reads the directory of a run. One that missed something while other programs disturbed it says nothing the first time, so that it is made
         * again; one that met all did so in spite of them.
         *
         * @param search which search it is of
         * @param load of the run
         * @param directory of its results, below {@code whole}
         * @param before what earlier runs at this load said
         * @throws IOException if a file is missing or broken; the message names it
         */
        static Trial read(
                int search, double load, Path whole, Path directory, double seconds, List<TrialOutcome> before)
                throws IOException {
            RunResult run = RunResultFile.read(RunFile.RUN.in(directory));
            RunFigures figures = RunFiguresReader.read(directory);
            List<String> nothing = nothing(run, figures);
            List<String> missed = missed(run);
            if (nothing.isEmpty()
                    && !missed.isEmpty()
                    && run.validity().verdict() == RunVerdict.DISTURBED
                    && !before.contains(TrialOutcome.INVALID)) {
                nothing.add("disturbed: " + run.validity().disturbance().sentence() + "; " + missed.get(0));
            }
            TrialOutcome outcome = !nothing.isEmpty()
                    ? TrialOutcome.INVALID
                    : missed.isEmpty() ? TrialOutcome.MET : TrialOutcome.NOT_MET;
            return new Trial(
                    search,
                    load,
                    outcome,
                    nothing.isEmpty() ? missed : nothing,
                    outcome == TrialOutcome.NOT_MET ? gaveOut(run) : List.of(),
                    figures(run, figures.figures()),
                    whole.relativize(directory).toString(),
                    seconds);
        }

        /** Why it says nothing; empty if it says something. */
        private static List<String> nothing(RunResult run, RunFigures figures) {
            List<String> nothing = new ArrayList<>(figures.invalid());
            run.objectives().stream()
                    .filter(ObjectiveResult::hasTooFew)
                    .forEach(objective -> nothing.add(objective.text() + ": " + objective.reason()));
            if (run.objectives().isEmpty()) {
                nothing.add("the run was held to no objective");
            }
            return nothing;
        }

        /**
         * The objectives that were missed, by the measured value: near the answer its interval holds the limit in every run, and only
         * many runs together say more. And by what it showed that the database did not keep up. */
        private static List<String> missed(RunResult run) {
            List<String> missed = new ArrayList<>();
            run.objectives().stream()
                    .filter(objective -> !objective.met())
                    .forEach(objective -> missed.add(objective.text() + ": " + objective.measured()));
            if (run.validity().saturation().seen()) {
                missed.addAll(run.validity().saturation().signs());
            }
            return missed;
        }

        private static List<String> gaveOut(RunResult run) {
            List<String> gaveOut = run.validity().saturation().gaveOut();
            return gaveOut.isEmpty() ? Exhaustion.usedUp(run) : gaveOut;
        }

        private static TrialFigures figures(RunResult run, Map<String, Map<String, Double>> figures) {
            String subject = run.objectives().stream()
                    .map(objective -> objective.text().strip().split("\\s+", 2)[0])
                    .filter(figures::containsKey)
                    .filter(name -> !name.equals(RunFigures.FEEDER))
                    .findFirst()
                    .orElse(RunFigures.ALL);
            Map<String, Double> times = figures.getOrDefault(subject, Map.of());
            FeederResult feeder = run.measured().feeder();
            return new TrialFigures(
                    subject,
                    times.getOrDefault("p50", 0.0),
                    times.getOrDefault("p95", 0.0),
                    times.getOrDefault("p99", 0.0),
                    figures.getOrDefault(RunFigures.ALL, Map.of()).getOrDefault("throughput", 0.0),
                    feeder.eventsPerSecond(),
                    feeder.achievedEventsPerSecond());
        }
    }
}
