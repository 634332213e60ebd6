package siemload.compare.experiment;

import java.util.List;
import java.util.Set;

/**
 * What varies in an experiment. Immutable.
 *
 * @param property the name of a property; or of a fact of the steps of a procedure, which varies within each run
 * @param values two or more, all different, as they would be written; none before the command line has given them
 */
public record Axis(String property, List<String> values) {
    /** Stands in a file for values that only the command line may say. */
    static final String GIVEN = "given";

    /** In place of a property: the variants have names, and properties of their own each. */
    static final String NAMED = "variants";

    /** The name of a step itself, for procedures whose steps do the same under different circumstances. */
    static final String STEP = "step";

    /** How many items a job has, for procedures that submit several jobs. */
    static final String LEVEL = "level";

    /** What varies within a run. */
    static final Set<String> FACTS = Set.of("asked", "cycle", "depth", LEVEL, "pass", "server", STEP);

    public Axis {
        values = List.copyOf(values);
    }

    /** Whether the value of the fact stands in the names of steps, so that only without it the same is compared with the same. */
    static boolean isInName(String fact) {
        return fact.equals(STEP) || fact.equals(LEVEL);
    }

    /** Whether one run holds all values: then the steps of a run are compared, and not runs. */
    boolean isWithinRuns() {
        return FACTS.contains(property);
    }
}
