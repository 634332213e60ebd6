package siemload.compare.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.ProcedureProperty;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.config.VariantConnections;
import siemload.run.RunHost;
import siemload.run.RunLauncher;
import siemload.run.RunPlan;

/**
 * An experiment after all overrides, each of whose variants is known to be possible.
 *
 * @param seconds how long it takes, roughly, without loading the data set, which is kept for later runs
 * @param assumptions what that is reckoned by where no setting bounds it, for people
 * @param searches those of the users of the first variant that has any, by name
 */
public record ExperimentPlan(Experiment experiment, double seconds, List<String> assumptions, List<String> searches) {
    /** What is the experiment's own business, or makes no difference. */
    private static final Set<Property<?>> NOT_OF_RUNS = Set.of(Property.RESULTS, Property.FAIL_ON, Property.VERBOSE);

    /**
     * Applies what the user says.
     *
     * @param values other values of the axis; empty for those of the file
     * @throws ConfigException if a variant is not possible
     */
    public static ExperimentPlan of(Experiment read, RunHost host, Optional<Integer> repeats, List<String> values) {
        FileParameters.requireNoLayoutFolder(read, values);
        Map<String, String> overrides = overrides(read, host.settings());
        List<String> chosen = isOfLevels(read) ? levels(overrides, values) : values;
        Experiment given = withValues(read, chosen).with(overrides, repeats(read, repeats));
        ExperimentPlan plan = of(given.with(connections(given, host)), host);
        FileParameters.of(read, values).check(plan.experiment());
        return plan;
    }

    private static boolean isOfLevels(Experiment experiment) {
        return experiment.axes().stream().anyMatch(axis -> axis.property().equals(Axis.LEVEL));
    }

    /** What is compared are the levels that are run: whichever of both is given says the other one, too. */
    private static List<String> levels(Map<String, String> overrides, List<String> values) {
        if (!values.isEmpty()) {
            overrides.putIfAbsent(ProcedureProperty.LEVELS.name(), String.join(",", values));
            return values;
        }
        return Optional.ofNullable(overrides.get(ProcedureProperty.LEVELS.name()))
                .map(levels -> List.of(levels.split(",")))
                .orElse(List.of());
    }

    /** Where the named variants connect to; empty for an experiment without. @throws ConfigException for what is no url */
    static VariantConnections connections(Experiment experiment, RunHost host) {
        return VariantConnections.of(
                experiment.names(),
                host.variantOptions(),
                host.launcher().environment(),
                Optional.ofNullable(experiment.settings().get(Property.URL.name())));
    }

    /** The experiment, if all its variants are possible. @throws ConfigException if not */
    static ExperimentPlan of(Experiment experiment, RunHost host) {
        double seconds = 0;
        VariantConnections connections = connections(experiment, host);
        Set<String> assumptions = new LinkedHashSet<>();
        List<String> searches = List.of();
        for (ComparedVariant cell : experiment.runCells()) {
            RunLauncher launcher = experiment.isOfNamed()
                    ? host.launcher().with(connections.environment(cell.label()))
                    : host.launcher();
            RunPlan plan = plan(experiment, cell, launcher, host.home());
            seconds += plan.expectedSeconds() + SeparateRun.AROUND_A_RUN_SECONDS;
            plan.assumedTime().ifPresent(assumptions::add);
            searches = searches.isEmpty() ? plan.searches() : searches;
        }
        return new ExperimentPlan(experiment, seconds * experiment.repeats(), List.copyOf(assumptions), searches);
    }

    /** What is wrong may stand in the file of the experiment, or in an option: so the message begins with the variant. */
    private static RunPlan plan(Experiment experiment, ComparedVariant cell, RunLauncher launcher, Path home) {
        try {
            return RunPlan.read(settings(experiment, cell, launcher), home);
        } catch (ConfigException impossible) {
            throw new ConfigException(
                    new Origin.WholeFile(experiment.name() + ", " + cell.label()),
                    String.valueOf(impossible.getMessage()));
        }
    }

    /** For people, before anything starts. */
    public List<String> describe() {
        List<String> labels =
                experiment.variants().stream().map(ComparedVariant::label).toList();
        List<String> lines = new ArrayList<>(List.of(
                experiment.name() + ": " + experiment.question(),
                "  " + experiment.axisLabel() + ": " + String.join(", ", labels) + "; " + experiment.repeats()
                        + " times each, " + experiment.runs() + " runs, " + SeparateRun.roughly(seconds)));
        assumptions.forEach(assumption -> lines.add("    " + assumption));
        if (experiment.isOfNamed()) {
            experiment.variants().forEach(variant -> lines.add("    " + variant.described()));
        }
        return List.copyOf(lines);
    }

    /** Several experiments one after the other, for people. */
    public static String together(List<ExperimentPlan> plans) {
        return "together: "
                + plans.stream().mapToInt(plan -> plan.experiment().runs()).sum() + " runs, "
                + SeparateRun.roughly(
                        plans.stream().mapToDouble(ExperimentPlan::seconds).sum())
                + ", and the time to load each data set once with each index set";
    }

    private static Settings settings(Experiment experiment, ComparedVariant cell, RunLauncher launcher) {
        Map<String, String> options = new LinkedHashMap<>(experiment.settings());
        options.putAll(cell.settings());
        return launcher.settings(options);
    }

    /** The settings of runs that were given; the defaults are left to each run. */
    private static Map<String, String> overrides(Experiment experiment, Settings settings) {
        Map<String, String> overrides = new LinkedHashMap<>();
        overrides.put(Property.SETTLE.name(), experiment.settings().getOrDefault(Property.SETTLE.name(), "true"));
        List<String> varied = experiment.varied().stream().map(Axis::property).toList();
        for (Property<?> property : Property.all()) {
            Optional<Setting> setting = settings.setting(property).filter(ExperimentPlan::isOfRuns);
            if (setting.isEmpty()) {
                continue;
            }
            if (varied.contains(property.name())) {
                throw new ConfigException(
                        setting.get().origin(),
                        property + " is what experiment " + experiment.name()
                                + " varies (leave it out"
                                + (experiment.isOfNamed() ? ")" : ", or give other values with --values)"));
            }
            overrides.put(property.name(), setting.get().value());
        }
        return overrides;
    }

    /** Those of the settings of runs that were given, by name, in their order. */
    public static Map<String, String> ofRuns(Settings settings) {
        Map<String, String> given = new LinkedHashMap<>();
        settings.list().stream()
                .filter(ExperimentPlan::isOfRuns)
                .forEach(setting -> given.put(setting.name(), setting.value()));
        return given;
    }

    /**
     * Whether it was given, and is a setting of runs. They inherit a command from the environment: an option could be read
     * by every user of the machine.
     */
    private static boolean isOfRuns(Setting setting) {
        boolean inherited =
                setting.origin() instanceof Origin.Environment && setting.name().equals(Property.CACHE_COMMAND.name());
        return setting.wasGiven()
                && !inherited
                && NOT_OF_RUNS.stream().noneMatch(property -> property.name().equals(setting.name()));
    }

    private static int repeats(Experiment experiment, Optional<Integer> given) {
        int repeats = given.orElse(experiment.repeats());
        if (repeats < ExperimentReader.FEWEST_REPEATS) {
            throw new ConfigException(
                    new Origin.Option("repeats"),
                    repeats + " is too small (allowed: at least " + ExperimentReader.FEWEST_REPEATS + ")");
        }
        return repeats;
    }

    private static void requireValues(Experiment experiment) {
        experiment.axes().stream()
                .filter(axis -> axis.values().isEmpty())
                .findFirst()
                .ifPresent(axis -> {
                    throw new ConfigException(
                            new Origin.Option("values"),
                            "is missing: experiment " + experiment.name() + " varies " + axis.property()
                                    + ", whose values only the command line can say (give two or more: --values A,B)");
                });
    }

    private static Experiment withValues(Experiment experiment, List<String> values) {
        if (values.isEmpty()) {
            requireValues(experiment);
            return experiment;
        }
        Origin origin = new Origin.Option("values");
        if (experiment.isOfNamed()) {
            throw new ConfigException(
                    origin,
                    "experiment " + experiment.name()
                            + " compares variants by name, which have no values (leave it out)");
        }
        if (experiment.axes().size() != 1
                || values.size() < 2
                || values.stream().distinct().count() < values.size()) {
            throw new ConfigException(
                    origin,
                    "'" + String.join(",", values) + "' cannot be the values of " + experiment.axisLabel()
                            + " (needed: two or more, all different, for an experiment with one axis)");
        }
        Axis axis = new Axis(experiment.axes().get(0).property(), values);
        return experiment.with(axis);
    }
}
