package siemload.load;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import siemload.load.GatlingAction.VirtualUser;
import siemload.load.LoadEngine.StartedLoad;
import siemload.load.SearchRequest.SearchAnswer;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;

/**
 * What a virtual user does from coming to leaving. The user goes on when the answer is there, or when patience runs
 * out; the search is measured to its end in either case.
 *
 * <p>The steps follow one another on whatever thread is at hand: the worker that brings an answer sends off the next
 * search if it is due, since to wake another thread costs more than everything else that a short search needs of the client;
 * otherwise it comes when it is due. Waits are counted in nanoseconds, not in Gatling's whole milliseconds, which
 * are longer than some searches take.
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
    /** Submits the search that was due while as many as are allowed were running, for a user who waits from an instant on. */
    private @Nullable LongConsumer waiting;
    /** When the next action is due. */
    private long dueNanos;

    UserSession(VirtualUser user, UserRoster.Member member, AnalystGroup group) {
        this.user = user;
        this.load = user.load();
        long number = load.number(group, member.number());
        this.workers = load.workers(number);
        this.analyst = new Analyst(
                member.waits(),
                member.start(),
                load.plan().variant().paging(),
                load.searches(group),
                load.cursors(number));
        this.isVisitor = group.load() instanceof LoadModel.Open;
        this.mostRunning = group.investigation().maxRunning();
        this.dueNanos = member.startNanos(load.clock.startNanos());
        this.patience = new Patience(
                group.investigation().patience(),
                user::after,
                System::nanoTime,
                deadline -> guarded(() -> giveUp(deadline)));
    }

    /**
     * Takes the next action when it is due, or leaves; a wait does not last beyond the end of the run. What was due before
     * the end is done, however late the load generator is: to leave it out would be to measure only those in time. The
     * search is made while the user waits, as of the instant at which it is due.
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
            workers.submit(request, handedOver, user.log(), answer -> guarded(() -> answered(request, answer, turn)));
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

    /** Also where the answer was there before the timer, and too late all the same. */
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
     * How long a user waits for an answer. One timer serves all searches of the user, one after the other: an answer does not
     * cancel it, but when it fires it looks what is awaited then, and is set anew if that has time left. Thread-safe; one
     * search at a time is awaited.
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
         * @param timer runs something after so many nanoseconds
         * @param clock nanoseconds of a monotonic clock
         * @param lost what to do when patience runs out, on the timer's thread; told the instant at which it did, which is earlier than
         *     the call where the timer is late
         */
        Patience(Duration patience, BiConsumer<Runnable, Long> timer, LongSupplier clock, LongConsumer lost) {
            this.nanos = patience.toNanos();
            this.timer = timer;
            this.clock = clock;
            this.lost = lost;
        }

        /** The user starts to wait, or has done so some time ago, where this is called late. @return what to tell {@link #stop} */
        synchronized long start(long startNanos) {
            deadlineNanos = startNanos + nanos;
            isAwaited = true;
            if (!isTiming) {
                isTiming = true;
                timer.accept(this::fire, Math.max(0, deadlineNanos - clock.getAsLong()));
            }
            return ++turns;
        }

        /** The answer has come. @return whether the user has waited for it */
        synchronized boolean stop(long turn) {
            boolean hasWaited = isAwaited && turns == turn;
            isAwaited &= !hasWaited;
            return hasWaited;
        }

        /** When the patience of the wait that began last ends, or ended. */
        synchronized long deadlineNanos() {
            return deadlineNanos;
        }

        private void fire() {
            boolean isLost;
            long deadline;
            synchronized (this) {
                deadline = deadlineNanos;
                long left = deadline - clock.getAsLong();
                isTiming = isAwaited && left > 0;
                isLost = isAwaited && !isTiming;
                isAwaited = isTiming;
                if (isTiming) {
                    timer.accept(this::fire, left);
                }
            }
            if (isLost) {
                lost.accept(deadline);
            }
        }
    }
}
