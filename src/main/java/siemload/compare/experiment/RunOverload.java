package siemload.compare.experiment;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the database of a run did not keep up. Immutable.
 *
 * @param gaveOut what it had used up, in words, the weightiest first; empty where it kept up
 * @param unanswered the share of the searches of a subject that got no answer, 0 to 1: of percentiles of their times beyond that
 *     share it is only known that they are at least so long; subjects without one may be missing
 */
public record RunOverload(List<String> gaveOut, Map<String, Double> unanswered) {
    /** Of a run whose database kept up. */
    public static final RunOverload NONE = new RunOverload(List.of(), Map.of());

    public RunOverload {
        gaveOut = List.copyOf(gaveOut);
        unanswered = Collections.unmodifiableMap(new TreeMap<>(unanswered));
    }

    /** Whether the database did not keep up. */
    public boolean seen() {
        return !gaveOut.isEmpty();
    }
}
