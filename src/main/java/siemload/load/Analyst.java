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
import siemload.scenario.AnalystGroup.ResultReading;
import siemload.scenario.LoadModel;
import siemload.scenario.SearchDraw;

/**
 * One user's behaviour: investigations of several actions, each a new search, the next page, the last page, or a narrower search with a
 * condition from a row just seen. The random numbers for action {@code n} depend only on the seed, the user and {@code n}, so that runs
 * repeat the same searches; only values read from a row depend on the answer.
 *
 * <p>Not thread-safe: actions and answers alternate.
 */
final class Analyst {
    private static final long ACTIONS = 2;
    private static final long SAMPLING = 3;

    private final Member member;
    private final Paging paging;
    private final DrawnSearches searches;
    private final SearchDraw.FollowUp followUp;
    private final Supplier<UserCursor> cursors;

    private Optional<Investigation> first;
    private long action;
    private long asked;
    private int actionsLeft;
    private Optional<Seen> seen = Optional.empty();
    /** The search for the last page; once the rows are counted, this search is the next action, without a wait. */
    private Optional<Search> lastPage = Optional.empty();

    private Optional<UserCursor> cursor = Optional.empty();

    /**
     * @param start the investigation, or the rest of one, with which the user begins
     * @param cursors creates a cursor for the user, if the run pages with cursors
     */
    Analyst(Member member, Investigation start, Paging paging, DrawnSearches searches, Supplier<UserCursor> cursors) {
        this.member = member;
        this.paging = paging;
        this.searches = searches;
        this.followUp = new SearchDraw.FollowUp(searches.draw().catalog());
        this.cursors = cursors;
        this.first = Optional.of(start);
        this.actionsLeft = start.actions();
    }

    /** The last answer, with its search and its page number. */
    private record Seen(Search search, int pageNumber, SearchRequest.SearchAnswer answer) {
        boolean hasNextPage(ResultReading.Paged paged) {
            return answer.count() == paged.size() && pageNumber < paged.maximum();
        }
    }

    /** Returns how long the user waits before the next action. After the last action of an investigation, starts a new one. */
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

    /** Returns the next action, due at this instant of the monotonic clock, with the random number that decides on a check. */
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
        // This search is always drawn, so that action n gets the same random numbers whatever action n - 1 was.
        Search fresh = searches.next(random, dueNanos);
        int keepRow = random.nextInt(pageSize());
        AnalystGroup.Searched searched = member.group().searched();
        if (searched.reading() instanceof ResultReading.Paged paged
                && seen.filter(last -> last.hasNextPage(paged)).isPresent()) {
            Seen last = seen.get();
            if (way < paged.deeperRatio()) {
                Page next = paging.page(
                        paged.size(), last.pageNumber() + 1L, last.answer().lastKey()::orElseThrow);
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

    void answered(SearchRequest asked, SearchRequest.SearchAnswer answer) {
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

    /** Notes that the user did not wait for the answer to the last action. */
    void gaveUp() {
        lastPage = Optional.empty();
        seen = Optional.empty();
        leave();
    }

    void leave() {
        cursor.ifPresent(UserCursor::leave);
        cursor = Optional.empty();
    }

    /** First and next pages are read with the user's cursor. A single event needs no cursor, and a last page is read from the other end. */
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

    /** Draws the new searches of a group from its mix; their windows end at the time of {@link LoadEngine#dataClock}. Immutable. */
    record DrawnSearches(AnalystGroup group, SearchDraw draw, LongFunction<Instant> dataClock) {

        Search next(SeededRandom random, long dueNanos) {
            AnalystGroup.Searched searched = group.searched();
            Window window =
                    searched.windows().at(random.nextDouble()).window(draw.dataFirst(), dataClock.apply(dueNanos));
            var name = searched.mix().at(random.nextDouble());
            var order = searched.orders().at(random.nextDouble());
            var popularity = searched.values().at(random.nextDouble());
            var rule = new SearchDraw.SamplingRule(popularity, searched.listLength(), random);
            return draw.search(name, rule, window, order, firstPage());
        }

        Page firstPage() {
            return group.searched().reading() instanceof ResultReading.Paged paged
                    ? new Page.Numbered(paged.size(), 1)
                    : new Page.Whole();
        }
    }

    /**
     * The users of a group in this process, in their order of arrival. The population is in its steady state from the start: users of a
     * closed load begin in the middle of their work, and an open load begins with the users who came earlier and have not left. A user's
     * actions depend on its number in the group, never on the process. Thread-safe.
     */
    static final class UserRoster {
        private static final double LONGEST_WAIT = Math.nextDown(1.0);

        /** The number of users who arrived before the start and have not left; 0 unless the load is open. */
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

        /** Returns the largest possible number of users who arrived before the start, at the rate of the start, and have not left. */
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
         * A user: the lengths of its investigations, the waits between actions, and the user's position in its work when the load begins.
         * The random numbers for action {@code n} depend only on the seed and {@code n}. Immutable.
         *
         * @param number in the group, over all processes; negative for a user who came before the start
         * @param seed of this user
         */
        record Member(AnalystGroup group, long number, long seed) {
            private static final long WAITS = 1;
            private static final long STARTS = 4;

            /**
             * An investigation, or the rest of one. A user who begins in the middle of an investigation has seen no rows yet, so the first
             * action is a new search.
             *
             * @param action the number of the next action, 0 or more
             * @param actions how many actions are left, 1 or more
             * @param delay the wait before the next action
             */
            record Investigation(long action, int actions, Duration delay) {}

            /** Returns when the user arrives, on the monotonic clock, for a load that starts at {@code loadNanos}. */
            long startNanos(long loadNanos) {
                if (number >= 0 && group.load() instanceof LoadModel.Open open) {
                    // The rate counts, not Gatling's start of the user: a stalled load generator delays no due time.
                    return loadNanos + open.dueNanos(number);
                }
                // If several processes begin at an agreed instant, Gatling starts users before that instant.
                long now = System.nanoTime();
                return number < 0 || now - loadNanos < 0 ? loadNanos : now;
            }

            /** Returns the investigation with which the user begins; empty if the user came before the start and has left. */
            Optional<Investigation> start() {
                if (group.load() instanceof LoadModel.Open open) {
                    return number < 0 ? arrived(Duration.ofNanos(-open.dueNanos(number))) : Optional.of(arriving());
                }
                return Optional.of(amidstWork());
            }

            /** Returns the investigation whose first action is {@code action}, after a pause. */
            Investigation investigation(long action) {
                return drawn(action, group.investigation().pause());
            }

            /** Returns the investigation of a user who arrives now, and begins after a think time. */
            Investigation arriving() {
                return drawn(0, group.investigation().thinkTime());
            }

            /**
             * Returns the investigation, at a random instant, of a user who has always been working; so a population is in its steady state
             * from the first second. The probability of an investigation, and of a position in it, is proportional to its waits (Cox,
             * Renewal Theory, 1962, chapter 5). Answers are assumed to come at once, since they are short compared with waits.
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
             * Returns the rest of the one investigation of a user who arrived this long before the load begins; empty if the user has left.
             * Answers are assumed to have come at once.
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

            private Investigation drawn(long action, AnalystGroup.Distribution wait) {
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
