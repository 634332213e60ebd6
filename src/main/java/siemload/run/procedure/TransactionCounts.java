package siemload.run.procedure;

import java.util.concurrent.atomic.LongAdder;

/** What became of the transactions of all users, from the first one on. Thread-safe. */
final class TransactionCounts {
    /** Withdrawals whose commit the server has acknowledged, or that were found in the history afterwards. */
    final LongAdder acknowledged = new LongAdder();
    /** Withdrawals of which nobody could find out whether they were committed. */
    final LongAdder unknown = new LongAdder();
    /** Transactions that were rolled back for the sake of others, and tried again. */
    final LongAdder conflicts = new LongAdder();
    /** Tries that failed since there was no connection, with nothing left of them. */
    final LongAdder lost = new LongAdder();
    /** Transactions whose commit was looked up in the history, since no answer to it came. */
    final LongAdder lookedUp = new LongAdder();
    /** Those of them that had been committed. */
    final LongAdder foundCommitted = new LongAdder();

    /** What went wrong up to an instant. Immutable. */
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

    Mishaps mishaps() {
        return new Mishaps(conflicts.sum(), lost.sum(), lookedUp.sum(), foundCommitted.sum());
    }
}
