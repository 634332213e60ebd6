package siemload.measure;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import siemload.query.SearchName;
import siemload.results.SearchKey;
import siemload.results.TimeMetric;

/**
 * What several recorders have taken, added up: exact, in whatever order they come. It takes no more room than one of them. Used by one
 * thread.
 */
public final class RecordedSum {
    private static final int SIGNIFICANT_DIGITS = 3;

    private final Map<SearchKey, OfSearch> measured = new LinkedHashMap<>();
    private final Map<SearchName, RecordedSearches.OfFollowUps> followUps = new LinkedHashMap<>();
    private final List<OfReplica> replicas = new ArrayList<>();
    private final Histogram responses = new Histogram(SIGNIFICANT_DIGITS);
    private final Histogram lateness = new Histogram(SIGNIFICANT_DIGITS);
    private final Histogram acknowledge = new Histogram(SIGNIFICANT_DIGITS);
    private RecordedSearches.Totals totals = RecordedSearches.Totals.NONE;
    private RecordedFeeder.Counts counts = RecordedFeeder.Counts.NONE;
    private String lastFailure = "";

    /** The sum for one key. */
    private static final class OfSearch {
        private final Map<TimeMetric, Histogram> times = new EnumMap<>(TimeMetric.class);
        private SearchCounts counts = SearchCounts.NONE;
    }

    /** The sum for one replica. */
    private static final class OfReplica {
        private final Histogram responses = new Histogram(SIGNIFICANT_DIGITS);
        private final Histogram lags = new Histogram(SIGNIFICANT_DIGITS);
        private long searches;
        private long failed;

        private void add(RecordedSearches.OfReplica more) {
            searches += more.searches();
            failed += more.failed();
            RecordedSum.add(responses, more.responses());
            RecordedSum.add(lags, more.lags());
        }

        private RecordedSearches.OfReplica sum() {
            return new RecordedSearches.OfReplica(searches, failed, responses, lags);
        }
    }

    /** Adds what a recorder of searches has taken, with the same replicas as the others. */
    public void add(RecordedSearches more) {
        more.measured().forEach(one -> {
            OfSearch sum = measured.computeIfAbsent(one.key(), unused -> new OfSearch());
            sum.counts = sum.counts.plus(one.counts());
            one.times()
                    .forEach((metric, times) ->
                            add(sum.times.computeIfAbsent(metric, unused -> new Histogram(SIGNIFICANT_DIGITS)), times));
        });
        more.followUps().forEach(one -> {
            RecordedSearches.OfFollowUps sum = followUps.computeIfAbsent(
                    one.search(),
                    search -> new RecordedSearches.OfFollowUps(
                            search, new Histogram(SIGNIFICANT_DIGITS), new Histogram(SIGNIFICANT_DIGITS)));
            add(sum.first(), one.first());
            add(sum.followUp(), one.followUp());
        });
        for (int i = 0; i < more.replicas().size(); i++) {
            if (i == replicas.size()) {
                replicas.add(new OfReplica());
            }
            replicas.get(i).add(more.replicas().get(i));
        }
        add(responses, more.responses());
        totals = totals.plus(more.totals());
    }

    /** Adds what a recorder of a feeder has taken. */
    public void add(RecordedFeeder more) {
        counts = counts.plus(more.counts());
        add(lateness, more.lateness());
        add(acknowledge, more.acknowledge());
        lastFailure = more.lastFailure().isEmpty() ? lastFailure : more.lastFailure();
    }

    /** Most are empty, and to look through all counters of one takes longer than to see that. */
    private static void add(Histogram sum, Histogram more) {
        if (more.getTotalCount() > 0) {
            sum.add(more);
        }
    }

    /** The sum of what came; the histograms are the caller's, and nothing may be added any more. */
    public RecordedSearches searches() {
        List<RecordedSearches.OfSearch> searches = measured.entrySet().stream()
                .map(entry ->
                        new RecordedSearches.OfSearch(entry.getKey(), entry.getValue().counts, entry.getValue().times))
                .toList();
        return new RecordedSearches(
                searches,
                List.copyOf(followUps.values()),
                replicas.stream().map(OfReplica::sum).toList(),
                responses,
                totals);
    }

    /** Likewise of the feeder. */
    public RecordedFeeder feeder() {
        return new RecordedFeeder(counts, lateness, acknowledge, lastFailure);
    }
}
