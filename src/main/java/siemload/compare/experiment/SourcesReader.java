package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.List;
import siemload.compare.experiment.SourceClaim.Against;
import siemload.compare.experiment.SourceClaim.Direction;
import siemload.compare.experiment.SourceClaim.Expectation;
import siemload.config.Choices;
import siemload.config.YamlNode;

/**
 * Reads what earlier studies found, from the file of an experiment. Immutable.
 *
 * @param labels of the variants; none before the command line has given them
 * @param baseline the label of the variant that others are compared with
 */
record SourcesReader(List<String> labels, String baseline) {
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
                        times.problem("says nothing of this direction (leave it out; atLeast is for better and worse,"
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
