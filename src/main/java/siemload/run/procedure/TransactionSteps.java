package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import siemload.database.AccountScale;
import siemload.database.AccountSession;
import siemload.database.Accounts;
import siemload.database.Books;
import siemload.database.Maintenance;
import siemload.database.TargetException;
import siemload.dataset.SeededRandom;
import siemload.results.StepRecord;
import siemload.run.procedure.TransactionTimes.Phase;
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
                intervals(start, measureStart, Phase.WARMUP, threads, times);
                ofWarmup = counts.mishaps();
            }
            io.start();
            intervals(measureStart, finish, Phase.MEASURED, threads, times);
        } finally {
            over = true;
            context.progress().status("waiting for the last transactions");
            threads.join();
            last = System.nanoTime();
            crashFailure = failureOf(crash);
        }
        times.endInterval(last, last - measureStart < 0 ? Phase.WARMUP : Phase.MEASURED);
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
    private void intervals(long start, long end, Phase phase, UserThreads threads, TransactionTimes times) {
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
}
