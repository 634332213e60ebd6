package siemload.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.compare.ExperimentPlan.VariantConnections;
import siemload.config.Property;
import siemload.results.ResultValue;

/**
 * An experiment: a question, and the runs that answer the question. Immutable.
 *
 * @param name the name of the experiment's file without the ending; letters, digits, hyphens and dots
 * @param question one sentence for people
 * @param kind what the report shows first
 * @param axes what varies between variants; mostly one axis
 * @param variants the variants to compare, in the order of the file; with several axes, all combinations of values
 * @param settings the properties that are the same in every run, by name; {@code scenario} is among them unless the scenario varies
 * @param baseline the label of the variant that others are compared with
 * @param metric the metric that decides
 * @param alsoShow the metrics that are shown as well
 * @param smallest the smallest change that matters, as a ratio above 0
 * @param subjects the subjects that are compared; empty for all that were measured
 * @param repeats the number of runs of each variant, 1 or more
 * @param seed the seed of the order of the runs, and of the bootstrap
 * @param sources the conclusions of earlier studies about the question
 */
public record Experiment(
        String name,
        String question,
        Kind kind,
        List<Axis> axes,
        List<ComparedVariant> variants,
        Map<String, String> settings,
        String baseline,
        Metric metric,
        List<Metric> alsoShow,
        double smallest,
        List<String> subjects,
        int repeats,
        long seed,
        List<SourceClaim> sources) {

    public Experiment {
        axes = List.copyOf(axes);
        variants = List.copyOf(variants);
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        alsoShow = List.copyOf(alsoShow);
        subjects = List.copyOf(subjects);
        sources = List.copyOf(sources);
    }

    /** Returns whether this subject is compared. */
    boolean asksFor(String subject) {
        return subjects.isEmpty() || subjects.contains(subject);
    }

    /** Returns the labels of all variants, in the order of the variants. */
    public List<String> labels() {
        return variants.stream().map(ComparedVariant::label).toList();
    }

    /** Returns the cells to run: one for each variant, or a single cell if one run has all variants. */
    List<ComparedVariant> runCells() {
        return isWithinRuns() ? List.of(new ComparedVariant(name, Map.of())) : variants;
    }

    /** Returns whether variants have names and sets of properties, so that each may have its own server. */
    boolean isOfNamed() {
        return axes.stream().anyMatch(axis -> axis.property().equals(Axis.NAMED));
    }

    /** Returns the names of named variants; empty for all other variants. */
    public List<String> names() {
        return isOfNamed() ? labels() : List.of();
    }

    /** Returns the names of the properties that vary, or of the fact of steps that varies. */
    Set<String> varied() {
        return Stream.concat(
                        axes.stream().map(Axis::property),
                        variants.stream().flatMap(one -> one.settings().keySet().stream()))
                .collect(Collectors.toSet());
    }

    /** Returns whether steps within each run are compared, instead of runs. */
    boolean isWithinRuns() {
        return axes.stream().anyMatch(Axis::isWithinRuns);
    }

    /** The number of runs of the experiment. */
    int runs() {
        return runCells().size() * repeats;
    }

    /** The names of the axes, for people: {@code hint}. */
    String axisLabel() {
        return String.join(" and ", axes.stream().map(Axis::property).toList());
    }

    /** A variant as part of a sentence; a bare number follows the name of its axis: {@code users 50}. */
    String spoken(String label) {
        return label.matches("[0-9._]+") ? axisLabel() + " " + label : label;
    }

    /**
     * Returns the label of the variant whose connection this variant uses: its own label for a named variant, and the baseline's label for
     * the control of a gate. Empty for all other variants.
     */
    Optional<String> connectedAs(String label) {
        return GateRules.isGate(this)
                ? Optional.of(label.equals(GateRules.CONTROL) ? GateRules.BASELINE : label)
                : Optional.of(label).filter(unused -> isOfNamed());
    }

    /** Returns this experiment with overridden properties and another number of repeats. */
    Experiment with(Map<String, String> overrides, int otherRepeats) {
        return ResultValue.with(this, Map.of("settings", over(settings, overrides), "repeats", otherRepeats));
    }

    /** Returns this experiment, in which each named variant with a url of its own has this url in its settings. */
    Experiment with(VariantConnections connections) {
        List<ComparedVariant> connected = variants.stream()
                .map(variant -> connectedAs(variant.label())
                        .flatMap(connections::url)
                        .map(url -> over(variant.settings(), Map.of(Property.URL.name(), url.value())))
                        .map(settings -> new ComparedVariant(variant.label(), settings))
                        .orElse(variant))
                .toList();
        return ResultValue.with(this, Map.of("variants", connected));
    }

    /**
     * Returns this experiment with other values of the axis; the first value is the baseline. The conclusions of studies are left out,
     * since they are about the values in the file.
     */
    Experiment with(Axis axis) {
        List<Axis> other = List.of(axis);
        String first = axis.values().get(0);
        Map<String, ?> changes =
                Map.of("axes", other, "variants", ComparedVariant.of(other), "baseline", first, "sources", List.of());
        return ResultValue.with(this, changes);
    }

    /** Returns the first properties, overridden by the others. */
    static Map<String, String> over(Map<String, String> some, Map<String, String> others) {
        Map<String, String> merged = new LinkedHashMap<>(some);
        merged.putAll(others);
        return merged;
    }

    /** The kinds of experiments, by the first part of their reports. */
    public enum Kind {
        /** All variants side by side. */
        COMPARISON,
        /** The figure of every search and variant as a ratio to that of the best variant of the search. */
        REGRET,
        /** The deciding metric against each of the other metrics shown: the costs of a variant against its gains. */
        PARETO,
        /** The time of a page against the depth of the page. */
        DEPTH,
        /** The growth of a figure with a number that varies. */
        SCALING,
        /** Bars as on the slides of the source study. */
        SLIDES
    }

    /**
     * A property that varies, with its values. Immutable.
     *
     * @param property the name of a property, or the name of a fact that varies between the steps of each run
     * @param values two or more different values as written in files; empty until the command line gives them
     */
    public record Axis(String property, List<String> values) {
        /** The word in a file for values that only the command line gives. */
        static final String GIVEN = "given";

        /** The name of the axis if variants have names and sets of properties. */
        static final String NAMED = "variants";

        /** The axis for the name of a step, for procedures whose steps do equal work under different circumstances. */
        static final String STEP = "step";

        /** The axis for the number of items of a job, for procedures that submit several jobs. */
        static final String LEVEL = "level";

        /** Facts of steps that vary within a run. */
        static final Set<String> FACTS = Set.of("asked", "cycle", "depth", LEVEL, "pass", "server", STEP);

        public Axis {
            values = List.copyOf(values);
        }

        /** Returns whether each run has all values of the axis, so that steps of a run are compared instead of runs. */
        boolean isWithinRuns() {
            return FACTS.contains(property);
        }
    }

    /**
     * One variant under comparison. Immutable.
     *
     * @param label the unique label for people: the values of the axes
     * @param settings the properties of this variant, by name
     */
    public record ComparedVariant(String label, Map<String, String> settings) {
        public ComparedVariant {
            settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        }

        /** All combinations of the values of these axes; the last axis varies fastest. */
        static List<ComparedVariant> of(List<Axis> axes) {
            List<ComparedVariant> variants = List.of(new ComparedVariant("", Map.of()));
            for (Axis axis : axes) {
                List<ComparedVariant> more = new ArrayList<>();
                for (ComparedVariant one : variants) {
                    for (String value : axis.values) {
                        Map<String, String> settings =
                                axis.isWithinRuns() ? one.settings : over(one.settings, Map.of(axis.property, value));
                        more.add(new ComparedVariant((one.label + " " + value).strip(), settings));
                    }
                }
                variants = more;
            }
            return List.copyOf(variants);
        }
    }
}
