package siemload.compare.experiment;

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
import siemload.compare.experiment.SourceClaim.Against;
import siemload.compare.experiment.SourceClaim.Direction;
import siemload.compare.experiment.SourceClaim.Expectation;
import siemload.config.Choices;
import siemload.config.NamedFile;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.config.ValueType;
import siemload.config.VariantConnections;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;

/** Reads files of {@code experiments/}. Used by one thread. */
public final class ExperimentReader {
    private static final String DIRECTORY = "experiments";
    /** Runs of each value; fewer say nothing about how much runs differ. */
    public static final int FEWEST_REPEATS = 3;

    private static final int MOST_REPEATS = 1000;
    private static final String STANDARD_REPEATS = "9";
    private static final String STANDARD_METRIC = "p95";
    private static final double SMALLEST_CHANGE = 0.001;
    static final String ONLY_FOR_USERS =
            "cannot be set by a file, which must not decide where to connect, what to execute or where to write";

    private final String name;
    private final Path home;
    private final Path file;

    private ExperimentReader(NamedFile file, Path home) {
        this.name = file.name();
        this.home = home;
        this.file = file.path();
    }

    /** What a file of {@code experiments/} holds. */
    public sealed interface Content {
        /** One experiment. */
        record Single(Experiment experiment) implements Content {}

        /** The names of several, to be run one after the other and told in one report. */
        record Suite(String name, String question, List<String> experiments) implements Content {
            public Suite {
                experiments = List.copyOf(experiments);
            }
        }
    }

    /**
     * The experiment or suite of this name: a file in {@code experiments/} without its ending, or the path of a YAML file.
     *
     * @param home the directory that holds {@code experiments/}
     * @throws siemload.config.ConfigException with everything that is wrong with it
     */
    public static Content read(Path home, String wanted) {
        NamedFile file = NamedFile.find(home, DIRECTORY, wanted, new Origin.WholeFile("experiment"));
        ExperimentReader reader = new ExperimentReader(file, home);
        return YamlDocument.read(file.path(), file.shownAs(), new Problems(), reader::content);
    }

    /** The names of the files in {@code experiments/} under the home directory, sorted. */
    public static List<String> names(Path home) {
        return NamedFile.names(home, DIRECTORY);
    }

    private Content content(YamlNode top) {
        String question = top.required("question").text();
        Optional<YamlNode> suite = top.optional("suite");
        if (suite.isPresent()) {
            List<String> names =
                    suite.get().elements().stream().map(YamlNode::text).toList();
            if (suite.get().isList() && names.isEmpty()) {
                suite.get().problem("is empty (needed: the name of an experiment)");
            }
            return new Content.Suite(name, question, names);
        }
        return new Content.Single(experiment(top, question));
    }

    private Experiment experiment(YamlNode top, String question) {
        ExperimentKind kind = top.optional("kind")
                .map(node -> node.choice(Choices.camelCase(ExperimentKind.class)))
                .orElse(ExperimentKind.COMPARISON);
        Optional<YamlNode> named = top.optional(NamedVariants.KEY);
        List<Axis> axes = named.isPresent() ? List.of() : axes(top);
        List<ComparedVariant> cells = named.map(NamedVariants::read).orElseGet(() -> ComparedVariant.of(axes));
        named.ifPresent(node -> requireAlone(top));
        Map<String, String> settings = settings(top, varied(axes, cells));
        List<String> labels = cells.stream().map(ComparedVariant::label).toList();
        String baseline = baseline(top, labels);
        Metric metric = new Metric(top.optional("metric").map(YamlNode::text).orElse(STANDARD_METRIC));
        return new Experiment(
                name,
                question,
                kind,
                named.isPresent() ? List.of(NamedVariants.axis(cells)) : axes,
                cells,
                settings,
                new Experiment.Judgement(
                        baseline,
                        metric,
                        texts(top, "alsoShow").stream().map(Metric::new).toList(),
                        top.optional("smallest").map(node -> node.as(PERCENT)).orElse(metric.smallest()),
                        texts(top, "subjects")),
                repeats(top),
                top.optional("seed")
                        .map(node -> node.wholeNumber(0, Integer.MAX_VALUE))
                        .orElse(1),
                top.optional("source")
                        .map(node -> new SourcesReader(labels, baseline).read(node))
                        .orElse(List.of()));
    }

    private static final ValueType<Double> PERCENT = ValueType.of(
            "percent above 0, for example 5%",
            SMALLEST_CHANGE, text -> {
                try {
                    double percent = Double.parseDouble(text.replaceFirst("%$", ""));
                    if (text.endsWith("%") && percent > 0 && percent <= 1000) {
                        return percent / 100;
                    }
                } catch (NumberFormatException wrong) {
                    // said below
                }
                throw new IllegalArgumentException(
                        "'" + text + "' is not a percent (allowed: above 0%, for example 5%)");
            });

    private static List<Axis> axes(YamlNode top) {
        YamlNode node = top.required("axis");
        boolean factorial = top.optional("factorial")
                .map(flag -> flag.as(ValueType.trueOrFalse()))
                .orElse(false);
        List<Axis> axes = new ArrayList<>();
        node.entries(variables(node, true))
                .forEach((variable, values) -> axes.add(new Axis(variable.name(), values(variable, values))));
        if (axes.size() > 1 && !factorial) {
            node.problem("has " + axes.size() + " properties, but one thing is varied at a time (leave one in, or write"
                    + " factorial: true for all combinations)");
        }
        if (node.isMapping() && axes.isEmpty() && node.entries().isEmpty()) {
            node.problem("is empty (needed: a property and its values)");
        }
        return axes;
    }

    /**
     * What an experiment can set or vary: a property, a value of the scenario by its path, or a fact of steps.
     *
     * @param instead what gives a value that files cannot; empty for those that they can
     */
    record Variable(String name, ValueType<?> type, String instead) {
        boolean onlyForUsers() {
            return !instead.isEmpty();
        }
    }

    /** What the keys of this mapping can be. */
    static Choices<Variable> variables(YamlNode node, boolean withFacts) {
        Map<String, Variable> byName = new LinkedHashMap<>();
        Property.all()
                .forEach(property -> byName.put(
                        property.name(),
                        new Variable(
                                property.name(),
                                property.type(),
                                property.isOnlyForUsers() ? "--" + property + " or " + property.variable() : "")));
        if (withFacts) {
            Axis.FACTS.stream().sorted().forEach(fact -> byName.put(fact, new Variable(fact, ValueType.text(), "")));
        }
        if (node.isMapping()) {
            node.entries().keySet().stream()
                    .filter(Settings::isOfScenario)
                    .forEach(path -> byName.put(path, new Variable(path, ValueType.text(), "")));
        }
        return new Choices<>(byName);
    }

    private static List<String> values(Variable variable, YamlNode node) {
        if (variable.onlyForUsers()) {
            if (node.isList() || !node.text().equals(Axis.GIVEN)) {
                node.problem("'" + variable.name() + "' " + ONLY_FOR_USERS + " (write " + Axis.GIVEN
                        + ", and start it with --values A,B)");
            }
            return List.of();
        }
        Set<String> values = new LinkedHashSet<>();
        for (YamlNode element : node.elements()) {
            element.as(variable.type());
            if (!values.add(element.written())) {
                element.problem("'" + element.written() + "' stands here twice (leave one out)");
            }
        }
        if (node.isList() && node.elements().size() < 2) {
            node.problem("has " + (node.elements().size() == 1 ? "one value" : "no value") + " (needed: two or more)");
        }
        return List.copyOf(values);
    }

    /** Variants by name are what varies. */
    private static void requireAlone(YamlNode top) {
        for (String key : List.of("axis", "factorial")) {
            if (top.optional(key).isPresent()) {
                top.problemWithKey(key, "stands beside " + NamedVariants.KEY + " (leave one of them out)");
            }
        }
    }

    private static Set<String> varied(List<Axis> axes, List<ComparedVariant> variants) {
        Set<String> varied =
                new LinkedHashSet<>(axes.stream().map(Axis::property).toList());
        variants.forEach(variant -> varied.addAll(variant.settings().keySet()));
        return varied;
    }

    /** A file that is named as one beside that of the experiment may lie there. */
    private String scenario(String wanted) {
        boolean isPath = wanted.matches(".*\\.ya?ml");
        Path beside = file.resolveSibling(wanted);
        return isPath && !Files.exists(Path.of(wanted)) && !Files.exists(home.resolve(wanted)) && Files.exists(beside)
                ? beside.toString()
                : wanted;
    }

    private Map<String, String> settings(YamlNode top, Set<String> varied) {
        Map<String, String> settings = new LinkedHashMap<>();
        if (!varied.contains(Property.SCENARIO.name())) {
            settings.put(
                    Property.SCENARIO.name(), scenario(top.required("scenario").text()));
        }
        top.optional("settings")
                .ifPresent(node -> node.entries(variables(node, false)).forEach((property, value) -> {
                    value.as(property.type());
                    if (property.onlyForUsers()) {
                        node.problemWithKey(property.name(), ONLY_FOR_USERS + " (give " + property.instead() + ")");
                    }
                    if (varied.contains(property.name())) {
                        node.problemWithKey(property.name(), "is what varies here (leave it out)");
                    }
                    settings.put(property.name(), value.written());
                }));
        return settings;
    }

    private static String baseline(YamlNode top, List<String> labels) {
        return top.optional("baseline")
                .map(node -> variant(node, labels))
                .orElseGet(() -> labels.isEmpty() ? "" : labels.get(0));
    }

    /** There are none before the command line has given them. */
    static String variant(YamlNode node, List<String> labels) {
        return labels.isEmpty() ? node.text() : node.choice(Choices.names(labels));
    }

    private static int repeats(YamlNode top) {
        ValueType<Integer> type = ValueType.wholeNumber(FEWEST_REPEATS, MOST_REPEATS);
        return top.optional("repeats").map(node -> node.as(type)).orElseGet(() -> type.parse(STANDARD_REPEATS));
    }

    static List<String> texts(YamlNode top, String key) {
        return top.optional(key)
                .map(node -> node.elements().stream().map(YamlNode::text).toList())
                .orElse(List.of());
    }

    /** Reads variants that have names: bundles of properties, each perhaps for a server of its own. Stateless. */
    private static final class NamedVariants {
        static final String KEY = "variants";

        /** What only whoever starts the experiment may say, of each variant. */
        private static final Map<String, String> BY_ENVIRONMENT = Map.of(
                "user", "SIEMLOAD_USER", "password", "SIEMLOAD_PASSWORD", "passwordFile", "SIEMLOAD_PASSWORD_FILE");

        /** A variable has one form for both kinds of letters, and SIEMLOAD_PASSWORD_FILE is one of its own. */
        private static final String NAME = "(?!(?i:file)(?:-|$))[A-Za-z][A-Za-z0-9-]{0,29}";

        private NamedVariants() {}

        /** The variants of a mapping from names to properties. */
        static List<ComparedVariant> read(YamlNode node) {
            List<ComparedVariant> variants = new ArrayList<>();
            Map<String, String> byVariable = new HashMap<>();
            node.entries().forEach((name, bundle) -> {
                if (!name.matches(NAME)) {
                    node.problemWithKey(
                            name,
                            "is no name of a variant (allowed: up to 30 letters, digits and hyphens, a letter first, and not"
                                    + " 'file')");
                }
                String other = byVariable.putIfAbsent(VariantConnections.variable("", name), name);
                if (other != null) {
                    node.problemWithKey(name, "would have the same variables as " + other + " (call it otherwise)");
                }
                variants.add(new ComparedVariant(name, properties(name, bundle)));
            });
            if (node.isMapping() && variants.size() < 2) {
                node.problem("has " + (variants.isEmpty() ? "no variant" : "one variant") + " (needed: two or more)");
            }
            return variants;
        }

        private static Map<String, String> properties(String variant, YamlNode bundle) {
            Map<String, String> settings = new LinkedHashMap<>();
            Choices<Variable> variables = ExperimentReader.variables(bundle, false);
            bundle.entries().forEach((key, value) -> {
                if (BY_ENVIRONMENT.containsKey(key)) {
                    bundle.problemWithKey(
                            key,
                            ExperimentReader.ONLY_FOR_USERS + " (set "
                                    + VariantConnections.variable(BY_ENVIRONMENT.getOrDefault(key, ""), variant) + ")");
                    return;
                }
                variables
                        .find(key)
                        .ifPresentOrElse(
                                variable -> {
                                    requireForFiles(variant, bundle, variable);
                                    value.as(variable.type());
                                    settings.put(key, value.written());
                                },
                                () -> bundle.problemWithKey(key, "unknown key (" + variables.help(key) + ")"));
            });
            return settings;
        }

        private static void requireForFiles(String variant, YamlNode bundle, Variable variable) {
            if (!variable.onlyForUsers()) {
                return;
            }
            String instead = variable.name().equals(Property.URL.name())
                    ? "--" + VariantConnections.URL_OF + variant + " or "
                            + VariantConnections.variable(Property.URL.variable(), variant)
                    : variable.instead() + ", for all variants";
            bundle.problemWithKey(variable.name(), ExperimentReader.ONLY_FOR_USERS + " (give " + instead + ")");
        }

        /** The axis that stands for the names of the variants. */
        static Axis axis(List<ComparedVariant> variants) {
            return new Axis(
                    Axis.NAMED, variants.stream().map(ComparedVariant::label).toList());
        }
    }

    /**
     * Reads what earlier studies found, from the file of an experiment. Immutable.
     *
     * @param labels of the variants; none before the command line has given them
     * @param baseline the label of the variant that others are compared with
     */
    private record SourcesReader(List<String> labels, String baseline) {
        private static final int MOST_CONCLUSIONS = 100;

        /** One source, or a list of them. */
        List<SourceClaim> read(YamlNode node) {
            if (node.isList() && node.elements().isEmpty()) {
                node.problem("is empty (needed: says, or a list of mappings with it)");
            }
            return (node.isList() ? node.elements() : List.of(node))
                    .stream().map(this::source).toList();
        }

        private SourceClaim source(YamlNode node) {
            List<Expectation> expects = new ArrayList<>();
            node.optional("expects")
                    .ifPresent(list -> list.elements().forEach(element -> expects.add(expectation(element))));
            String study = node.optional("study").map(YamlNode::text).orElse("");
            int conclusion = node.optional("conclusion")
                    .map(number -> number.wholeNumber(1, MOST_CONCLUSIONS))
                    .orElse(0);
            if (conclusion > 0 && study.isEmpty()) {
                node.problemWithKey("conclusion", "is of no study (give study: NAME)");
            }
            return new SourceClaim(study, conclusion, node.required("says").text(), expects);
        }

        private Expectation expectation(YamlNode node) {
            String of = ExperimentReader.variant(node.required("of"), labels);
            Direction is = node.required("is").choice(Choices.camelCase(Direction.class));
            String than = variant(node, "than");
            if (is == Direction.NOT_PROPORTIONAL && !labels.isEmpty()) {
                requireNumber(node, of);
                requireNumber(node, than.isEmpty() ? baseline : than);
            }
            Against against = node.optional("against").map(this::against).orElse(Against.ONE);
            if (is == Direction.NOT_PROPORTIONAL && against.isRatio()) {
                node.required("is").problem("notProportional is said of one ratio (leave against out)");
            }
            return new Expectation(
                    of,
                    is,
                    times(node, "atLeast", is == Direction.BETTER || is == Direction.WORSE),
                    times(node, "atMost", is == Direction.NOT_WORSE),
                    ExperimentReader.texts(node, "subjects"),
                    than,
                    against);
        }

        /** How many times, where the direction has a use for it. */
        private static double times(YamlNode node, String key, boolean useful) {
            return node.optional(key)
                    .map(times -> {
                        if (!useful) {
                            times.problem(
                                    "says nothing of this direction (leave it out; atLeast is for better and worse,"
                                            + " atMost for notWorse)");
                        }
                        return times.number(1, Double.MAX_VALUE);
                    })
                    .orElse(1.0);
        }

        private static void requireNumber(YamlNode node, String label) {
            if (!label.replace("_", "").matches("[0-9]+(\\.[0-9]+)?")) {
                node.required("is").problem("notProportional is said of numbers, and '" + label + "' is none");
            }
        }

        private Against against(YamlNode node) {
            Against against = new Against(
                    variant(node, "of"),
                    variant(node, "than"),
                    node.optional("subject").map(YamlNode::text).orElse(""));
            if (node.isMapping() && !against.isRatio()) {
                node.problem("names no other ratio (needed: of, than or subject)");
            }
            return against;
        }

        private String variant(YamlNode node, String key) {
            return node.optional(key)
                    .map(label -> ExperimentReader.variant(label, labels))
                    .orElse("");
        }
    }
}
