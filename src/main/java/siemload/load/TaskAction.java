package siemload.load;

import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import siemload.dataset.SeededRandom;
import siemload.measure.LatencyRecorder.Taker;
import siemload.measure.Sample;
import siemload.measure.TickRecorder;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.results.Outcome;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;

/** Lets each of Gatling's users be one task of a group that searches by the clock. */
final class TaskAction extends GatlingAction {
    private final AnalystGroup group;
    private final LoadModel.Scheduled schedule;
    private final long seed;
    private final AtomicInteger started = new AtomicInteger();

    /** @param seed of this group alone */
    TaskAction(ScenarioContext context, Action next, AnalystGroup group, LoadModel.Scheduled schedule, long seed) {
        super("scheduled task", context, next);
        this.group = group;
        this.schedule = schedule;
        this.seed = seed;
    }

    @Override
    void perform(Session session) {
        DrawnSearches searches = new DrawnSearches(group, engine().draw(), engine().dataClock());
        ScheduledTask task = new ScheduledTask(
                schedule,
                started.getAndIncrement(),
                searches,
                SeededRandom.mix(seed, 0),
                engine().clock().startNanos());
        TickRecorder.Group ticks = engine().recorder().ticks().of(group.name());
        new TaskSession(this, session, task, ticks).begin();
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
            return new SearchRequest(search, page, dueNanos, lot.nextDouble());
        }

        private SeededRandom random(long purpose, long index) {
            return SeededRandom.of(SeededRandom.mix(SeededRandom.mix(seed, number), purpose), index);
        }
    }

    /**
     * One task from the start of the run to its end. A tick is done when it is due, or missed where the one before it is still under
     * way; neither moves those behind it. The steps come on whatever thread is at hand, as those of a {@link UserAction.UserSession} do.
     */
    private static final class TaskSession {
        private final TaskAction action;
        private final LoadEngine engine;
        private final Session session;
        private final Taker log;
        private final ScheduledTask task;
        private final TickRecorder.Group ticks;
        /** Among all users and tasks of the run, which decides where this one searches. */
        private final long number;

        private State state = State.IDLE;
        private boolean over;

        TaskSession(TaskAction action, Session session, ScheduledTask task, TickRecorder.Group ticks) {
            this.action = action;
            this.engine = action.engine();
            this.session = session;
            this.log = action.log().of(session);
            this.task = task;
            this.ticks = ticks;
            this.number = engine.plan().routing().first(task.searches().group()) + task.number();
        }

        private enum State {
            IDLE,
            SEARCHING,
            GONE
        }

        /** Waits for the first tick. */
        void begin() {
            await(0);
        }

        /** The search is made while the task waits: nobody must be late for it who is due at the same instant. */
        private void await(long tick) {
            SearchRequest search = task.search(tick);
            engine.at(task.dueNanos(tick), () -> guarded(() -> due(tick, search)));
        }

        private void due(long tick, SearchRequest search) {
            if (engine.isOverAt(task.dueNanos(tick))) {
                end();
                return;
            }
            if (become(State.IDLE, State.SEARCHING)) {
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
            submit(
                    due,
                    Math.max(due.intendedStart(), System.nanoTime()),
                    answer -> working(tick, () -> answered(tick, due, answer)));
        }

        /** A tick whose count is not asked any more, since the run is over, stays unfinished. */
        private void answered(long tick, SearchRequest request, SearchAnswer answer) {
            Sample rows = answer.sample();
            if (request.isTrend() && rows.outcome() == Outcome.OK) {
                engine.trends().stored(request.trend(), request.search(), rows.taken(), rows.end());
            }
            Optional<SearchRequest> count =
                    task.count(request, tick, rows.end()).filter(unused -> rows.outcome() == Outcome.OK);
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
            engine.workers(number).submit(request, handedOver, log, listener);
        }

        private void done(Sample first, Sample last) {
            ticks.done(task.number(), first, last);
            free();
        }

        private void free() {
            if (!become(State.SEARCHING, State.IDLE)) {
                leave();
            }
        }

        /** The run is over. A search under way is awaited: it has its own time limit. */
        private void end() {
            boolean idle;
            synchronized (this) {
                over = true;
                idle = state == State.IDLE;
            }
            if (idle) {
                leave();
            }
        }

        /** Whether the task was in the one state and is in the other now, which it is not once the run is over. */
        private synchronized boolean become(State from, State to) {
            boolean can = state == from && !over;
            if (can) {
                state = to;
            }
            return can;
        }

        private void leave() {
            synchronized (this) {
                if (state == State.GONE) {
                    return;
                }
                state = State.GONE;
            }
            action.proceed(session);
        }

        /** No exception may cost a task its other ticks; the tick that it came in is reported as one that was lost. */
        private void working(long tick, Runnable step) {
            guarded(() -> {
                try {
                    step.run();
                } catch (RuntimeException crash) {
                    ticks.lost(task.dueNanos(tick));
                    free();
                    throw crash;
                }
            });
        }

        private void guarded(Runnable step) {
            action.guarded(session, step, () -> {});
        }
    }
}
