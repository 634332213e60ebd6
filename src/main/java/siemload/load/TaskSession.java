package siemload.load;

import java.util.Optional;
import java.util.function.Consumer;
import siemload.dataset.SeededRandom;
import siemload.load.GatlingAction.VirtualUser;
import siemload.measure.Sample;
import siemload.measure.TickRecorder;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.results.Outcome;
import siemload.results.SearchKey;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;

/**
 * One task from the start of the run to its end. A tick is done when it is due, or missed where the one before it is still under
 * way; neither moves those behind it. The steps come on whatever thread is at hand, as those of a {@link UserSession} do.
 */
final class TaskSession {
    private final VirtualUser user;
    private final LoadEngine engine;
    private final ScheduledTask task;
    private final SearchWorkers workers;
    private final TickRecorder.Group ticks;
    private boolean searching;
    private boolean over;

    /**
     * @param number of the task in its group, from 0
     * @param seed of the group
     */
    TaskSession(VirtualUser user, AnalystGroup group, LoadModel.Scheduled schedule, int number, long seed) {
        this.user = user;
        this.engine = user.engine();
        this.task = new ScheduledTask(
                schedule,
                number,
                new DrawnSearches(group, engine.draw(), engine.dataClock()),
                SeededRandom.mix(seed, 0),
                engine.clock().startNanos());
        this.workers = engine.workers(engine.plan().routing().first(group) + number);
        this.ticks = engine.recorder().ticks().of(group.name());
    }

    /** Waits for a tick. The search is made meanwhile: nobody must be late for it who is due at the same instant. */
    void await(long tick) {
        SearchRequest search = task.search(tick);
        engine.at(task.dueNanos(tick), () -> user.guarded(() -> due(tick, search)));
    }

    private void due(long tick, SearchRequest search) {
        if (engine.isOverAt(task.dueNanos(tick))) {
            end();
            return;
        }
        if (isFree()) {
            ticks.started(task.dueNanos(tick));
            working(tick, () -> search(tick, search));
        } else {
            ticks.missed(task.number(), task.dueNanos(tick));
        }
        await(tick + 1);
    }

    private void search(long tick, SearchRequest due) {
        if (due.isTrend()) {
            engine.trends().started(due.trend(), due.search());
        }
        long handedOver = Math.max(due.intendedStart(), System.nanoTime());
        submit(due, handedOver, answer -> working(tick, () -> answered(tick, due, answer.sample())));
    }

    /** A tick whose count is not asked any more, since the run is over, stays unfinished. */
    private void answered(long tick, SearchRequest request, Sample rows) {
        boolean ok = rows.outcome() == Outcome.OK;
        if (request.isTrend() && ok) {
            engine.trends().stored(request.trend(), request.search(), rows.taken(), rows.end());
        }
        Optional<SearchRequest> count = ok ? task.count(request, tick, rows.end()) : Optional.empty();
        if (count.isEmpty()) {
            done(rows, rows);
        } else if (engine.isOver()) {
            free();
        } else {
            SearchRequest next = count.orElseThrow();
            submit(next, next.intendedStart(), counted -> working(tick, () -> done(rows, counted.sample())));
        }
    }

    private void submit(SearchRequest request, long handedOver, Consumer<SearchAnswer> listener) {
        workers.submit(request, handedOver, user.log(), listener);
    }

    private void done(Sample first, Sample last) {
        ticks.done(task.number(), first, last);
        free();
    }

    /** Whether nothing of an earlier tick is under way; then it is searching from now on. */
    private synchronized boolean isFree() {
        boolean free = !searching;
        searching = true;
        return free;
    }

    private void free() {
        boolean leaves;
        synchronized (this) {
            leaves = searching && over;
            searching = false;
        }
        if (leaves) {
            user.proceed();
        }
    }

    /** The run is over. A search under way is awaited: it has its own time limit. */
    private void end() {
        boolean leaves;
        synchronized (this) {
            leaves = !searching;
            over = true;
        }
        if (leaves) {
            user.proceed();
        }
    }

    /** No exception may cost a task its other ticks; the tick that it came in is reported as one that was lost. */
    private void working(long tick, Runnable step) {
        user.guarded(step, () -> {
            ticks.lost(task.dueNanos(tick));
            free();
        });
    }

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
            SearchRequest request = request(search, SearchKey.of(search).page(), dueNanos(tick), random(LOTS, tick));
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
            return new SearchRequest(search, page, dueNanos, lot.nextDouble());
        }

        private SeededRandom random(long purpose, long index) {
            return SeededRandom.of(SeededRandom.mix(SeededRandom.mix(seed, number), purpose), index);
        }
    }
}
