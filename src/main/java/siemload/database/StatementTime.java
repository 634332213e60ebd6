package siemload.database;

/**
 * How long a server has worked on one statement, as it counts that itself. Immutable.
 *
 * @param calls how often it was executed to its end; 0 where the server counts something else than searches
 * @param planningNanos the time for planning, in nanoseconds; 0 where the server does not tell it apart or leaves it out
 * @param executionNanos the time for everything else that it counts, in nanoseconds
 */
public record StatementTime(long calls, long planningNanos, long executionNanos) {
    /** Nothing was counted. */
    public static final StatementTime NONE = new StatementTime(0, 0, 0);

    /** Both together. */
    public StatementTime plus(StatementTime other) {
        return new StatementTime(
                calls + other.calls, planningNanos + other.planningNanos, executionNanos + other.executionNanos);
    }

    StatementTime less(StatementTime earlier) {
        return new StatementTime(
                calls - earlier.calls, planningNanos - earlier.planningNanos, executionNanos - earlier.executionNanos);
    }

    StatementTime notBelow(StatementTime earlier) {
        return new StatementTime(
                Math.max(calls, earlier.calls),
                Math.max(planningNanos, earlier.planningNanos),
                Math.max(executionNanos, earlier.executionNanos));
    }
}
