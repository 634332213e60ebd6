package siemload.load;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import siemload.config.DaemonThread;
import siemload.dataset.SeededRandom;
import siemload.load.Analyst.DrawnSearches;
import siemload.load.Analyst.UserRoster.Member;
import siemload.load.LoadEngine.StartedLoad;
import siemload.load.SiemSimulation.SiemAction.DueActions;
import siemload.load.SiemSimulation.SiemAction.VirtualUser;
import siemload.measure.LatencyRecorder.ReplayRecorder;
import siemload.measure.LatencyRecorder.Sample;
import siemload.measure.LatencyRecorder.TickRecorder;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.run.Breakdown;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;
import siemload.scenario.QueryRecording;

/**
 * A virtual user from arrival to leaving, as its Gatling scenario drives it: while there, the user pauses until the next action is due,
 * then acts. The user continues when the answer is there, or when patience runs out; the search is measured to its end either way.
 *
 * <p>The steps run on any thread. If the next action is due as soon as the answer is there, the worker that delivers the answer submits the
 * next search itself: waking Gatling's event loop for it, and another worker, would double what a short search costs the client.
 */
final class UserSession extends DueActions {
    private static final long AFTER_CRASH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final StartedLoad load;
    private final SearchWorkers workers;
    private final Analyst analyst;
    private final boolean isVisitor;
    private final Patience patience;
    private final int mostRunning;
    private int running;
    /** Submits a search that was due while the limit of running searches was reached. The argument is the start of the user's wait. */
    private @Nullable LongConsumer waiting;

    /** The user at its present action. */
    private VirtualUser user;
    /** The search that is due next, prepared before the wait for it. */
    private Optional<SearchRequest> next = Optional.empty();

    UserSession(VirtualUser user, Member member) {
        AnalystGroup group = member.group();
        this.user = user;
        this.load = user.load();
        this.workers = load.workers(group, member.number());
        var start = member.start().orElseThrow();
        var paging = load.plan().variant().paging();
        this.analyst = new Analyst(member, start, paging, load.searches(group), workers::cursor);
        this.isVisitor = group.load() instanceof LoadModel.Open;
        this.mostRunning = group.investigation().maxRunning();
        this.dueNanos = member.startNanos(load.clock.startNanos());
        this.patience = new Patience(group.investigation().patience(), user::after, System::nanoTime, this::giveUp);
        plan();
    }

    /**
     * Plans the next action, or leaves; a wait does not last beyond the end of the run. Everything due before the end is done, however late
     * the load generator is: otherwise only punctual searches would be measured.
     */
    private void plan() {
        if (load.isOverAt(dueNanos) || (isVisitor && analyst.investigationDone())) {
            leave();
            return;
        }
        dueNanos += analyst.waitBeforeNext().toNanos();
        if (!load.isOverAt(dueNanos)) {
            next = Optional.of(analyst.next(dueNanos));
        }
    }

    private void leave() {
        analyst.leave();
        isThere = false;
    }

    @Override
    void act(VirtualUser now) {
        user = now;
        guarded(() -> {
            if (load.isOverAt(dueNanos)) {
                leave();
                user.proceed();
            } else {
                search(next.orElseThrow());
            }
        });
    }

    private void search(SearchRequest request) {
        long due = request.intendedStart();
        long handedOver = Math.max(due, System.nanoTime());
        LongConsumer submission = startNanos -> {
            patience.start(request, startNanos);
            workers.submit(request, handedOver, user, answer -> guarded(() -> answered(request, answer)));
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

    private void answered(SearchRequest request, SearchRequest.SearchAnswer answer) {
        long end = answer.sample().end();
        LongConsumer delayed;
        synchronized (this) {
            delayed = waiting;
            waiting = null;
            running -= delayed == null ? 1 : 0;
        }
        if (delayed != null) {
            delayed.accept(end);
        }
        if (!patience.stop(request)) {
            return;
        }
        if (end - patience.deadlineNanos() > 0) {
            giveUp(patience.deadlineNanos());
            return;
        }
        analyst.answered(request, answer);
        goOn(end);
    }

    /** Stops waiting; called by the timer, or with an answer that came before the timer but after the deadline. */
    private void giveUp(long deadline) {
        guarded(() -> {
            analyst.gaveUp();
            goOn(deadline);
        });
    }

    private void goOn(long nanos) {
        dueNanos = nanos;
        plan();
        if (isThere && dueNanos <= System.nanoTime()) {
            act(user);
        } else {
            user.proceed();
        }
    }

    /** Runs a step so that no exception loses the user. */
    private void guarded(Runnable step) {
        user.guarded(step, () -> user.after(() -> giveUp(System.nanoTime()), AFTER_CRASH_NANOS));
    }

    /**
     * Limits how long a user waits for an answer. One timer serves all searches of the user, and answers do not cancel it. When the timer
     * fires, it checks the current wait, and is set again if that wait has time left. Thread-safe; the user waits for one search at a time.
     */
    static final class Patience {
        private final long nanos;
        private final BiConsumer<Runnable, Long> timer;
        private final LongSupplier clock;
        private final LongConsumer lost;
        private @Nullable Object awaited;
        private boolean isTiming;
        private long deadlineNanos;

        /**
         * @param timer runs a task after this many nanoseconds
         * @param clock a monotonic clock, in nanoseconds
         * @param lost called on the timer's thread when patience runs out, with the instant of that, which is earlier than the call if the
         *     timer is late
         */
        Patience(Duration patience, BiConsumer<Runnable, Long> timer, LongSupplier clock, LongConsumer lost) {
            this.nanos = patience.toNanos();
            this.timer = timer;
            this.clock = clock;
            this.lost = lost;
        }

        /** Notes that the user waits for this search from {@code startNanos}, which is in the past if the call is late. */
        synchronized void start(Object search, long startNanos) {
            deadlineNanos = startNanos + nanos;
            awaited = search;
            if (!isTiming) {
                isTiming = true;
                timer.accept(this::fire, Math.max(0, deadlineNanos - clock.getAsLong()));
            }
        }

        /** Notes that the answer has come. @return whether the user was still waiting */
        synchronized boolean stop(Object search) {
            boolean hasWaited = awaited == search;
            awaited = hasWaited ? null : awaited;
            return hasWaited;
        }

        /** Returns when the patience of the last wait ends, or has ended. */
        synchronized long deadlineNanos() {
            return deadlineNanos;
        }

        private void fire() {
            long deadline;
            synchronized (this) {
                deadline = deadlineNanos;
                long left = deadline - clock.getAsLong();
                isTiming = awaited != null && left > 0;
                if (isTiming) {
                    timer.accept(this::fire, left);
                }
                if (isTiming || awaited == null) {
                    return;
                }
                awaited = null;
            }
            lost.accept(deadline);
        }
    }

    /**
     * One task from the start of the run to its end. A tick is executed when it is due, or missed if the search of an earlier tick is still
     * running. Later ticks keep their due times in either case.
     */
    static final class TaskSession extends DueActions {
        private static final long SEARCHES = 1;
        private static final long SAMPLING = 2;

        private final StartedLoad load;
        private final Task task;
        private final TickRecorder ticks;
        /** Counts the task, until its last tick, and a running search. The task ends after that search, which has its own time limit. */
        private final AtomicInteger underWay = new AtomicInteger(1);

        private long tick;
        private SearchRequest next;

        /** @param number of the task in its group, from 0 */
        TaskSession(VirtualUser user, AnalystGroup group, LoadModel.Scheduled schedule, int number, long seed) {
            this.load = user.load();
            this.task = new Task(schedule, number, load.searches(group), seed, load.clock.startNanos());
            this.ticks = load.recorder.ticks(group.name());
            this.next = task.at(tick);
            this.dueNanos = next.intendedStart();
        }

        /** The next search is prepared before the wait for it, so that other tasks due at the same instant are not delayed. */
        @Override
        void act(VirtualUser user) {
            isThere = false; // A crash ends the task.
            if (load.isOverAt(dueNanos)) {
                ended(user);
                return;
            }
            if (underWay.compareAndSet(1, 2)) {
                ticks.started(dueNanos);
                SearchWorkers workers = load.workers(task.searches().group(), task.number());
                workers.submit(next, Math.max(dueNanos, System.nanoTime()), user, answer -> {
                    ticks.done(answer.sample());
                    ended(user);
                });
            } else {
                ticks.missed(dueNanos);
            }
            next = task.at(++tick);
            dueNanos = next.intendedStart();
            isThere = true;
            user.proceed();
        }

        private void ended(VirtualUser user) {
            if (underWay.decrementAndGet() == 0) {
                user.proceed();
            }
        }

        /** A task with its number in the group, from 0; {@code startNanos} is the start of the warm-up on the monotonic clock. Immutable. */
        record Task(LoadModel.Scheduled schedule, int number, DrawnSearches searches, long seed, long startNanos) {
            /** Returns the search that is due at a tick; it depends only on the seed, the task and the tick. */
            SearchRequest at(long tick) {
                long own = SeededRandom.mix(SeededRandom.mix(seed, 0), number);
                long due = startNanos + schedule.dueNanos(number, tick);
                long drawnFor = schedule.criteria() == LoadModel.Scheduled.Criteria.FIXED ? 0 : tick;
                Search search = searches.next(SeededRandom.of(SeededRandom.mix(own, SEARCHES), drawnFor), due);
                double draw =
                        SeededRandom.of(SeededRandom.mix(own, SAMPLING), tick).nextDouble();
                AnalystGroup group = searches.group();
                return new SearchRequest(search, due, draw, group.storesTrend() ? group.name() + "-" + number : "");
            }
        }
    }

    /**
     * All sessions of a query recording. A thread reads the recording a little ahead of time, and each session executes the statements that
     * are due. A session executes one statement at a time, in the order of the recording, over any free connection; statements that become
     * due meanwhile wait. Memory does not grow with the recording: reading pauses while very many executions wait for the database.
     * Thread-safe.
     */
    static final class Replay {
        private static final long AHEAD_NANOS = LoadModel.Replayed.LEAD.toNanos();
        private static final long MOST_WAITING = 100_000;
        private static final long MOMENT_NANOS = Duration.ofMillis(2).toNanos();
        /** Executions due before the end of the run may begin up to this long after that end; later ones are given up. */
        private static final long AFTER_END_NANOS = Duration.ofSeconds(30).toNanos();

        private final VirtualUser user;
        private final StartedLoad load;
        private final ReplayRecorder recorder;
        /** For each session, a future that completes with the instant at which the session's last due execution has ended. */
        private final Map<Integer, CompletableFuture<Long>> busy = new ConcurrentHashMap<>();
        /** The number of executions that were read and have not ended, plus one until everything is read. */
        private final AtomicLong waiting = new AtomicLong(1);

        private volatile boolean broken;

        /** Creates a replay that has not started. One of Gatling's users represents all sessions of a replay. */
        Replay(VirtualUser user) {
            this.user = user;
            this.load = user.load();
            this.recorder = load.recorder.replays();
        }

        /** An execution that took this long when it was recorded; {@code end} completes with the instant at which it has ended. */
        private record Asking(SearchRequest request, int session, long tookMicros, CompletableFuture<Long> end) {}

        /** Starts the replay, with the seed of this group, and lets Gatling's user proceed at the end. */
        void start(AnalystGroup group, LoadModel.Replayed replayed, long seed) {
            QueryRecording recording = replayed.recording();
            String file = String.valueOf(recording.file().getFileName());
            recorder.expect(file, replayed.speed(), recording.executions());
            DaemonThread.start("siemload-replay", () -> {
                try {
                    read(group, replayed, seed);
                } catch (IOException unreadable) {
                    broken = true;
                    recorder.failed(String.valueOf(unreadable.getMessage()));
                }
                ended();
            });
        }

        private void read(AnalystGroup group, LoadModel.Replayed replayed, long seed) throws IOException {
            QueryRecording recording = replayed.recording();
            Set<SearchName> asked = Set.copyOf(group.searched().mix().possible());
            long firstNanos = load.clock.startNanos() + AHEAD_NANOS;
            LoadEngine.EarlyStart early = new LoadEngine.EarlyStart();
            try (QueryRecording.Reader reader = new QueryRecording.Reader(recording.file())) {
                if (!reader.recording().equals(recording)) {
                    throw new IOException(recording.file() + " has changed since the run began");
                }
                long number = 0;
                for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                    QueryRecording.RecordedExecution execution = next.get();
                    QueryRecording.RecordedQuery query = recording.queries().get(execution.query());
                    long due = firstNanos + replayed.dueNanos(execution.offsetMicros());
                    if (load.isOverAt(due) || !awaited(due)) {
                        return;
                    }
                    if (asked.contains(query.statement().name())) {
                        Search search = query.statement().search(query.byName(execution.values()));
                        double draw = SeededRandom.of(seed, number).nextDouble();
                        SearchRequest request = new SearchRequest(search, due, draw, "");
                        Asking asking = new Asking(
                                request, execution.session(), execution.tookMicros(), new CompletableFuture<>());
                        waiting.incrementAndGet();
                        // Timers may not fire in the order of the recording.
                        CompletableFuture<Long> free = Optional.ofNullable(busy.put(asking.session(), asking.end()))
                                .orElse(CompletableFuture.completedFuture(due));
                        user.at(due - early.nanos(due, due), () -> due(asking, free));
                    } else {
                        recorder.leftOut();
                    }
                    number++;
                }
            }
        }

        /** Waits until it is time to read on in the recording. Returns false if the run has ended meanwhile. */
        private boolean awaited(long due) {
            while (due - System.nanoTime() > AHEAD_NANOS || waiting.get() > MOST_WAITING) {
                if (load.isOverAt(System.nanoTime())) {
                    return false;
                }
                LockSupport.parkNanos(MOMENT_NANOS);
            }
            return true;
        }

        /** Lets a due execution begin once its session is free. */
        private void due(Asking asking, CompletableFuture<Long> free) {
            if (load.isOverAt(asking.request().intendedStart())) {
                ended();
                return;
            }
            recorder.due();
            var unused = free.thenAccept(
                    freeNanos -> Breakdown.guarded(() -> ask(asking, freeNanos)).run());
        }

        /** @param freeNanos when the session had finished its previous statement */
        private void ask(Asking asking, long freeNanos) {
            SearchRequest request = asking.request();
            long handedOver = Math.max(request.intendedStart(), System.nanoTime());
            if (handedOver - load.clock.endNanos() < AFTER_END_NANOS) {
                load.workers(asking.session())
                        .submit(request, handedOver, user, answer -> done(asking, freeNanos, answer.sample()));
            } else {
                Sample unasked = request.unfinishedAt(request.intendedStart(), handedOver);
                load.recorder.started();
                load.recorder.finished(request.key(), unasked);
                // This is a separate step, since many executions may be waiting for this one.
                user.at(handedOver, () -> done(asking, freeNanos, unasked));
            }
        }

        private void done(Asking asking, long freeNanos, Sample sample) {
            recorder.ended(asking.request().search().name(), asking.tookMicros(), freeNanos, sample);
            busy.remove(asking.session(), asking.end());
            asking.end().complete(sample.end());
            ended();
        }

        /** Notes that one more execution has ended. The last one ends the replay: when the run ends, or now if the recording is broken. */
        private void ended() {
            if (waiting.decrementAndGet() == 0) {
                user.at(broken ? System.nanoTime() : load.clock.endNanos(), user::proceed);
            }
        }
    }
}
