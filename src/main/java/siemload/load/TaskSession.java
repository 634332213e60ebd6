package siemload.load;

import java.util.concurrent.atomic.AtomicInteger;
import siemload.dataset.SeededRandom;
import siemload.load.Analyst.DrawnSearches;
import siemload.load.GatlingAction.VirtualUser;
import siemload.load.LoadEngine.StartedLoad;
import siemload.measure.LatencyRecorder.TickRecorder;
import siemload.query.Search;
import siemload.results.SearchKey;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;

/**
 * One task from the start of the run to its end. A tick is done when it is due, or missed where the one before it is still under
 * way; neither moves those behind it. The steps come on whatever thread is at hand, as those of a {@link UserSession} do.
 */
final class TaskSession {
    private final VirtualUser user;
    private final StartedLoad load;
    private final ScheduledTask task;
    private final SearchWorkers workers;
    private final TickRecorder.Group ticks;
    /** The task, until no tick comes any more, and the search of a tick. A search under way is awaited: it has its own time limit. */
    private final AtomicInteger underWay = new AtomicInteger(1);

    /**
     * @param number of the task in its group, from 0
     * @param seed of the group
     */
    TaskSession(VirtualUser user, AnalystGroup group, LoadModel.Scheduled schedule, int number, long seed) {
        this.user = user;
        this.load = user.load();
        this.task = new ScheduledTask(
                schedule, number, load.searches(group), SeededRandom.mix(seed, 0), load.clock.startNanos());
        this.workers = load.workers(load.number(group, number));
        this.ticks = load.recorder.ticks().of(group.name());
    }

    /** Waits for a tick. The search is made meanwhile: nobody must be late for it who is due at the same instant. */
    void await(long tick) {
        SearchRequest search = task.search(tick);
        load.at(search.intendedStart(), () -> user.guarded(() -> due(tick, search)));
    }

    private void due(long tick, SearchRequest search) {
        long due = search.intendedStart();
        if (load.isOverAt(due)) {
            ended();
            return;
        }
        if (underWay.compareAndSet(1, 2)) {
            ticks.started(due);
            long handedOver = Math.max(due, System.nanoTime());
            working(
                    due,
                    () -> workers.submit(
                            search,
                            handedOver,
                            user.log(),
                            answer -> working(due, () -> {
                                ticks.done(answer.sample());
                                ended();
                            })));
        } else {
            ticks.missed(due);
        }
        await(tick + 1);
    }

    private void ended() {
        if (underWay.decrementAndGet() == 0) {
            user.proceed();
        }
    }

    /** No exception may cost a task its other ticks; the tick that it came in is reported as one that was lost. */
    private void working(long due, Runnable step) {
        user.guarded(step, () -> {
            ticks.lost(due);
            ended();
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

        /** The search of a tick, due when that is. */
        SearchRequest search(long tick) {
            long due = startNanos + schedule.dueNanos(number, tick);
            long drawnFor = schedule.criteria() == LoadModel.Scheduled.Criteria.FIXED ? 0 : tick;
            Search search = searches.next(random(SEARCHES, drawnFor), due);
            AnalystGroup group = searches.group();
            SearchRequest request = new SearchRequest(
                    search, SearchKey.of(search).page(), due, random(LOTS, tick).nextDouble());
            return group.storesTrend() ? request.storedAs(group.name() + "-" + number) : request;
        }

        private SeededRandom random(long purpose, long index) {
            return SeededRandom.of(SeededRandom.mix(SeededRandom.mix(seed, number), purpose), index);
        }
    }
}
