package siemload.measure;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import siemload.query.SearchName;
import siemload.results.SearchKey;
import siemload.results.TimeMetric;

/**
 * What a {@link LatencyRecorder} has taken of searches since an instant, for another one to add: nothing is lost and nothing
 * rounded, so that one recorder with what several have taken is as one that has taken all of it. Histograms hold microseconds.
 *
 * @param measured those of the measured phase, by what is measured apart
 * @param followUps their response times once more, of those asked first and of those that followed one
 * @param replicas those of the measured phase once more, of each replica that answered them, in their order
 * @param responses the response times of all phases
 * @param totals of all phases, unless they say otherwise
 */
public record RecordedSearches(
        List<OfSearch> measured,
        List<OfFollowUps> followUps,
        List<OfReplica> replicas,
        Histogram responses,
        Totals totals) {

    public RecordedSearches {
        measured = List.copyOf(measured);
        followUps = List.copyOf(followUps);
        replicas = List.copyOf(replicas);
    }

    /** Those with one key. */
    public record OfSearch(SearchKey key, SearchCounts counts, Map<TimeMetric, Histogram> times) {
        public OfSearch {
            times = Map.copyOf(times);
        }
    }

    /** Those of one name. */
    public record OfFollowUps(SearchName search, Histogram first, Histogram followUp) {}

    /**
     * Those that one replica answered.
     *
     * @param lags how far it was behind, at each look
     */
    public record OfReplica(long searches, long failed, Histogram responses, Histogram lags) {}

    /**
     * How many there were.
     *
     * @param running under way at the moment; below 0 where fewer are than at the last look
     * @param runningAtEnd measured ones that were under way at the end of the measured phase and have ended
     * @param foundAllBusy measured ones that found all workers busy
     */
    public record Totals(long running, long runningAtEnd, long finished, long failed, long foundAllBusy) {
        /** None. */
        static final Totals NONE = new Totals(0, 0, 0, 0, 0);

        Totals plus(Totals more) {
            return new Totals(
                    running + more.running,
                    runningAtEnd + more.runningAtEnd,
                    finished + more.finished,
                    failed + more.failed,
                    foundAllBusy + more.foundAllBusy);
        }

        Totals since(Totals earlier) {
            return new Totals(
                    running - earlier.running,
                    runningAtEnd - earlier.runningAtEnd,
                    finished - earlier.finished,
                    failed - earlier.failed,
                    foundAllBusy - earlier.foundAllBusy);
        }
    }
}
