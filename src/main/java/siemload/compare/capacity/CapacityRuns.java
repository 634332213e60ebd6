package siemload.compare.capacity;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import siemload.compare.capacity.CapacityResult.Capacity;
import siemload.compare.capacity.Trial.TrialFigures;
import siemload.compare.experiment.Experiments;
import siemload.compare.experiment.ResultFile;
import siemload.compare.experiment.RunFigures;
import siemload.compare.experiment.RunLog;
import siemload.compare.experiment.SeparateRun;
import siemload.compare.statistics.UniversalScalability;
import siemload.config.Property;
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
public final class CapacityRuns extends RunLog<Trial> {
    private static final Form<CapacityQuestion, Trial> FORM = new Form<>(
            new ResultFile<>("question.json", CapacityQuestion.class),
            "trials.jsonl",
            Trial.class,
            "a run at a load",
            Trial::directory,
            "another process looks for the capacity in it");

    private final CapacityPlan plan;
    private final CapacityQuestion question;

    private CapacityRuns(Path directory, CapacityPlan plan) throws IOException {
        super(directory, FORM, plan.question(), trial -> true);
        this.plan = plan;
        this.question = plan.question();
    }

    /**
     * Makes all runs that are needed and not yet made.
     *
     * @return the directory, with {@code capacity.json} in it
     * @throws siemload.database.TargetException if a run broke down
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
        try (CapacityRuns runs = new CapacityRuns(directory, plan)) {
            if (begun.isPresent()) {
                host.line("goes on after " + runs.entries().size() + " runs (--fresh starts anew)");
            }
            runs.makeAll(host, processes, "the same command");
        }
        return directory;
    }

    @Override
    protected void makeMissing(RunHost host, RunProcesses processes) throws IOException, InterruptedException {
        CapacitySearches searches = new CapacitySearches(question);
        CapacitySearches.Step step = searches.after(entries());
        while (step instanceof CapacitySearches.Step.Run run) {
            make(host, processes, run.search(), run.load());
            step = searches.after(entries());
        }
        host.status("");
        List<Capacity> capacities = ((CapacitySearches.Step.End) step)
                .searches().stream().map(this::capacity).toList();
        CapacityResult.FILE.write(directory(), new CapacityResult(CapacityResult.FORMAT_VERSION, question, capacities));
    }

    private void make(RunHost host, RunProcesses processes, CapacitySearches.Search search, double load)
            throws IOException, InterruptedException {
        VariedLoad varied = search.varied();
        Map<String, Double> beside = search.beside();
        int position = entries().size() + 1;
        Map<String, String> settings = new LinkedHashMap<>(question.settings());
        beside.forEach(
                (name, value) -> settings.put(VariedLoad.of(name).property().name(), VariedLoad.number(value)));
        settings.put(varied.property().name(), VariedLoad.number(load));
        settings.put(Property.SEED.name(), Long.toString(plan.seed() + position - 1));
        String label = load(varied, load, beside);
        SeparateRun run = new SeparateRun(
                question.scenario() + ": run " + position + " of at most " + question.runs() + ", " + label,
                settings,
                place(position, label));
        SeparateRun.Ended ended = run.make(
                host,
                processes,
                processes.variables(RunProcesses.Environment.INHERITED),
                going -> SeparateRun.roughly(going.leftOf(plan.secondsOfRun())) + " left of this run");
        List<Trial.Outcome> before = trials(search).stream()
                .filter(trial -> trial.load() == load)
                .map(Trial::outcome)
                .toList();
        Trial trial = TrialReader.read(search.number(), load, directory(), ended.directory(), ended.seconds(), before);
        add(trial);
        host.line("  " + trial.words());
    }

    private List<Trial> trials(CapacitySearches.Search search) {
        return entries().stream()
                .filter(trial -> trial.search() == search.number())
                .toList();
    }

    private Capacity capacity(CapacitySearches.Ended ended) {
        CapacitySearches.Search search = ended.search();
        List<Trial> trials = trials(search);
        return new Capacity(
                search.varied(),
                search.beside(),
                ended.finding(),
                sentence(search.varied(), search.beside(), ended.finding(), trials),
                Trial.firstMissed(trials).map(Trial::gaveOut).orElse(List.of()),
                scalability(search.varied(), trials),
                trials);
    }

    /** Of users alone: whoever arrives at a rate does not wait for others. */
    private static UniversalScalability scalability(VariedLoad varied, List<Trial> trials) {
        if (varied != VariedLoad.USERS) {
            return UniversalScalability.none("the law is one of users who wait for answers");
        }
        Map<Double, DoubleSummaryStatistics> throughput = new LinkedHashMap<>();
        for (Trial trial : trials) {
            if (trial.outcome() != Trial.Outcome.INVALID && trial.figures().searchesPerSecond() > 0) {
                throughput
                        .computeIfAbsent(trial.load(), unused -> new DoubleSummaryStatistics())
                        .accept(trial.figures().searchesPerSecond());
            }
        }
        return UniversalScalability.of(
                "all",
                throughput.keySet().stream().mapToDouble(load -> load).toArray(),
                throughput.values().stream()
                        .mapToDouble(DoubleSummaryStatistics::getAverage)
                        .toArray());
    }

    /** A load and what is beside it: {@code 80 users at 1000 events/s}. */
    static String load(VariedLoad varied, double load, Map<String, Double> beside) {
        return varied.words(load) + beside(beside);
    }

    /** What was found, in a sentence without its end: {@code 80 users (72 to 90) at 1000 events/s}. */
    static String sentence(VariedLoad varied, Map<String, Double> beside, Finding finding, List<Trial> trials) {
        String place = beside.isEmpty() ? fed(varied, trials) : beside(beside);
        String interval = varied.words(finding.estimate()) + " (" + VariedLoad.number(finding.low()) + " to "
                + VariedLoad.number(finding.high()) + ")" + place;
        return switch (finding.kind()) {
            case FOUND -> interval;
            case ROUGHLY -> interval + ", not known as exactly as was asked for after " + trials.size() + " runs";
            case AT_LEAST ->
                "at least " + varied.words(finding.estimate()) + place
                        + ": every load up to that, the most that was allowed, meets the objectives";
            case LESS_THAN ->
                "none: not even " + varied.words(finding.high()) + place + " meets the objectives, the least that was"
                        + " allowed";
            case NOT_MEASURABLE ->
                "at least " + varied.words(finding.low()) + place + "; runs at " + varied.words(finding.high())
                        + " are not valid, so that nothing is known of more";
            case NOTHING_MET ->
                "not known: no run up to " + varied.words(finding.high()) + place + " met the objectives, but "
                        + (trials.stream().anyMatch(trial -> trial.outcome() == Trial.Outcome.INVALID)
                                ? "some were not valid"
                                : "there were too few to be certain");
        };
    }

    private static String beside(Map<String, Double> beside) {
        return beside.entrySet().stream()
                .map(entry -> beside(VariedLoad.of(entry.getKey()), entry.getValue()))
                .collect(Collectors.joining());
    }

    private static String beside(VariedLoad varied, double load) {
        if (varied == VariedLoad.EVENTS_PER_SECOND) {
            return load == 0 ? " while nothing is fed" : " at " + varied.words(load);
        }
        return " with " + varied.words(load);
    }

    /** The feeder of the scenario goes on beside users. */
    private static String fed(VariedLoad varied, List<Trial> trials) {
        double fed = trials.stream()
                .mapToDouble(trial -> trial.figures().eventsPerSecond())
                .max()
                .orElse(0);
        return varied == VariedLoad.EVENTS_PER_SECOND || fed == 0
                ? ""
                : beside(VariedLoad.EVENTS_PER_SECOND, VariedLoad.EVENTS_PER_SECOND.rounded(fed));
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
                int search, double load, Path whole, Path directory, double seconds, List<Trial.Outcome> before)
                throws IOException {
            RunResult run = RunResultFile.read(RunFile.RUN.in(directory));
            RunFigures figures = RunFigures.read(directory);
            List<String> nothing = nothing(run, figures);
            List<String> missed = missed(run);
            if (nothing.isEmpty()
                    && !missed.isEmpty()
                    && run.validity().verdict() == RunVerdict.DISTURBED
                    && !before.contains(Trial.Outcome.INVALID)) {
                nothing.add("disturbed: " + run.validity().disturbance().sentence() + "; " + missed.get(0));
            }
            Trial.Outcome outcome = !nothing.isEmpty()
                    ? Trial.Outcome.INVALID
                    : missed.isEmpty() ? Trial.Outcome.MET : Trial.Outcome.NOT_MET;
            return new Trial(
                    search,
                    load,
                    outcome,
                    nothing.isEmpty() ? missed : nothing,
                    outcome == Trial.Outcome.NOT_MET ? gaveOut(run) : List.of(),
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
