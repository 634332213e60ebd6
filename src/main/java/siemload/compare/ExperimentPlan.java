package siemload.compare;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.compare.Experiment.Axis;
import siemload.compare.Experiment.ComparedVariant;
import siemload.compare.statistics.Decision;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Problem;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.database.Provision;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.run.Bench;
import siemload.run.RunHost;
import siemload.run.RunHost.RunLauncher;
import siemload.run.RunPlan;

/**
 * An experiment after all overrides, each of whose variants is known to be possible: the plan of one run of each cell, and what is
 * wrong with any of them, each problem once with all that have it.
 */
public final class ExperimentPlan {
    /** What a user allows, and where things are kept and shown: each run gets it, but with others it is the same experiment. */
    private static final List<Property<?>> BESIDE_THE_QUESTION = List.of(
            Property.YES,
            Property.ALLOW_BUSY_SERVER,
            Property.ALLOW_WRITES,
            Property.CACHE,
            Property.LIVE,
            Property.LIVE_ADDRESS);

    /** The same, and what is the experiment's own business, or makes no difference. */
    private static final Set<String> NOT_OF_RUNS = Stream.concat(
                    BESIDE_THE_QUESTION.stream(),
                    Stream.of(Property.RESULTS, Property.FAIL_ON, Property.DETAILS, Property.VERBOSE))
            .map(Property::name)
            .collect(Collectors.toSet());

    private final Experiment experiment;
    private final RunHost host;
    private final Map<String, RunPlan> plans = new LinkedHashMap<>();
    private final Map<String, List<String>> cellsByMessage = new LinkedHashMap<>();
    private boolean ofServersAlone = true;

    /** The experiment, if all its variants are possible. @throws ConfigException if not */
    ExperimentPlan(Experiment experiment, RunHost host) {
        VariantConnections connections = VariantConnections.of(experiment, host);
        this.experiment = experiment.with(connections);
        this.host = host;
        for (ComparedVariant cell : this.experiment.runCells()) {
            try {
                RunLauncher launcher = host.launcher().with(connections.variables(experiment, cell.label()));
                plans.put(cell.label(), run(host, launcher, Experiment.over(experiment.settings(), cell.settings())));
            } catch (ConfigException impossible) {
                add(cell.label(), impossible);
            }
        }
        if (!cellsByMessage.isEmpty()) {
            // So that what is wrong with the servers of the others is told at once.
            checkServers();
        }
    }

    /**
     * Applies what the user says.
     *
     * @param values other values of the axis; empty for those of the file
     * @throws ConfigException if a variant is not possible
     */
    public static ExperimentPlan of(Experiment read, RunHost host, Optional<Integer> repeats, List<String> values) {
        Map<String, String> overrides = overrides(read, host.settings());
        if (!values.isEmpty()
                && read.axes().stream().anyMatch(axis -> axis.property().equals(Axis.LEVEL))) {
            overrides.putIfAbsent("procedure.levels", String.join(",", values));
        }
        int times = repeats.orElse(read.repeats());
        if (times < ExperimentReader.FEWEST_REPEATS) {
            throw new ConfigException(
                    new Origin.Option("repeats"),
                    times + " is too small (allowed: at least " + ExperimentReader.FEWEST_REPEATS + ")");
        }
        ExperimentPlan plan = new ExperimentPlan(withValues(read, values).with(overrides, times), host);
        requireHarmless(read, values, plan.experiment);
        return plan;
    }

    /** What is asked, after all overrides. */
    public Experiment experiment() {
        return experiment;
    }

    /** How long it takes, roughly, without loading the data set, which is kept for later runs; not a number for procedures. */
    private double seconds() {
        return seconds(RunLog.AROUND_A_RUN_SECONDS);
    }

    /** The same with so many seconds around each run. */
    double seconds(double around) {
        return experiment.repeats()
                * plans.values().stream()
                        .mapToDouble(plan -> plan.expectedSeconds().orElse(Double.NaN) + around)
                        .sum();
    }

    /** The plan of one run of each cell, by its label. */
    Map<String, RunPlan> plans() {
        return plans;
    }

    /** What the users of the first variant that has any ask, by name. */
    List<String> searches() {
        return plans.values().stream()
                .map(RunPlan::searches)
                .filter(searches -> !searches.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /** Whether users ask statements of data that are there already, and no searches. */
    boolean asksStatements() {
        return plans.values().stream().anyMatch(RunPlan::asksStatements);
    }

    /**
     * Connects to each server that siemload does not start, as the runs will, and looks at all that they will need there.
     *
     * @return how many there are
     * @throws ConfigException with all that is wrong at all servers
     * @throws TargetException the same where a server cannot be had, and nothing else is wrong
     */
    public int checkServers() {
        Set<List<String>> checked = new HashSet<>();
        plans.forEach((label, plan) -> {
            List<String> same = List.of(
                    plan.choice().plugin().id(),
                    plan.settings().find(Property.URL).orElse(""),
                    plan.settings().credentials().user().orElse(""),
                    plan.settings().value(Property.SCENARIO));
            if (plan.choice().provision() == Provision.EXTERNAL && checked.add(same)) {
                Bench.check(host, plan, wrong -> add(label, wrong));
            }
        });
        // What is wrong may stand in the file of the experiment, or in an option: so the message begins with the
        // variant.
        List<Problem> problems = new ArrayList<>();
        cellsByMessage.forEach((message, cells) -> problems.add(
                new Problem(new Origin.WholeFile(experiment.name() + ", " + String.join(" and ", cells)), message)));
        if (!problems.isEmpty()) {
            ConfigException all = new ConfigException(problems);
            throw ofServersAlone ? new TargetException(String.valueOf(all.getMessage()), all) : all;
        }
        return checked.size();
    }

    private void add(String label, RuntimeException wrong) {
        ofServersAlone &= wrong instanceof TargetException;
        String message = String.valueOf(wrong.getMessage());
        String spoken = experiment
                .connectedAs(label)
                .map(name -> VariantConnections.spokenFor(name, message))
                .orElse(message);
        cellsByMessage.computeIfAbsent(spoken, unused -> new ArrayList<>()).add(label);
    }

    /** For people, before anything starts. */
    public List<String> describe() {
        List<String> lines = new ArrayList<>(List.of(
                experiment.name() + ": " + experiment.question(),
                "  " + experiment.axisLabel() + ": " + String.join(", ", experiment.labels()) + "; "
                        + experiment.repeats() + " times each, " + experiment.runs() + " runs, "
                        + RunLog.roughly(seconds())));
        if (experiment.isOfNamed()) {
            experiment.variants().forEach(one -> lines.add("    " + one.label() + ": " + one.settings()));
        }
        int named = experiment.subjects().size();
        int searches = searches().size();
        // Of several searches, all of them together are one more.
        int subjects = Math.max(1, named > 0 ? named : searches > 1 ? searches + 1 : searches);
        int least = Decision.leastPairs(subjects);
        if (experiment.repeats() < least) {
            lines.add("  " + experiment.repeats() + " repeats cannot decide anything: it takes at least " + least
                    + " for " + subjects + (subjects == 1 ? " comparison" : " comparisons") + " (--repeats " + least
                    + ")");
        }
        return lines;
    }

    /** Several experiments one after the other, for people. */
    public static String together(List<ExperimentPlan> plans) {
        return "together: "
                + plans.stream().mapToInt(plan -> plan.experiment.runs()).sum() + " runs, "
                + RunLog.roughly(
                        plans.stream().mapToDouble(ExperimentPlan::seconds).sum())
                + ", and the time to load each data set once with each index set";
    }

    /** A run of a job as it would be planned. @throws ConfigException if it is not possible */
    private static RunPlan run(RunHost host, RunLauncher launcher, Map<String, String> settings) {
        return RunPlan.read(launcher.settings(forRun(settings, host.settings())), host.home(), text -> {});
    }

    /** The same for a run without a server of its own. */
    static RunPlan run(RunHost host, Map<String, String> settings) {
        return run(host, host.launcher(), settings);
    }

    /** The settings of all runs of a job that names no file of an experiment. */
    static Map<String, String> ofJob(RunHost host) {
        Map<String, String> settings = ofRuns(host.settings());
        settings.putIfAbsent(
                Property.SCENARIO.name(),
                host.settings().setting(Property.SCENARIO).map(Setting::value).orElseThrow());
        settings.putIfAbsent(Property.SETTLE.name(), "true");
        return settings;
    }

    /** The settings of a run with what its user allows beside them, and the cache, whose default is the user's as well. */
    static Map<String, String> forRun(Map<String, String> settings, Settings given) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        BESIDE_THE_QUESTION.forEach(property -> given.setting(property)
                .filter(setting -> setting.wasGiven() || property.equals(Property.CACHE))
                .ifPresent(setting -> all.put(property.name(), setting.value())));
        return all;
    }

    /** The settings of runs that were given; the defaults are left to each run. */
    private static Map<String, String> overrides(Experiment experiment, Settings settings) {
        Set<String> varied = experiment.varied();
        Map<String, String> given = ofRuns(settings);
        for (Setting setting : settings.list()) {
            if (given.containsKey(setting.name()) && varied.contains(setting.name())) {
                throw new ConfigException(
                        setting.origin(),
                        setting.name() + " is what experiment " + experiment.name() + " varies (remove it"
                                + (experiment.isOfNamed() ? ")" : ", or give other values with --values)"));
            }
        }
        Map<String, String> overrides = new LinkedHashMap<>();
        overrides.put(Property.SETTLE.name(), experiment.settings().getOrDefault(Property.SETTLE.name(), "true"));
        overrides.putAll(given);
        return overrides;
    }

    /** Those of the settings of runs that were given, by name, in their order. */
    static Map<String, String> ofRuns(Settings settings) {
        Map<String, String> given = new LinkedHashMap<>();
        settings.list().stream()
                .filter(setting -> setting.wasGiven() && !NOT_OF_RUNS.contains(setting.name()))
                .forEach(setting -> given.put(setting.name(), setting.value()));
        return given;
    }

    private static Experiment withValues(Experiment experiment, List<String> values) {
        Origin origin = new Origin.Option("values");
        String varied = experiment.axisLabel();
        if (values.isEmpty()) {
            if (experiment.axes().stream().anyMatch(axis -> axis.values().isEmpty())) {
                throw new ConfigException(
                        origin,
                        "is missing: experiment " + experiment.name() + " varies " + varied
                                + ", whose values only the command line can say (give two or more: --values A,B)");
            }
            return experiment;
        }
        boolean areDistinct = values.size() > 1 && Set.copyOf(values).size() == values.size();
        if (!areDistinct || experiment.isOfNamed() || experiment.axes().size() != 1) {
            throw new ConfigException(
                    origin,
                    "'" + String.join(",", values) + "' cannot be the values of " + varied
                            + " (needed: two or more, all different, for an experiment with one axis and no variants by name)");
        }
        return experiment.with(new Axis(varied, values));
    }

    /**
     * Looks that the file of an experiment can tune a database, and make it do nothing else: files are handed around, so that their
     * parameters may only be such as cannot execute, read or write anything.
     *
     * @param values that the command line put in the place of those of the axis
     * @param experiment says on which targets it runs
     * @throws ConfigException if a target of the experiment does not take something from a file
     */
    static void requireHarmless(Experiment read, List<String> values, Experiment experiment) {
        Stream<Map<String, String>> written = Stream.concat(
                Stream.of(read.settings()),
                values.isEmpty() ? read.variants().stream().map(ComparedVariant::settings) : Stream.of());
        List<String> texts = written.flatMap(some -> Stream.ofNullable(some.get(Property.PARAMETERS.name())))
                .toList();
        for (ComparedVariant cell : experiment.runCells()) {
            String target = Experiment.over(experiment.settings(), cell.settings())
                    .getOrDefault(
                            Property.TARGET.name(),
                            Property.TARGET.defaultText().orElseThrow());
            texts.forEach(text -> TargetPlugin.find(target)
                    .flatMap(plugin ->
                            plugin.refusalFromFile(Property.PARAMETERS.type().parse(text)))
                    .ifPresent(why -> {
                        throw new ConfigException(
                                new Origin.WholeFile("experiment " + read.name()),
                                "parameters: " + why + " (give them on the command line: --parameters " + text + ")");
                    }));
        }
    }
}
