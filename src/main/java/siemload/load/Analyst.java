package siemload.load;

import java.time.Duration;
import java.util.Optional;
import siemload.dataset.SeededRandom;
import siemload.load.UserCursors.UserCursor;
import siemload.query.PageClass;
import siemload.query.PageKey;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.results.Outcome;
import siemload.scenario.AnalystGroup;
import siemload.scenario.FollowUp;
import siemload.scenario.ResultReading;
import siemload.scenario.SearchDraw;

/**
 * One user's behaviour: investigations of several actions, each a new search, the next page, the last page, or a
 * narrower search with a condition from a row just seen. What is drawn for action {@code n} depends on the seed, the
 * user and {@code n} alone, so that a run repeats the same searches; only what is read off a row depends on the answer.
 *
 * <p>Not thread-safe: an action and its answer follow one another.
 */
final class Analyst {
    private static final long ACTIONS = 2;
    private static final long LOTS = 3;

    private final AnalystGroup group;
    private final UserWaits waits;
    private final UserStart start;
    private final Paging paging;
    private final DrawnSearches searches;
    private final FollowUp followUp;
    private final UserCursors cursors;
    private final long seed;

    private boolean begun;
    private long action;
    private long asked;
    private int actionsLeft;
    private Optional<Seen> seen = Optional.empty();
    private Optional<Search> countedFor = Optional.empty();
    private long counted;
    private Optional<UserCursor> cursor = Optional.empty();

    /**
     * A user who has done nothing yet.
     *
     * @param cursors where the user gets a cursor, if the run pages by them
     */
    Analyst(
            UserWaits waits,
            UserStart start,
            Paging paging,
            SearchDraw draw,
            DataClock dataClock,
            UserCursors cursors) {
        this.group = waits.group();
        this.waits = waits;
        this.start = start;
        this.paging = paging;
        this.searches = new DrawnSearches(group, draw, dataClock);
        this.followUp = new FollowUp(draw.catalog());
        this.cursors = cursors;
        this.seed = waits.seed();
    }

    /** The last answer: its search, its page number, how many rows it had, and what was kept of them. */
    private record Seen(Search search, int pageNumber, long rows, Optional<byte[]> row, Optional<PageKey> lastKey) {}

    /** How long the user waits before the next action. Starts a new investigation where the last one is done. */
    Duration waitBeforeNext() {
        if (countedFor.isPresent()) {
            return Duration.ZERO;
        }
        if (!begun) {
            begun = true;
            action = start.action();
            actionsLeft = start.actionsLeft();
            return start.delay();
        }
        if (actionsLeft > 0) {
            return waits.thinkTime(action);
        }
        UserWaits.DrawnInvestigation next = waits.investigation(action);
        actionsLeft = next.actions();
        seen = Optional.empty();
        return next.delay();
    }

    /** Whether the current investigation has come to its end. */
    boolean investigationDone() {
        return actionsLeft == 0 && countedFor.isEmpty();
    }

    /**
     * The next action, which is due at this instant of the monotonic clock; drawn for it is whether the answer is checked, too.
     */
    SearchRequest next(long dueNanos) {
        asked++;
        double draw = SeededRandom.of(SeededRandom.mix(seed, LOTS), asked).nextDouble();
        return countedFor.isPresent()
                ? lastPage(countedFor.orElseThrow(), dueNanos, draw)
                : nextAction(SeededRandom.of(SeededRandom.mix(seed, ACTIONS), action++), dueNanos, draw);
    }

    /** Takes the answer to the last {@link #next}. */
    void answered(SearchRequest asked, SearchAnswer answer) {
        boolean ok = answer.sample().outcome() == Outcome.OK;
        if (asked.page() == PageClass.COUNT) {
            countedFor = ok ? Optional.of(asked.search()) : Optional.empty();
            counted = answer.count();
            return;
        }
        if (asked.page() == PageClass.SUMMARY) {
            seen = Optional.empty();
            return;
        }
        int pageNumber =
                asked.page() == PageClass.DEEPER ? seen.map(Seen::pageNumber).orElse(1) + 1 : 1;
        seen = ok
                ? Optional.of(new Seen(asked.search(), pageNumber, answer.count(), answer.keptRow(), answer.lastKey()))
                : Optional.empty();
        if (asked.page() == PageClass.LAST) {
            seen = seen.map(
                    last -> new Seen(last.search(), Integer.MAX_VALUE, last.rows(), last.row(), last.lastKey()));
        }
    }

    /** Notes that the user did not wait for the answer to the last {@link #next}. */
    void gaveUp() {
        countedFor = Optional.empty();
        seen = Optional.empty();
        leave();
    }

    /** Closes what the user has open on the server. */
    void leave() {
        cursor.ifPresent(cursors::leave);
        cursor = Optional.empty();
    }

    private SearchRequest nextAction(SeededRandom random, long dueNanos, double draw) {
        actionsLeft--;
        double way = random.nextDouble();
        double followUpPoint = random.nextDouble();
        // Drawn in any case, so that action n draws the same whatever became of action n - 1.
        Search fresh = searches.next(random, dueNanos);
        int keepRow = random.nextInt(pageSize());
        if (seen.isPresent() && group.reading() instanceof ResultReading.Paged paged) {
            Seen last = seen.get();
            if (way < paged.deeperRatio() && hasNextPage(last, paged)) {
                return request(nextPage(last, paged), PageClass.DEEPER, keepRow, dueNanos, draw);
            }
            boolean wantsLast = way >= paged.deeperRatio() && way < paged.deeperRatio() + paged.lastPageRatio();
            if (wantsLast && hasNextPage(last, paged)) {
                return request(last.search(), PageClass.COUNT, -1, dueNanos, draw);
            }
        }
        if (followUpPoint < group.followUpRatio()) {
            Optional<Search> narrower = seen.flatMap(last ->
                    last.row().flatMap(row -> followUp.narrow(last.search(), row, searches.firstPage(), random)));
            if (narrower.isPresent()) {
                return request(narrower.get(), searches.pageClass(narrower.get()), keepRow, dueNanos, draw);
            }
        }
        return request(fresh, searches.pageClass(fresh), keepRow, dueNanos, draw);
    }

    private SearchRequest request(Search search, PageClass page, int keepRow, long dueNanos, double draw) {
        SearchRequest.Keep keep = new SearchRequest.Keep(keepRow, paging == Paging.KEYSET && keepRow >= 0);
        return new SearchRequest(search, page, dueNanos, keep, cursor(search, page), draw, "");
    }

    /** The cursor to read a page with; a single event needs none, and a last page is read from the far end. */
    private Optional<UserCursor> cursor(Search search, PageClass page) {
        boolean turned = page == PageClass.FIRST || page == PageClass.DEEPER;
        if (paging != Paging.CURSOR || !turned || search.name().equals(SearchName.DETAIL)) {
            return Optional.empty();
        }
        if (cursor.isEmpty()) {
            cursor = Optional.of(cursors.create());
        }
        return cursor;
    }

    private static boolean hasNextPage(Seen last, ResultReading.Paged paged) {
        return last.rows() == paged.size() && last.pageNumber() < paged.maximum();
    }

    private Search nextPage(Seen last, ResultReading.Paged paged) {
        return last.search()
                .with(paging.page(
                        paged.size(),
                        last.pageNumber() + 1L,
                        () -> last.lastKey().orElseThrow()));
    }

    private SearchRequest lastPage(Search search, long dueNanos, double draw) {
        countedFor = Optional.empty();
        Search last = search.with(paging.lastPage(pageSize(), counted));
        return request(last, PageClass.LAST, 0, dueNanos, draw);
    }

    private int pageSize() {
        return group.reading() instanceof ResultReading.Paged paged ? paged.size() : 1;
    }
}
