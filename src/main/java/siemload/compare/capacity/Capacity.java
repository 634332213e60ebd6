package siemload.compare.capacity;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.compare.statistics.UniversalScalability;

/**
 * The largest load that one search found, and the runs that say so. Immutable.
 *
 * @param varied what grew
 * @param beside what stayed the same of the other one of a frontier, by its name; empty where one thing grew alone
 * @param finding how large it is; of a frontier by the runs beside all values of the other load
 * @param sentence the finding in words
 * @param gaveOut what gave out first: at the smallest load that did not meet the objectives
 * @param scalability of the searches a second over the users, by the Universal Scalability Law
 * @param trials the runs, in their order
 */
public record Capacity(
        VariedLoad varied,
        Map<String, Double> beside,
        Finding finding,
        String sentence,
        List<String> gaveOut,
        UniversalScalability scalability,
        List<Trial> trials) {

    public Capacity {
        beside = Collections.unmodifiableMap(new LinkedHashMap<>(beside));
        gaveOut = List.copyOf(gaveOut);
        trials = List.copyOf(trials);
    }
}
