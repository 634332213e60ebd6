package siemload.measure;

import java.util.List;
import siemload.query.SearchName;
import siemload.results.SearchKey;

/**
 * What a {@link LatencyRecorder} has taken of searches since an instant, for another one to add.
 *
 * @param measured those of the measured phase, by what is measured apart
 * @param followUps their response times once more, of those asked first and of those that followed one
 * @param replicas those of the measured phase once more, of each replica that answered them, in their order
 * @param totals of all phases, unless they say otherwise
 */
public record RecordedSearches(
        List<OfSearch> measured, List<OfFollowUps> followUps, List<Recorded> replicas, Recorded totals) {
    public RecordedSearches {
        measured = List.copyOf(measured);
        followUps = List.copyOf(followUps);
        replicas = List.copyOf(replicas);
    }

    /** Those with one key. */
    public record OfSearch(SearchKey key, Recorded recorded) {}

    /** Those of one name. */
    public record OfFollowUps(SearchName search, Recorded recorded) {}
}
