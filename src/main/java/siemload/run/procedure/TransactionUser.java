package siemload.run.procedure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.HdrHistogram.Recorder;
import siemload.database.OwnTransactions.Bound;
import siemload.database.OwnTransactions.Session;
import siemload.database.OwnTransactions.TransactionException;
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

    private final Recorder times;
    private final Shared shared;

    TransactionUser(Session session, Work work, SeededRandom random, Recorder times, Shared shared) {
        this.session = session;
        this.work = work;
        this.random = random;
        this.pauses = new SeededRandom(random.nextLong());
        this.times = times;
        this.shared = shared;
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
                Stream<Bound> ofRows = rows.stream().map(one::bound);
                int last = one.places().size() - 1;
                // Shorter numbers are smaller ones.
                (last < 0
                                ? ofRows
                                : ofRows.sorted(Comparator.<Bound>comparingInt(bound ->
                                                bound.values().get(last).length())
                                        .thenComparing(bound -> bound.values().get(last))))
                        .forEach(all::add);
            }
            return all;
        }
    }

    /** What goes wrong with transactions, by the names of figures. */
    enum Mishap {
        /** Rolled back for the sake of others, and tried again. */
        CONFLICTS,
        /** A try that failed since there was no connection, with nothing left of it. */
        CONNECTIONS_LOST,
        /** Its commit was looked up, since no answer to it came. */
        COMMITS_LOOKED_UP,
        /** One of those that had been committed. */
        COMMITS_FOUND
    }

    /** What all users have in common, from the first transaction on. Thread-safe. */
    static final class Shared {
        /** Rows whose commit the server has acknowledged, or that were found afterwards. */
        final LongAdder acknowledged = new LongAdder();
        /** Rows of which nobody could find out whether they were committed. */
        final LongAdder unknown = new LongAdder();

        private final Map<Mishap, AtomicLong> mishaps = new EnumMap<>(Mishap.class);
        /** Each row of the run has its own. */
        private final AtomicLong ids = new AtomicLong();

        private final ProcedureContext context;
        private volatile boolean over;

        /** @param context where its end is asked for, nobody waits any longer for what became of the last ones */
        Shared(ProcedureContext context) {
            this.context = context;
            EnumSet.allOf(Mishap.class).forEach(mishap -> mishaps.put(mishap, new AtomicLong()));
        }

        /** No further transaction is to be begun. */
        void end() {
            over = true;
        }

        boolean isOver() {
            return over;
        }

        /** How many there were since the last call, of each. */
        Map<Mishap, Long> takeMishaps() {
            Map<Mishap, Long> taken = new EnumMap<>(Mishap.class);
            mishaps.forEach((mishap, count) -> taken.put(mishap, count.getAndSet(0)));
            return taken;
        }

        private void count(Mishap mishap) {
            Objects.requireNonNull(mishaps.get(mishap)).incrementAndGet();
        }
    }

    @Override
    public void run() {
        try (session) {
            while (!shared.isOver()) {
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
        List<Map<String, String>> rows = work.draw(random, shared.ids);
        List<Bound> statements = work.bound(rows);
        int conflicts = 0;
        while (true) {
            Try tried = attempt(statements, rows, start);
            if (tried == Try.DONE || tried == Try.GIVEN_UP) {
                return tried == Try.DONE;
            }
            conflicts += tried == Try.AGAIN ? 1 : 0;
            if (tried == Try.LATER || conflicts > CONFLICTS_WITHOUT_PAUSE) {
                if (shared.isOver()) {
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
            long unused = transact(statements);
            shared.acknowledged.add(writes ? rows.size() : 0);
            return Try.DONE;
        } catch (TransactionException failed) {
            return switch (failed.kind()) {
                case CONFLICT -> {
                    shared.count(Mishap.CONFLICTS);
                    yield Try.AGAIN;
                }
                case LOST, UNKNOWN -> {
                    if (failed.kind() == TransactionException.Kind.UNKNOWN && writes) {
                        yield lookedUp(rows, start);
                    }
                    // A commit of nothing that was not answered changes nothing.
                    shared.count(Mishap.CONNECTIONS_LOST);
                    yield Try.LATER;
                }
                case REFUSED ->
                    throw new TargetException(
                            "a transaction of class " + work.name + " failed: " + failed.getMessage(), failed);
            };
        }
    }

    private long transact(List<Bound> statements) {
        return shared.context.operations().counted(() -> session.transact(statements));
    }

    /** All of a transaction is there, or nothing of it. Asked at least once, and no further where it is hurried. */
    private Try lookedUp(List<Map<String, String>> rows, long start) {
        shared.count(Mishap.COMMITS_LOOKED_UP);
        List<Bound> find = work.find.stream().map(one -> one.bound(rows.get(0))).toList();
        do {
            try {
                if (transact(find) > 0) {
                    shared.count(Mishap.COMMITS_FOUND);
                    shared.acknowledged.add(rows.size());
                    return Try.DONE;
                }
                return shared.isOver() ? Try.GIVEN_UP : Try.AGAIN;
            } catch (TransactionException notYet) {
                LockSupport.parkNanos(MOMENT_NANOS);
            }
        } while (!shared.context.interruption().isAsked() && System.nanoTime() - start < PATIENCE_NANOS);
        shared.unknown.add(rows.size());
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
