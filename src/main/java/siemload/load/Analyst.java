package siemload.load;

import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import siemload.dataset.SeededRandom;
import siemload.load.Analyst.UserRoster.Member;
import siemload.load.Analyst.UserRoster.Member.Investigation;
import siemload.load.SearchRequest.SearchAnswer;
import siemload.load.SearchWorkers.UserCursor;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.Outcome;
import siemload.results.SearchKey;
import siemload.run.LoadRun.Shard;
import siemload.scenario.AnalystGroup;
import siemload.scenario.AnalystGroup.Distribution;
import siemload.scenario.AnalystGroup.ResultReading;
import siemload.scenario.LoadModel;
import siemload.scenario.SearchDraw;
import siemload.scenario.SearchDraw.FollowUp;
import siemload.scenario.SearchDraw.SamplingRule;

/**
 * One user's behaviour: investigations of several actions, each a new search, the next page, the last page, or a narrower search with a
 * condition from a row just seen. The draws for action {@code n} depend only on the seed, the user and {@code n}, so that runs repeat the
 * same searches; only values read from a row depend on the answer.
 *
 * <p>Not thread-safe: an action and its answer alternate.
 */
final class Analyst {
    private static final long ACTIONS = 2;
    private static final long SAMPLING = 3;

    private final Member member;
    private final Paging paging;
    private final DrawnSearches searches;
    private final FollowUp followUp;
    private final Supplier<UserCursor> cursors;

    private Optional<Investigation> first;
    private long action;
    private long asked;
    private int actionsLeft;
    private Optional<Seen> seen = Optional.empty();
    /** The next action, at once, since its rows were counted. */
    private Optional<Search> lastPage = Optional.empty();

    private Optional<UserCursor> cursor = Optional.empty();

    /**
     * A user before the first action.
     *
     * @param start where in its work the user is
     * @param cursors gives the user a cursor, if the run pages by them
     */
    Analyst(Member member, Investigation start, Paging paging, DrawnSearches searches, Supplier<UserCursor> cursors) {
        this.member = member;
        this.paging = paging;
        this.searches = searches;
        this.followUp = new FollowUp(searches.draw().catalog());
        this.cursors = cursors;
        this.first = Optional.of(start);
        this.actionsLeft = start.actions();
    }

    /** The last answer: its search, its page number, its number of rows, and what was kept of them. */
    private record Seen(Search search, int pageNumber, SearchAnswer answer) {
        boolean hasNextPage(ResultReading.Paged paged) {
            return answer.count() == paged.size() && pageNumber < paged.maximum();
        }
    }

    /** How long the user waits before the next action. Starts a new investigation after the last one. */
    Duration waitBeforeNext() {
        if (lastPage.isPresent()) {
            return Duration.ZERO;
        }
        if (first.isEmpty() && actionsLeft > 0) {
            return member.thinkTime(action);
        }
        Investigation next = first.orElseGet(() -> member.investigation(action));
        first = Optional.empty();
        action = next.action();
        actionsLeft = next.actions();
        seen = Optional.empty();
        return next.delay();
    }

    boolean investigationDone() {
        return actionsLeft == 0 && lastPage.isEmpty();
    }

    /** The next action, due at this instant of the monotonic clock; whether its answer is checked is drawn as well. */
    SearchRequest next(long dueNanos) {
        double draw = SeededRandom.of(SeededRandom.mix(member.seed(), SAMPLING), ++asked)
                .nextDouble();
        if (lastPage.isPresent()) {
            Search last = lastPage.get();
            lastPage = Optional.empty();
            return request(last, PageClass.LAST, 0, dueNanos, draw);
        }
        actionsLeft--;
        SeededRandom random = SeededRandom.of(SeededRandom.mix(member.seed(), ACTIONS), action++);
        double way = random.nextDouble();
        double followUpPoint = random.nextDouble();
        // Drawn in any case, so that action n has the same draws whatever happened to action n - 1.
        Search fresh = searches.next(random, dueNanos);
        int keepRow = random.nextInt(pageSize());
        AnalystGroup.Searched searched = member.group().searched();
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

    void leave() {
        cursor.ifPresent(UserCursor::leave);
        cursor = Optional.empty();
    }

    /** Pages are read with the user's cursor; a single event needs none, and a last page is read from the far end. */
    private SearchRequest request(Search search, PageClass page, int keepRow, long dueNanos, double draw) {
        boolean turned = page == PageClass.FIRST || page == PageClass.DEEPER;
        boolean byCursor = paging == Paging.CURSOR && turned && !search.name().equals(SearchName.DETAIL);
        if (byCursor && cursor.isEmpty()) {
            cursor = Optional.of(cursors.get());
        }
        boolean keepsKey = paging == Paging.KEYSET && keepRow >= 0;
        return new SearchRequest(search, page, dueNanos, keepRow, keepsKey, cursor.filter(own -> byCursor), draw, "");
    }

    private int pageSize() {
        return searches.firstPage() instanceof Page.Numbered first ? first.size() : 1;
    }

    /**
     * The searches that a group begins with, drawn from its mix with values, window and order. Immutable.
     *
     * @param dataClock the time in the data, at which windows end, see {@link LoadEngine#dataClock}
     */
    record DrawnSearches(AnalystGroup group, SearchDraw draw, LongFunction<Instant> dataClock) {

        Search next(SeededRandom random, long dueNanos) {
            AnalystGroup.Searched searched = group.searched();
            Window window =
                    searched.windows().at(random.nextDouble()).window(draw.dataFirst(), dataClock.apply(dueNanos));
            var name = searched.mix().at(random.nextDouble());
            var order = searched.orders().at(random.nextDouble());
            var popularity = searched.values().at(random.nextDouble());
            return draw.search(
                    name, new SamplingRule(popularity, searched.listLength(), random), window, order, firstPage());
        }

        Page firstPage() {
            return group.searched().reading() instanceof ResultReading.Paged paged
                    ? new Page.Numbered(paged.size(), 1)
                    : new Page.Whole();
        }
    }

    /**
     * The users of a group in this process, in their order of arrival. The population is in its steady state from the start: a fixed number
     * of users begins in the middle of its work, and for arriving users those are there who came earlier and have not left. A user's
     * actions depend on its number in the group, never on the process. Thread-safe.
     */
    static final class UserRoster {
        private static final double LONGEST_WAIT = Math.nextDown(1.0);

        /** How many users are there at the start who arrived earlier; 0 unless users arrive. */
        final int thereAtStart;

        private final Iterator<Member> members;

        /** @param seed of this group */
        UserRoster(AnalystGroup group, long seed, Shard shard) {
            LongFunction<Member> member = number -> new Member(group, number, SeededRandom.mix(seed, number));
            List<Member> earlier = LongStream.rangeClosed(1, mayBeThere(group))
                    .map(number -> -number)
                    .filter(shard::has)
                    .mapToObj(member)
                    .filter(one -> one.start().isPresent())
                    .toList();
            this.thereAtStart = earlier.size();
            LongStream newcomers = LongStream.iterate(shard.index(), number -> number + shard.count());
            this.members =
                    Stream.concat(earlier.stream(), newcomers.mapToObj(member)).iterator();
        }

        /** How many users may have arrived by the same timetable before the start, and not have left. */
        private static long mayBeThere(AnalystGroup group) {
            if (!(group.load() instanceof LoadModel.Open open)) {
                return 0;
            }
            long longestWait =
                    group.investigation().thinkTime().at(LONGEST_WAIT).toNanos();
            double longestStay = group.investigation().actions().max() * (longestWait / 1e9);
            return (long) Math.ceil(-open.arrivals().dueUntil(-longestStay));
        }

        synchronized Member next() {
            return members.next();
        }

        /**
         * A user: the lengths of its investigations, the waits between actions, and where in its work it is when the load begins. The draws
         * for action {@code n} depend only on the seed and {@code n}. Immutable.
         *
         * @param number in the group, over all processes; negative for one who came before the start
         * @param seed of this user
         */
        record Member(AnalystGroup group, long number, long seed) {
            private static final long WAITS = 1;
            private static final long STARTS = 4;

            /**
             * An investigation, or the rest of one: a user in the middle of one has seen nothing yet, so that the first action is a new
             * search.
             *
             * @param action the number of the next action, 0 or more
             * @param actions how many are left, 1 or more
             * @param delay the wait before the next one
             */
            record Investigation(long action, int actions, Duration delay) {}

            /** When the user arrives, for a load that starts at an instant of the monotonic clock. */
            long startNanos(long loadNanos) {
                if (number >= 0 && group.load() instanceof LoadModel.Open open) {
                    // By the timetable, not when Gatling started it: a stalled generator must not delay the clock, too.
                    return Timetable.ofArrivals(loadNanos, open.arrivals()).dueNanos(number);
                }
                // Where several processes begin at an agreed instant, Gatling starts users before it.
                long now = System.nanoTime();
                return number < 0 || now - loadNanos < 0 ? loadNanos : now;
            }

            /** The investigation with which the user begins; empty if it came before the start, and has left. */
            Optional<Investigation> start() {
                if (group.load() instanceof LoadModel.Open open) {
                    long arrivalNanos = Timetable.ofArrivals(0, open.arrivals()).dueNanos(number);
                    return number < 0 ? arrived(Duration.ofNanos(-arrivalNanos)) : Optional.of(arriving());
                }
                return Optional.of(amidstWork());
            }

            /** The investigation whose first action is {@code action}, after a pause. */
            Investigation investigation(long action) {
                return drawn(action, group.investigation().pause());
            }

            /** That of a user who arrives now, and begins after a think time. */
            Investigation arriving() {
                return drawn(0, group.investigation().thinkTime());
            }

            /**
             * That of a user who has always been working, at a random instant, so that a population is in its steady state from the first
             * second on. The investigation and the position in it have probabilities in proportion to the waits (Cox, Renewal Theory, 1962,
             * chapter 5); answers are assumed to come at once, since they are short compared with waits.
             */
            private Investigation amidstWork() {
                AnalystGroup.Investigation kind = group.investigation();
                long pause = kind.pause().mean().toNanos();
                long think = kind.thinkTime().mean().toNanos();
                double longest = pause + (kind.actions().max() - 1.0) * think;
                if (longest == 0) {
                    return arriving();
                }
                SeededRandom random = SeededRandom.of(seed, STARTS);
                int actions;
                double length;
                do {
                    actions = actions(random);
                    length = pause + (actions - 1.0) * think;
                } while (random.nextDouble() * longest >= length);
                double instant = random.nextDouble() * length;
                double point = random.nextDouble();
                if (instant < pause) {
                    return new Investigation(0, actions, kind.pause().remaining(point));
                }
                int done = 1 + Math.min(actions - 2, (int) ((instant - pause) / think));
                return new Investigation(0, actions - done, kind.thinkTime().remaining(point));
            }

            /**
             * That of a user who arrived some time before the load begins, does one investigation, and may have left since; answers are
             * assumed to have come at once.
             *
             * @return empty if the user has left
             */
            private Optional<Investigation> arrived(Duration before) {
                Investigation only = arriving();
                Duration next = only.delay();
                for (int action = 0; action < only.actions(); action++) {
                    if (next.compareTo(before) > 0) {
                        return Optional.of(new Investigation(action, only.actions() - action, next.minus(before)));
                    }
                    next = next.plus(thinkTime(action + 1));
                }
                return Optional.empty();
            }

            Duration thinkTime(long action) {
                return group.investigation().thinkTime().at(random(action).nextDouble());
            }

            private Investigation drawn(long action, Distribution wait) {
                SeededRandom random = random(action);
                return new Investigation(action, actions(random), wait.at(random.nextDouble()));
            }

            private int actions(SeededRandom random) {
                AnalystGroup.Investigation.Actions range = group.investigation().actions();
                return range.min() + random.nextInt(range.max() - range.min() + 1);
            }

            private SeededRandom random(long action) {
                return SeededRandom.of(SeededRandom.mix(seed, WAITS), action);
            }
        }
    }
}
