package siemload.run.procedure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.OwnTransactions;
import siemload.database.OwnTransactions.Bound;
import siemload.database.OwnTransactions.TransactionException;
import siemload.database.OwnTransactions.TransactionException.Kind;
import siemload.database.Store.Maintenance;
import siemload.database.TargetException;
import siemload.dataset.SeededRandom;
import siemload.measure.monitor.SessionIo;
import siemload.query.StatementText;
import siemload.results.RunFile;
import siemload.results.RunWriter.TableWriter;
import siemload.scenario.Procedure.Transactions;
import siemload.scenario.Procedure.Transactions.Committed;
import siemload.scenario.Procedure.Transactions.Transaction;

/**
 * Sets up the tables of a scenario, lets all users at them for a fixed time, and then sees whether its invariants hold. A user does one
 * transaction after the other without thinking. What was rolled back for the sake of others, or had no connection, is tried again; a
 * commit that was not answered is looked up.
 */
final class TransactionSteps {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int DIGITS = 3;
    /**
     * What goes wrong with transactions: rolled back for the sake of others, and tried again; tries without a connection, with nothing left of
     * them; commits that were looked up, since no answer to them came; those of them that had been made.
     */
    private static final List<String> MISHAPS =
            List.of("conflicts", "connectionsLost", "commitsLookedUp", "commitsFound");

    private static final int CONFLICT = 0;
    private static final int LOST = 1;
    private static final int LOOKED_UP = 2;
    private static final int FOUND = 3;

    private final Transactions procedure;
    private final ProcedureContext context;
    private final OwnTransactions transactions;
    private final List<UserClass> classes = new ArrayList<>();
    /** Finds a row again whose commit was not answered. */
    private final List<Prepared> find;
    /** What went wrong in this interval, counted by all users; and in the measured time, as of the end of the last interval. */
    private final AtomicLongArray mishaps = new AtomicLongArray(MISHAPS.size());

    private final long[] measuredMishaps = new long[MISHAPS.size()];
    /** Rows whose commit the server has acknowledged, or that were found afterwards. */
    private final LongAdder acknowledged = new LongAdder();
    /** Rows of which nobody could find out whether they were committed. */
    private final LongAdder unknown = new LongAdder();
    /** Each row of the run has its own. */
    private final AtomicLong ids = new AtomicLong();
    /** No further transaction is to be begun. */
    private volatile boolean over;

    TransactionSteps(Transactions procedure, ProcedureContext context) {
        this.procedure = procedure;
        this.context = context;
        this.transactions = context.store()
                .transactions()
                .orElseThrow(() ->
                        new TargetException("this target has no transactions of own statements; choose another one"));
        this.find = procedure.committed().map(Committed::find).orElse(List.of()).stream()
                .map(Prepared::of)
                .toList();
        procedure.usersByClass().forEach((name, users) -> classes.add(new UserClass(name, users)));
    }

    void run() {
        setUp();
        Optional<TargetException> failure;
        try (TableWriter seconds = context.writer().table(RunFile.TRANSACTIONS);
                SessionIo server = context.io()) {
            server.open();
            failure = work(seconds, server);
        } catch (IOException unwritable) {
            throw new TargetException(
                    RunFile.TRANSACTIONS.fileName() + " cannot be written: " + unwritable.getMessage(), unwritable);
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
        List<String> statements =
                procedure.setup().stream().map(StatementText::written).toList();
        try (SessionIo server = context.io()) {
            server.start(Counters::read);
            long start = System.nanoTime();
            AtomicLong begun = new AtomicLong();
            transactions.setUp(statements, statement -> {
                context.steps().check();
                context.status("setting up, statement %d of %d", begun.incrementAndGet(), statements.size());
            });
            Step step = new Step("setup").figure("seconds", ProcedureContext.secondsSince(start));
            context.progress().status("checkpoint");
            context.store().maintenance().ifPresent(Maintenance::checkpoint);
            server.sinceStart().ifPresent(step::readAndWritten);
            context.steps().add(step.sized(context.store()).done());
        }
    }

    /**
     * Lets the users work, and adds what was measured of it. They hand in what they counted up to a second later, so that as much of the
     * time before the measured one may be in it.
     *
     * @return why it failed, if it did
     */
    private Optional<TargetException> work(TableWriter table, SessionIo server) {
        ParallelTasks users = new ParallelTasks("user", users());
        long start = System.nanoTime();
        long measureStart = start + procedure.warmup().toNanos();
        ParallelTasks crash = new ParallelTasks(
                "crash",
                procedure.crash().stream()
                        .<Runnable>map(after -> () -> crashAt(measureStart + after.toNanos()))
                        .toList());
        Optional<RuntimeException> failure;
        try {
            seconds(start, measureStart, "warm-up", users, table);
            server.start(Counters::read);
            seconds(measureStart, measureStart + procedure.duration().toNanos(), "measuring", users, table);
        } finally {
            over = true;
            context.progress().status("waiting for the last transactions");
            Optional<RuntimeException> ofUsers = users.join();
            // A server that did not come back is why users failed.
            failure = crash.join().or(() -> ofUsers);
        }
        long last = System.nanoTime();
        endInterval(last, last - measureStart >= 0, table);
        double measured = Math.max(0, last - measureStart) / 1e9;
        addSteps(measured, failure.isEmpty() && measured > 0 ? server.sinceStart() : Optional.empty());
        return failure.map(cause -> cause instanceof TargetException broken
                ? broken
                : new TargetException("transactions failed: " + cause, cause));
    }

    private List<User> users() {
        List<User> users = new ArrayList<>();
        try {
            for (UserClass one : classes) {
                for (int i = 0; i < one.users; i++) {
                    SeededRandom random = SeededRandom.of(context.seed(), users.size());
                    users.add(new User(transactions.openSession(), one, random));
                }
            }
        } catch (RuntimeException refused) {
            users.forEach(user -> user.session.close());
            throw refused;
        }
        return users;
    }

    private void crashAt(long due) {
        BooleanSupplier ended = () -> over || context.steps().isInterrupted();
        waitUntil(due, ended);
        if (!ended.getAsBoolean()) {
            context.crash().run();
        }
    }

    /** Ends an interval at each full second, until the phase or the users have ended. */
    private void seconds(long start, long end, String phase, ParallelTasks users, TableWriter table) {
        long due = start;
        while (due < end && !users.haveFailed() && !context.steps().isInterrupted()) {
            due = Math.min(due + SECOND, end);
            waitUntil(due, context.steps()::isInterrupted);
            endInterval(System.nanoTime(), phase.equals("measuring"), table);
            context.status("%d users, %s: %.0f s left", procedure.connections(), phase, (end - due) / 1e9);
        }
    }

    private static void waitUntil(long due, BooleanSupplier isEndedBefore) {
        for (long left = due - System.nanoTime();
                left > 0 && !isEndedBefore.getAsBoolean();
                left = due - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, SECOND / 20));
        }
    }

    /** Ends an interval at this instant, which counts if it is of the measured time. */
    private void endInterval(long nanos, boolean counts, TableWriter table) {
        Histogram all = new Histogram(DIGITS);
        for (UserClass one : classes) {
            Histogram interval = one.times.getIntervalHistogram();
            all.add(interval);
            if (counts) {
                one.measured.add(interval);
            }
        }
        long[] ended = new long[MISHAPS.size()];
        for (int mishap = 0; mishap < ended.length; mishap++) {
            ended[mishap] = mishaps.getAndSet(mishap, 0);
            measuredMishaps[mishap] += counts ? ended[mishap] : 0;
        }
        table.row(
                context.second(nanos),
                counts ? "measured" : "warmup",
                all.getTotalCount(),
                ended[CONFLICT],
                ended[LOST],
                all.getValueAtPercentile(50),
                all.getValueAtPercentile(95),
                all.getValueAtPercentile(99),
                all.getMaxValue());
        table.flush();
    }

    private void addSteps(double seconds, Optional<CounterReading> counted) {
        Histogram all = new Histogram(DIGITS);
        classes.forEach(one -> all.add(one.measured));
        Step step = timed("transactions", all, seconds, procedure.connections())
                .fact("classes", String.join(" ", procedure.classes().keySet()));
        for (int mishap = 0; mishap < measuredMishaps.length; mishap++) {
            step.figure(MISHAPS.get(mishap), measuredMishaps[mishap]);
        }
        procedure.crash().ifPresent(after -> step.fact("crash", after));
        counted.ifPresent(step::readAndWritten);
        context.steps().add(step.done());
        for (UserClass one : classes) {
            Step ofClass = timed("transactions " + one.name, one.measured, seconds, one.users);
            counted.filter(unused -> classes.size() == 1).ifPresent(ofClass::readAndWritten);
            context.steps().add(ofClass.done());
        }
    }

    private static Step timed(String name, Histogram times, double seconds, int users) {
        Step step = new Step(name);
        if (seconds > 0) {
            step.figure("transactionsPerSecond", times.getTotalCount() / seconds);
        }
        return step.fact("users", users)
                .figure("transactions", times.getTotalCount())
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
        List<String> faults = new ArrayList<>();
        procedure.committed().ifPresent(committed -> {
            long there = transactions.number(committed.count().written());
            long known = acknowledged.sum();
            long open = unknown.sum();
            step.figure(committed.name(), there).figure("acknowledged", known).figure("unknown", open);
            if (there < known || there > known + open) {
                faults.add(String.format(
                        Locale.ROOT,
                        "there are %,d %s, but %,d were acknowledged%s",
                        there,
                        committed.name(),
                        known,
                        there < known
                                ? String.format(Locale.ROOT, ": %,d are lost", known - there)
                                : String.format(Locale.ROOT, " and the outcome of %,d is unknown", open)));
            }
        });
        procedure.invariants().forEach((name, queries) -> {
            List<Long> numbers = queries.stream()
                    .map(query -> transactions.number(query.written()))
                    .toList();
            step.figure(name, numbers.get(numbers.size() - 1));
            if (numbers.stream().distinct().count() > 1) {
                faults.add("the queries of " + name + " give " + numbers + ", and not one number");
            }
        });
        String verdict = faults.isEmpty() ? "the invariants hold" : "the invariants do not hold";
        context.steps().add((faults.isEmpty() ? step : step.failed(verdict + ": " + String.join("; ", faults))).done());
        context.progress().line(verdict);
    }

    /** @param places the parameters, in the order of the text */
    private record Prepared(String sql, List<String> places) {
        static Prepared of(StatementText text) {
            return new Prepared(text.written(code -> code.replace("?", "??"), name -> "?"), text.places());
        }

        Bound bound(Map<String, String> row) {
            return new Bound(sql, places.stream().map(row::get).toList());
        }
    }

    /** What users of a class do over and over, and how long it takes, in microseconds with three significant digits. */
    private final class UserClass {
        private final String name;
        private final int users;
        private final Transaction transaction;
        private final List<Prepared> statements;
        /** From when a user wanted one to its acknowledged end, tries that failed included. */
        private final Recorder times = new Recorder(DIGITS);
        /** Those of the measured time, as of the end of the last interval. */
        private final Histogram measured = new Histogram(DIGITS);

        UserClass(String name, int users) {
            this.name = name;
            this.users = users;
            this.transaction = Objects.requireNonNull(procedure.transactions().get(name));
            this.statements =
                    transaction.statements().stream().map(Prepared::of).toList();
        }

        private List<Map<String, String>> draw(SeededRandom random) {
            List<Map<String, String>> rows = new ArrayList<>();
            for (int i = 0; i < transaction.rows(); i++) {
                Map<String, String> row = new HashMap<>();
                procedure.values().forEach((parameter, values) -> row.put(parameter, values.draw(random)));
                if (transaction.writes()) {
                    row.put(Transactions.ID, Long.toString(ids.incrementAndGet()));
                }
                rows.add(row);
            }
            return rows;
        }

        private static String last(Bound bound) {
            return bound.values().isEmpty()
                    ? ""
                    : bound.values().get(bound.values().size() - 1);
        }

        private List<Bound> bound(List<Map<String, String>> rows) {
            List<Bound> all = new ArrayList<>();
            for (Prepared one : statements) {
                // Shorter numbers are smaller ones.
                rows.stream()
                        .map(one::bound)
                        .sorted(Comparator.<Bound>comparingInt(
                                        bound -> last(bound).length())
                                .thenComparing(UserClass::last))
                        .forEach(all::add);
            }
            return all;
        }
    }

    /** Used by one thread. */
    private final class User implements Runnable {
        /** After so many conflicts in a row it waits before it tries again. */
        private static final int CONFLICTS_WITHOUT_PAUSE = 3;
        /** Some transactions long, and not the same for those who met at one row. */
        private static final long LONGEST_PAUSE_NANOS = SECOND / 100;

        private static final long MOMENT_NANOS = SECOND / 20;
        /** How long a server that was killed may take to repair its files. */
        private static final long PATIENCE_NANOS = 120 * SECOND;

        private final OwnTransactions.Session session;
        private final UserClass work;
        private final SeededRandom random;
        /** Apart from the one above, so that what is drawn does not depend on conflicts. */
        private final SeededRandom pauses;

        User(OwnTransactions.Session session, UserClass work, SeededRandom random) {
            this.session = session;
            this.work = work;
            this.random = random;
            this.pauses = new SeededRandom(random.nextLong());
        }

        @Override
        public void run() {
            try (session) {
                while (!over) {
                    long start = System.nanoTime();
                    if (isDone(start)) {
                        work.times.recordValue((System.nanoTime() - start) / 1_000);
                    }
                }
            }
        }

        /** One transaction with all its tries; not done where the time is over, or nobody knows. */
        private boolean isDone(long start) {
            List<Map<String, String>> rows = work.draw(random);
            List<Bound> statements = work.bound(rows);
            boolean writes = work.transaction.writes();
            int rolledBack = 0;
            while (true) {
                try {
                    long unused = context.steps().counted(() -> session.transact(statements));
                    acknowledged.add(writes ? rows.size() : 0);
                    return true;
                } catch (TransactionException failed) {
                    if (failed.kind() == Kind.REFUSED) {
                        throw new TargetException(
                                "a transaction of class " + work.name + " failed: " + failed.getMessage(), failed);
                    }
                    // A commit of nothing that was not answered changes nothing.
                    boolean isLookedUp = failed.kind() == Kind.UNKNOWN && writes;
                    boolean isConflict = failed.kind() == Kind.CONFLICT || isLookedUp;
                    if (isLookedUp) {
                        Optional<Boolean> isThere = lookedUp(rows, start);
                        if (over || isThere.orElse(true)) {
                            return isThere.orElse(false);
                        }
                    } else {
                        mishaps.incrementAndGet(isConflict ? CONFLICT : LOST);
                    }
                    rolledBack += isConflict ? 1 : 0;
                    if (!isConflict || rolledBack > CONFLICTS_WITHOUT_PAUSE) {
                        if (over) {
                            return false;
                        }
                        if (System.nanoTime() - start > PATIENCE_NANOS) {
                            throw new TargetException("a transaction of class " + work.name + " could not be done in "
                                    + PATIENCE_NANOS / SECOND + " s: "
                                    + (rolledBack == 0
                                            ? "there was no connection"
                                            : "it was rolled back " + rolledBack + " times for the sake of others"));
                        }
                        LockSupport.parkNanos(isConflict ? pauses.nextLong(LONGEST_PAUSE_NANOS) : MOMENT_NANOS);
                    }
                }
            }
        }

        /**
         * Whether a transaction was committed: all of it is there, or nothing. Asked at least once, and no further where it is hurried;
         * empty where nobody knows.
         */
        private Optional<Boolean> lookedUp(List<Map<String, String>> rows, long start) {
            mishaps.incrementAndGet(LOOKED_UP);
            List<Bound> asked = find.stream().map(one -> one.bound(rows.get(0))).toList();
            do {
                try {
                    boolean isThere = context.steps().counted(() -> session.transact(asked)) > 0;
                    if (isThere) {
                        mishaps.incrementAndGet(FOUND);
                        acknowledged.add(rows.size());
                    }
                    return Optional.of(isThere);
                } catch (TransactionException notYet) {
                    LockSupport.parkNanos(MOMENT_NANOS);
                }
            } while (!context.steps().isInterrupted() && System.nanoTime() - start < PATIENCE_NANOS);
            unknown.add(rows.size());
            return Optional.empty();
        }
    }
}
