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
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.NamedFile;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.config.ValueType;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;
import siemload.config.YamlRecords;

/** Reads files of {@code experiments/}. Used by one thread. */
public final class ExperimentReader {
    private static final String DIRECTORY = "experiments";
    /** Runs of each value; fewer say nothing about how much runs differ. */
    public static final int FEWEST_REPEATS = 3;

    private static final ValueType<Integer> REPEATS = ValueType.wholeNumber(FEWEST_REPEATS, 1000);
    private static final int STANDARD_REPEATS = 9;
    private static final String STANDARD_METRIC = "p95";
    private static final String NAMED = "variants";
    private static final String ONLY_FOR_USERS =
            "cannot be set by a file, which must not decide where to connect, what to execute or where to write";

    /** What only whoever starts the experiment may say, and by which variable. */
    private static final Map<String, String> BY_ENVIRONMENT =
            Map.of("user", "SIEMLOAD_USER", "password", "SIEMLOAD_PASSWORD", "passwordFile", "SIEMLOAD_PASSWORD_FILE");

    /** Of a variant. A variable has one form for both kinds of letters, and SIEMLOAD_PASSWORD_FILE is one of its own. */
    private static final String NAME = "(?!(?i:file)(?:-|$))[A-Za-z][A-Za-z0-9-]{0,29}";

    private static final ValueType<Double> PERCENT = ValueType.of(
            "percent above 0, for example 5%",
            0.001, text -> {
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

    private final NamedFile file;
    private final Path home;
    private final YamlNode top;
    /** Of the variants; none before the command line has given them. */
    private final List<String> labels = new ArrayList<>();

    private ExperimentReader(NamedFile file, Path home, YamlNode top) {
        this.file = file;
        this.home = home;
        this.top = top;
    }

    /**
     * What a file of {@code experiments/} holds: one experiment, or a suite of them, to be run one after the other and told in one
     * report.
     *
     * @param suite its name; empty for one experiment
     */
    public record Content(String suite, String question, List<Experiment> experiments) {
        public Content {
            experiments = List.copyOf(experiments);
        }

        /** Whether it is one of several. */
        public boolean isSuite() {
            return !suite.isEmpty();
        }
    }

    /**
     * The experiment or suite of this name: a file in {@code experiments/} without its ending, or the path of a YAML file.
     *
     * @param home the directory that holds {@code experiments/}
     * @throws siemload.config.ConfigException with everything that is wrong with it
     */
    public static Content read(Path home, String wanted) {
        return read(home, wanted, false);
    }

    private static Content read(Path home, String wanted, boolean inSuite) {
        NamedFile file = NamedFile.find(home, DIRECTORY, wanted, new Origin.WholeFile("experiment"));
        return YamlDocument.read(
                file.path(),
                file.shownAs(),
                new Problems(),
                top -> new ExperimentReader(file, home, top).content(inSuite));
    }

    /** The names of the files in {@code experiments/} under the home directory, sorted. */
    public static List<String> names(Path home) {
        return NamedFile.names(home, DIRECTORY);
    }

    private Content content(boolean inSuite) {
        String question = top.required("question").text();
        Optional<YamlNode> suite = top.optional("suite");
        if (suite.isEmpty()) {
            return new Content("", question, List.of(experiment(question)));
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

    private Experiment experiment(String question) {
        ExperimentKind kind = top.optional("kind")
                .map(node -> node.choice(Choices.camelCase(ExperimentKind.class)))
                .orElse(ExperimentKind.COMPARISON);
        Optional<YamlNode> named = top.optional(NAMED);
        List<Axis> axes = named.isPresent() ? List.of() : axes();
        List<ComparedVariant> variants = named.map(this::variants).orElseGet(() -> ComparedVariant.of(axes));
        variants.forEach(variant -> labels.add(variant.label()));
        Set<String> varied = new LinkedHashSet<>();
        axes.forEach(axis -> varied.add(axis.property()));
        variants.forEach(variant -> varied.addAll(variant.settings().keySet()));
        Map<String, String> settings = settings(varied);
        String baseline = variant(top, "baseline", labels.isEmpty() ? "" : labels.get(0));
        Metric metric = new Metric(text(top, "metric", STANDARD_METRIC));
        return new Experiment(
                file.name(),
                question,
                kind,
                named.isPresent() ? List.of(new Axis(Axis.NAMED, labels)) : axes,
                variants,
                settings,
                new Experiment.Judgement(
                        baseline,
                        metric,
                        texts(top, "alsoShow").stream().map(Metric::new).toList(),
                        top.optional("smallest").map(node -> node.as(PERCENT)).orElse(metric.smallest()),
                        texts(top, "subjects")),
                top.optional("repeats").map(node -> node.as(REPEATS)).orElse(STANDARD_REPEATS),
                top.optional("seed")
                        .map(node -> node.as(ValueType.wholeNumber(0, Integer.MAX_VALUE)))
                        .orElse(1),
                top.optional("source").map(node -> sources(node, baseline)).orElse(List.of()));
    }

    private List<Axis> axes() {
        YamlNode node = top.required("axis");
        boolean factorial = top.optional("factorial")
                .map(flag -> flag.as(ValueType.trueOrFalse()))
                .orElse(false);
        Choices<Variable> known = variables(node, Axis.FACTS.stream().sorted().toList());
        List<Axis> axes = new ArrayList<>();
        node.entries(known)
                .forEach((variable, values) -> axes.add(new Axis(variable.name(), values(variable, values))));
        if (axes.size() > 1 && !factorial) {
            node.problem("has " + axes.size() + " properties, but one thing is varied at a time (leave one in, or write"
                    + " factorial: true for all combinations)");
        }
        if (node.isMapping() && node.entries().isEmpty()) {
            node.problem("is empty (needed: a property and its values)");
        }
        return axes;
    }

    /**
     * What an experiment can set or vary: a property, a value of the scenario by its path, or a fact of steps.
     *
     * @param variable of the environment that sets what files cannot; empty for those that they can
     */
    private record Variable(String name, ValueType<?> type, String variable) {
        boolean onlyForUsers() {
            return !variable.isEmpty();
        }

        /** How a user sets what files cannot, for one variant or, without a name, for all. */
        String instead(String variant) {
            boolean ofEach =
                    !variant.isEmpty() && (name.equals(Property.URL.name()) || BY_ENVIRONMENT.containsKey(name));
            String set = ofEach ? VariantConnections.variable(variable, variant) : variable;
            if (BY_ENVIRONMENT.containsKey(name)) {
                return "set " + set;
            }
            return "give --" + name + (ofEach ? "." + variant : "") + " or " + set
                    + (ofEach || variant.isEmpty() ? "" : ", for all variants");
        }
    }

    /** What the keys of this mapping can be. */
    private static Choices<Variable> variables(YamlNode node, List<String> more) {
        Map<String, Variable> byName = new LinkedHashMap<>();
        for (Property<?> property : Property.all()) {
            String variable = property.isOnlyForUsers() ? property.variable() : "";
            byName.put(property.name(), new Variable(property.name(), property.type(), variable));
        }
        Stream<String> paths =
                node.isMapping() ? node.entries().keySet().stream().filter(Settings::isOfScenario) : Stream.of();
        Stream.concat(more.stream(), paths)
                .forEach(text ->
                        byName.put(text, new Variable(text, ValueType.text(), BY_ENVIRONMENT.getOrDefault(text, ""))));
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
            node.problem("has " + (values.isEmpty() ? "no value" : "one value") + " (needed: two or more)");
        }
        return List.copyOf(values);
    }

    private Map<String, String> settings(Set<String> varied) {
        Map<String, String> settings = new LinkedHashMap<>();
        if (!varied.contains(Property.SCENARIO.name())) {
            settings.put(
                    Property.SCENARIO.name(), scenario(top.required("scenario").text()));
        }
        top.optional("settings").ifPresent(node -> settings.putAll(properties(node, "", varied)));
        return settings;
    }

    /** The properties of a variant, or of all. */
    private static Map<String, String> properties(YamlNode node, String variant, Set<String> varied) {
        Map<String, String> settings = new LinkedHashMap<>();
        node.entries(variables(node, List.copyOf(BY_ENVIRONMENT.keySet()))).forEach((property, value) -> {
            value.as(property.type());
            if (property.onlyForUsers()) {
                node.problemWithKey(property.name(), ONLY_FOR_USERS + " (" + property.instead(variant) + ")");
            }
            if (varied.contains(property.name())) {
                node.problemWithKey(property.name(), "is what varies here (leave it out)");
            }
            settings.put(property.name(), value.written());
        });
        return settings;
    }

    /** A file that is named as one beside that of the experiment may lie there. */
    private String scenario(String wanted) {
        Path beside = file.path().resolveSibling(wanted);
        boolean isBeside = wanted.matches(".*\\.ya?ml")
                && !Files.exists(Path.of(wanted))
                && !Files.exists(home.resolve(wanted))
                && Files.exists(beside);
        return isBeside ? beside.toString() : wanted;
    }

    /** Variants that have names: bundles of properties, each perhaps for a server of its own. */
    private List<ComparedVariant> variants(YamlNode node) {
        for (String key : List.of("axis", "factorial")) {
            if (top.optional(key).isPresent()) {
                top.problemWithKey(key, "stands beside " + NAMED + " (leave one of them out)");
            }
        }
        List<ComparedVariant> variants = new ArrayList<>();
        Map<String, String> byVariable = new HashMap<>();
        node.entries().forEach((name, bundle) -> {
            if (!name.matches(NAME)) {
                node.problemWithKey(
                        name,
                        "is no name of a variant (allowed: up to 30 letters, digits and hyphens, a letter first, and"
                                + " not 'file')");
            }
            String other = byVariable.putIfAbsent(VariantConnections.variable("", name), name);
            if (other != null) {
                node.problemWithKey(name, "would have the same variables as " + other + " (call it otherwise)");
            }
            variants.add(new ComparedVariant(name, properties(bundle, name, Set.of())));
        });
        if (node.isMapping() && variants.size() < 2) {
            node.problem("has " + (variants.isEmpty() ? "no variant" : "one variant") + " (needed: two or more)");
        }
        return variants;
    }

    /** What earlier studies found: one source, or a list of them. */
    private List<SourceClaim> sources(YamlNode node, String baseline) {
        if (node.isList() && node.elements().isEmpty()) {
            node.problem("is empty (needed: says, or a list of mappings with it)");
        }
        YamlRecords records = new YamlRecords(value -> {})
                .with(
                        SourceClaim.VARIANT,
                        labels.isEmpty() ? ValueType.text() : ValueType.choice(Choices.names(labels)));
        List<SourceClaim> claims = new ArrayList<>();
        for (YamlNode one : node.isList() ? node.elements() : List.of(node)) {
            records.record(one, SourceClaim.class).ifPresent(claims::add);
            one.peek("expects").map(YamlNode::elements).orElse(List.of()).forEach(expected -> {
                if (expected.peek("is").map(YamlNode::written).equals(Optional.of("notProportional"))) {
                    requireNumber(expected, "of", "");
                    requireNumber(expected, "than", baseline);
                }
            });
        }
        return claims;
    }

    private void requireNumber(YamlNode expected, String key, String otherwise) {
        String label = expected.peek(key).map(YamlNode::written).orElse(otherwise);
        if (!labels.isEmpty() && !label.replace("_", "").matches("[0-9]+(\\.[0-9]+)?")) {
            expected.required("is").problem("notProportional is said of numbers, and '" + label + "' is none");
        }
    }

    /** There are none before the command line has given them. */
    private String variant(YamlNode node) {
        return labels.isEmpty() ? node.text() : node.choice(Choices.names(labels));
    }

    private String variant(YamlNode node, String key, String otherwise) {
        return node.optional(key).map(this::variant).orElse(otherwise);
    }

    private static String text(YamlNode node, String key, String otherwise) {
        return node.optional(key).map(YamlNode::text).orElse(otherwise);
    }

    private static List<String> texts(YamlNode node, String key) {
        return node.optional(key)
                .map(list -> list.elements().stream().map(YamlNode::text).toList())
                .orElse(List.of());
    }
}
