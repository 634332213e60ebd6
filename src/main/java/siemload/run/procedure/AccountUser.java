package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Recorder;
import siemload.database.AccountRows;
import siemload.database.Accounts.AccountScale;
import siemload.database.Accounts.AccountSession;
import siemload.database.TargetException;
import siemload.database.TransactionException;
import siemload.database.Withdrawal;
import siemload.dataset.SeededRandom;
import siemload.scenario.UserClass;
import siemload.scenario.UserClass.Work;

/**
 * One user of accounts, who does one transaction after the other without thinking. What was rolled back for the sake of others, or
 * had no connection, is tried again; a commit that was not answered is looked up. Used by one thread.
 */
final class AccountUser implements Runnable {
    /** After so many conflicts in a row it waits before it tries again. */
    private static final int CONFLICTS_WITHOUT_PAUSE = 3;
    /** Some transactions long, and not the same for those who met at one row. */
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final int LARGEST_AMOUNT = 50_000;
    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** How long a server that was killed may take to repair its files. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final AccountSession session;
    private final UserClass userClass;
    private final AccountScale scale;
    private final SeededRandom random;
    /** Apart from the one above, so that what is drawn does not depend on conflicts. */
    private final SeededRandom pauses;

    private final AtomicLong ids;
    private final TransactionCounts counts;
    private final Recorder times;
    private final End end;

    /**
     * @param ids gives each withdrawal of the run its own
     */
    AccountUser(
            AccountSession session,
            UserClass userClass,
            AccountScale scale,
            SeededRandom random,
            AtomicLong ids,
            TransactionCounts counts,
            Recorder times,
            End end) {
        this.session = session;
        this.userClass = userClass;
        this.scale = scale;
        this.random = random;
        this.pauses = new SeededRandom(random.nextLong());
        this.ids = ids;
        this.counts = counts;
        this.times = times;
        this.end = end;
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

    /** How long users go on. Thread-safe. */
    interface End {
        /** Whether no further transaction is to be begun. */
        boolean isReached();

        /** Whether nobody waits any longer for what became of the last ones. */
        boolean isHurried();
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
        List<AccountRows> rows = drawRows();
        List<Withdrawal> withdrawals = userClass.work() == Work.WRITE ? withdrawals(rows) : List.of();
        int conflicts = 0;
        while (true) {
            Try tried = withdrawals.isEmpty() ? read(rows) : withdraw(withdrawals, start);
            switch (tried) {
                case DONE -> {
                    return true;
                }
                case GIVEN_UP -> {
                    return false;
                }
                case AGAIN -> {
                    conflicts++;
                    if (conflicts > CONFLICTS_WITHOUT_PAUSE) {
                        if (end.isReached()) {
                            return false;
                        }
                        requirePatience(start, conflicts);
                        LockSupport.parkNanos(pauses.nextLong(LONGEST_PAUSE_NANOS));
                    }
                }
                case LATER -> {
                    if (end.isReached()) {
                        return false;
                    }
                    requirePatience(start, conflicts);
                    LockSupport.parkNanos(MOMENT_NANOS);
                }
            }
        }
    }

    private Try read(List<AccountRows> rows) {
        try {
            long unused = session.read(rows);
            return Try.DONE;
        } catch (TransactionException failed) {
            // A commit of nothing that was not answered changes nothing.
            return failed.kind() == TransactionException.Kind.UNKNOWN ? lost() : again(failed);
        }
    }

    private Try withdraw(List<Withdrawal> withdrawals, long start) {
        try {
            session.withdraw(withdrawals);
            counts.acknowledged.add(withdrawals.size());
            return Try.DONE;
        } catch (TransactionException failed) {
            return failed.kind() == TransactionException.Kind.UNKNOWN ? lookedUp(withdrawals, start) : again(failed);
        }
    }

    private Try again(TransactionException failed) {
        return switch (failed.kind()) {
            case CONFLICT -> {
                counts.conflicts.increment();
                yield Try.AGAIN;
            }
            case LOST -> lost();
            case UNKNOWN, REFUSED ->
                throw new TargetException(
                        "a transaction of class " + userClass.label() + " failed: " + failed.getMessage(), failed);
        };
    }

    private Try lost() {
        counts.lost.increment();
        return Try.LATER;
    }

    /** All of a transaction is there, or nothing of it. Asked at least once, and no further where it is hurried. */
    private Try lookedUp(List<Withdrawal> withdrawals, long start) {
        counts.lookedUp.increment();
        do {
            try {
                if (session.isInHistory(withdrawals.get(0))) {
                    counts.foundCommitted.increment();
                    counts.acknowledged.add(withdrawals.size());
                    return Try.DONE;
                }
                return end.isReached() ? Try.GIVEN_UP : Try.AGAIN;
            } catch (TransactionException notYet) {
                LockSupport.parkNanos(MOMENT_NANOS);
            }
        } while (!end.isHurried() && System.nanoTime() - start < PATIENCE_NANOS);
        counts.unknown.add(withdrawals.size());
        return Try.GIVEN_UP;
    }

    private void requirePatience(long start, int conflicts) {
        if (System.nanoTime() - start > PATIENCE_NANOS) {
            String why = conflicts == 0
                    ? "there was no connection"
                    : "it was rolled back " + conflicts + " times for the sake of others";
            throw new TargetException("a transaction of class " + userClass.label() + " could not be done in "
                    + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS) + " s: " + why);
        }
    }

    private List<AccountRows> drawRows() {
        if (userClass.visits() == 1) {
            return List.of(drawRow());
        }
        List<AccountRows> rows = new ArrayList<>(userClass.visits());
        for (int i = 0; i < userClass.visits(); i++) {
            rows.add(drawRow());
        }
        return rows;
    }

    /** Account, teller and branch are drawn apart from each other, all of them alike. */
    private AccountRows drawRow() {
        return new AccountRows(
                1 + random.nextLong(scale.accounts()),
                1 + random.nextLong(scale.tellers()),
                1 + random.nextLong(scale.branches()));
    }

    private List<Withdrawal> withdrawals(List<AccountRows> rows) {
        if (rows.size() == 1) {
            return List.of(withdrawal(rows.get(0)));
        }
        List<Withdrawal> withdrawals = new ArrayList<>(rows.size());
        for (AccountRows one : rows) {
            withdrawals.add(withdrawal(one));
        }
        return withdrawals;
    }

    private Withdrawal withdrawal(AccountRows rows) {
        return new Withdrawal(ids.incrementAndGet(), rows, 1 + random.nextInt(LARGEST_AMOUNT));
    }
}
