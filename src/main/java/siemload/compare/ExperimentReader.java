package siemload.compare;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import siemload.compare.Experiment.Axis;
import siemload.compare.Experiment.ComparedVariant;
import siemload.compare.ExperimentPlan.VariantConnections;
import siemload.config.Choices;
import siemload.config.NamedFile;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.config.YamlRecords;
import siemload.config.YamlRecords.Key;
import siemload.database.LayoutFolder;

/** Reads files of {@code experiments/}. Used by one thread. */
public final class ExperimentReader {
    private static final String DIRECTORY = "experiments";
    /** The smallest number of runs of each value; fewer runs do not show how much runs differ. */
    public static final int FEWEST_REPEATS = 3;

    private static final String ONLY_FOR_USERS =
            "cannot be set by a file: a file must not decide where to connect, what to execute or where to write";

    /** The name of a variant, which becomes part of variables in upper case; FILE is not allowed because of SIEMLOAD_PASSWORD_FILE. */
    private static final String NAME = "(?!(?i:file)(?:-|$))[A-Za-z][A-Za-z0-9-]{0,29}";

    private final NamedFile file;
    private final Path home;
    private final YamlNode top;

    private ExperimentReader(NamedFile file, Path home, YamlNode top) {
        this.file = file;
        this.home = home;
        this.top = top;
    }

    /** A suite of experiments that are run one after the other and reported together, or a single experiment with an empty suite name. */
    public record Content(String suite, String question, List<Experiment> experiments) {
        /** Returns whether the file holds a suite of experiments. */
        public boolean isSuite() {
            return !suite.isEmpty();
        }
    }

    /**
     * Reads the experiment or suite of this name: a file in {@code experiments/} without its ending, or the path of a YAML file.
     *
     * @param home the directory that holds {@code experiments/}
     * @throws siemload.config.ConfigException with all problems of the file
     */
    public static Content read(Path home, String wanted) {
        return read(home, wanted, false);
    }

    private static Content read(Path home, String wanted, boolean inSuite) {
        NamedFile file = NamedFile.find(home, DIRECTORY, wanted, new Origin.WholeFile("experiment"));
        return YamlNode.read(
                file.path(),
                file.shownAs(),
                new Problems(),
                top -> new ExperimentReader(file, home, top).content(inSuite));
    }

    private Content content(boolean inSuite) {
        String question = top.required("question").text();
        Optional<YamlNode> suite = top.optional("suite");
        if (suite.isEmpty()) {
            return new Content("", question, experiment());
        }
        List<Experiment> experiments = new ArrayList<>();
        for (YamlNode member : inSuite ? List.<YamlNode>of() : suite.get().elements()) {
            Content one = read(home, member.text(), true);
            if (one.isSuite()) {
                member.problem("'" + member.text() + "' is a suite itself (name the experiments in it)");
            }
            experiments.addAll(one.experiments());
        }
        if (suite.get().isList() && suite.get().elements().isEmpty()) {
            suite.get().problem("is empty (needed: the name of an experiment)");
        }
        return new Content(file.name(), question, experiments);
    }

    /** The keys of an experiment file other than the axis and the settings. */
    private record Written(
            String question,
            @Key(standard = "comparison") Experiment.Kind kind,

            @Key(allowed = SourceClaim.VARIANT, standard = Key.NOTHING)
            String baseline,

            @Key(standard = "p95") Metric metric,
            @Key(standard = "[]") List<Metric> alsoShow,
            @Key(allowed = "0.001 to 1000") Optional<Double> smallestPercent,
            @Key(standard = "[]") List<String> subjects,

            @Key(allowed = FEWEST_REPEATS + " to 1000", standard = "9")
            int repeats,

            @Key(allowed = "0 to " + Integer.MAX_VALUE, standard = "1")
            int seed) {}

    /** Returns the experiment; empty if the file is wrong, after adding the faults to the problems. */
    private List<Experiment> experiment() {
        Optional<YamlNode> named = top.optional(Axis.NAMED);
        List<Axis> read = named.isPresent() ? List.of() : axes();
        List<ComparedVariant> variants = named.map(this::variants).orElseGet(() -> ComparedVariant.of(read));
        // There are no variants until the command line gives the values.
        List<String> labels = variants.stream().map(ComparedVariant::label).toList();
        List<Axis> axes = named.isPresent() ? List.of(new Axis(Axis.NAMED, labels)) : read;
        Set<String> varied = new LinkedHashSet<>();
        read.forEach(axis -> varied.add(axis.property()));
        variants.forEach(variant -> varied.addAll(variant.settings().keySet()));
        Map<String, String> settings = new LinkedHashMap<>();
        if (!varied.contains(Property.SCENARIO.name())) {
            settings.put(
                    Property.SCENARIO.name(), scenario(top.required("scenario").text()));
        }
        top.optional("settings").ifPresent(node -> settings.putAll(properties(node, "", varied)));
        YamlRecords records = new YamlRecords(value -> {})
                .with(Metric.class, ValueType.text().to(Metric::new))
                .with(
                        SourceClaim.VARIANT,
                        labels.isEmpty() ? ValueType.text() : ValueType.choice(Choices.names(labels)));
        List<SourceClaim> sources = new ArrayList<>();
        top.optional("source")
                .ifPresent(node -> (node.isList() ? node.elements() : List.of(node))
                        .forEach(one -> records.record(one, SourceClaim.class).ifPresent(sources::add)));
        return records
                .record(top, Written.class)
                .map(written -> new Experiment(
                        file.name(),
                        written.question,
                        written.kind,
                        axes,
                        variants,
                        settings,
                        written.baseline.isEmpty() && !labels.isEmpty() ? labels.get(0) : written.baseline,
                        written.metric,
                        written.alsoShow,
                        written.smallestPercent.map(percent -> percent / 100).orElse(written.metric.smallest()),
                        written.subjects,
                        written.repeats,
                        written.seed,
                        sources))
                .stream()
                .toList();
    }

    private List<Axis> axes() {
        YamlNode node = top.required("axis");
        List<Axis> axes = new ArrayList<>();
        node.entries(variables(node, Axis.FACTS)).forEach((name, all) -> axes.add(new Axis(name, values(name, all))));
        if (node.isMapping() && node.entries().isEmpty()) {
            node.problem("is empty (needed: a property and its values)");
        }
        return axes;
    }

    /**
     * Returns all names that an experiment can set or vary: properties, paths of values in the scenario, and, if allowed, facts of steps.
     */
    private static Choices<String> variables(YamlNode node, Set<String> facts) {
        List<String> names =
                new ArrayList<>(Property.all().stream().map(Property::name).toList());
        Stream<String> paths = node.isMapping() ? node.entries().keySet().stream() : Stream.of();
        Stream.concat(facts.stream(), paths.filter(Settings::isOfScenario))
                .sorted()
                .forEach(names::add);
        return Choices.names(names);
    }

    /** Checks a value, and adds its faults to the problems. Files are shared, so a layout that is a folder is refused. */
    private static void check(String name, YamlNode value) {
        value.as(Property.named(name).<ValueType<?>>map(Property::type).orElseGet(ValueType::text));
        String layout = value.written();
        if (name.equals(Property.LAYOUT.name()) && LayoutFolder.isMeant(layout)) {
            value.problem(
                    "'" + layout + "' is a folder, whose statements would be executed; a file cannot name a folder"
                            + " (give it on the command line: --layout " + layout + ", or --values mentat," + layout
                            + " if layout is what varies)");
        }
    }

    private static List<String> values(String name, YamlNode node) {
        if (Property.named(name).filter(Property::isOnlyForUsers).isPresent()) {
            if (node.isList() || !node.text().equals(Axis.GIVEN)) {
                node.problem("'" + name + "' " + ONLY_FOR_USERS + " (write " + Axis.GIVEN
                        + ", and start the experiment with --values A,B)");
            }
            return List.of();
        }
        Set<String> values = new LinkedHashSet<>();
        for (YamlNode element : node.elements()) {
            check(name, element);
            if (!values.add(element.written())) {
                element.problem("'" + element.written() + "' is listed twice (remove one)");
            }
        }
        if (node.isList() && node.elements().size() < 2) {
            node.problem("has " + (values.isEmpty() ? "no value" : "one value") + " (needed: two or more)");
        }
        return List.copyOf(values);
    }

    /** Returns the properties of one variant, or those of all variants. */
    private static Map<String, String> properties(YamlNode node, String variant, Set<String> varied) {
        Map<String, String> settings = new LinkedHashMap<>();
        node.entries(variables(node, Set.of())).forEach((name, value) -> {
            check(name, value);
            Property.named(name).filter(Property::isOnlyForUsers).ifPresent(property -> {
                String own = name.equals(Property.URL.name()) ? variant : "";
                String option = "--" + name + (own.isEmpty() ? "" : "." + own);
                String instead =
                        own.isEmpty() ? property.variable() : VariantConnections.variable(property.variable(), own);
                node.problemWithKey(name, ONLY_FOR_USERS + " (give " + option + " or " + instead + ")");
            });
            if (varied.contains(name)) {
                node.problemWithKey(name, "is varied by this experiment (remove it)");
            }
            settings.put(name, value.written());
        });
        return settings;
    }

    /** Returns the scenario's name or file; a file may be named relative to the experiment's file. */
    private String scenario(String wanted) {
        Path beside = file.path().resolveSibling(wanted);
        boolean isThere = Stream.of(Path.of(wanted), home.resolve(wanted)).anyMatch(Files::exists);
        return !isThere && wanted.matches(".*\\.ya?ml") && Files.exists(beside) ? beside.toString() : wanted;
    }

    /** Reads the named variants: sets of properties, each of which may be for its own server. */
    private List<ComparedVariant> variants(YamlNode node) {
        if (top.optional("axis").isPresent()) {
            top.problemWithKey("axis", "cannot be used with " + Axis.NAMED + " (remove one of them)");
        }
        List<ComparedVariant> variants = new ArrayList<>();
        Map<String, String> byVariable = new HashMap<>();
        node.entries().forEach((name, bundle) -> {
            if (!name.matches(NAME)) {
                node.problemWithKey(
                        name,
                        "is not a name of a variant (allowed: up to 30 letters, digits and hyphens, a letter first, and"
                                + " not 'file')");
            }
            String other = byVariable.putIfAbsent(VariantConnections.variable("", name), name);
            if (other != null) {
                node.problemWithKey(name, "would have the same environment variables as " + other + " (rename one)");
            }
            variants.add(new ComparedVariant(name, properties(bundle, name, Set.of())));
        });
        if (node.isMapping() && variants.size() < 2) {
            node.problem("has " + (variants.isEmpty() ? "no variant" : "one variant") + " (needed: two or more)");
        }
        return variants;
    }
}
