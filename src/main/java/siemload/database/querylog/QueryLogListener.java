package siemload.database.querylog;

import java.util.List;
import siemload.database.Plan;
import siemload.query.Statement;
import siemload.query.StatementText;

/** Hears what is in a log of queries, in its order. Called by one thread. */
public interface QueryLogListener {
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
    record LoggedStatement(
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

    /**
     * How a database went about one execution of a statement, as its log tells it. Immutable.
     *
     * @param database the statement was sent to; empty where the log does not say
     * @param program how the client calls itself; empty where the log does not say
     * @param user who asked; empty where the log does not say
     * @param text as of a {@link LoggedStatement}
     */
    record LoggedPlan(String database, String program, String user, StatementText text, Plan plan) {}

    /** A statement that only reads was executed, or one that writes where it {@link #wantsWrites wants} to hear of those. */
    void executed(LoggedStatement statement);

    /** Whether statements that write are to be asked again; does not change. */
    default boolean wantsWrites() {
        return false;
    }

    /** The log has the plan of a statement, before or behind its execution; whoever only asks statements again has no use for it. */
    default void planned(LoggedPlan plan) {}

    /**
     * Something was executed that is not asked again.
     *
     * @param reason one of few, as a group of words that can be counted: {@code begins or ends a transaction}
     * @param text of it, as it was logged
     */
    void leftOut(String reason, String text);

    /** A session has ended. */
    void ended(String session);

    /**
     * A record cannot be read, and what is behind it was read on.
     *
     * @param line where it begins, from 1
     */
    void unreadable(long line, String reason);
}
