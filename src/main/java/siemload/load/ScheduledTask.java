package siemload.load;

import java.util.Optional;
import siemload.dataset.SeededRandom;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.results.Asked;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;

/**
 * What one task asks for at its ticks. That depends on the seed, the task and the tick alone. Immutable.
 *
 * @param number from 0
 * @param seed of the group
 * @param startNanos the start of the warm-up on the monotonic clock
 */
record ScheduledTask(LoadModel.Scheduled schedule, int number, DrawnSearches searches, long seed, long startNanos) {
    private static final long SEARCHES = 1;
    private static final long LOTS = 2;
    private static final long LOTS_OF_COUNTS = 3;

    /** When a tick is due on the monotonic clock. */
    long dueNanos(long tick) {
        return startNanos + schedule.dueNanos(number, tick);
    }

    /** The search of a tick, due when that is. */
    SearchRequest search(long tick) {
        long drawnFor = schedule.criteria() == LoadModel.Scheduled.Criteria.FIXED ? 0 : tick;
        Search search = searches.next(random(SEARCHES, drawnFor), dueNanos(tick));
        SearchRequest request = request(search, searches.pageClass(search), dueNanos(tick), random(LOTS, tick));
        AnalystGroup group = searches.group();
        return group.storesTrend() ? request.storedAs(group.name() + "-" + number) : request;
    }

    /** The exact count of a tick's search, where the task asks for it and there are rows to be counted. */
    Optional<SearchRequest> count(SearchRequest search, long tick, long dueNanos) {
        return switch (schedule.counting()) {
            case NONE -> Optional.empty();
            case EXACT ->
                search.page() == PageClass.SUMMARY
                        ? Optional.empty()
                        : Optional.of(
                                request(search.search(), PageClass.COUNT, dueNanos, random(LOTS_OF_COUNTS, tick)));
        };
    }

    private static SearchRequest request(Search search, PageClass page, long dueNanos, SeededRandom lot) {
        return new SearchRequest(
                search, page, page == PageClass.COUNT ? Asked.SAME : Asked.FIRST, dueNanos, lot.nextDouble());
    }

    private SeededRandom random(long purpose, long index) {
        return SeededRandom.of(SeededRandom.mix(SeededRandom.mix(seed, number), purpose), index);
    }
}
