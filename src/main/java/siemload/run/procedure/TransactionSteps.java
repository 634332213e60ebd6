package siemload.run.procedure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import siemload.config.Choices;
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
import siemload.run.procedure.StepLog.Step;
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
    private enum Mishap {
        CONFLICTS,
        CONNECTIONS_LOST,
        COMMITS_LOOKED_UP,
        COMMITS_FOUND
    }

    private final Transactions procedure;
    private final ProcedureContext context;
    private final OwnTransactions transactions;
    private final List<UserClass> classes = new ArrayList<>();
    /** Finds a row again whose commit was not answered. */
    private final List<Prepared> find;
    /** What went wrong in this interval, counted by all users; and in the measured time, as of the end of the last interval. */
    private final Map<Mishap, LongAdder> mishaps = new EnumMap<>(Mishap.class);

    private final Map<Mishap, Long> measuredMishaps = new EnumMap<>(Mishap.class);
    /** Rows whose commit the server has acknowledged, or that were found afterwards. */
    private final LongAdder acknowledged = new LongAdder();
    /** Rows of which nobody could find out whether they were committed. */
    private final LongAdder unknown = new LongAdder();
    /** Each row of the run has its own. */
    private final AtomicLong ids = new AtomicLong();
    /** No further transaction is to be begun: the time is over, or a user has failed. */
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
        procedure
                .usersByClass()
                .forEach((name, users) -> classes.add(new UserClass(
                        name,
                        users,
                        Objects.requireNonNull(procedure.transactions().get(name)))));
        List.of(Mishap.values()).forEach(mishap -> mishaps.put(mishap, new LongAdder()));
    }

    void run() {
        setUp();
        try (SessionIo server = new SessionIo(context.store()::openCounters)) {
            TableWriter seconds = context.writer().table(RunFile.TRANSACTIONS);
            server.open();
            work(seconds, server);
        } catch (IOException unwritable) {
            throw new TargetException(
                    RunFile.TRANSACTIONS.fileName() + " cannot be written: " + unwritable.getMessage(), unwritable);
        } catch (TargetException broken) {
            try {
                checkInvariants();
            } catch (TargetException unasked) {
                // A server that has failed may not answer either, which is no more than a consequence.
                broken.addSuppressed(unasked);
            }
            throw broken;
        } finally {
            over = true; // For users of whom not all could be started.
        }
        checkInvariants();
    }

    private void setUp() {
        List<String> statements =
                procedure.setup().stream().map(StatementText::written).toList();
        try (SessionIo server = new SessionIo(context.store()::openCounters)) {
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
            server.sinceStart()
                    .ifPresent(counted -> step.readAndWritten(counted.io().values()));
            context.steps().add(step.sized(context.store()));
        }
    }

    /**
     * Lets the users work, and adds what was measured of it. They hand in what they counted up to a second later, so that as much of the
     * time before the measured one may be in it.
     */
    private void work(TableWriter table, SessionIo server) {
        List<Runnable> work = new ArrayList<>(users());
        long start = System.nanoTime();
        long measureStart = start + procedure.warmup().toNanos();
        // The first one, since a server that did not come back is why users failed.
        procedure.crash().ifPresent(after -> work.add(0, () -> crashAt(measureStart + after.toNanos())));
        CompletableFuture<Void> working = Servers.start("user", work);
        Optional<RuntimeException> failure = Optional.empty();
        try {
            seconds(start, measureStart, "warm-up", table);
            server.start(Counters::read);
            seconds(measureStart, measureStart + procedure.duration().toNanos(), "measuring", table);
        } finally {
            over = true;
            context.progress().status("waiting for the last transactions");
            try {
                Servers.await(working);
            } catch (RuntimeException failed) {
                failure = Optional.of(failed);
            }
        }
        long last = System.nanoTime();
        endInterval(last, last - measureStart >= 0, table);
        double measured = Math.max(0, last - measureStart) / 1e9;
        addSteps(measured, failure.isEmpty() && measured > 0 ? server.sinceStart() : Optional.empty());
        failure.ifPresent(cause -> {
            throw cause instanceof TargetException broken
                    ? broken
                    : new TargetException("transactions failed: " + cause, cause);
        });
    }

    private List<User> users() {
        List<User> users = new ArrayList<>();
        try {
            for (UserClass one : classes) {
                for (int i = 0; i < one.users; i++) {
                    SeededRandom random = SeededRandom.of(context.seed(), users.size());
                    users.add(new User(one, random));
                }
            }
        } catch (RuntimeException refused) {
            users.forEach(user -> user.session.close());
            throw refused;
        }
        return users;
    }

    private void crashAt(long due) {
        waitUntil(due);
        if (!hasEnded()) {
            context.crash().run();
        }
    }

    private boolean hasEnded() {
        return over || context.steps().isInterrupted();
    }

    /** Ends an interval at each full second, until the phase or the users have ended. */
    private void seconds(long start, long end, String phase, TableWriter table) {
        for (long due = start; due < end && !hasEnded(); ) {
            due = Math.min(due + SECOND, end);
            waitUntil(due);
            endInterval(System.nanoTime(), phase.equals("measuring"), table);
            context.status("%d users, %s: %.0f s left", procedure.connections(), phase, (end - due) / 1e9);
        }
    }

    private void waitUntil(long due) {
        for (long left = due - System.nanoTime(); left > 0 && !hasEnded(); left = due - System.nanoTime()) {
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
        Map<Mishap, Long> ended = new EnumMap<>(Mishap.class);
        mishaps.forEach((mishap, count) -> ended.put(mishap, count.sumThenReset()));
        ended.forEach((mishap, count) -> measuredMishaps.merge(mishap, counts ? count : 0, Long::sum));
        table.row(
                (nanos - context.startNanos()) / 1e9,
                counts ? "measured" : "warmup",
                all.getTotalCount(),
                ended.getOrDefault(Mishap.CONFLICTS, 0L),
                ended.getOrDefault(Mishap.CONNECTIONS_LOST, 0L),
                all.getValueAtPercentile(50),
                all.getValueAtPercentile(95),
                all.getValueAtPercentile(99),
                all.getMaxValue());
    }

    private void addSteps(double seconds, Optional<CounterReading> counted) {
        Histogram all = new Histogram(DIGITS);
        classes.forEach(one -> all.add(one.measured));
        Step step = timed("transactions", all, seconds, procedure.connections())
                .fact("classes", String.join(" ", procedure.classes().keySet()));
        measuredMishaps.forEach((mishap, count) -> step.figure(Choices.camelCase(mishap), count));
        procedure.crash().ifPresent(after -> step.fact("crash", after));
        counted.ifPresent(told -> step.readAndWritten(told.io().values()));
        context.steps().add(step);
        for (UserClass one : classes) {
            Step ofClass = timed("transactions " + one.name, one.measured, seconds, one.users);
            counted.filter(unused -> classes.size() == 1)
                    .ifPresent(own -> ofClass.readAndWritten(own.io().values()));
            context.steps().add(ofClass);
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
                .percentiles("p", times, 50, 95, 99, 99.9)
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
        context.steps().add(faults.isEmpty() ? step : step.failed(verdict + ": " + String.join("; ", faults)));
        context.progress().line(verdict);
    }

    private void mishap(Mishap kind) {
        Objects.requireNonNull(mishaps.get(kind)).increment();
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

    /**
     * What users of a class do over and over, and how long it takes, in microseconds: from when a user wanted it to its acknowledged end,
     * tries that failed included.
     *
     * @param times of this interval
     * @param measured those of the measured time, as of the end of the last interval
     */
    private record UserClass(
            String name,
            int users,
            Transaction transaction,
            List<Prepared> statements,
            Recorder times,
            Histogram measured) {
        /** Shorter numbers are smaller ones. */
        private static final Comparator<String> BY_NUMBER =
                Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

        UserClass(String name, int users, Transaction done) {
            this(
                    name,
                    users,
                    done,
                    done.statements().stream().map(Prepared::of).toList(),
                    new Recorder(DIGITS),
                    new Histogram(DIGITS));
        }

        /** Each statement with all rows before the next one, in the order of their last values. */
        List<Bound> bound(List<Map<String, String>> rows) {
            return statements.stream()
                    .flatMap(one -> rows.stream()
                            .map(one::bound)
                            .sorted(Comparator.comparing(
                                    bound -> bound.values().stream().reduce("", (before, last) -> last), BY_NUMBER)))
                    .toList();
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

        private final OwnTransactions.Session session = transactions.openSession();
        private final UserClass work;
        private final SeededRandom random;
        /** Apart from the one above, so that what is drawn does not depend on conflicts. */
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
            try (session) {
                while (!over) {
                    long start = System.nanoTime();
                    if (isDone(start)) {
                        work.times.recordValue((System.nanoTime() - start) / 1_000);
                    }
                }
            } catch (RuntimeException | Error failed) {
                over = true;
                throw failed;
            }
        }

        /** One transaction with all its tries; not done where the time is over, or nobody knows. */
        private boolean isDone(long start) {
            List<Map<String, String>> rows = draw();
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
                        mishap(isConflict ? Mishap.CONFLICTS : Mishap.CONNECTIONS_LOST);
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
            mishap(Mishap.COMMITS_LOOKED_UP);
            List<Bound> asked = find.stream().map(one -> one.bound(rows.get(0))).toList();
            do {
                try {
                    boolean isThere = context.steps().counted(() -> session.transact(asked)) > 0;
                    if (isThere) {
                        mishap(Mishap.COMMITS_FOUND);
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
