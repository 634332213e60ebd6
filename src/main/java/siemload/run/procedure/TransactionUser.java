package siemload.run.procedure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Recorder;
import siemload.database.OwnTransactions.Bound;
import siemload.database.OwnTransactions.Session;
import siemload.database.OwnTransactions.TransactionException;
import siemload.database.OwnTransactions.TransactionException.Kind;
import siemload.database.TargetException;
import siemload.dataset.SeededRandom;
import siemload.query.StatementText;
import siemload.scenario.Procedure.Transactions;
import siemload.scenario.Procedure.Transactions.Transaction;

/**
 * One user who does one transaction after the other without thinking. What was rolled back for the sake of others, or had no
 * connection, is tried again; a commit that was not answered is looked up. Used by one thread.
 */
final class TransactionUser implements Runnable {
    /** After so many conflicts in a row it waits before it tries again. */
    private static final int CONFLICTS_WITHOUT_PAUSE = 3;
    /** Some transactions long, and not the same for those who met at one row. */
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** How long a server that was killed may take to repair its files. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final Session session;
    private final Work work;
    private final SeededRandom random;
    /** Apart from the one above, so that what is drawn does not depend on conflicts. */
    private final SeededRandom pauses;

    private final AtomicLong ids;
    private final Counts counts;
    private final Recorder times;
    private final End end;

    /** @param ids gives each row of the run its own */
    TransactionUser(
            Session session, Work work, SeededRandom random, AtomicLong ids, Counts counts, Recorder times, End end) {
        this.session = session;
        this.work = work;
        this.random = random;
        this.pauses = new SeededRandom(random.nextLong());
        this.ids = ids;
        this.counts = counts;
        this.times = times;
        this.end = end;
    }

    /** What users of a class do over and over. Immutable. */
    static final class Work {
        private final String name;
        private final Transactions procedure;
        private final Transaction transaction;
        private final List<Prepared> statements;
        private final List<Prepared> find;

        Work(Transactions procedure, String name) {
            this.name = name;
            this.procedure = procedure;
            this.transaction = Objects.requireNonNull(procedure.classes().get(name));
            this.statements =
                    transaction.statements().stream().map(Prepared::of).toList();
            this.find = procedure.committed().stream()
                    .flatMap(committed -> committed.find().stream())
                    .map(Prepared::of)
                    .toList();
        }

        /** A statement with the parameters of its places. */
        private record Prepared(String sql, List<String> places) {
            static Prepared of(StatementText text) {
                return new Prepared(text.written(code -> code.replace("?", "??"), name -> "?"), text.places());
            }

            Bound bound(Map<String, String> row) {
                return new Bound(sql, places.stream().map(row::get).toList());
            }
        }

        private List<Map<String, String>> draw(SeededRandom random, AtomicLong ids) {
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

        private List<Bound> bound(List<Map<String, String>> rows) {
            List<Bound> all = new ArrayList<>();
            for (Prepared one : statements) {
                List<Bound> ofRows = new ArrayList<>();
                rows.forEach(row -> ofRows.add(one.bound(row)));
                if (rows.size() > 1 && !one.places().isEmpty()) {
                    int last = one.places().size() - 1;
                    // Shorter numbers are smaller ones.
                    ofRows.sort(Comparator.<Bound>comparingInt(
                                    bound -> bound.values().get(last).length())
                            .thenComparing(bound -> bound.values().get(last)));
                }
                all.addAll(ofRows);
            }
            return all;
        }
    }

    /**
     * How long users go on. Thread-safe.
     *
     * @param reached whether no further transaction is to be begun
     * @param hurried whether nobody waits any longer for what became of the last ones
     */
    record End(BooleanSupplier reached, BooleanSupplier hurried) {
        boolean isReached() {
            return reached.getAsBoolean();
        }

        boolean isHurried() {
            return hurried.getAsBoolean();
        }
    }

    /** What became of the transactions of all users, from the first one on. Thread-safe. */
    static final class Counts {
        /** Rows whose commit the server has acknowledged, or that were found afterwards. */
        final LongAdder acknowledged = new LongAdder();
        /** Rows of which nobody could find out whether they were committed. */
        final LongAdder unknown = new LongAdder();

        private final LongAdder conflicts = new LongAdder();
        private final LongAdder lost = new LongAdder();
        private final LongAdder lookedUp = new LongAdder();
        private final LongAdder foundCommitted = new LongAdder();

        Mishaps mishaps() {
            return new Mishaps(conflicts.sum(), lost.sum(), lookedUp.sum(), foundCommitted.sum());
        }
    }

    /**
     * What went wrong up to an instant. Immutable.
     *
     * @param conflicts transactions that were rolled back for the sake of others, and tried again
     * @param lost tries that failed since there was no connection, with nothing left of them
     * @param lookedUp transactions whose commit was looked up, since no answer to it came
     * @param foundCommitted those of them that had been committed
     */
    record Mishaps(long conflicts, long lost, long lookedUp, long foundCommitted) {
        static final Mishaps NONE = new Mishaps(0, 0, 0, 0);

        Mishaps since(Mishaps before) {
            return new Mishaps(
                    conflicts - before.conflicts,
                    lost - before.lost,
                    lookedUp - before.lookedUp,
                    foundCommitted - before.foundCommitted);
        }
    }

    @Override
    public void run() {
        try (session) {
            while (!end.isReached()) {
                long start = System.nanoTime();
                if (isDone(start)) {
                    times.recordValue((System.nanoTime() - start) / 1_000);
                }
            }
        }
    }

    /** How one try ended. */
    private enum Try {
        DONE,
        AGAIN,
        /** There was no connection: it takes a moment. */
        LATER,
        GIVEN_UP
    }

    /** One transaction with all its tries; not done where the time is over, or nobody knows. */
    private boolean isDone(long start) {
        List<Map<String, String>> rows = work.draw(random, ids);
        List<Bound> statements = work.bound(rows);
        int conflicts = 0;
        while (true) {
            Try tried = attempt(statements, rows, start);
            switch (tried) {
                case DONE -> {
                    return true;
                }
                case GIVEN_UP -> {
                    return false;
                }
                case AGAIN -> conflicts++;
                case LATER -> {}
            }
            if (tried == Try.LATER || conflicts > CONFLICTS_WITHOUT_PAUSE) {
                if (end.isReached()) {
                    return false;
                }
                requirePatience(start, conflicts);
                LockSupport.parkNanos(tried == Try.LATER ? MOMENT_NANOS : pauses.nextLong(LONGEST_PAUSE_NANOS));
            }
        }
    }

    private Try attempt(List<Bound> statements, List<Map<String, String>> rows, long start) {
        boolean writes = work.transaction.writes();
        try {
            long unused = session.transact(statements);
            counts.acknowledged.add(writes ? rows.size() : 0);
            return Try.DONE;
        } catch (TransactionException failed) {
            Kind kind = failed.kind();
            if (kind == Kind.UNKNOWN && writes) {
                return lookedUp(rows, start);
            }
            return switch (kind) {
                case CONFLICT -> {
                    counts.conflicts.increment();
                    yield Try.AGAIN;
                }
                // A commit of nothing that was not answered changes nothing.
                case LOST, UNKNOWN -> {
                    counts.lost.increment();
                    yield Try.LATER;
                }
                case REFUSED ->
                    throw new TargetException(
                            "a transaction of class " + work.name + " failed: " + failed.getMessage(), failed);
            };
        }
    }

    /** All of a transaction is there, or nothing of it. Asked at least once, and no further where it is hurried. */
    private Try lookedUp(List<Map<String, String>> rows, long start) {
        counts.lookedUp.increment();
        List<Bound> find = work.find.stream().map(one -> one.bound(rows.get(0))).toList();
        do {
            try {
                if (session.transact(find) > 0) {
                    counts.foundCommitted.increment();
                    counts.acknowledged.add(rows.size());
                    return Try.DONE;
                }
                return end.isReached() ? Try.GIVEN_UP : Try.AGAIN;
            } catch (TransactionException notYet) {
                LockSupport.parkNanos(MOMENT_NANOS);
            }
        } while (!end.isHurried() && System.nanoTime() - start < PATIENCE_NANOS);
        counts.unknown.add(rows.size());
        return Try.GIVEN_UP;
    }

    private void requirePatience(long start, int conflicts) {
        if (System.nanoTime() - start > PATIENCE_NANOS) {
            String why = conflicts == 0
                    ? "there was no connection"
                    : "it was rolled back " + conflicts + " times for the sake of others";
            throw new TargetException("a transaction of class " + work.name + " could not be done in "
                    + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS) + " s: " + why);
        }
    }
}
