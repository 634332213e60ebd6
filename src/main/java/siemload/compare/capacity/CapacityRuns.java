package siemload.compare.capacity;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.compare.capacity.CapacityQuestion.Step;
import siemload.compare.capacity.CapacityResult.Capacity;
import siemload.compare.capacity.Trial.TrialFigures;
import siemload.compare.experiment.ResultFile;
import siemload.compare.experiment.RunFigures;
import siemload.compare.experiment.RunLog;
import siemload.compare.experiment.SeparateRun;
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
public final class CapacityRuns extends RunLog {
    private static final ResultFile<CapacityQuestion> FILE = new ResultFile<>("question.json", CapacityQuestion.class);

    private final CapacityPlan plan;
    private final CapacityQuestion question;
    private final List<Trial> trials = new ArrayList<>();

    private CapacityRuns(Path directory, CapacityPlan plan) throws IOException {
        super(directory, FILE, plan.question());
        this.plan = plan;
        this.question = plan.question();
        for (Entry entry : entries()) {
            trials.add(trial(entry));
        }
    }

    /** The directory in which the same question was begun and has no answer yet, if there is one. */
    public static Optional<Path> findUnfinished(RunHost host, CapacityPlan plan) throws IOException {
        return FILE.newest(below(host), plan.question()::equals).filter(one -> !CapacityResult.FILE.isIn(one));
    }

    private static Path below(RunHost host) {
        return host.settings().value(Property.RESULTS).toAbsolutePath().resolve("capacities");
    }

    /**
     * Makes all runs that are needed and not yet made.
     *
     * @param begun where it goes on, if there is such a place
     * @return the directory, with {@code capacity.json} in it
     * @throws siemload.database.TargetException if a run broke down
     */
    public static Path make(RunHost host, CapacityPlan plan, Optional<Path> begun)
            throws IOException, InterruptedException {
        String scenario = plan.question().scenario();
        String name = scenario.replaceAll("[^A-Za-z0-9]+", "-") + "-" + TimestampName.of(Instant.now());
        return make(
                host,
                begun,
                below(host).resolve(name),
                directory -> new CapacityRuns(directory, plan),
                scenario,
                "the same command");
    }

    @Override
    protected void makeMissing(RunHost host, RunProcesses processes) throws IOException, InterruptedException {
        Step step = question.after(trials);
        while (step.load().isPresent()) {
            make(host, processes, step.search(), step.load().getAsDouble());
            step = question.after(trials);
        }
        host.status("");
        List<Capacity> capacities = new ArrayList<>();
        for (Finding finding : step.found()) {
            capacities.add(capacity(capacities.size(), finding));
        }
        CapacityResult.FILE.write(directory(), new CapacityResult(CapacityResult.FORMAT_VERSION, question, capacities));
    }

    private void make(RunHost host, RunProcesses processes, int search, double load)
            throws IOException, InterruptedException {
        VariedLoad varied = question.first().varied();
        int position = trials.size() + 1;
        Map<String, String> settings = new LinkedHashMap<>(question.settings());
        question.beside(search)
                .forEach((name, value) ->
                        settings.put(VariedLoad.of(name).property().name(), VariedLoad.number(value)));
        settings.put(varied.property().name(), VariedLoad.number(load));
        settings.put(Property.SEED.name(), Long.toString(plan.seed() + position - 1));
        String label = varied.words(load) + (question.hasFrontier() ? beside(search) : "");
        SeparateRun run = new SeparateRun(
                question.scenario() + ": run " + position + " of at most " + question.runs() + ", " + label,
                settings,
                place(position, label));
        SeparateRun.Ended ended = run.make(
                host,
                processes,
                processes.variables(RunProcesses.Environment.INHERITED),
                seconds -> SeparateRun.roughly(Math.max(0, plan.secondsOfRun() - seconds)) + " left of this run");
        add(search, VariedLoad.number(load), ended.directory(), ended.seconds(), 0);
        trials.add(trial(entries().get(position - 1)));
        host.line("  " + trials.get(position - 1).words());
    }

    private Trial trial(Entry entry) throws IOException {
        double load;
        try {
            load = Double.parseDouble(entry.variant());
        } catch (NumberFormatException none) {
            throw new IOException(directory() + ": '" + entry.variant() + "' is no load", none);
        }
        List<Trial.Outcome> before = trials(entry.block()).stream()
                .filter(trial -> trial.load() == load)
                .map(Trial::outcome)
                .toList();
        return trial(entry, load, directory().resolve(entry.directory()), before);
    }

    private List<Trial> trials(int search) {
        return trials.stream().filter(trial -> trial.search() == search).toList();
    }

    private Capacity capacity(int search, Finding finding) {
        List<Trial> own = trials(search);
        return new Capacity(
                question.first().varied(),
                question.beside(search),
                finding,
                sentence(search, finding),
                Trial.firstMissed(own).map(Trial::gaveOut).orElse(List.of()),
                own);
    }

    /** What was found, in a sentence without its end: {@code 80 users (72 to 90) at 1000 events/s}. */
    private String sentence(int search, Finding finding) {
        VariedLoad varied = question.first().varied();
        List<Trial> own = trials(search);
        String place = beside(search);
        String interval = varied.words(finding.estimate()) + " (" + VariedLoad.number(finding.low()) + " to "
                + VariedLoad.number(finding.high()) + ")" + place;
        return switch (finding.kind()) {
            case FOUND -> interval;
            case ROUGHLY -> interval + ", not known as exactly as was asked for after " + own.size() + " runs";
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
                        + (own.stream().anyMatch(trial -> trial.outcome() == Trial.Outcome.INVALID)
                                ? "some were not valid"
                                : "there were too few to be certain");
        };
    }

    /** What is given beside what grows; where nothing is, what the feeder of the scenario fed beside it. */
    private String beside(int search) {
        if (question.hasFrontier()) {
            VariedLoad other = question.varied().get(1).varied();
            double value = question.against().get(search);
            return other == VariedLoad.EVENTS_PER_SECOND ? fed(value) : " with " + other.words(value);
        }
        double fed = trials.stream()
                .mapToDouble(trial -> trial.figures().eventsPerSecond())
                .max()
                .orElse(0);
        return question.first().varied() == VariedLoad.EVENTS_PER_SECOND || fed == 0
                ? ""
                : fed(VariedLoad.EVENTS_PER_SECOND.rounded(fed));
    }

    private static String fed(double rate) {
        return rate == 0 ? " while nothing is fed" : " at " + VariedLoad.EVENTS_PER_SECOND.words(rate);
    }

    /**
     * Reads from the files of a run what it says of its load. One that missed something while other programs disturbed it says nothing
     * the first time, so that it is made again; one that met all did so in spite of them.
     *
     * @param before what earlier runs at this load said
     * @throws IOException if a file is missing or broken; the message names it
     */
    static Trial trial(Entry entry, double load, Path directory, List<Trial.Outcome> before) throws IOException {
        RunResult run = RunResultFile.read(RunFile.RUN.in(directory));
        RunFigures figures = RunFigures.read(directory);
        List<String> nothing = new ArrayList<>(figures.invalid());
        // By the measured value: near the answer its interval holds the limit in every run, and only many runs together
        // say more.
        List<String> missed = new ArrayList<>();
        for (ObjectiveResult objective : run.objectives()) {
            if (objective.hasTooFew()) {
                nothing.add(objective.text() + ": " + objective.reason());
            }
            if (!objective.met()) {
                missed.add(objective.text() + ": " + objective.measured());
            }
        }
        if (run.objectives().isEmpty()) {
            nothing.add("the run was held to no objective");
        }
        if (run.validity().saturation().seen()) {
            missed.addAll(run.validity().saturation().signs());
        }
        if (nothing.isEmpty()
                && !missed.isEmpty()
                && run.validity().verdict() == RunVerdict.DISTURBED
                && !before.contains(Trial.Outcome.INVALID)) {
            nothing.add("disturbed: " + run.validity().disturbance().sentence() + "; " + missed.get(0));
        }
        boolean missing = nothing.isEmpty() && !missed.isEmpty();
        List<String> gaveOut = run.validity().saturation().gaveOut();
        return new Trial(
                entry.block(),
                load,
                !nothing.isEmpty() ? Trial.Outcome.INVALID : missing ? Trial.Outcome.NOT_MET : Trial.Outcome.MET,
                nothing.isEmpty() ? missed : nothing,
                !missing ? List.of() : gaveOut.isEmpty() ? Exhaustion.usedUp(run) : gaveOut,
                figures(run, figures.figures()),
                entry.directory(),
                entry.seconds());
    }

    private static TrialFigures figures(RunResult run, Map<String, Map<String, Double>> figures) {
        String subject = run.objectives().stream()
                .map(objective -> objective.text().strip().split("\\s+", 2)[0])
                .filter(name -> figures.containsKey(name) && !name.equals(RunFigures.FEEDER))
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
