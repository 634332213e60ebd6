package siemload.database;

import java.util.List;
import java.util.OptionalDouble;

/**
 * A plan that was carried out, reduced to what a reader needs. Immutable.
 *
 * @param steps from the top down, each before those below it
 */
public record PlanTree(double planningMillis, double executionMillis, List<Step> steps) {

    public PlanTree {
        steps = List.copyOf(steps);
    }

    /**
     * One step.
     *
     * @param depth how many steps are above it
     * @param what the server's own words for it
     * @param estimated the rows that the server expected of one loop; empty where it does not tell
     * @param loops how often it was carried out; 0 if never
     * @param millis the time of all loops, with those of the steps below
     * @param rows those that came of one loop; empty where the server does not count them
     * @param misestimate how many times more or fewer rows came than were expected, where that is worth a flag
     * @param pages those that it and the steps below touched
     * @param details conditions and figures beside these
     */
    public record Step(
            int depth,
            String what,
            OptionalDouble estimated,
            double loops,
            OptionalDouble millis,
            OptionalDouble rows,
            OptionalDouble misestimate,
            Pages pages,
            List<Detail> details) {

        public Step {
            details = List.copyOf(details);
        }
    }

    /**
     * How many pages were touched.
     *
     * @param hit found in the server's cache
     * @param read fetched from outside of it
     * @param temporary read and written for what does not fit into working memory
     */
    public record Pages(long hit, long read, long temporary) {}

    /** A condition or figure by its name. */
    public record Detail(String name, String text) {}
}
