package siemload.results;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import siemload.database.Counters.Io;
import siemload.database.Counters.Relation;

/**
 * What the database says that it did, as differences over the measured phase. All counts are 0 or more.
 * Immutable.
 *
 * @param io input and output by category; empty where the target has no counters
 * @param relations the blocks read and found by table and index, or what the target has in their place
 * @param counters every counter of the target that changed, by its own name
 * @param samples how often the counters were read during the phase
 * @param samplingRatio the share of the phase that reading them took, 0 to 1
 */
public record DatabaseActivity(
        List<Io> io, List<Relation> relations, Map<String, Long> counters, long samples, double samplingRatio) {

    /** A target has no counters, or the run could not read them. */
    public static final DatabaseActivity NONE = new DatabaseActivity(List.of(), List.of(), Map.of(), 0, 0);

    public DatabaseActivity {
        io = List.copyOf(io);
        relations = List.copyOf(relations);
        counters = Collections.unmodifiableMap(new TreeMap<>(counters));
    }
}
