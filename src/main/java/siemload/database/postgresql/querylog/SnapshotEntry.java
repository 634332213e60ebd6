package siemload.database.postgresql.querylog;

import siemload.database.CountedSpread;

/**
 * A row of pg_stat_statements. Immutable.
 *
 * @param key tells it from the other rows, and is the same in each snapshot
 * @param database its name or number; empty where the snapshot has neither
 * @param topLevel whether a client sent it; otherwise something that was executed did
 * @param query its text
 * @param since when its counts began, as the server writes it; empty where the snapshot does not say
 */
record SnapshotEntry(String key, String database, boolean topLevel, String query, String since, Counts counts) {

    /**
     * What is counted of it.
     *
     * @param calls how often it was executed to its end
     * @param planMillis 0 where that is not counted
     * @param spread of the times of execution
     */
    record Counts(long calls, double planMillis, double executionMillis, long rows, CountedSpread spread) {
        Counts plus(Counts other) {
            return new Counts(
                    calls + other.calls,
                    planMillis + other.planMillis,
                    executionMillis + other.executionMillis,
                    rows + other.rows,
                    spread.plus(other.spread));
        }

        /** Sums of fractions may come out a little below nothing. */
        Counts minus(Counts earlier) {
            return new Counts(
                    calls - earlier.calls,
                    Math.max(0, planMillis - earlier.planMillis),
                    Math.max(0, executionMillis - earlier.executionMillis),
                    Math.max(0, rows - earlier.rows),
                    spread.since(earlier.spread));
        }
    }

    SnapshotEntry with(Counts other) {
        return new SnapshotEntry(key, database, topLevel, query, since, other);
    }

    /** Whether this one, as far as it shows, was taken after another. */
    boolean isLaterThan(SnapshotEntry other) {
        int bySince = since.compareTo(other.since);
        return bySince != 0 ? bySince > 0 : counts.calls() > other.counts.calls();
    }

    /** Whether it was counted anew between a snapshot and this one. */
    boolean isResetSince(SnapshotEntry earlier) {
        return !since.equals(earlier.since) || counts.calls() < earlier.counts.calls();
    }
}
