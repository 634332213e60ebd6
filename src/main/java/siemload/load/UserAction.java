package siemload.load;

import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import siemload.measure.LatencyRecorder.Taker;
import siemload.scenario.AnalystGroup;

/** Runs a whole session of a virtual user. */
final class UserAction extends GatlingAction {
    private final Supplier<User> states;
    private final AnalystGroup group;

    /** @param states gives each user what it is to be */
    UserAction(ScenarioContext context, Action next, Supplier<User> states, AnalystGroup group) {
        super("analyst", context, next);
        this.states = states;
        this.group = group;
    }

    @Override
    void perform(Session session) {
        new UserSession(this, session, states.get(), group).goOn();
    }

    /** How long a user stays. */
    enum Stay {
        ONE_INVESTIGATION,
        WHOLE_RUN
    }

    /**
     * A virtual user.
     *
     * @param number among all users of the run, which decides where this one searches
     * @param startNanos when it comes, on the monotonic clock
     */
    record User(long number, Analyst analyst, Stay stay, long startNanos) {}

    /**
     * What a virtual user does from coming to leaving. The user goes on when the answer is there, or when patience runs
     * out; the search is measured to its end in either case.
     *
     * <p>The steps follow one another on whatever thread is at hand: the worker that brings an answer sends off the next
     * search if it is due, since to wake another thread costs more than everything else that a short search needs of the client;
     * otherwise it comes when it is due. Waits are counted in nanoseconds, not in Gatling's whole milliseconds, which
     * are longer than some searches take.
     */
    static final class UserSession {
        private static final long AFTER_CRASH_NANOS = TimeUnit.SECONDS.toNanos(1);

        private final UserAction action;
        private final LoadEngine engine;
        private final SearchWorkers workers;
        private final Session session;
        private final Taker log;
        private final User user;
        private final Analyst analyst;
        private final RunningSearches running;
        private final Patience patience;
        /** When the next action is due. */
        private long dueNanos;

        UserSession(UserAction action, Session session, User user, AnalystGroup group) {
            this.action = action;
            this.engine = action.engine();
            this.workers = engine.workers(user.number());
            this.session = session;
            this.log = action.log().of(session);
            this.user = user;
            this.analyst = user.analyst();
            this.running = new RunningSearches(group.maxRunning());
            this.dueNanos = user.startNanos();
            this.patience = new Patience(
                    group.patience(), this::after, System::nanoTime, deadline -> guarded(() -> giveUp(deadline)));
        }

        /**
         * Takes the next action when it is due, or leaves; a wait does not last beyond the end of the run. What was due before
         * the end is done, however late the load generator is: to leave it out would be to measure only those in time. The
         * search is made while the user waits, as of the instant at which it is due.
         */
        void goOn() {
            if (engine.isOverAt(dueNanos) || isDone()) {
                leave();
                return;
            }
            dueNanos += analyst.waitBeforeNext().toNanos();
            if (engine.isOverAt(dueNanos)) {
                engine.at(dueNanos, () -> guarded(this::leave));
                return;
            }
            SearchRequest request = analyst.next(dueNanos);
            long now = System.nanoTime();
            if (dueNanos > now) {
                engine.at(dueNanos, () -> guarded(() -> act(request, System.nanoTime())));
            } else {
                act(request, now);
            }
        }

        private boolean isDone() {
            return user.stay() == Stay.ONE_INVESTIGATION
                    && dueNanos != user.startNanos()
                    && analyst.investigationDone();
        }

        private void act(SearchRequest request, long now) {
            if (engine.isOverAt(request.intendedStart())) {
                leave();
                return;
            }
            long handedOver = Math.max(request.intendedStart(), now);
            running.send(start -> submit(request, handedOver, start), request.intendedStart());
        }

        /**
         * The user's patience starts when the search was due, or later, when one of those that the user may have running at once
         * ({@code maxRunning}) has ended for it.
         */
        private void submit(SearchRequest request, long handedOver, long startNanos) {
            long turn = patience.start(startNanos);
            workers.submit(request, handedOver, log, answer -> guarded(() -> answered(request, answer, turn)));
        }

        private void answered(SearchRequest request, SearchAnswer answer, long turn) {
            long end = answer.sample().end();
            running.ended(end);
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
         * How many searches of a user are running. At the limit the next one waits until one of them has ended, and the user with it.
         * Thread-safe.
         */
        static final class RunningSearches {
            private final int most;
            private int running;
            private Optional<LongConsumer> waiting = Optional.empty();

            RunningSearches(int most) {
                this.most = most;
            }

            /**
             * Sends a search now, or as soon as fewer than the limit are running.
             *
             * @param search is told when the user began to wait for its answer: when it was due, or when another one ended for it
             * @throws IllegalStateException if another one waits already
             */
            void send(LongConsumer search, long dueNanos) {
                synchronized (this) {
                    if (running >= most) {
                        if (waiting.isPresent()) {
                            throw new IllegalStateException("a user has one search waiting at most");
                        }
                        waiting = Optional.of(search);
                        return;
                    }
                    running++;
                }
                search.accept(dueNanos);
            }

            /** Notes that a search ended then; a waiting one takes its place. */
            void ended(long nanos) {
                Optional<LongConsumer> next;
                synchronized (this) {
                    next = waiting;
                    waiting = Optional.empty();
                    if (next.isEmpty()) {
                        running--;
                    }
                }
                next.ifPresent(search -> search.accept(nanos));
            }
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
            private long awaited = NOTHING;
            private long turns;
            private boolean timing;
            private long deadlineNanos;

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
            synchronized long start(long startNanos) {
                deadlineNanos = startNanos + nanos;
                awaited = ++turns;
                if (!timing) {
                    timing = true;
                    timer.after(this::fire, Math.max(0, deadlineNanos - clock.getAsLong()));
                }
                return awaited;
            }

            /**
             * The answer has come.
             *
             * @return whether the user has waited for it
             */
            synchronized boolean stop(long turn) {
                boolean hasWaited = awaited == turn;
                awaited = hasWaited ? NOTHING : awaited;
                return hasWaited;
            }

            /** When the patience of the wait that began last ends, or ended. */
            synchronized long deadlineNanos() {
                return deadlineNanos;
            }

            private void fire() {
                long deadline;
                synchronized (this) {
                    deadline = deadlineNanos;
                    long left = deadline - clock.getAsLong();
                    if (awaited != NOTHING && left > 0) {
                        timer.after(this::fire, left);
                        return;
                    }
                    timing = false;
                    if (awaited == NOTHING) {
                        return;
                    }
                    awaited = NOTHING;
                }
                lost.accept(deadline);
            }
        }
    }
}
