package siemload.load;

import io.gatling.core.session.Session;
import java.util.Optional;
import siemload.measure.Sample;
import siemload.measure.TickIo;
import siemload.measure.TickRecorder;
import siemload.results.Outcome;

/**
 * One task from the start of the run to its end. A tick is done when it is due, or missed where the one before it is still under
 * way; neither moves those behind it. The steps come on whatever thread is at hand, as those of a {@link UserSession} do.
 */
final class TaskSession {
    private final TaskAction action;
    private final LoadEngine engine;
    private final Session session;
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
        this.task = task;
        this.ticks = ticks;
        this.number = engine.firstNumber(task.searches().group()) + task.number();
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

    private void await(long tick) {
        engine.at(number, task.dueNanos(tick), () -> guarded(() -> due(tick)));
    }

    private void due(long tick) {
        if (engine.isOverAt(task.dueNanos(tick))) {
            end();
            return;
        }
        await(tick + 1);
        if (become(State.IDLE, State.SEARCHING)) {
            ticks.started(task.dueNanos(tick));
            working(tick, () -> search(tick));
        } else {
            ticks.missed(task.number(), task.dueNanos(tick));
        }
    }

    private void search(long tick) {
        SearchRequest due = task.search(tick);
        SearchRequest request = due.handedOverAt(Math.max(due.intendedStart(), System.nanoTime()))
                .counting(engine.tickCounting());
        if (request.isTrend()) {
            engine.trends().started(request.trend(), request.search());
        }
        engine.submit(number, request, answer -> working(tick, () -> answered(tick, request, answer)));
    }

    /** A tick whose count is not asked any more, since the run is over, stays unfinished. */
    private void answered(long tick, SearchRequest request, SearchAnswer answer) {
        action.log().add(session, request, answer);
        Sample rows = answer.sample();
        if (request.isTrend() && rows.outcome() == Outcome.OK) {
            engine.trends().stored(request.trend(), request.search(), rows.taken(), rows.end());
        }
        Optional<SearchRequest> count =
                task.count(request, tick, rows.end()).filter(unused -> rows.outcome() == Outcome.OK);
        if (count.isEmpty()) {
            done(rows, rows, answer.io());
        } else if (engine.isOver()) {
            free();
        } else {
            SearchRequest next = count.orElseThrow().counting(request.counting());
            engine.submit(number, next, counted -> working(tick, () -> counted(next, counted, answer)));
        }
    }

    private void counted(SearchRequest request, SearchAnswer answer, SearchAnswer rows) {
        action.log().add(session, request, answer);
        done(rows.sample(), answer.sample(), rows.io().plus(answer.io()));
    }

    private void done(Sample first, Sample last, TickIo io) {
        ticks.done(task.number(), first, last, io);
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
