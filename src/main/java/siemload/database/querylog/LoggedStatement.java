package siemload.database.querylog;

import java.util.List;
import siemload.query.Statement;
import siemload.query.StatementText;

/**
 * One execution of a statement, as the log of a database tells it. Immutable.
 *
 * @param session tells it from the others of the log
 * @param database it was sent to; empty where the log does not say
 * @param program how the client calls itself; empty where the log does not say
 * @param user who asked; empty where the log does not say
 * @param endMicros when it ended, since 1970 by the clock of the server, as precise as the log is
 * @param durationMicros how long the server worked on it, parsing and planning included where they are logged
 * @param preparingMicros how much of that was before it was executed
 * @param text its parameters are called {@code p1}, {@code p2} and so on; the same for all that differ in values alone
 * @param values of its parameters, in the order of {@link StatementText#parameters}
 * @param effect as far as the text shows it
 */
public record LoggedStatement(
        String session,
        String database,
        String program,
        String user,
        long endMicros,
        long durationMicros,
        long preparingMicros,
        StatementText text,
        List<String> values,
        Statement.Effect effect) {
    public LoggedStatement {
        values = List.copyOf(values);
    }
}
