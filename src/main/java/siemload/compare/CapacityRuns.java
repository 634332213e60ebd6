package siemload.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import siemload.compare.CapacityResult.Finding;
import siemload.compare.CapacityResult.Outcome;
import siemload.compare.CapacityResult.Question;
import siemload.compare.CapacityResult.Trial;
import siemload.compare.CapacityResult.VariedLoad;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.Validity.RunVerdict;
import siemload.results.Validity.Saturation;
import siemload.run.RunDirectory;
import siemload.run.RunHost;
import siemload.run.RunPlan;
import siemload.run.RunValidity;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;
import siemload.scenario.Objective;
import siemload.scenario.Rate;
import siemload.scenario.Scenario.Feeder;
import siemload.scenario.Scenario.Phases;

/** The runs of a capacity search: the load of each run follows from the results of all earlier runs. Used by one thread. */
public final class CapacityRuns extends RunLog {
    private static final ResultFile<Question> FILE = new ResultFile<>("question.json", Question.class);

    private final Plan plan;
    private final Question question;
    private final List<Trial> trials = new ArrayList<>();

    private CapacityRuns(Path directory, Plan plan) throws IOException {
        super(directory, FILE, plan.question(), plan.question().scenario());
        this.plan = plan;
        this.question = plan.question();
    }

    /** Returns the newest directory of an unfinished search for the plan's question, if there is one. */
    public static Optional<Path> findUnfinished(RunHost host, Plan plan) throws IOException {
        return FILE.newest(below(host), plan.question()::equals).filter(one -> !CapacityResult.FILE.isIn(one));
    }

    private static Path below(RunHost host) {
        return host.settings().value(Property.RESULTS).toAbsolutePath().resolve("capacities");
    }

    /**
     * Performs all runs that are still needed, in the directory of the interrupted search or in a new one.
     *
     * @return the directory, with {@code capacity.json} in it
     * @throws siemload.database.TargetException if a run broke down
     */
    public static Path make(RunHost host, Plan plan, Optional<Path> begun) throws IOException, InterruptedException {
        String name = plan.question().scenario().replaceAll("[^A-Za-z0-9]+", "-") + "-"
                + RunDirectory.timestamp(Instant.now());
        try (CapacityRuns runs = new CapacityRuns(begun.orElse(below(host).resolve(name)), plan)) {
            return runs.make(host);
        }
    }

    /** Returns the next run, whose load follows from the earlier runs. Writes the answer once no more runs are needed. */
    @Override
    protected Optional<Next> next(RunHost host) throws IOException {
        for (Entry entry : entries().subList(trials.size(), entries().size())) {
            Trial trial = trial(entry, directory().resolve(entry.directory()), trials);
            trials.add(trial);
            host.line("  " + trial.words());
        }
        CapacityResult.Step step = question.after(trials);
        if (step.finding().isPresent()) {
            Finding found = step.finding().get();
            CapacityResult.FILE.write(directory(), new CapacityResult(question, found, sentence(found), trials));
            return Optional.empty();
        }
        VariedLoad varied = question.range().varied();
        String load = VariedLoad.number(step.load());
        String seed = Long.toString(plan.seed() + trials.size());
        return Optional.of(new Next(
                "at most " + question.mostRuns(),
                0,
                load,
                varied.words(step.load()),
                Experiment.over(question.settings(), Map.of(varied.property.name(), load, Property.SEED.name(), seed)),
                host.launcher().environment()));
    }

    @Override
    protected String left(double seconds) {
        return roughly(Math.max(0, plan.secondsOfRun() - seconds)) + " left of this run";
    }

    /** The finding as a phrase: {@code 80 users (72 to 90) at 1000 events/s}. */
    private String sentence(Finding finding) {
        VariedLoad varied = question.range().varied();
        VariedLoad events = VariedLoad.EVENTS_PER_SECOND;
        double fed = trials.stream().mapToDouble(Trial::eventsPerSecond).max().orElse(0);
        String place = varied == events || fed == 0 ? "" : " at " + events.words(events.rounded(fed));
        String high = varied.words(finding.high());
        String interval = varied.words(finding.estimate()) + " (" + VariedLoad.number(finding.low()) + " to "
                + VariedLoad.number(finding.high()) + ")" + place;
        return switch (finding.kind()) {
            case FOUND -> interval;
            case ROUGHLY -> interval + ", not known to the requested precision after " + trials.size() + " runs";
            case AT_LEAST -> "at least " + varied.words(finding.estimate()) + place + ", the largest allowed";
            case LESS_THAN -> "less than " + high + place + ", the smallest allowed";
            case NOT_MEASURABLE ->
                "at least " + varied.words(finding.low()) + place + "; runs at " + high
                        + " are not valid, so larger loads are unknown";
            case NOTHING_MET -> "not known: no run up to " + high + place + " met the objectives";
        };
    }

    /**
     * Reads the outcome of a run from its files. A disturbed run that missed an objective counts as invalid, and is repeated, unless an
     * earlier run at its load was invalid. A disturbed run that met all objectives counts.
     *
     * @param before the earlier runs
     * @throws IOException if a file is missing or broken; the message names it
     */
    static Trial trial(Entry entry, Path directory, List<Trial> before) throws IOException {
        if (!entry.variant().matches("\\d+(\\.\\d+)?")) {
            throw new IOException(directory + ": '" + entry.variant() + "' is not a load");
        }
        double load = Double.parseDouble(entry.variant());
        RunResult run = RunResult.read(RunFile.RUN.in(directory));
        RunFigures figures = RunFigures.of(run, directory);
        Saturation saturation = run.validity().saturation();
        List<String> nothing = new ArrayList<>(figures.invalid());
        // The measured value decides, not its interval: near the searched load the interval has the limit in every run,
        // so only many runs together decide.
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
            nothing.add("the run had no objective");
        }
        missed.addAll(saturation.seen() ? saturation.signs() : List.of());
        boolean first = before.stream().noneMatch(one -> one.load() == load && one.outcome() == Outcome.INVALID);
        if (nothing.isEmpty() && !missed.isEmpty() && run.validity().verdict() == RunVerdict.DISTURBED && first) {
            nothing.add("disturbed: " + run.validity().disturbance().sentence() + "; " + missed.get(0));
        }
        boolean missing = nothing.isEmpty() && !missed.isEmpty();
        List<String> gaveOut = saturation.seen() ? saturation.gaveOut() : RunValidity.usedUp(run);
        Map<String, Map<String, Double>> measured = figures.figures();
        String subject = run.objectives().stream()
                .map(objective -> objective.text().strip().split("\\s+", 2)[0])
                .filter(name -> measured.containsKey(name) && !name.equals(RunFigures.FEEDER))
                .findFirst()
                .orElse(RunFigures.ALL);
        Map<String, Double> times = measured.getOrDefault(subject, Map.of());
        return new Trial(
                load,
                !nothing.isEmpty() ? Outcome.INVALID : missing ? Outcome.NOT_MET : Outcome.MET,
                nothing.isEmpty() ? missed : nothing,
                missing ? gaveOut : List.of(),
                subject,
                times.getOrDefault("p50", 0.0),
                times.getOrDefault("p95", 0.0),
                times.getOrDefault("p99", 0.0),
                measured.getOrDefault(RunFigures.ALL, Map.of()).getOrDefault("throughput", 0.0),
                run.measured().feeder().eventsPerSecond(),
                entry.directory());
    }

    /**
     * A question whose smallest and largest load were checked to be possible. Immutable.
     *
     * @param secondsOfRun the approximate seconds of each run, without loading the data set, which is kept for later runs
     * @param seed the seed of the first run; each later run has the next seed, so that chance differs between runs of one load
     */
    public record Plan(Question question, double secondsOfRun, long seed) {
        /** By default, the largest load is this many times the first one: ten doublings. */
        private static final double WIDEST = 1024;

        /**
         * Makes the plan from the user's options. By default a search begins at the scenario's own load and goes to 1024 times this load.
         *
         * @param precisionPercent half of the interval's width at which a search ends, in percent of the load
         * @throws ConfigException if the question cannot be asked
         */
        public static Plan of(
                RunHost host,
                VariedLoad varied,
                Optional<Double> least,
                Optional<Double> start,
                Optional<Double> most,
                double precisionPercent,
                int mostRuns) {
            Map<String, String> settings = ExperimentPlan.ofJob(host);
            host.settings().setting(varied.property).ifPresent(setting -> {
                throw new ConfigException(
                        setting.origin(),
                        "sets the load that --vary " + varied.label()
                                + " varies (remove it; --start sets the load of the first run)");
            });
            RunPlan own = ExperimentPlan.run(host, host.launcher(), settings);
            String scenario = own.scenario().name();
            if (own.isProcedure() || own.scenario().objectives().isEmpty()) {
                throw new ConfigException(
                        host.settings().origin(Property.SCENARIO),
                        own.isProcedure()
                                ? scenario + " is a procedure, which has no objectives (name a scenario with analysts)"
                                : scenario + " has no objectives for a load to meet (give one:"
                                        + " --objective \"all responseTime p95 < 2s\")");
            }
            VariedLoad.Range range = range(own, varied, least, start, most);
            // Both ends of a range are checked before the first run.
            for (double load : List.of(range.least(), range.most())) {
                try {
                    Map<String, String> changed = Map.of(varied.property.name(), VariedLoad.number(load));
                    ExperimentPlan.run(host, host.launcher(), Experiment.over(settings, changed));
                } catch (ConfigException impossible) {
                    throw new ConfigException(
                            new Origin.WholeFile(settings.get(Property.SCENARIO.name()) + ", " + varied.words(load)),
                            String.valueOf(impossible.getMessage()));
                }
            }
            Question question = new Question(
                    settings.getOrDefault(Property.SCENARIO.name(), ""),
                    range,
                    own.scenario().objectives().stream().map(Objective::text).toList(),
                    settings,
                    precisionPercent / 100,
                    mostRuns);
            return new Plan(question, own.expectedSeconds().orElse(0) + AROUND_A_RUN_SECONDS, own.seed());
        }

        /** Returns the plan in words, which are printed before the first run. */
        public List<String> describe() {
            VariedLoad.Range range = question.range();
            return List.of(
                    question.scenario() + ": " + question.objectives().size()
                            + (question.objectives().size() == 1 ? " objective: " : " objectives: ")
                            + String.join(", ", question.objectives()),
                    "  " + range.varied().label() + ": from " + range.varied().words(range.start()) + ", between "
                            + VariedLoad.number(range.least()) + " and " + VariedLoad.number(range.most()),
                    "  until known within " + VariedLoad.number(100 * question.precisionRatio()) + " %; at most "
                            + question.mostRuns() + " runs, " + roughly(question.mostRuns() * secondsOfRun)
                            + " at most");
        }

        /** The range of loads to search. @throws ConfigException if its ends are in the wrong order, or one of them cannot be run */
        private static VariedLoad.Range range(
                RunPlan plan, VariedLoad varied, Optional<Double> low, Optional<Double> first, Optional<Double> high) {
            Phases phases = plan.scenario().phases();
            Feeder feeder = plan.scenario().feeder();
            double from = phases.warmup().toSeconds();
            double seconds = phases.measurement().toSeconds();
            ToDoubleFunction<Rate> mean = rate -> rate.isNone() ? 0 : rate.mean(from, from + seconds);
            // The scenario's own load; 0 if the scenario has none of this kind.
            double own = varied == VariedLoad.EVENTS_PER_SECOND ? mean.applyAsDouble(feeder.rate()) : 0;
            int closed = 0;
            for (AnalystGroup group : plan.scenario().analysts()) {
                if (varied == VariedLoad.USERS && group.load() instanceof LoadModel.Closed users) {
                    own += users.users();
                    closed++;
                } else if (varied == VariedLoad.ARRIVALS && group.load() instanceof LoadModel.Open open) {
                    own += mean.applyAsDouble(open.arrivals());
                }
            }
            double begin = first.orElse(varied.rounded(own));
            if (begin == 0) {
                throw new ConfigException(
                        new Origin.Option("start"),
                        "is missing: the scenario has no " + varied.unit
                                + " to start from (give a number, or another --vary)");
            }
            // The default smallest load: a user in each group, a batch of the feeder in the measured phase, or so few
            // arrivals that hardly any user comes.
            double smallest = switch (varied) {
                case USERS -> closed;
                case EVENTS_PER_SECOND -> Math.max(1, Math.ceil(feeder.batch() / seconds));
                case ARRIVALS -> Math.max(0.001, varied.rounded(begin / WIDEST));
            };
            double least = low.orElse(Math.min(begin, smallest));
            double most = high.orElse(Math.min(varied.limit, varied.rounded(begin * WIDEST)));
            double start = first.isPresent() ? begin : Math.min(most, Math.max(least, begin));
            require(varied, "least", least, 0, most);
            require(varied, "most", most, least, varied.limit);
            require(varied, "start", start, least, most);
            return new VariedLoad.Range(varied, least, start, most);
        }

        private static void require(VariedLoad varied, String option, double load, double low, double high) {
            if (load <= 0 || load < low || load > high || varied.rounded(load) != load) {
                throw new ConfigException(
                        new Origin.Option(option),
                        VariedLoad.number(load) + " cannot be a number of " + varied.unit + " here (allowed: "
                                + (varied.isWhole() ? "whole numbers" : "numbers of three digits")
                                + ", with --least <= --start <= --most, above 0 and up to "
                                + VariedLoad.number(varied.limit) + ")");
            }
        }
    }
}
