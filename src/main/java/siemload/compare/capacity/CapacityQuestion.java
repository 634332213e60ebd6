package siemload.compare.capacity;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is asked: a search that was interrupted goes on where the same is asked again. Immutable.
 *
 * @param scenario what each run does
 * @param varied what grows: one range, or two for the frontier between both; of values that were given from the least to the most of them
 * @param points of a frontier; 1 where one thing grows
 * @param against the values of the second load that were given, from the least up; empty where they follow from the most of it that
 *     is borne
 * @param objectives what runs are held to
 * @param settings the properties of all runs, by name
 * @param precisionRatio half of the width of the interval at which a search ends, as a ratio to the load
 * @param mostRuns of each search
 */
public record CapacityQuestion(
        String scenario,
        List<VariedLoad.Range> varied,
        int points,
        List<Double> against,
        List<String> objectives,
        Map<String, String> settings,
        double precisionRatio,
        int mostRuns) {

    public CapacityQuestion {
        varied = List.copyOf(varied);
        against = List.copyOf(against);
        objectives = List.copyOf(objectives);
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /** Whether the largest load is looked for at several values of another one. */
    public boolean hasFrontier() {
        return varied.size() > 1;
    }

    /** What the answer counts. */
    public VariedLoad.Range first() {
        return varied.get(0);
    }

    /** Of a frontier: what is given beside it. */
    VariedLoad.Range second() {
        return varied.get(1);
    }

    /** How many runs it takes at most. */
    public int runs() {
        return points * mostRuns;
    }
}
