package siemload.load;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import siemload.dataset.SeededRandom;
import siemload.load.Analyst.DrawnSearches;
import siemload.load.Analyst.UserRoster;
import siemload.load.LoadEngine.StartedLoad;
import siemload.load.SearchRequest.SearchAnswer;
import siemload.load.SiemSimulation.GatlingAction.VirtualUser;
import siemload.measure.LatencyRecorder.TickRecorder;
import siemload.query.Search;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;

/**
 * A virtual user from arrival to leaving. The user continues when the answer is there, or when patience runs out; the search is measured to
 * its end in either case.
 *
 * <p>The steps run on any thread: the worker that delivers an answer submits the next search if it is due, since waking another thread
 * costs more than everything else that a short search needs in the client; otherwise it is submitted when it is due. Waits are counted in
 * nanoseconds, not in Gatling's whole milliseconds, which are longer than some searches take.
 */
final class UserSession {
    private static final long AFTER_CRASH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final VirtualUser user;
    private final StartedLoad load;
    private final SearchWorkers workers;
    private final Analyst analyst;
    private final boolean isVisitor;
    private final Patience patience;
    private final int mostRunning;
    private int running;
    /** Submits the search that was due while the limit of running searches was reached, for a user who waits from this instant on. */
    private @Nullable LongConsumer waiting;

    private long dueNanos;

    UserSession(VirtualUser user, UserRoster.Member member, AnalystGroup group) {
        this.user = user;
        this.load = user.load();
        LoadEngine.Place place = load.place(group, member.number());
        this.workers = place.workers();
        var paging = load.plan().variant().paging();
        this.analyst = new Analyst(member.waits(), member.start(), paging, load.searches(group), place.cursors());
        this.isVisitor = group.load() instanceof LoadModel.Open;
        this.mostRunning = group.investigation().maxRunning();
        this.dueNanos = member.startNanos(load.clock.startNanos());
        LongConsumer lost = deadline -> guarded(() -> giveUp(deadline));
        this.patience = new Patience(group.investigation().patience(), user::after, System::nanoTime, lost);
    }

    /**
     * Takes the next action when it is due, or leaves; a wait does not last beyond the end of the run. Everything due before the end is
     * done, however late the load generator is: otherwise only punctual searches would be measured. The search is prepared while the user
     * waits, for the instant at which it is due.
     */
    void goOn() {
        if (load.isOverAt(dueNanos) || (isVisitor && analyst.investigationDone())) {
            leave();
            return;
        }
        dueNanos += analyst.waitBeforeNext().toNanos();
        if (load.isOverAt(dueNanos)) {
            load.at(dueNanos, () -> guarded(this::leave));
            return;
        }
        SearchRequest request = analyst.next(dueNanos);
        if (dueNanos > System.nanoTime()) {
            load.at(dueNanos, () -> guarded(() -> act(request)));
        } else {
            act(request);
        }
    }

    private void act(SearchRequest request) {
        long due = request.intendedStart();
        if (load.isOverAt(due)) {
            leave();
            return;
        }
        long handedOver = Math.max(due, System.nanoTime());
        LongConsumer submission = startNanos -> {
            long turn = patience.start(startNanos);
            workers.submit(request, handedOver, user.log, answer -> guarded(() -> answered(request, answer, turn)));
        };
        synchronized (this) {
            if (running == mostRunning) {
                waiting = submission;
                return;
            }
            running++;
        }
        submission.accept(due);
    }

    private void answered(SearchRequest request, SearchAnswer answer, long turn) {
        long end = answer.sample().end();
        LongConsumer next;
        synchronized (this) {
            next = waiting;
            waiting = null;
            running -= next == null ? 1 : 0;
        }
        if (next != null) {
            next.accept(end);
        }
        if (!patience.stop(turn)) {
            return;
        }
        if (end - patience.deadlineNanos() > 0) {
            giveUp(patience.deadlineNanos());
            return;
        }
        analyst.answered(request, answer);
        dueNanos = end;
        goOn();
    }

    /** Also if the answer was there before the timer, but too late all the same. */
    private void giveUp(long deadline) {
        analyst.gaveUp();
        dueNanos = deadline;
        goOn();
    }

    private void leave() {
        analyst.leave();
        user.proceed();
    }

    /** No exception may cost a user. */
    private void guarded(Runnable step) {
        user.guarded(step, () -> user.after(() -> guarded(() -> giveUp(System.nanoTime())), AFTER_CRASH_NANOS));
    }

    /**
     * How long a user waits for an answer. One timer serves all searches of the user: an answer does not cancel it, but when it fires it
     * checks the current wait, and is set again if that has time left. Thread-safe; one search at a time is awaited.
     */
    static final class Patience {
        private final long nanos;
        private final BiConsumer<Runnable, Long> timer;
        private final LongSupplier clock;
        private final LongConsumer lost;
        private long turns;
        private boolean isAwaited;
        private boolean isTiming;
        private long deadlineNanos;

        /**
         * Nothing is awaited at first.
         *
         * @param timer runs something after this many nanoseconds
         * @param clock nanoseconds of a monotonic clock
         * @param lost what to do when patience runs out, on the timer's thread; is told that instant, which is earlier than the call if the
         *     timer is late
         */
        Patience(Duration patience, BiConsumer<Runnable, Long> timer, LongSupplier clock, LongConsumer lost) {
            this.nanos = patience.toNanos();
            this.timer = timer;
            this.clock = clock;
            this.lost = lost;
        }

        /** The user starts to wait, or did so some time ago if the call is late. @return the argument for {@link #stop} */
        synchronized long start(long startNanos) {
            deadlineNanos = startNanos + nanos;
            isAwaited = true;
            if (!isTiming) {
                isTiming = true;
                timer.accept(this::fire, Math.max(0, deadlineNanos - clock.getAsLong()));
            }
            return ++turns;
        }

        /** The answer has come. @return whether the user was still waiting */
        synchronized boolean stop(long turn) {
            boolean hasWaited = isAwaited && turns == turn;
            isAwaited &= !hasWaited;
            return hasWaited;
        }

        /** When the patience of the last wait ends, or ended. */
        synchronized long deadlineNanos() {
            return deadlineNanos;
        }

        private void fire() {
            long deadline;
            synchronized (this) {
                deadline = deadlineNanos;
                long left = deadline - clock.getAsLong();
                isTiming = isAwaited && left > 0;
                if (isTiming) {
                    timer.accept(this::fire, left);
                }
                if (isTiming || !isAwaited) {
                    return;
                }
                isAwaited = false;
            }
            lost.accept(deadline);
        }
    }

    /**
     * One task from the start of the run to its end. A tick is executed when it is due, or missed if the one before is still running;
     * neither moves later ticks. The steps run on any thread, like those of a {@link UserSession}.
     */
    static final class TaskSession {
        private static final long SEARCHES = 1;
        private static final long SAMPLING = 2;

        private final VirtualUser user;
        private final StartedLoad load;
        private final LongFunction<SearchRequest> search;
        private final SearchWorkers workers;
        private final TickRecorder ticks;
        /** The task, until no tick comes any more, and the search of a tick. A running search is awaited: it has its own time limit. */
        private final AtomicInteger underWay = new AtomicInteger(1);

        /**
         * @param number of the task in its group, from 0
         * @param seed of the group
         */
        TaskSession(VirtualUser user, AnalystGroup group, LoadModel.Scheduled schedule, int number, long seed) {
            this.user = user;
            this.load = user.load();
            DrawnSearches searches = load.searches(group);
            this.search = tick -> search(schedule, number, searches, seed, load.clock.startNanos(), tick);
            this.workers = load.place(group, number).workers();
            this.ticks = load.recorder.ticks(group.name());
        }

        /** Waits for a tick. Its search is prepared meanwhile, so that others due at the same instant are not delayed. */
        void await(long tick) {
            SearchRequest request = search.apply(tick);
            load.at(request.intendedStart(), () -> user.guarded(() -> due(tick, request)));
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
                Consumer<SearchAnswer> then = answer -> working(due, () -> {
                    ticks.done(answer.sample());
                    ended();
                });
                working(due, () -> workers.submit(search, handedOver, user.log, then));
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

        /** No exception may cost a task its other ticks; the tick in which it happened is reported as lost. */
        private void working(long due, Runnable step) {
            user.guarded(step, () -> {
                ticks.lost(due);
                ended();
            });
        }

        /**
         * What a task asks for at a tick, due when that is. It depends on the seed, the task and the tick alone.
         *
         * @param number of the task, from 0
         * @param seed of the group
         * @param startNanos the start of the warm-up on the monotonic clock
         */
        static SearchRequest search(
                LoadModel.Scheduled schedule,
                int number,
                DrawnSearches searches,
                long seed,
                long startNanos,
                long tick) {
            long own = SeededRandom.mix(SeededRandom.mix(seed, 0), number);
            long due = startNanos + schedule.dueNanos(number, tick);
            long drawnFor = schedule.criteria() == LoadModel.Scheduled.Criteria.FIXED ? 0 : tick;
            Search search = searches.next(SeededRandom.of(SeededRandom.mix(own, SEARCHES), drawnFor), due);
            double draw = SeededRandom.of(SeededRandom.mix(own, SAMPLING), tick).nextDouble();
            AnalystGroup group = searches.group();
            SearchRequest request = new SearchRequest(search, due, draw);
            return group.storesTrend() ? request.storedAs(group.name() + "-" + number) : request;
        }
    }
}
