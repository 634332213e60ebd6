package siemload.run.procedure;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import siemload.config.DaemonThread;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.OwnTransactions;
import siemload.database.SearchException;
import siemload.database.Store;
import siemload.database.Store.Maintenance;
import siemload.database.TargetException;
import siemload.dataset.SeededRandom;
import siemload.query.StatementText;
import siemload.results.RunFile;
import siemload.results.StepRecord;
import siemload.results.TableWriter;
import siemload.scenario.Procedure.Transactions;

/** Sets up the tables of a scenario, lets all users at them for a fixed time, and then sees whether its invariants hold. */
final class TransactionSteps implements Runnable {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double MICROS_OF_MILLI = 1e3;

    private final Transactions procedure;
    private final ProcedureContext context;
    private final OwnTransactions transactions;
    private final TransactionUser.Counts counts = new TransactionUser.Counts();
    private final AtomicLong ids = new AtomicLong();
    private TransactionUser.Mishaps ofWarmup = TransactionUser.Mishaps.NONE;
    private volatile boolean over;

    TransactionSteps(Transactions procedure, ProcedureContext context) {
        this.procedure = procedure;
        this.context = context;
        this.transactions = context.store()
                .transactions()
                .orElseThrow(() ->
                        new TargetException("this target has no transactions of own statements; choose another one"));
    }

    @Override
    public void run() {
        setUp();
        Optional<TargetException> failure;
        try (TransactionTimes times = new TransactionTimes(procedure.users().keySet(), counts, context.tables());
                ServerIo io = new ServerIo(context.store());
                CheckpointWatch checkpoints =
                        new CheckpointWatch(context.store().openCounters())) {
            List<CompletableFuture<Void>> users = start(users(times));
            Measured measured = measure(users, times, io);
            // A server that did not come back is why users failed.
            failure = measured.crashFailure().or(() -> failureOf(users));
            List<StepRecord> seen = checkpoints.finish();
            boolean told = failure.isEmpty() && measured.seconds() > 0;
            addSteps(times, measured.seconds(), told ? io::addTo : steps -> {});
            seen.forEach(context.steps()::add);
        } finally {
            over = true; // For users of whom not all could be started.
        }
        try {
            checkInvariants();
        } catch (TargetException unasked) {
            // A server that has failed may not answer either, which is no more than a consequence.
            failure.ifPresent(cause -> cause.addSuppressed(unasked));
            throw failure.orElse(unasked);
        }
        failure.ifPresent(broken -> {
            throw broken;
        });
    }

    private void setUp() {
        List<String> statements = procedure.setup().stream()
                .map(one -> one.written(code -> code, name -> ":" + name))
                .toList();
        try (ServerIo io = new ServerIo(context.store())) {
            io.start();
            long start = System.nanoTime();
            int[] begun = {0};
            transactions.setUp(statements, statement -> {
                context.interruption().check();
                begun[0]++;
                context.status("setting up, statement %d of %d", begun[0], statements.size());
            });
            double seconds = Math.max(1, System.nanoTime() - start) / 1e9;
            context.progress().status("checkpoint");
            context.store().maintenance().ifPresent(Maintenance::checkpoint);
            Step step = new Step("setup").figure("seconds", seconds);
            long bytes = EventWrites.diskBytes(context.store());
            io.addTo(List.of(step));
            context.steps().add((bytes > 0 ? step.figure("bytes", bytes) : step).done());
        }
    }

    private List<TransactionUser> users(TransactionTimes times) {
        List<TransactionUser> users = new ArrayList<>();
        List<OwnTransactions.Session> sessions = new ArrayList<>();
        TransactionUser.End end = new TransactionUser.End(() -> over, context.interruption()::isAsked);
        try {
            procedure.users().forEach((name, count) -> {
                TransactionUser.Work work = new TransactionUser.Work(procedure, name);
                for (int i = 0; i < count; i++) {
                    OwnTransactions.Session session = transactions.openSession();
                    sessions.add(session);
                    SeededRandom random = SeededRandom.of(context.seed(), users.size());
                    users.add(new TransactionUser(session, work, random, ids, counts, times.recorder(name), end));
                }
            });
        } catch (RuntimeException refused) {
            sessions.forEach(OwnTransactions.Session::close);
            throw refused;
        }
        return users;
    }

    private static List<CompletableFuture<Void>> start(List<TransactionUser> users) {
        return users.stream()
                .map(user -> CompletableFuture.runAsync(user, task -> DaemonThread.start("siemload-user", task)))
                .toList();
    }

    /** What the first one that failed has to say. */
    private static Optional<TargetException> failureOf(List<CompletableFuture<Void>> tasks) {
        return tasks.stream()
                .filter(CompletableFuture::isCompletedExceptionally)
                .findFirst()
                .map(failed -> failed.handle((none, thrown) -> thrown).join())
                .map(thrown -> thrown instanceof CompletionException wrapped ? wrapped.getCause() : thrown)
                .map(cause -> cause instanceof TargetException broken
                        ? broken
                        : new TargetException("transactions failed: " + cause, cause));
    }

    /**
     * What came of the measured time.
     *
     * @param seconds until the last user had ended; 0 where that was in the warm-up
     */
    private record Measured(double seconds, Optional<TargetException> crashFailure) {}

    private Measured measure(List<CompletableFuture<Void>> users, TransactionTimes times, ServerIo io) {
        long start = System.nanoTime();
        long measureStart = start + procedure.warmup().toNanos();
        long finish = measureStart + procedure.duration().toNanos();
        CompletableFuture<Void> crash = crashAt(measureStart);
        try {
            if (!procedure.warmup().isZero()) {
                intervals(start, measureStart, Phase.WARMUP, users, times);
                ofWarmup = counts.mishaps();
            }
            io.start();
            intervals(measureStart, finish, Phase.MEASURED, users, times);
        } finally {
            over = true;
            context.progress().status("waiting for the last transactions");
            for (CompletableFuture<Void> task : users) {
                Object unused = task.handle((none, thrown) -> true).join();
            }
            Object unused = crash.handle((none, thrown) -> true).join();
        }
        long last = System.nanoTime();
        times.endInterval(last, last - measureStart < 0 ? Phase.WARMUP : Phase.MEASURED);
        return new Measured(Math.max(0, last - measureStart) / 1e9, failureOf(List.of(crash)));
    }

    private CompletableFuture<Void> crashAt(long measureStart) {
        BooleanSupplier ended = () -> over || context.interruption().isAsked();
        return procedure
                .crash()
                .map(after -> CompletableFuture.runAsync(
                        () -> {
                            waitUntil(measureStart + after.toNanos(), ended);
                            if (!ended.getAsBoolean()) {
                                context.crashes().crash();
                            }
                        },
                        task -> DaemonThread.start("siemload-crash", task)))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    /** Ends an interval at each full second, until the phase or the users have ended. */
    private void intervals(
            long start, long end, Phase phase, List<CompletableFuture<Void>> users, TransactionTimes times) {
        long due = start;
        while (due < end
                && users.stream().noneMatch(CompletableFuture::isCompletedExceptionally)
                && !context.interruption().isAsked()) {
            due = Math.min(due + SECOND, end);
            waitUntil(due, () -> context.interruption().isAsked());
            times.endInterval(System.nanoTime(), phase);
            context.status(
                    "%d users, %s: %.0f s left",
                    procedure.connections(), phase == Phase.WARMUP ? "warm-up" : "measuring", (end - due) / 1e9);
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
        TransactionUser.Mishaps mishaps = counts.mishaps().since(ofWarmup);
        Step step = timed(new Step("transactions"), all, seconds)
                .fact("users", procedure.connections())
                .fact("classes", String.join(" ", procedure.users().keySet()))
                .figure("conflicts", mishaps.conflicts())
                .figure("connectionsLost", mishaps.lost())
                .figure("commitsLookedUp", mishaps.lookedUp())
                .figure("commitsFound", mishaps.foundCommitted());
        procedure.crash().ifPresent(after -> step.fact("crash", after));
        List<Step> ofClasses = new ArrayList<>();
        procedure
                .users()
                .forEach((one, users) -> ofClasses.add(timed(new Step("transactions " + one), times.of(one), seconds)
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
    private void checkInvariants() {
        context.progress().status("checking the invariants");
        Step step = new Step("invariants");
        List<String> holds = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        procedure.committed().ifPresent(committed -> {
            long there = number(committed.count());
            long acknowledged = counts.acknowledged.sum();
            long unknown = counts.unknown.sum();
            step.figure(committed.name(), there)
                    .figure("acknowledged", acknowledged)
                    .figure("unknown", unknown);
            holds.add(String.format(Locale.ROOT, "%,d %s", there, committed.name()));
            if (unknown > 0) {
                holds.add(String.format(Locale.ROOT, "the outcome of %,d is unknown", unknown));
            }
            if (there < acknowledged || there > acknowledged + unknown) {
                faults.add(String.format(
                        Locale.ROOT,
                        "there are %,d %s, but %,d were acknowledged%s",
                        there,
                        committed.name(),
                        acknowledged,
                        there < acknowledged
                                ? String.format(Locale.ROOT, ": %,d are lost", acknowledged - there)
                                : String.format(Locale.ROOT, " and the outcome of %,d is unknown", unknown)));
            }
        });
        procedure.invariants().forEach((name, queries) -> {
            List<Long> numbers = queries.stream().map(this::number).toList();
            step.figure(name, numbers.get(numbers.size() - 1));
            holds.add(String.format(Locale.ROOT, "%,d %s", numbers.get(numbers.size() - 1), name));
            if (numbers.stream().distinct().count() > 1) {
                faults.add("the queries of " + name + " give " + numbers + ", and not one number");
            }
        });
        String broken = "the invariants do not hold: " + String.join("; ", faults);
        context.steps().add((faults.isEmpty() ? step : step.failed(broken)).done());
        context.progress()
                .line(
                        faults.isEmpty()
                                ? "the invariants hold: " + String.join(", ", holds)
                                : "the invariants do not hold");
    }

    private long number(StatementText query) {
        return transactions.number(query.written(code -> code, name -> ":" + name));
    }

    /** Whether transactions count. */
    private enum Phase {
        WARMUP,
        MEASURED
    }

    /**
     * How long transactions took, from when a user wanted one to its acknowledged end, tries that failed included: in microseconds,
     * with three significant digits. Users record from any thread; all else is done by one.
     */
    private static final class TransactionTimes implements AutoCloseable {
        private static final int DIGITS = 3;

        private final SortedMap<String, OfClass> classes = new TreeMap<>();
        private final TransactionUser.Counts counts;
        private final RunTables tables;
        private final TableWriter table;
        private TransactionUser.Mishaps before = TransactionUser.Mishaps.NONE;

        /** @param measured those of the measured time, as of the end of the last interval */
        private record OfClass(Recorder recorder, Histogram measured) {}

        TransactionTimes(Set<String> names, TransactionUser.Counts counts, RunTables tables) {
            this.counts = counts;
            this.tables = tables;
            names.forEach(one -> classes.put(one, new OfClass(new Recorder(DIGITS), new Histogram(DIGITS))));
            this.table = tables.open(RunFile.TRANSACTIONS);
        }

        /** What a user records its times with. */
        Recorder recorder(String one) {
            return Objects.requireNonNull(classes.get(one)).recorder();
        }

        /** Ends an interval at this instant, of which all transactions that ended in it belong to this phase. */
        void endInterval(long nanos, Phase phase) {
            Histogram all = new Histogram(DIGITS);
            for (OfClass one : classes.values()) {
                Histogram interval = one.recorder().getIntervalHistogram();
                all.add(interval);
                if (phase == Phase.MEASURED) {
                    one.measured().add(interval);
                }
            }
            TransactionUser.Mishaps now = counts.mishaps();
            table.row(
                    tables.second(nanos),
                    phase == Phase.MEASURED ? "measured" : "warmup",
                    all.getTotalCount(),
                    now.since(before).conflicts(),
                    now.since(before).lost(),
                    all.getValueAtPercentile(50),
                    all.getValueAtPercentile(95),
                    all.getValueAtPercentile(99),
                    all.getMaxValue());
            table.flush();
            before = now;
        }

        /** Those of one class in the measured time. */
        Histogram of(String one) {
            return Objects.requireNonNull(classes.get(one)).measured();
        }

        /** Those of all classes. */
        Histogram all() {
            Histogram all = new Histogram(DIGITS);
            classes.values().forEach(one -> all.add(one.measured()));
            return all;
        }

        @Override
        public void close() {
            RunTables.close(table);
        }
    }

    /**
     * What the server read and wrote for transactions: the difference of its counters, where it lets us see them. Users who are at work
     * hand in what they counted up to a second later, so that as much of the time before the start may be in it. Used by one thread.
     */
    private static final class ServerIo implements AutoCloseable {
        private final Store store;
        /** Opened before they are needed: to connect may take long where many are at work. */
        private final Optional<Counters> counters;

        private Optional<CounterReading> before = Optional.empty();

        ServerIo(Store store) {
            this.store = store;
            this.counters = told(store::openCounters);
        }

        private static <T> Optional<T> told(Supplier<Optional<T>> asked) {
            try {
                return asked.get();
            } catch (SearchException | TargetException untold) {
                return Optional.empty();
            }
        }

        /** Starts to count. */
        void start() {
            before = told(() -> counters.map(Counters::read))
                    .filter(known -> !known.io().isEmpty());
            close();
        }

        /**
         * Once all have ended, adds what was counted to steps that have it for themselves; nothing where the server was started anew,
         * which forgets its counts.
         */
        void addTo(List<Step> steps) {
            before.ifPresent(then -> told(() -> Optional.of(EventWrites.settled(store)))
                    .filter(now -> !now.restartedSince(then))
                    .map(now -> now.since(then))
                    .ifPresent(counted -> steps.forEach(step -> step.readAndWritten(counted))));
        }

        /** Gives the connection back. */
        @Override
        public void close() {
            counters.ifPresent(Counters::close);
        }
    }

    /**
     * Looks once a second whether the server has completed a checkpoint, and what was written since the one before. What the server
     * does not tell is left out. Thread-safe.
     */
    private static final class CheckpointWatch implements AutoCloseable {
        private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
        private static final String COMPLETED = "checkpoints.completed";
        private static final double MILLIS = 1_000;

        private final Optional<Counters> counters;
        private final List<StepRecord> steps = new ArrayList<>();
        private final Thread thread = DaemonThread.of("siemload-checkpoints", this::run);
        private Optional<Seen> last = Optional.empty();
        private volatile boolean open = true;

        /** @param completedAt when that many checkpoints were seen first */
        private record Seen(CounterReading reading, long completedAt) {
            long completed() {
                return reading.counters().getOrDefault(COMPLETED, 0L);
            }
        }

        /** Begins to watch, where the server tells anything. */
        CheckpointWatch(Optional<Counters> counters) {
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

        private void look(Counters source, boolean atEnd) {
            CounterReading now;
            try {
                now = source.read(); // Without the monitor: a server that does not answer must not keep finish()
                // waiting.
            } catch (SearchException unread) {
                return; // The server is being restarted, or will be missed by everybody else, too.
            }
            note(new Seen(now, System.nanoTime()), atEnd);
        }

        private synchronized void note(Seen now, boolean atEnd) {
            if (last.isEmpty()
                    || now.reading().startedAnewSince(last.orElseThrow().reading())) {
                last = Optional.of(now);
                return;
            }
            Seen before = last.orElseThrow();
            boolean isDone = now.completed() > before.completed();
            if (isDone || atEnd) {
                Step step = new Step(isDone ? "checkpoint" : "after the last checkpoint");
                since(before, now, "blocks").ifPresent(blocks -> step.figure("blocksByCheckpoint", blocks));
                since(before, now, "blocksByWriter").ifPresent(blocks -> step.figure("blocksByWriter", blocks));
                since(before, now, "blocksBySessions").ifPresent(blocks -> step.figure("blocksBySessions", blocks));
                if (isDone) {
                    step.fact("number", now.completed())
                            .fact("time", Instant.now().truncatedTo(ChronoUnit.SECONDS));
                    last = Optional.of(now);
                }
                step.figure("secondsSinceLast", (now.completedAt() - before.completedAt()) / (double) SECOND);
                if (isDone) {
                    since(before, now, "millis").ifPresent(millis -> step.figure("seconds", millis / MILLIS));
                }
                steps.add(step.done());
            }
        }

        /** By how much a counter has grown, if the server tells it. */
        private static OptionalLong since(Seen before, Seen now, String counter) {
            Long earlier = before.reading().counters().get("checkpoints." + counter);
            Long later = now.reading().counters().get("checkpoints." + counter);
            return earlier == null || later == null ? OptionalLong.empty() : OptionalLong.of(later - earlier);
        }

        @Override
        public void close() {
            List<StepRecord> unused = finish();
        }
    }
}
