package siemload.load;

import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import siemload.scenario.AnalystGroup;

/** Runs a whole session of a virtual user. */
final class UserAction extends SearchingAction {
    private final Supplier<UserState> states;
    private final AnalystGroup group;

    /** @param states gives each user a state of its own */
    UserAction(ScenarioContext context, Action next, Supplier<UserState> states, AnalystGroup group) {
        super("analyst", context, next);
        this.states = states;
        this.group = group;
    }

    @Override
    void perform(Session session) {
        new UserSession(this, session, states.get(), group).goOn();
    }

    /**
     * What a virtual user does from coming to leaving. The user goes on when the answer is there, or when patience runs
     * out; the search is measured to its end in either case.
     *
     * <p>The steps follow one another on whatever thread is at hand: the worker that brings an answer sends off the next
     * search if it is due, or else an idle worker waits until it is. To wake another thread costs more than everything else
     * that a short search needs of the client. Waits are counted in nanoseconds, not in Gatling's whole milliseconds, which
     * are longer than some searches take.
     */
    static final class UserSession {
        private static final long AFTER_CRASH_NANOS = TimeUnit.SECONDS.toNanos(1);

        private final UserAction action;
        private final LoadEngine engine;
        private final SearchWorkers workers;
        private final Session session;
        private final UserState user;
        private final Patience patience;

        UserSession(UserAction action, Session session, UserState user, AnalystGroup group) {
            this.action = action;
            this.engine = action.engine();
            this.workers = engine.workers(user.number());
            this.session = session;
            this.user = user;
            this.patience = new Patience(
                    group.patience(), this::after, System::nanoTime, deadline -> guarded(() -> giveUp(deadline)));
        }

        /**
         * Takes the next action when it is due, or leaves; a wait does not last beyond the end of the run. What was due before
         * the end is done, however late the load generator is: to leave it out would be to measure only those in time. The
         * search is made while the user waits, as of the instant at which it is due.
         */
        void goOn() {
            if (engine.isOverAt(user.dueNanos()) || user.isDone()) {
                leave();
                return;
            }
            user.delayDue(user.analyst().waitBeforeNext().toNanos());
            if (engine.isOverAt(user.dueNanos())) {
                engine.at(user.number(), user.dueNanos(), () -> guarded(this::leave));
                return;
            }
            SearchRequest request = user.analyst()
                    .next(user.dueNanos())
                    .dueAt(user.dueNanos(), user.analyst().draw());
            long now = System.nanoTime();
            if (user.dueNanos() > now) {
                engine.at(user.number(), user.dueNanos(), () -> guarded(() -> act(request, System.nanoTime())));
            } else {
                act(request, now);
            }
        }

        private void act(SearchRequest request, long now) {
            if (engine.isOverAt(request.intendedStart())) {
                leave();
                return;
            }
            SearchRequest handedOver = request.handedOverAt(Math.max(request.intendedStart(), now));
            user.send(start -> submit(handedOver, start), request.intendedStart());
        }

        /**
         * The user's patience starts when the search was due, or later, when one of those that the user may have running at once
         * ({@code maxRunning}) has ended for it.
         */
        private void submit(SearchRequest request, long startNanos) {
            long turn = patience.start(startNanos);
            workers.submit(request, answer -> guarded(() -> answered(request, answer, turn)));
        }

        private void answered(SearchRequest request, SearchAnswer answer, long turn) {
            long end = answer.sample().end();
            user.ended(end);
            action.log().add(session, request, answer);
            if (!patience.stop(turn)) {
                return;
            }
            if (end - patience.deadlineNanos() > 0) {
                giveUp(patience.deadlineNanos());
                return;
            }
            user.analyst().answered(answer);
            user.free(end);
            goOn();
        }

        /** Also where the answer was there before the timer, and too late all the same. */
        private void giveUp(long deadline) {
            user.analyst().gaveUp();
            user.free(deadline);
            goOn();
        }

        private void leave() {
            user.analyst().leave();
            action.proceed(session);
        }

        /** On the event loop; no longer, once Gatling has stopped it. */
        private void after(Runnable step, long nanos) {
            if (!session.eventLoop().isShuttingDown()) {
                var unused = session.eventLoop().schedule(step, nanos, TimeUnit.NANOSECONDS);
            }
        }

        /** No exception may cost a user. */
        private void guarded(Runnable step) {
            action.guarded(
                    session, step, () -> after(() -> guarded(() -> giveUp(System.nanoTime())), AFTER_CRASH_NANOS));
        }

        /**
         * How long a user waits for an answer. One timer serves all searches of the user, one after the other: an answer does not
         * cancel it, but when it fires it looks what is awaited then, and is set anew if that has time left. Thread-safe; one
         * search at a time is awaited.
         */
        static final class Patience {
            private static final long NOTHING = 0;

            private final long nanos;
            private final Timer timer;
            private final LongSupplier clock;
            private final LongConsumer lost;
            private final AtomicLong awaited = new AtomicLong(NOTHING);
            private final AtomicBoolean timing = new AtomicBoolean();
            private volatile long deadlineNanos;
            private long turns;

            /**
             * Nothing is awaited at first.
             *
             * @param clock nanoseconds of a monotonic clock
             * @param lost what to do when patience runs out, on the timer's thread; told the instant at which it did, which is earlier than
             *     the call where the timer is late
             */
            Patience(Duration patience, Timer timer, LongSupplier clock, LongConsumer lost) {
                this.nanos = patience.toNanos();
                this.timer = timer;
                this.clock = clock;
                this.lost = lost;
            }

            /** Runs something later. */
            @FunctionalInterface
            interface Timer {
                void after(Runnable step, long nanos);
            }

            /**
             * The user starts to wait, or has done so some time ago, where this is called late.
             *
             * @return what to tell {@link #stop}
             */
            long start(long startNanos) {
                deadlineNanos = startNanos + nanos;
                turns++;
                awaited.set(turns);
                if (timing.compareAndSet(false, true)) {
                    timer.after(this::fire, Math.max(0, deadlineNanos - clock.getAsLong()));
                }
                return turns;
            }

            /**
             * The answer has come.
             *
             * @return whether the user has waited for it
             */
            boolean stop(long turn) {
                return awaited.compareAndSet(turn, NOTHING);
            }

            /** When the patience of the wait that began last ends, or ended. */
            long deadlineNanos() {
                return deadlineNanos;
            }

            private void fire() {
                long turn = awaited.get();
                long left = deadlineNanos - clock.getAsLong();
                if (turn != NOTHING && left > 0) {
                    timer.after(this::fire, left);
                    return;
                }
                timing.set(false);
                if (turn != NOTHING && awaited.compareAndSet(turn, NOTHING)) {
                    lost.accept(deadlineNanos);
                } else if (awaited.get() != NOTHING && timing.compareAndSet(false, true)) {
                    // Started while this was looking, and relied on this timer.
                    timer.after(this::fire, Math.max(0, deadlineNanos - clock.getAsLong()));
                }
            }
        }
    }
}
