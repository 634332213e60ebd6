package siemload.results;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import siemload.database.Counters.Io;

/**
 * One step of a procedure, as run.json holds it. Immutable.
 *
 * @param name what runs are compared by, the same in every run: {@code HAWAT1}, {@code HAWAT3 page 1000}. Steps that are
 *     done several times in a run have the same name; facts say which is which
 * @param facts what was done, and what came of it that is no number: {@code search}, {@code page}, {@code order},
 *     {@code caches}, {@code pass}, {@code planShape}, {@code answersHash}, {@code error}
 * @param figures what was measured, by names that bear the unit: {@code lastEventMicros}, {@code rows},
 *     {@code walBytesPerEvent}; finite numbers
 * @param io what the database read and wrote meanwhile, by purpose: for this step alone, as nobody else worked with it; empty where
 *     that was not counted
 */
public record StepRecord(String name, Map<String, String> facts, Map<String, Double> figures, List<Io> io) {

    /** The fact that a step failed has. */
    public static final String ERROR = "error";

    public StepRecord {
        facts = Collections.unmodifiableMap(new TreeMap<>(facts));
        figures = Collections.unmodifiableMap(new TreeMap<>(figures));
        io = List.copyOf(io);
    }

    /** One of which nobody counted what the database read and wrote. */
    public StepRecord(String name, Map<String, String> facts, Map<String, Double> figures) {
        this(name, facts, figures, List.of());
    }

    /** Whether the step could not be done; it then has no figures, and the fact {@code error} says why. */
    public boolean failed() {
        return facts.containsKey(ERROR);
    }
}
