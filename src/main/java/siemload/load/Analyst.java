package siemload.load;

import java.time.Duration;
import java.util.Optional;
import siemload.dataset.SeededRandom;
import siemload.load.UserCursors.UserCursor;
import siemload.load.UserWaits.Investigation;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.results.Outcome;
import siemload.results.SearchKey;
import siemload.scenario.AnalystGroup;
import siemload.scenario.FollowUp;
import siemload.scenario.ResultReading;

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
    private final Paging paging;
    private final DrawnSearches searches;
    private final FollowUp followUp;
    private final UserCursors cursors;

    private Optional<Duration> firstDelay;
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
     * @param start where in its work the user is
     * @param cursors where the user gets a cursor, if the run pages by them
     */
    Analyst(UserWaits waits, Investigation start, Paging paging, DrawnSearches searches, UserCursors cursors) {
        this.group = waits.group();
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
        if (countedFor.isPresent()) {
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
        return actionsLeft == 0 && countedFor.isEmpty();
    }

    /**
     * The next action, which is due at this instant of the monotonic clock; drawn for it is whether the answer is checked, too.
     */
    SearchRequest next(long dueNanos) {
        asked++;
        double draw =
                SeededRandom.of(SeededRandom.mix(waits.seed(), LOTS), asked).nextDouble();
        if (countedFor.isEmpty()) {
            return nextAction(SeededRandom.of(SeededRandom.mix(waits.seed(), ACTIONS), action++), dueNanos, draw);
        }
        Search last = countedFor.orElseThrow().with(paging.lastPage(pageSize(), counted));
        countedFor = Optional.empty();
        return request(last, PageClass.LAST, 0, dueNanos, draw);
    }

    /** Takes the answer to the last {@link #next}. */
    void answered(SearchRequest asked, SearchAnswer answer) {
        boolean ok = answer.sample().outcome() == Outcome.OK;
        if (asked.page() == PageClass.COUNT) {
            countedFor = ok ? Optional.of(asked.search()) : Optional.empty();
            counted = answer.count();
            return;
        }
        int pageNumber = 1;
        if (asked.page() == PageClass.DEEPER) {
            pageNumber += seen.map(Seen::pageNumber).orElse(1);
        } else if (asked.page() == PageClass.LAST) {
            pageNumber = Integer.MAX_VALUE;
        }
        seen = ok && asked.page() != PageClass.SUMMARY
                ? Optional.of(new Seen(asked.search(), pageNumber, answer))
                : Optional.empty();
    }

    /** Notes that the user did not wait for the answer to the last {@link #next}. */
    void gaveUp() {
        countedFor = Optional.empty();
        seen = Optional.empty();
        leave();
    }

    /** Closes what the user has open on the server. */
    void leave() {
        cursor.ifPresent(UserCursor::leave);
        cursor = Optional.empty();
    }

    private SearchRequest nextAction(SeededRandom random, long dueNanos, double draw) {
        actionsLeft--;
        double way = random.nextDouble();
        double followUpPoint = random.nextDouble();
        // Drawn in any case, so that action n draws the same whatever became of action n - 1.
        Search fresh = searches.next(random, dueNanos);
        int keepRow = random.nextInt(pageSize());
        if (group.searched().reading() instanceof ResultReading.Paged paged
                && seen.filter(last -> last.hasNextPage(paged)).isPresent()) {
            Seen last = seen.orElseThrow();
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
        if (followUpPoint < group.searched().followUpRatio()) {
            Optional<Search> narrower = seen.flatMap(last -> last.answer()
                    .keptRow()
                    .flatMap(row -> followUp.narrow(last.search(), row, searches.firstPage(), random)));
            if (narrower.isPresent()) {
                return request(narrower.get(), SearchKey.of(narrower.get()).page(), keepRow, dueNanos, draw);
            }
        }
        return request(fresh, SearchKey.of(fresh).page(), keepRow, dueNanos, draw);
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

    private int pageSize() {
        return group.searched().reading() instanceof ResultReading.Paged paged ? paged.size() : 1;
    }
}
