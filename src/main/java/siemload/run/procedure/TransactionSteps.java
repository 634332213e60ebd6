package siemload.run.procedure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import siemload.config.DaemonThread;
import siemload.database.Counters;
import siemload.database.Store.Maintenance;
import siemload.database.Store.OwnTransactions;
import siemload.database.Store.OwnTransactions.Bound;
import siemload.database.Store.OwnTransactions.TransactionException;
import siemload.database.TargetException;
import siemload.dataset.SeededRandom;
import siemload.measure.monitor.SessionIo;
import siemload.query.StatementText;
import siemload.run.procedure.StepLog.Step;
import siemload.scenario.Procedure.Transactions;

/**
 * Sets up the tables of a scenario, lets all users execute transactions for a fixed time, and then checks the invariants. A user executes
 * one transaction after the other without think time. Transactions that the server rolled back because of other transactions, or whose
 * connection was lost, are retried; a commit without an answer is looked up at the end.
 */
final class TransactionSteps {
    private static final int DIGITS = 3;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long MOMENT = SECOND / 20;
    /** The longest pause after a conflict: a few times a transaction's length. Pauses are random, so users who met at one row part. */
    private static final long LONGEST_PAUSE = SECOND / 100;
    /** The longest time that a killed server may take to recover its files. */
    private static final long PATIENCE = 120 * SECOND;

    private final Transactions procedure;
    private final ProcedureContext context;
    private final OwnTransactions transactions;
    private final List<UserClass> classes = new ArrayList<>();
    /** Attempts that left nothing: those rolled back because of other transactions, and those whose connection was lost. */
    private final LongAdder conflicts = new LongAdder();

    private final LongAdder connectionsLost = new LongAdder();
    /** The number of rows whose commit the server has acknowledged, and the rows of each commit without an answer. */
    private final LongAdder acknowledged = new LongAdder();

    private final Queue<List<Map<String, String>>> unanswered = new ConcurrentLinkedQueue<>();
    /** The last id that was given to a row: each row of the run has its own id. */
    private final AtomicLong ids = new AtomicLong();
    /** True once no further transaction may begin: the time is over, or a user has failed. */
    private volatile boolean over;

    TransactionSteps(Transactions procedure, ProcedureContext context) {
        this.procedure = procedure;
        this.context = context;
        this.transactions = context.store()
                .transactions()
                .orElseThrow(() ->
                        new TargetException("this target cannot execute transactions of your own; choose another one"));
        procedure.usersByClass().forEach((name, users) -> {
            Transactions.Transaction done =
                    Objects.requireNonNull(procedure.transactions().get(name));
            classes.add(new UserClass(name, users, done, Prepared.all(done.statements()), new Recorder(DIGITS)));
        });
    }

    void run() {
        setUp();
        try (SessionIo server = new SessionIo(context.store()::openCounters)) {
            server.open();
            work(server);
        } catch (TargetException broken) {
            try {
                checkInvariants();
            } catch (TargetException unasked) {
                // A failed server may not answer these queries either: only the first failure counts.
                broken.addSuppressed(unasked);
            }
            throw broken;
        }
        checkInvariants();
    }

    private void setUp() {
        List<String> statements =
                procedure.setup().stream().map(StatementText::written).toList();
        try (SessionIo server = new SessionIo(context.store()::openCounters)) {
            server.start(Counters::read);
            int[] begun = {0};
            long start = System.nanoTime();
            transactions.setUp(statements, statement -> {
                context.steps().check();
                context.status("setting up, statement %d of %d", ++begun[0], statements.size());
            });
            Step step = new Step("setup").figure("seconds", ProcedureContext.secondsSince(start));
            context.status("checkpoint");
            context.store().maintenance().ifPresent(Maintenance::checkpoint);
            context.steps()
                    .add(step.readAndWritten(server.sinceStart())
                            .sized(context.store().relationBytes()));
        }
    }

    /** Lets the users work, and adds the measurements of the transactions that ended in the measured time. */
    private void work(SessionIo server) {
        List<User> users = new ArrayList<>();
        try {
            for (UserClass one : classes) {
                for (int i = 0; i < one.users; i++) {
                    users.add(new User(one, SeededRandom.of(context.seed(), users.size())));
                }
            }
            long measured = System.nanoTime() + procedure.warmup().toNanos();
            CompletableFuture<Void> working = DaemonThread.start("siemload-user", users);
            try {
                waitUntil(measured, "warm-up");
                if (!procedure.warmup().isZero()) {
                    forget();
                }
                server.start(Counters::read);
                procedure.crash().ifPresent(after -> {
                    waitUntil(measured + after.toNanos(), "measuring");
                    if (!hasEnded()) {
                        context.crash().run();
                    }
                });
                waitUntil(measured + procedure.duration().toNanos(), "measuring");
            } finally {
                over = true;
                context.status("waiting for the last transactions");
                try {
                    DaemonThread.await(working);
                } finally {
                    long nanos = System.nanoTime() - measured;
                    if (nanos < 0) {
                        forget();
                    }
                    addSteps(Math.max(0, nanos) / 1e9, server.sinceStart());
                }
            }
        } finally {
            users.forEach(user -> user.session.close());
        }
    }

    /** Resets all counts: earlier transactions are not part of the measured time. */
    private void forget() {
        classes.forEach(one -> one.times.reset());
        conflicts.reset();
        connectionsLost.reset();
    }

    private boolean hasEnded() {
        return over || context.steps().isInterrupted();
    }

    private void waitUntil(long due, String phase) {
        for (long left = due - System.nanoTime(); left > 0 && !hasEnded(); left = due - System.nanoTime()) {
            context.status("%d users, %s: %.0f s left", procedure.users(), phase, left / 1e9);
            LockSupport.parkNanos(Math.min(left, MOMENT));
        }
    }

    /** Adds a step for all classes together, and one for each class; input and output of a class is known only for a single class. */
    private void addSteps(double seconds, Optional<Counters.CounterReading> counted) {
        Histogram all = new Histogram(DIGITS);
        List<Step> each = new ArrayList<>();
        for (UserClass one : classes) {
            Histogram times = one.times.getIntervalHistogram();
            all.add(times);
            Step ofClass = timed("transactions " + one.name, times, seconds, one.users);
            each.add(ofClass.readAndWritten(counted.filter(unused -> classes.size() == 1)));
        }
        Step step = timed("transactions", all, seconds, procedure.users())
                .fact("classes", String.join(" ", procedure.classes().keySet()))
                .figure("conflicts", conflicts.sum())
                .figure("connectionsLost", connectionsLost.sum());
        procedure.crash().ifPresent(after -> step.fact("crash", after));
        context.steps().add(step.readAndWritten(counted));
        each.forEach(context.steps()::add);
    }

    private static Step timed(String name, Histogram times, double seconds, int users) {
        Step step = new Step(name);
        if (seconds > 0) {
            step.figure("transactionsPerSecond", times.getTotalCount() / seconds);
        }
        return step.fact("users", users)
                .figure("transactions", times.getTotalCount())
                .figure("meanMicros", times.getMean())
                .percentiles("p", times, 50, 95, 99, 99.9)
                .figure("maxMicros", times.getMaxValue());
    }

    /** Checks the invariants, also after a failure: all acknowledged rows must be there. */
    private void checkInvariants() {
        context.status("checking the invariants");
        Step step = new Step("invariants");
        List<String> faults = new ArrayList<>();
        procedure.committed().ifPresent(committed -> {
            List<Prepared> find = Prepared.all(committed.find());
            long known = acknowledged.sum();
            int found = 0;
            long open = 0;
            try (OwnTransactions.Session session = transactions.openSession()) {
                for (List<Map<String, String>> rows : unanswered) {
                    try {
                        boolean isThere = session.transact(bound(find, rows.subList(0, 1))) > 0;
                        found += isThere ? 1 : 0;
                        known += isThere ? rows.size() : 0;
                    } catch (TransactionException nobodyKnows) {
                        open += rows.size();
                    }
                }
            }
            long there = transactions.number(committed.count().written());
            step.figure(committed.name(), there)
                    .figure("acknowledged", known)
                    .figure("unknown", open)
                    .figure("commitsLookedUp", unanswered.size())
                    .figure("commitsFound", found);
            String counts = "there are %,d %s, but %,d were acknowledged";
            if (there < known) {
                faults.add(ProcedureContext.text(
                        counts + ": %,d are lost", there, committed.name(), known, known - there));
            } else if (there > known + open) {
                faults.add(ProcedureContext.text(
                        counts + " and the outcome of %,d is unknown", there, committed.name(), known, open));
            }
        });
        procedure.invariants().forEach((name, queries) -> {
            List<Long> numbers = new ArrayList<>();
            queries.forEach(query -> numbers.add(transactions.number(query.written())));
            step.figure(name, numbers.get(numbers.size() - 1));
            if (numbers.stream().distinct().count() > 1) {
                faults.add("the queries of " + name + " return different numbers: " + numbers);
            }
        });
        String verdict = faults.isEmpty() ? "the invariants hold" : "the invariants do not hold";
        context.steps().add(faults.isEmpty() ? step : step.failed(verdict + ": " + String.join("; ", faults)));
        context.progress().line(verdict);
    }

    /** @param places the parameters, in the order of the text */
    private record Prepared(String sql, List<String> places) {
        static List<Prepared> all(List<StatementText> texts) {
            List<Prepared> all = new ArrayList<>();
            texts.forEach(one -> all.add(new Prepared(
                    one.written(code -> (code.startsWith("?") ? " " : "") + code.replace("?", "??"), name -> "?"),
                    one.places())));
            return all;
        }

        Bound bound(Map<String, String> row) {
            return new Bound(sql, places.stream().map(row::get).toList());
        }
    }

    /**
     * The transaction of a class, and its times in microseconds: from when a user wanted the transaction to its acknowledged end, including
     * failed attempts.
     */
    private record UserClass(
            String name, int users, Transactions.Transaction transaction, List<Prepared> statements, Recorder times) {}

    /** Binds each statement to all rows before the next statement; rows are in the order of their last values as text. */
    private static List<Bound> bound(List<Prepared> statements, List<Map<String, String>> rows) {
        return statements.stream()
                .flatMap(one -> rows.stream().map(one::bound).sorted(Comparator.comparing(TransactionSteps::lastValue)))
                .toList();
    }

    private static String lastValue(Bound bound) {
        return bound.values().isEmpty() ? "" : bound.values().get(bound.values().size() - 1);
    }

    /** Used by one thread. */
    private final class User implements Runnable {
        private final OwnTransactions.Session session = transactions.openSession();
        private final UserClass work;
        private final SeededRandom random;
        /** A generator of random numbers only for pauses, so that drawn values do not depend on conflicts. */
        private final SeededRandom pauses;

        User(UserClass work, SeededRandom random) {
            this.work = work;
            this.random = random;
            this.pauses = new SeededRandom(random.nextLong());
        }

        private List<Map<String, String>> draw() {
            List<Map<String, String>> rows = new ArrayList<>();
            for (int i = 0; i < work.transaction.rows(); i++) {
                Map<String, String> row = new HashMap<>();
                procedure.values().forEach((parameter, values) -> row.put(parameter, values.draw(random)));
                if (work.transaction.writes()) {
                    row.put(Transactions.ID, Long.toString(ids.incrementAndGet()));
                }
                rows.add(row);
            }
            return rows;
        }

        @Override
        public void run() {
            try {
                while (!over) {
                    transact(System.nanoTime());
                }
            } finally {
                over = true; // It is over already, or this user has failed.
            }
        }

        /** Executes a transaction with all attempts; no time is noted if its commit got no answer, or an attempt failed after the end. */
        private void transact(long start) {
            List<Map<String, String>> rows = draw();
            List<Bound> statements = bound(work.statements, rows);
            boolean writes = work.transaction.writes();
            boolean isGivenUp = false;
            while (!isGivenUp) {
                try {
                    long unused = session.transact(statements);
                    acknowledged.add(writes ? rows.size() : 0);
                    work.times.recordValue((System.nanoTime() - start) / 1_000);
                    return;
                } catch (TransactionException failed) {
                    boolean isConflict = failed.kind() == TransactionException.Kind.CONFLICT;
                    // A commit without an answer changes nothing if the transaction does not write.
                    boolean isOpen = failed.kind() == TransactionException.Kind.UNKNOWN && writes;
                    if (isOpen) {
                        unanswered.add(rows);
                    }
                    boolean isLate = System.nanoTime() - start > PATIENCE && !over;
                    if (isLate || failed.kind() == TransactionException.Kind.REFUSED) {
                        String late = isLate ? " for " + PATIENCE / SECOND + " s: " : ": ";
                        String why = "a transaction of class " + work.name + " failed" + late + failed.getMessage();
                        throw new TargetException(why, failed);
                    }
                    LockSupport.parkNanos(isConflict ? pauses.nextLong(LONGEST_PAUSE) : MOMENT);
                    (isConflict ? conflicts : connectionsLost).add(isOpen ? 0 : 1);
                    isGivenUp = isOpen || over;
                }
            }
        }
    }
}
