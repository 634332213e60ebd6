package siemload.run.procedure;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import siemload.config.DaemonThread;
import siemload.database.Accounts;
import siemload.database.Accounts.AccountScale;
import siemload.database.Accounts.AccountSession;
import siemload.database.Accounts.Books;
import siemload.database.Counters;
import siemload.database.Counters.CheckpointCounters;
import siemload.database.Counters.CheckpointReading;
import siemload.database.Counters.CounterReading;
import siemload.database.SearchException;
import siemload.database.Store;
import siemload.database.Store.Maintenance;
import siemload.database.TargetException;
import siemload.dataset.SeededRandom;
import siemload.results.RunFile;
import siemload.results.StepRecord;
import siemload.results.TableWriter;
import siemload.scenario.Procedure;
import siemload.scenario.UserClass;

/** Makes accounts, lets all users at them for a fixed time, and then sees whether the books balance. */
final class TransactionSteps implements Runnable {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int CENTS = 100;
    private static final double MICROS_OF_MILLI = 1e3;

    private final Procedure.Transactions procedure;
    private final ProcedureContext context;
    private final AccountScale scale;
    private final Accounts accounts;
    private final TransactionCounts counts = new TransactionCounts();
    private final AtomicLong ids = new AtomicLong();
    private final AccountUser.End end = new UsersEnd();
    private TransactionCounts.Mishaps ofWarmup = TransactionCounts.Mishaps.NONE;
    private volatile boolean over;

    TransactionSteps(Procedure.Transactions procedure, ProcedureContext context) {
        this.procedure = procedure;
        this.context = context;
        this.scale = new AccountScale(procedure.accounts());
        this.accounts = context.store()
                .accounts()
                .orElseThrow(() -> new TargetException("this target has no accounts; choose another one"));
    }

    @Override
    public void run() {
        fill();
        Optional<TargetException> failure;
        try (TransactionTimes times = new TransactionTimes(procedure.users().keySet(), counts, context.tables());
                AccountsIo io = new AccountsIo(context.store()).prepared();
                CheckpointWatch checkpoints =
                        new CheckpointWatch(context.store().openCheckpoints())) {
            UserThreads threads = UserThreads.start(users(times));
            Measured measured = measure(threads, times, io);
            // A server that did not come back is why users failed.
            failure = measured.crashFailure().or(threads::failure);
            List<StepRecord> seen = checkpoints.finish();
            boolean told = failure.isEmpty() && measured.seconds() > 0;
            addSteps(times, measured.seconds(), told ? io::addTo : steps -> {});
            seen.forEach(context.steps()::add);
        } finally {
            over = true; // For users of whom not all could be started.
        }
        settleBooksAfter(failure);
        failure.ifPresent(broken -> {
            throw broken;
        });
    }

    /** A server that has failed may not tell its books either, which is no more than a consequence. */
    private void settleBooksAfter(Optional<TargetException> failure) {
        try {
            settleBooks();
        } catch (TargetException unsettled) {
            failure.ifPresent(cause -> cause.addSuppressed(unsettled));
            throw failure.orElse(unsettled);
        }
    }

    /** The measured time is over, or somebody wants the end. */
    private final class UsersEnd implements AccountUser.End {
        @Override
        public boolean isReached() {
            return over;
        }

        @Override
        public boolean isHurried() {
            return context.interruption().isAsked();
        }
    }

    private void fill() {
        String what = String.format(Locale.ROOT, "filling %,d accounts", scale.accounts());
        context.progress().status(what);
        AccountsIo io = new AccountsIo(context.store()).prepared();
        io.start();
        long start = System.nanoTime();
        accounts.fill(scale, filled -> {
            context.interruption().check();
            double rate = filled / secondsSince(start);
            context.status(
                    "%s: %d %%, %,.0f accounts/s, %.0f s left",
                    what, filled * 100 / scale.accounts(), rate, (scale.accounts() - filled) / rate);
        });
        double seconds = secondsSince(start);
        context.progress().status("checkpoint");
        context.store().maintenance().ifPresent(Maintenance::checkpoint);
        Step step = new Step("fill")
                .fact("accounts", scale.accounts())
                .figure("seconds", seconds)
                .figure("accountsPerSecond", scale.accounts() / seconds);
        long bytes = context.store().relationBytes().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        io.addTo(List.of(step));
        context.steps().add((bytes > 0 ? step.figure("bytes", bytes) : step).done());
    }

    private List<AccountUser> users(TransactionTimes times) {
        List<AccountUser> users = new ArrayList<>();
        List<AccountSession> sessions = new ArrayList<>();
        try {
            for (Map.Entry<UserClass, Integer> some : procedure.users().entrySet()) {
                for (int i = 0; i < some.getValue(); i++) {
                    AccountSession session = accounts.openSession();
                    sessions.add(session);
                    SeededRandom random = SeededRandom.of(context.seed(), users.size());
                    users.add(new AccountUser(
                            session, some.getKey(), scale, random, ids, counts, times.recorder(some.getKey()), end));
                }
            }
        } catch (RuntimeException refused) {
            sessions.forEach(AccountSession::close);
            throw refused;
        }
        return users;
    }

    /**
     * What came of the measured time.
     *
     * @param seconds until the last user had ended; 0 where that was in the warm-up
     */
    private record Measured(double seconds, Optional<TargetException> crashFailure) {}

    private Measured measure(UserThreads threads, TransactionTimes times, AccountsIo io) {
        long start = System.nanoTime();
        long measureStart = start + procedure.warmup().toNanos();
        long finish = measureStart + procedure.duration().toNanos();
        CompletableFuture<Void> crash = crashAt(measureStart);
        Optional<TargetException> crashFailure;
        long last;
        try {
            if (!procedure.warmup().isZero()) {
                intervals(start, measureStart, TransactionTimes.Phase.WARMUP, threads, times);
                ofWarmup = counts.mishaps();
            }
            io.start();
            intervals(measureStart, finish, TransactionTimes.Phase.MEASURED, threads, times);
        } finally {
            over = true;
            context.progress().status("waiting for the last transactions");
            threads.join();
            last = System.nanoTime();
            crashFailure = failureOf(crash);
        }
        times.endInterval(
                last, last - measureStart < 0 ? TransactionTimes.Phase.WARMUP : TransactionTimes.Phase.MEASURED);
        return new Measured(Math.max(0, last - measureStart) / 1e9, crashFailure);
    }

    private CompletableFuture<Void> crashAt(long measureStart) {
        return procedure
                .crash()
                .map(after -> CompletableFuture.runAsync(
                        () -> {
                            waitUntil(measureStart + after.toNanos(), () -> over || end.isHurried());
                            if (!over && !end.isHurried()) {
                                context.crashes().crash();
                            }
                        },
                        task -> new Thread(task, "siemload-crash").start()))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    private static Optional<TargetException> failureOf(CompletableFuture<Void> crash) {
        try {
            crash.join();
            return Optional.empty();
        } catch (CompletionException failed) {
            return Optional.of(
                    failed.getCause() instanceof TargetException broken
                            ? broken
                            : new TargetException("the server could not be killed and started again", failed));
        }
    }

    /** Ends an interval at each full second, until the phase or the users have ended. */
    private void intervals(
            long start, long end, TransactionTimes.Phase phase, UserThreads threads, TransactionTimes times) {
        for (long due = Math.min(start + SECOND, end);
                due <= end
                        && due > start
                        && !threads.haveEnded()
                        && !context.interruption().isAsked();
                due = due == end ? end + 1 : Math.min(due + SECOND, end)) {
            waitUntil(due, this.end::isHurried);
            times.endInterval(System.nanoTime(), phase);
            context.status(
                    "%d users, %s: %.0f s left",
                    procedure.connections(),
                    phase == TransactionTimes.Phase.WARMUP ? "warm-up" : "measuring",
                    (end - due) / 1e9);
        }
    }

    private static void waitUntil(long due, BooleanSupplier isEndedBefore) {
        for (long left = due - System.nanoTime();
                left > 0 && !isEndedBefore.getAsBoolean();
                left = due - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, SECOND / 20));
        }
    }

    /** @param counted adds to steps what was read and written for them */
    private void addSteps(TransactionTimes times, double seconds, Consumer<List<Step>> counted) {
        Histogram all = times.all();
        context.progress()
                .line(String.format(
                        Locale.ROOT,
                        "%,.0f transactions/s of %d users; p50 %.1f ms, p99 %.1f ms, max %.1f ms",
                        seconds > 0 ? all.getTotalCount() / seconds : 0,
                        procedure.connections(),
                        all.getValueAtPercentile(50) / MICROS_OF_MILLI,
                        all.getValueAtPercentile(99) / MICROS_OF_MILLI,
                        all.getMaxValue() / MICROS_OF_MILLI));
        TransactionCounts.Mishaps mishaps = counts.mishaps().since(ofWarmup);
        Step step = timed(new Step("transactions"), all, seconds)
                .fact("users", procedure.connections())
                .fact(
                        "classes",
                        procedure.users().keySet().stream()
                                .map(UserClass::label)
                                .collect(Collectors.joining(" ")))
                .figure("conflicts", mishaps.conflicts())
                .figure("connectionsLost", mishaps.lost())
                .figure("commitsLookedUp", mishaps.lookedUp())
                .figure("commitsFound", mishaps.foundCommitted());
        procedure.crash().ifPresent(after -> step.fact("crash", after));
        List<Step> ofClasses = new ArrayList<>();
        procedure
                .users()
                .forEach((one, users) ->
                        ofClasses.add(timed(new Step("transactions " + one.label()), times.of(one), seconds)
                                .fact("users", users)));
        counted.accept(ofClasses.size() == 1 ? List.of(step, ofClasses.get(0)) : List.of(step));
        context.steps().add(step.done());
        ofClasses.forEach(one -> context.steps().add(one.done()));
    }

    private static Step timed(Step step, Histogram times, double seconds) {
        if (seconds > 0) {
            step.figure("transactionsPerSecond", times.getTotalCount() / seconds);
        }
        return step.figure("transactions", times.getTotalCount())
                .figure("meanMicros", times.getMean())
                .figure("p50Micros", times.getValueAtPercentile(50))
                .figure("p95Micros", times.getValueAtPercentile(95))
                .figure("p99Micros", times.getValueAtPercentile(99))
                .figure("p999Micros", times.getValueAtPercentile(99.9))
                .figure("maxMicros", times.getMaxValue());
    }

    /** Also after a failure: what was acknowledged must be there. */
    private void settleBooks() {
        context.progress().status("adding up the books");
        Books books = accounts.books();
        long acknowledged = counts.acknowledged.sum();
        long unknown = counts.unknown.sum();
        Step step = new Step("books")
                .figure("withdrawals", books.rows())
                .figure("acknowledged", acknowledged)
                .figure("unknown", unknown)
                .figure("cents", books.history());
        List<String> differences = books.differences(acknowledged, unknown);
        StepRecord done = differences.isEmpty()
                ? step.done()
                : step.failed("the books do not balance: " + String.join("; ", differences))
                        .done();
        context.steps().add(done);
        context.progress()
                .line(
                        differences.isEmpty()
                                ? String.format(
                                        Locale.ROOT,
                                        "the books balance: %,d withdrawals, %,d.%02d in all%s",
                                        books.rows(),
                                        books.history() / CENTS,
                                        books.history() % CENTS,
                                        unknown == 0
                                                ? ""
                                                : String.format(
                                                        Locale.ROOT, "; the outcome of %,d is unknown", unknown))
                                : "the books do not balance");
    }

    private static double secondsSince(long startNanos) {
        return Math.max(1, System.nanoTime() - startNanos) / 1e9;
    }

    /**
     * How long transactions took, from when a user wanted one to its acknowledged end, tries that failed included: in microseconds,
     * with three significant digits. Users record from any thread; all else is done by one.
     */
    private static final class TransactionTimes implements AutoCloseable {
        private static final int DIGITS = 3;

        private final Map<UserClass, Recorder> recorders = new EnumMap<>(UserClass.class);
        private final Map<UserClass, Histogram> measured = new EnumMap<>(UserClass.class);
        private final Map<UserClass, Histogram> intervals = new EnumMap<>(UserClass.class);
        private final TransactionCounts counts;
        private final RunTables tables;
        private final TableWriter table;
        private long conflictsBefore;
        private long lostBefore;

        TransactionTimes(Set<UserClass> classes, TransactionCounts counts, RunTables tables) {
            this.counts = counts;
            this.tables = tables;
            for (UserClass one : classes) {
                recorders.put(one, new Recorder(DIGITS));
                measured.put(one, new Histogram(DIGITS));
            }
            this.table = tables.open(RunFile.TRANSACTIONS);
        }

        /** Whether transactions count. */
        enum Phase {
            WARMUP,
            MEASURED
        }

        /** What a user records its times with. */
        Recorder recorder(UserClass one) {
            return Objects.requireNonNull(recorders.get(one));
        }

        /** Ends an interval at this instant, of which all transactions that ended in it belong to this phase. */
        void endInterval(long nanos, Phase phase) {
            Histogram all = new Histogram(DIGITS);
            recorders.forEach((one, recorder) -> {
                Histogram interval = recorder.getIntervalHistogram(intervals.get(one));
                intervals.put(one, interval);
                all.add(interval);
                if (phase == Phase.MEASURED) {
                    of(one).add(interval);
                }
            });
            long conflicts = counts.conflicts.sum();
            long lost = counts.lost.sum();
            table.row(
                    tables.second(nanos),
                    phase == Phase.MEASURED ? "measured" : "warmup",
                    all.getTotalCount(),
                    conflicts - conflictsBefore,
                    lost - lostBefore,
                    all.getValueAtPercentile(50),
                    all.getValueAtPercentile(95),
                    all.getValueAtPercentile(99),
                    all.getMaxValue());
            table.flush();
            conflictsBefore = conflicts;
            lostBefore = lost;
        }

        /** Those of one class in the measured time. */
        Histogram of(UserClass one) {
            return Objects.requireNonNull(measured.get(one));
        }

        /** Those of all classes. */
        Histogram all() {
            Histogram all = new Histogram(DIGITS);
            measured.values().forEach(all::add);
            return all;
        }

        @Override
        public void close() {
            try {
                table.close();
            } catch (IOException incomplete) {
                throw new TargetException(String.valueOf(incomplete.getMessage()), incomplete);
            }
        }
    }

    /**
     * What the server read and wrote for transactions on accounts: the difference of its counters, where it lets us see them. Users who
     * are at work hand in what they counted up to a second later, so that as much of the time before the start may be in it. Used by
     * one thread.
     */
    private static final class AccountsIo implements AutoCloseable {
        private final Store store;
        private Optional<Counters> counters = Optional.empty();
        private Optional<CounterReading> before = Optional.empty();

        AccountsIo(Store store) {
            this.store = store;
        }

        /** Opens the counters before they are needed: to connect may take long where many are at work. */
        AccountsIo prepared() {
            try {
                counters = store.openCounters();
            } catch (TargetException untold) {
                counters = Optional.empty();
            }
            return this;
        }

        /** Starts to count. */
        void start() {
            try {
                before =
                        counters.map(Counters::read).filter(known -> !known.io().isEmpty());
            } catch (SearchException untold) {
                before = Optional.empty();
            }
            close();
        }

        /**
         * Once all have ended, adds what was counted to steps that have it for themselves; nothing where the server was started anew,
         * which forgets its counts.
         */
        void addTo(List<Step> steps) {
            before.ifPresent(then -> settled()
                    .filter(now -> !now.restartedSince(then))
                    .map(now -> now.since(then))
                    .ifPresent(counted -> steps.forEach(step -> step.readAndWritten(counted))));
        }

        private Optional<CounterReading> settled() {
            try {
                return Optional.of(SettledCounters.of(store));
            } catch (SearchException | TargetException untold) {
                return Optional.empty();
            }
        }

        /** Gives the connection back. */
        @Override
        public void close() {
            counters.ifPresent(Counters::close);
            counters = Optional.empty();
        }
    }

    /**
     * Looks once a second whether the server has completed a checkpoint, and what was written since the one before. What the server
     * does not tell is left out. Thread-safe.
     */
    private static final class CheckpointWatch implements AutoCloseable {
        private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

        private final Optional<CheckpointCounters> counters;
        private final List<StepRecord> steps = new ArrayList<>();
        private final Thread thread = DaemonThread.of("siemload-checkpoints", this::run);
        private Optional<Seen> last = Optional.empty();
        private volatile boolean open = true;

        /** @param completedAt when that many checkpoints were seen first */
        private record Seen(CheckpointReading reading, long completedAt) {}

        /** Begins to watch, where the server tells anything. */
        CheckpointWatch(Optional<CheckpointCounters> counters) {
            this.counters = counters;
            thread.start();
        }

        /** Ends watching; what was written since the last checkpoint comes last. */
        List<StepRecord> finish() {
            open = false;
            LockSupport.unpark(thread);
            DaemonThread.awaitEnd(List.of(thread), Duration.ofSeconds(5));
            synchronized (this) {
                return List.copyOf(steps);
            }
        }

        private void run() {
            counters.ifPresent(source -> {
                while (open) {
                    look(source, false);
                    LockSupport.parkNanos(SECOND);
                }
                look(source, true);
                source.close();
            });
        }

        private void look(CheckpointCounters source, boolean atEnd) {
            CheckpointReading now;
            try {
                now = source.read(); // Without the monitor: a server that does not answer must not keep finish()
                // waiting.
            } catch (SearchException unread) {
                return; // The server is being restarted, or will be missed by everybody else, too.
            }
            note(now, atEnd);
        }

        private synchronized void note(CheckpointReading now, boolean atEnd) {
            long nanos = System.nanoTime();
            Optional<CheckpointReading> before = last.map(Seen::reading);
            boolean startedAnew = before.filter(now::isAnewSince).isPresent();
            if (before.isEmpty() || startedAnew) {
                last = Optional.of(new Seen(now, nanos));
                return;
            }
            Seen known = last.orElseThrow();
            if (now.completed() > known.reading().completed()) {
                Step step = written(new Step("checkpoint"), known.reading(), now)
                        .fact("number", now.completed())
                        .fact("time", Instant.now().truncatedTo(ChronoUnit.SECONDS))
                        .figure("secondsSinceLast", (nanos - known.completedAt()) / (double) SECOND);
                if (now.seconds().isPresent() && known.reading().seconds().isPresent()) {
                    step.figure(
                            "seconds",
                            now.seconds().getAsDouble()
                                    - known.reading().seconds().getAsDouble());
                }
                steps.add(step.done());
                last = Optional.of(new Seen(now, nanos));
            } else if (atEnd) {
                steps.add(written(new Step("after the last checkpoint"), known.reading(), now)
                        .figure("secondsSinceLast", (nanos - known.completedAt()) / (double) SECOND)
                        .done());
            }
        }

        private static Step written(Step step, CheckpointReading before, CheckpointReading now) {
            add(step, "blocksByCheckpoint", before.byCheckpoints(), now.byCheckpoints());
            add(step, "blocksByWriter", before.byWriter(), now.byWriter());
            add(step, "blocksBySessions", before.bySessions(), now.bySessions());
            return step;
        }

        private static void add(Step step, String figure, OptionalLong before, OptionalLong now) {
            if (before.isPresent() && now.isPresent()) {
                step.figure(figure, now.getAsLong() - before.getAsLong());
            }
        }

        @Override
        public void close() {
            List<StepRecord> unused = finish();
        }
    }

    /** A thread for each user of accounts. The first one that fails ends all. Thread-safe. */
    private static final class UserThreads {
        private final List<Thread> threads = new ArrayList<>();
        private final Queue<TargetException> failures = new ConcurrentLinkedQueue<>();

        private UserThreads() {}

        static UserThreads start(List<AccountUser> users) {
            UserThreads started = new UserThreads();
            for (AccountUser user : users) {
                Thread thread = DaemonThread.of("siemload-user-" + started.threads.size(), () -> started.run(user));
                started.threads.add(thread);
            }
            started.threads.forEach(Thread::start);
            return started;
        }

        private void run(AccountUser user) {
            try {
                user.run();
            } catch (RuntimeException | Error failed) {
                TargetException told = failed instanceof TargetException broken
                        ? broken
                        : new TargetException("a user of accounts failed: " + failed, failed);
                failures.add(told);
            }
        }

        /** What the first one that failed has to say. */
        Optional<TargetException> failure() {
            return Optional.ofNullable(failures.peek());
        }

        /** Whether there is nothing to wait for: one has failed, or none is at work. */
        boolean haveEnded() {
            return failure().isPresent() || threads.stream().noneMatch(Thread::isAlive);
        }

        /** Waits until all have ended, each after the transaction that it is at. */
        void join() {
            try {
                for (Thread thread : threads) {
                    thread.join();
                }
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
