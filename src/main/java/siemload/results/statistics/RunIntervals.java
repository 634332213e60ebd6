package siemload.results.statistics;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import siemload.results.FeederResult;
import siemload.results.LoggedInterval;
import siemload.results.MicrosInterval;
import siemload.results.MicrosSummary;
import siemload.results.SearchResult;
import siemload.results.SearchResult.SearchTimes;
import siemload.results.TimeMetric;

/**
 * The 95 % intervals of all percentiles of a run whose times are in its logs: of each kind of search, of each search with all
 * its pages, of all searches, and of the feeder's batches. Immutable.
 */
public final class RunIntervals {
    /** No intervals, since the run has no logs. */
    public static final RunIntervals NONE = new RunIntervals(Map.of());

    private static final String ALL = "all";
    private static final String BATCHES = "";

    private final Map<TimeMetric, Map<String, Map<String, MicrosInterval>>> groups;

    private RunIntervals(Map<TimeMetric, Map<String, Map<String, MicrosInterval>>> groups) {
        this.groups = Collections.unmodifiableMap(groups);
    }

    /** Reads the logs of a run; what is in a log that cannot be read has no intervals. */
    public static RunIntervals read(Path directory) {
        Map<TimeMetric, Map<String, Map<String, MicrosInterval>>> groups = new EnumMap<>(TimeMetric.class);
        for (TimeMetric metric : TimeMetric.values()) {
            try {
                groups.put(metric, PercentileIntervals.read(directory, metric, RunIntervals::groupsOf));
            } catch (IOException unreadable) {
                groups.put(metric, Map.of());
            }
        }
        return new RunIntervals(groups);
    }

    /** Exact counts are left out of the totals of a search and of all, as objectives leave them out. */
    private static List<String> groupsOf(LoggedInterval interval) {
        String tag = interval.tag();
        return tag.isEmpty() || interval.isOfExactCounts() ? List.of(tag) : List.of(tag, interval.search(), ALL);
    }

    /**
     * The intervals of a search, with all its pages.
     *
     * @param subject its name, or {@code all}
     * @return by the name of the percentile, as {@link MicrosSummary} has it; none where there are no such times
     */
    public Map<String, MicrosInterval> of(TimeMetric metric, String subject) {
        return groups.getOrDefault(metric, Map.of()).getOrDefault(subject, Map.of());
    }

    /** Results of searches with their intervals. */
    public List<SearchResult> addedTo(List<SearchResult> searches) {
        return searches.stream().map(this::addedTo).toList();
    }

    private SearchResult addedTo(SearchResult search) {
        String tag = search.kind().page().isEmpty()
                ? search.kind().name()
                : search.kind().tag();
        SearchTimes times = search.times();
        return search.with(new SearchTimes(
                added(times.responseTimeMicros(), TimeMetric.RESPONSE_TIME, tag),
                added(times.serviceTimeMicros(), TimeMetric.SERVICE_TIME, tag),
                added(times.latenessMicros(), TimeMetric.SEARCH_LATENESS, tag),
                added(times.workerWaitMicros(), TimeMetric.WORKER_WAIT, tag),
                added(times.firstEventMicros(), TimeMetric.FIRST_EVENT, tag),
                added(times.lastEventMicros(), TimeMetric.SERVICE_TIME, tag)));
    }

    /** The feeder's result with its intervals. */
    public FeederResult addedTo(FeederResult feeder) {
        FeederResult.BatchTimes times = feeder.times();
        return feeder.with(new FeederResult.BatchTimes(
                added(times.latenessMicros(), TimeMetric.FEEDER_LATENESS, BATCHES),
                added(times.acknowledgeMicros(), TimeMetric.FEEDER_ACKNOWLEDGE, BATCHES)));
    }

    private MicrosSummary added(MicrosSummary times, TimeMetric metric, String group) {
        return times.with(of(metric, group));
    }
}
