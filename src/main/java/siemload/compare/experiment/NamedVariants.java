package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.compare.experiment.ExperimentReader.Variable;
import siemload.config.Choices;
import siemload.config.Property;
import siemload.config.VariantConnections;
import siemload.config.YamlNode;

/** Reads variants that have names: bundles of properties, each perhaps for a server of its own. Stateless. */
final class NamedVariants {
    static final String KEY = "variants";

    /** What only whoever starts the experiment may say, of each variant. */
    private static final Map<String, String> BY_ENVIRONMENT =
            Map.of("user", "SIEMLOAD_USER", "password", "SIEMLOAD_PASSWORD", "passwordFile", "SIEMLOAD_PASSWORD_FILE");

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
