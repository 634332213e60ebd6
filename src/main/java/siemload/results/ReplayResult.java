package siemload.results;

import java.util.List;
import java.util.Map;

/**
 * What became of a query recording that was replayed. Immutable.
 *
 * @param recording the name of its file
 * @param speed how many times as fast as it was recorded it was played
 * @param recorded how many executions the recording has
 * @param leftOut how many of those that were read are of statements that the scenario leaves out
 * @param due how many of the others were due before the end of the load
 * @param ended how many of these have ended: answered, failed or given up
 * @param lateByDatabase those that waited for the statement before them in their session
 * @param lateByPlayer those that the load generator began late though their session was free
 * @param statements the most frequent first
 * @param failure why the recording could not be played to its end; empty if it could
 */
public record ReplayResult(
        String recording,
        double speed,
        long recorded,
        long leftOut,
        long due,
        long ended,
        LateStarts lateByDatabase,
        LateStarts lateByPlayer,
        List<ReplayedStatement> statements,
        String failure) {
    public ReplayResult {
        statements = List.copyOf(statements);
    }

    /** The same with the plans of then, by the names of statements; those that are not there have none. */
    public ReplayResult with(Map<String, List<PlanThen>> plansThen) {
        List<ReplayedStatement> planned = statements.stream()
                .map(statement -> statement.with(plansThen.getOrDefault(statement.name(), List.of())))
                .toList();
        return new ReplayResult(
                recording, speed, recorded, leftOut, due, ended, lateByDatabase, lateByPlayer, planned, failure);
    }

    /** Executions of which nobody knows what became of them; 0 unless the load generator has lost some. */
    public long unreported() {
        return due - ended;
    }

    /** How many executions were not due, since the load ended before. */
    public long notDue() {
        return recorded - leftOut - due;
    }
}
