package siemload.compare;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.compare.Experiment.Axis;
import siemload.compare.Experiment.ComparedVariant;
import siemload.compare.statistics.Decision;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Credentials;
import siemload.config.Origin;
import siemload.config.Problems;
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
 * A checked experiment after all overrides: the plan of one run of each cell, and the problems of all cells; a problem is listed once, with
 * all cells that have it.
 */
public final class ExperimentPlan {
    /** The properties for permissions, the cache and the live view; each run gets them, but they are not part of the experiment. */
    private static final Set<String> BESIDE_THE_QUESTION =
            Set.of("yes allowBusyServer allowWrites cache live liveAddress".split(" "));

    /** The properties of the whole experiment, and all that do not change its runs. */
    private static final Set<String> NOT_OF_RUNS = Set.of("results failOn details verbose".split(" "));

    private final Experiment experiment;
    private final RunHost host;
    private final Map<String, RunPlan> plans = new LinkedHashMap<>();
    private final Map<String, List<String>> cellsByMessage = new LinkedHashMap<>();
    private boolean ofServersAlone = true;

    /** Plans an experiment. @throws ConfigException if a variant is not possible */
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
            // Problems of the servers of all other cells are reported together with the problems found so far.
            checkServers();
        }
    }

    /**
     * Applies the user's options.
     *
     * @param values other values of the axis; empty to use the values of the file
     * @throws ConfigException if a variant is not possible
     */
    public static ExperimentPlan of(Experiment read, RunHost host, Optional<Integer> repeats, List<String> values) {
        Map<String, String> given = ofRuns(host.settings());
        for (Setting setting : host.settings().list()) {
            if (given.containsKey(setting.name()) && read.varied().contains(setting.name())) {
                throw new ConfigException(
                        setting.origin(),
                        setting.name() + " is varied by experiment " + read.name() + " (remove it"
                                + (read.isOfNamed() ? ")" : ", or give other values with --values)"));
            }
        }
        if (!values.isEmpty()
                && read.axes().stream().anyMatch(axis -> axis.property().equals(Axis.LEVEL))) {
            given.putIfAbsent("procedure.levels", String.join(",", values));
        }
        int times = repeats.orElse(read.repeats());
        if (times < ExperimentReader.FEWEST_REPEATS) {
            throw new ConfigException(
                    new Origin.Option("repeats"),
                    times + " is too small (allowed: at least " + ExperimentReader.FEWEST_REPEATS + ")");
        }
        ExperimentPlan plan = new ExperimentPlan(withValues(read, values).with(given, times), host);
        requireHarmless(read, values, plan.experiment);
        return plan;
    }

    /** The experiment after all overrides. */
    public Experiment experiment() {
        return experiment;
    }

    /**
     * Returns the approximate duration in seconds, with the given overhead for each run, and without loading the data set, which is kept
     * for later runs. NaN for procedures.
     */
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

    /** Returns the names of the searches or statements of the first variant that has any. */
    List<String> searches() {
        return plans.values().stream()
                .map(RunPlan::searches)
                .filter(searches -> !searches.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /** Returns whether users execute statements on existing data instead of searches. */
    boolean asksStatements() {
        return plans.values().stream().anyMatch(RunPlan::asksStatements);
    }

    /**
     * Connects to each server that siemload does not start, and checks everything that the runs will need on these servers.
     *
     * @throws ConfigException with all problems of all servers
     * @throws TargetException with all problems, if all problems are failures of servers
     */
    public void checkServers() {
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
        // A message begins with the variant, since the problem may be in the experiment's file or in an option.
        Problems problems = new Problems();
        cellsByMessage.forEach((message, cells) ->
                problems.add(new Origin.WholeFile(experiment.name() + ", " + String.join(" and ", cells)), message));
        if (!problems.isEmpty()) {
            ConfigException all = problems.exception();
            throw ofServersAlone ? new TargetException(String.valueOf(all.getMessage()), all) : all;
        }
    }

    private void add(String label, RuntimeException wrong) {
        ofServersAlone &= wrong instanceof TargetException;
        cellsByMessage
                .computeIfAbsent(String.valueOf(wrong.getMessage()), unused -> new ArrayList<>())
                .add(label);
    }

    /** Returns the plan in words, which are shown before the first run. */
    public List<String> describe() {
        List<String> lines = new ArrayList<>(List.of(
                experiment.name() + ": " + experiment.question(),
                "  " + experiment.axisLabel() + ": " + String.join(", ", experiment.labels()) + "; "
                        + experiment.repeats() + " times each, " + experiment.runs() + " runs, "
                        + RunLog.roughly(seconds(RunLog.AROUND_A_RUN_SECONDS))));
        if (experiment.isOfNamed()) {
            experiment.variants().forEach(one -> lines.add("    " + one.label() + ": " + one.settings()));
        }
        int named = experiment.subjects().size();
        int searches = searches().size();
        // Several searches also count as all of them together.
        int subjects = Math.max(1, named > 0 ? named : searches > 1 ? searches + 1 : searches);
        lines.addAll(tooFew("repeats", subjects));
        return lines;
    }

    /** Says, in words, that too few repeats are planned to decide among this many comparisons; empty if they are enough. */
    List<String> tooFew(String option, int comparisons) {
        int least = Decision.leastPairs(comparisons);
        String few = "  " + experiment.repeats() + " " + option + " cannot decide anything: it takes at least " + least
                + " for " + comparisons + (comparisons == 1 ? " comparison" : " comparisons") + " (--" + option + " "
                + least + ")";
        return experiment.repeats() < least ? List.of(few) : List.of();
    }

    /** Returns the total runs and time of several experiments, which are run one after the other, in words. */
    public static String together(List<ExperimentPlan> plans) {
        return "together: "
                + plans.stream().mapToInt(plan -> plan.experiment.runs()).sum() + " runs, "
                + RunLog.roughly(plans.stream()
                        .mapToDouble(plan -> plan.seconds(RunLog.AROUND_A_RUN_SECONDS))
                        .sum())
                + ", and the time to load each data set once with each index set";
    }

    /** Plans a run of a job. @throws ConfigException if the run is not possible */
    static RunPlan run(RunHost host, RunLauncher launcher, Map<String, String> settings) {
        return RunPlan.read(launcher.settings(forRun(settings, host.settings())), host.home(), text -> {});
    }

    /** Returns the settings of all runs of a job that has no experiment file. */
    static Map<String, String> ofJob(RunHost host) {
        Map<String, String> settings = ofRuns(host.settings());
        settings.putIfAbsent(Property.SCENARIO.name(), host.settings().value(Property.SCENARIO));
        return settings;
    }

    /**
     * Returns the settings of a run. Properties that are not part of the experiment are included if the user gave them, and the user's
     * cache always is. A run waits for a quiet machine unless its settings say otherwise.
     */
    static Map<String, String> forRun(Map<String, String> settings, Settings given) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.putIfAbsent(Property.SETTLE.name(), "true");
        for (Setting setting : given.list()) {
            String name = setting.name();
            if (BESIDE_THE_QUESTION.contains(name) && (setting.wasGiven() || name.equals(Property.CACHE.name()))) {
                all.put(name, setting.value());
            }
        }
        return all;
    }

    /** Returns the explicitly given settings of runs, by name, in the order in which they were given. */
    static Map<String, String> ofRuns(Settings settings) {
        return settings.list().stream()
                .filter(setting -> setting.wasGiven() && !NOT_OF_RUNS.contains(setting.name()))
                .filter(setting -> !BESIDE_THE_QUESTION.contains(setting.name()))
                .collect(Collectors.toMap(Setting::name, Setting::value, (one, other) -> other, LinkedHashMap::new));
    }

    private static Experiment withValues(Experiment experiment, List<String> values) {
        Origin origin = new Origin.Option("values");
        String varied = experiment.axisLabel();
        if (values.isEmpty()) {
            if (experiment.axes().stream().anyMatch(axis -> axis.values().isEmpty())) {
                throw new ConfigException(
                        origin,
                        "is missing: experiment " + experiment.name() + " varies " + varied
                                + ", whose values only the command line can give (use --values A,B)");
            }
            return experiment;
        }
        boolean areDistinct = values.size() > 1 && Set.copyOf(values).size() == values.size();
        if (!areDistinct || experiment.isOfNamed() || experiment.axes().size() != 1) {
            throw new ConfigException(
                    origin,
                    "'" + String.join(",", values) + "' cannot be the values of " + varied
                            + " (needed: two or more different values, for one axis without named variants)");
        }
        return experiment.with(new Axis(varied, values));
    }

    /**
     * Checks that the file of an experiment can only tune a database: files are shared, so a file may only set parameters that cannot
     * execute, read or write anything.
     *
     * @param values the values of the axis from the command line; empty if the values of the file are used
     * @param experiment the experiment with the targets, which decide what a file may set
     * @throws ConfigException if a target of the experiment does not take a parameter from a file
     */
    static void requireHarmless(Experiment read, List<String> values, Experiment experiment) {
        List<ComparedVariant> own = values.isEmpty() ? read.variants() : List.of();
        List<String> texts = Stream.concat(
                        Stream.of(read.settings()), own.stream().map(ComparedVariant::settings))
                .flatMap(some -> Stream.ofNullable(some.get(Property.PARAMETERS.name())))
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

    /**
     * The urls and logins of the named variants of an experiment. Urls and logins never come from a file: the user who starts the
     * experiment gives the url by {@code --url.NAME} or {@code SIEMLOAD_URL_NAME}, and the login by {@code SIEMLOAD_USER_NAME} and {@code
     * SIEMLOAD_PASSWORD_NAME} or {@code SIEMLOAD_PASSWORD_FILE_NAME}. No variant gets the login of another; user and password for all
     * variants are used only if all urls lead to one server. Immutable; {@link #toString} shows no value.
     *
     * @param names the names of all variants, each with its own variables
     * @param options the urls by {@code url.NAME}
     * @param environment all environment variables
     * @param common the url of variants that have no own url
     */
    public record VariantConnections(
            List<String> names, Map<String, String> options, Map<String, String> environment, Optional<String> common) {
        /** The beginning of the name of a variant's url option: {@code url.ours}. */
        public static final String URL_OF = Property.URL.name() + ".";

        /** The host and port of a url. */
        private static final Pattern SERVER = Pattern.compile("^[^/]*//([^/?#]+)");

        /** Returns the connections of named variants or of the sides of a gate; other experiments have no names. */
        static VariantConnections of(Experiment experiment, RunHost host) {
            List<String> sides = List.of(GateRules.BASELINE, GateRules.CANDIDATE);
            return new VariantConnections(
                    GateRules.isGate(experiment) ? sides : experiment.names(),
                    host.variantOptions(),
                    host.launcher().environment(),
                    Optional.ofNullable(experiment.settings().get(Property.URL.name())));
        }

        /** Returns the url that was given for this variant, with the origin of this setting. */
        Optional<Setting> url(String name) {
            String option = URL_OF + name;
            String variable = variable(Property.URL.variable(), name);
            return Optional.ofNullable(options.get(option))
                    .map(value -> new Setting(Property.URL.name(), value, new Origin.Option(option)))
                    .or(() -> Optional.ofNullable(environment.get(variable))
                            .map(value -> new Setting(Property.URL.name(), value, new Origin.Environment(variable))));
        }

        /**
         * Returns all environment variables of a run of this variant: the variant's user and password under their plain names, and no login
         * of another variant. Never print these variables.
         *
         * @throws ConfigException if something is wrong with the url, user or password of the variant
         */
        Map<String, String> environment(String name) {
            Problems problems = new Problems();
            Optional<Setting> url = url(name);
            url.ifPresent(setting ->
                    problems.collect(setting.origin(), () -> Property.URL.type().parse(setting.value())));
            Optional<String> server = url.map(Setting::value).or(() -> common);
            List<String> given = Credentials.VARIABLES.stream()
                    .map(variable -> variable(variable, name))
                    .filter(environment::containsKey)
                    .toList();
            if (server.isEmpty()
                    && !given.isEmpty()
                    && names.stream().anyMatch(other -> url(other).isPresent())) {
                problems.add(
                        new Origin.Option(URL_OF + name),
                        "is missing, although " + given.get(0) + " is set (give the url, or set "
                                + variable(Property.URL.variable(), name) + ")");
            }
            Map<String, String> own = new LinkedHashMap<>(environment);
            own.keySet()
                    .removeIf(variable -> Credentials.startOfVariant(variable).isPresent());
            // A variant without its own login uses the common login if all urls lead to one server.
            if (server.isPresent() && (url.isPresent() || !given.isEmpty())) {
                boolean ofAll = given.isEmpty() && isOneServer();
                UnaryOperator<String> named = variable -> ofAll ? variable : variable(variable, name);
                for (String variable : Credentials.VARIABLES) {
                    own.remove(variable);
                    Optional.ofNullable(environment.get(named.apply(variable)))
                            .ifPresent(value -> own.put(variable, value));
                }
                own.put(Property.URL.variable(), server.orElseThrow());
                if (!ofAll) {
                    own.remove(Property.READ_URLS.variable()); // The variant's own login is not for common replicas.
                }
                Credentials.read(environment, named, problems);
            }
            problems.throwIfAny();
            return own;
        }

        /** Returns all variables for a run of this variant of the experiment. @throws ConfigException as {@link #environment(String)} */
        Map<String, String> variables(Experiment experiment, String label) {
            Map<String, String> all = new LinkedHashMap<>(
                    experiment.connectedAs(label).map(this::environment).orElse(environment));
            if (GateRules.isGate(experiment)) {
                // The pairs of a gate have these values as settings, and its certificates refuse them.
                Property.all().stream()
                        .filter(property -> GateRuns.OF_LOAD.contains(property.name()))
                        .forEach(property -> all.remove(property.variable()));
                if (experiment.name().equals(GateRuns.CERTIFICATE)) {
                    all.remove(Property.READ_URLS.variable());
                }
            }
            return all;
        }

        /** Returns whether all urls lead to one server; otherwise a variant with its own url does not get the common login. */
        private boolean isOneServer() {
            List<String> servers = names.stream()
                    .map(name -> SERVER.matcher(url(name).map(Setting::value).orElse("")))
                    .map(server -> server.find() ? server.group(1) : "")
                    .distinct()
                    .toList();
            return common.isEmpty() && servers.size() == 1 && !servers.contains("");
        }

        /**
         * Refuses options for a variant that no experiment has. Environment variables of unknown variants are ignored, since they may be
         * meant for another experiment.
         *
         * @param names the names of all variants
         * @throws ConfigException with all options for unknown variants
         */
        public static void requireKnown(Collection<String> names, Map<String, String> options) {
            Problems problems = new Problems();
            for (String option : options.keySet()) {
                String name = option.substring(URL_OF.length());
                if (!names.contains(name)) {
                    String why = names.isEmpty()
                            ? "is only for experiments with named variants"
                            : "is for '" + name + "', which is not a variant here ("
                                    + Choices.names(names).help(name) + ")";
                    problems.add(new Origin.Option(option), why);
                }
            }
            problems.throwIfAny();
        }

        /** Returns the variable of one variant, given a common variable such as {@code SIEMLOAD_URL}. */
        public static String variable(String of, String name) {
            return of + "_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
        }

        @Override
        public String toString() {
            return "VariantConnections" + names;
        }
    }
}
