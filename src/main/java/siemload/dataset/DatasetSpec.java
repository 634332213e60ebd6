package siemload.dataset;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a generated data set is made from: all numbers of its file. Immutable. {@link DatasetReader} checks the ranges
 * and says where a value stands; {@link EventGenerator} relies on them.
 *
 * @param name the name of the file without its extension
 * @param description one line for people
 * @param events the number of events, 1 to 1,000,000,000
 * @param start the beginning of the first hour of the day curve; no event is earlier
 * @param span the time that the events cover, whole hours; no event is at {@code start + span} or later
 * @param seed what all draws depend on besides the profile
 * @param profile what the events look like
 * @param searched values that searches can ask for by a name; no event depends on them
 */
public record DatasetSpec(
        String name,
        String description,
        long events,
        Instant start,
        Duration span,
        long seed,
        EventProfile profile,
        Map<String, SearchedValues> searched) {

    public DatasetSpec {
        searched = Collections.unmodifiableMap(new LinkedHashMap<>(searched));
    }

    /** This data set from another seed. */
    public DatasetSpec withSeed(long otherSeed) {
        return new DatasetSpec(name, description, events, start, span, otherSeed, profile, searched);
    }

    /** This data set with another number of events. */
    public DatasetSpec withEvents(long otherEvents) {
        return new DatasetSpec(name, description, otherEvents, start, span, seed, profile, searched);
    }
}
