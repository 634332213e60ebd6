package siemload.database;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import siemload.database.ExistingTarget.ExistingStore;
import siemload.query.Statement;

/**
 * Data that were there before the run, of which statements are asked. Its sessions take searches that {@link Statement#search}
 * made, and can only read: the server keeps each of them from writing, or is sent nothing but what is known to read, but for statements that say that they {@link Statement#writes
 * write}. Of those a session's search gives the number of rows that they wrote, or returned where they return some, once that is
 * durable. Closing it leaves everything as it is.
 */
public interface StatementStore extends ExistingStore {

    /**
     * Why a statement cannot be asked, by the server's own judgement as far as that goes: it writes or gives no rows without saying so, or is wrong. Nothing
     * is executed. Empty if it can.
     *
     * @throws TargetException if the server cannot be asked
     */
    Optional<String> refusal(Statement statement);

    /**
     * The values that a query gives, as text, in the order of its rows.
     *
     * @param query a statement without parameters
     * @param most how many rows are taken at most
     * @throws TargetException if it fails, or gives anything but one column without NULL
     */
    List<String> values(String query, int most);

    /** It holds no events that siemload knows of. */
    @Override
    default long events() {
        return 0;
    }

    /**
     * Where the times of statements in a {@link Counters.CounterReading} come from, for people. Immutable.
     *
     * @param view the server's own name of what it counts them in; empty where it does not tell
     * @param covers what is in these times and what is not; empty where it does not tell
     * @param untold why the server does not tell; empty where it does
     */
    record StatementSource(String view, String covers, String untold) {

        /** A server that tells. */
        public static StatementSource of(String view, String covers) {
            return new StatementSource(view, covers, "");
        }

        /** A server that does not tell, and why, for people. */
        public static StatementSource none(String why) {
            return new StatementSource("", "", why);
        }
    }

    /**
     * How long a server has worked on one statement, as it counts that itself. Immutable.
     *
     * @param calls how often it was executed to its end; 0 where the server counts something else than searches
     * @param planningNanos the time for planning, in nanoseconds; 0 where the server does not tell it apart or leaves it out
     * @param executionNanos the time for everything else that it counts, in nanoseconds
     */
    record StatementTime(long calls, long planningNanos, long executionNanos) {
        /** Nothing was counted. */
        public static final StatementTime NONE = new StatementTime(0, 0, 0);

        /** Both together. */
        public StatementTime plus(StatementTime other) {
            return with(other, Long::sum);
        }

        StatementTime with(StatementTime other, BiFunction<Long, Long, Long> each) {
            return new StatementTime(
                    each.apply(calls, other.calls),
                    each.apply(planningNanos, other.planningNanos),
                    each.apply(executionNanos, other.executionNanos));
        }
    }
}
