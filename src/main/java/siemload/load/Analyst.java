package siemload.load;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongFunction;
import siemload.dataset.SeededRandom;
import siemload.load.SearchRequest.SearchAnswer;
import siemload.load.UserCursors.UserCursor;
import siemload.load.UserRoster.UserWaits;
import siemload.load.UserRoster.UserWaits.Investigation;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.Outcome;
import siemload.results.SearchKey;
import siemload.scenario.AnalystGroup;
import siemload.scenario.SearchDraw.DrawRule;
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

    private final UserWaits waits;
    private final Paging paging;
    private final DrawnSearches searches;
    private final FollowUp followUp;
    private final UserCursors cursors;

    private Optional<Duration> firstDelay;
    private long action;
    private long asked;
    private int actionsLeft;
    private Optional<Seen> seen = Optional.empty();
    /** What to ask next, at once, since its rows were counted. */
    private Optional<Search> lastPage = Optional.empty();

    private Optional<UserCursor> cursor = Optional.empty();

    /**
     * A user who has done nothing yet.
     *
     * @param start where in its work the user is
     * @param cursors where the user gets a cursor, if the run pages by them
     */
    Analyst(UserWaits waits, Investigation start, Paging paging, DrawnSearches searches, UserCursors cursors) {
        this.waits = waits;
        this.paging = paging;
        this.searches = searches;
        this.followUp = new FollowUp(searches.draw().catalog());
        this.cursors = cursors;
        this.firstDelay = Optional.of(start.delay());
        this.action = start.action();
        this.actionsLeft = start.actions();
    }

    /** The last answer: its search, its page number, how many rows it had, and what was kept of them. */
    private record Seen(Search search, int pageNumber, SearchAnswer answer) {
        boolean hasNextPage(ResultReading.Paged paged) {
            return answer.count() == paged.size() && pageNumber < paged.maximum();
        }
    }

    /** How long the user waits before the next action. Starts a new investigation where the last one is done. */
    Duration waitBeforeNext() {
        if (lastPage.isPresent()) {
            return Duration.ZERO;
        }
        if (firstDelay.isPresent()) {
            Duration delay = firstDelay.get();
            firstDelay = Optional.empty();
            return delay;
        }
        if (actionsLeft > 0) {
            return waits.thinkTime(action);
        }
        Investigation next = waits.investigation(action);
        actionsLeft = next.actions();
        seen = Optional.empty();
        return next.delay();
    }

    /** Whether the current investigation has come to its end. */
    boolean investigationDone() {
        return actionsLeft == 0 && lastPage.isEmpty();
    }

    /**
     * The next action, which is due at this instant of the monotonic clock; drawn for it is whether the answer is checked, too.
     */
    SearchRequest next(long dueNanos) {
        double draw =
                SeededRandom.of(SeededRandom.mix(waits.seed(), LOTS), ++asked).nextDouble();
        if (lastPage.isPresent()) {
            Search last = lastPage.get();
            lastPage = Optional.empty();
            return request(last, PageClass.LAST, 0, dueNanos, draw);
        }
        actionsLeft--;
        SeededRandom random = SeededRandom.of(SeededRandom.mix(waits.seed(), ACTIONS), action++);
        double way = random.nextDouble();
        double followUpPoint = random.nextDouble();
        // Drawn in any case, so that action n draws the same whatever became of action n - 1.
        Search fresh = searches.next(random, dueNanos);
        int keepRow = random.nextInt(pageSize());
        AnalystGroup.Searched searched = waits.group().searched();
        if (searched.reading() instanceof ResultReading.Paged paged
                && seen.filter(last -> last.hasNextPage(paged)).isPresent()) {
            Seen last = seen.get();
            if (way < paged.deeperRatio()) {
                Page next = paging.page(
                        paged.size(),
                        last.pageNumber() + 1L,
                        () -> last.answer().lastKey().orElseThrow());
                return request(last.search().with(next), PageClass.DEEPER, keepRow, dueNanos, draw);
            }
            if (way < paged.deeperRatio() + paged.lastPageRatio()) {
                return request(last.search(), PageClass.COUNT, -1, dueNanos, draw);
            }
        }
        Search search = seen.filter(last -> followUpPoint < searched.followUpRatio())
                .flatMap(last -> last.answer()
                        .keptRow()
                        .flatMap(row -> followUp.narrow(last.search(), row, searches.firstPage(), random)))
                .orElse(fresh);
        return request(search, SearchKey.of(search).page(), keepRow, dueNanos, draw);
    }

    /** Takes the answer to the last {@link #next}. */
    void answered(SearchRequest asked, SearchAnswer answer) {
        boolean ok = answer.sample().outcome() == Outcome.OK;
        if (asked.page() == PageClass.COUNT) {
            lastPage = Optional.of(asked.search().with(paging.lastPage(pageSize(), answer.count())))
                    .filter(last -> ok);
            return;
        }
        int pageNumber = asked.page() == PageClass.LAST ? Integer.MAX_VALUE : 1;
        if (asked.page() == PageClass.DEEPER) {
            pageNumber += seen.map(Seen::pageNumber).orElse(1);
        }
        seen = ok && asked.page() != PageClass.SUMMARY
                ? Optional.of(new Seen(asked.search(), pageNumber, answer))
                : Optional.empty();
    }

    /** Notes that the user did not wait for the answer to the last {@link #next}. */
    void gaveUp() {
        lastPage = Optional.empty();
        seen = Optional.empty();
        leave();
    }

    /** Closes what the user has open on the server. */
    void leave() {
        cursor.ifPresent(UserCursor::leave);
        cursor = Optional.empty();
    }

    /** Pages are read with the user's cursor; a single event needs none, and a last page is read from the far end. */
    private SearchRequest request(Search search, PageClass page, int keepRow, long dueNanos, double draw) {
        boolean turned = page == PageClass.FIRST || page == PageClass.DEEPER;
        boolean byCursor = paging == Paging.CURSOR && turned && !search.name().equals(SearchName.DETAIL);
        if (byCursor && cursor.isEmpty()) {
            cursor = Optional.of(cursors.create());
        }
        boolean keepsKey = paging == Paging.KEYSET && keepRow >= 0;
        return new SearchRequest(search, page, dueNanos, keepRow, keepsKey, cursor.filter(own -> byCursor), draw, "");
    }

    private int pageSize() {
        return searches.firstPage() instanceof Page.Numbered first ? first.size() : 1;
    }

    /**
     * The searches that a group begins with, each drawn from its mix with values, window and order. Immutable.
     *
     * @param dataClock the time in the data, at which windows end, as {@link LoadEngine#dataClock} has it
     */
    record DrawnSearches(AnalystGroup group, SearchDraw draw, LongFunction<Instant> dataClock) {

        /** The search that this randomness gives, due at this instant of the monotonic clock. */
        Search next(SeededRandom random, long dueNanos) {
            AnalystGroup.Searched searched = group.searched();
            Window window =
                    searched.windows().at(random.nextDouble()).window(draw.dataFirst(), dataClock.apply(dueNanos));
            var name = searched.mix().at(random.nextDouble());
            var order = searched.orders().at(random.nextDouble());
            var popularity = searched.values().at(random.nextDouble());
            return draw.search(
                    name, new DrawRule(popularity, searched.listLength(), random), window, order, firstPage());
        }

        /** What of a result is read first. */
        Page firstPage() {
            return group.searched().reading() instanceof ResultReading.Paged paged
                    ? new Page.Numbered(paged.size(), 1)
                    : new Page.Whole();
        }
    }
}
