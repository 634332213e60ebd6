package siemload.database.querylog;

import java.util.List;
import siemload.query.Statement;
import siemload.query.StatementText;

/** Hears what is in a log of queries, in its order. Called by one thread. */
public interface QueryLogListener {
    /**
     * Who asked; each part but the session is empty where the log does not say.
     *
     * @param session tells it from the others of the log
     * @param program how the client calls itself
     */
    record Client(String session, String database, String program, String user) {}

    /**
     * One execution of a statement, as the log of a database tells it. Immutable.
     *
     * @param endMicros when it ended, since 1970 by the clock of the server, as precise as the log is
     * @param durationMicros how long the server worked on it, parsing and planning included where they are logged
     * @param text its parameters are called {@code p1}, {@code p2} and so on; the same for all that differ in values alone
     * @param values of its parameters, in the order of {@link StatementText#parameters}
     * @param effect as far as the text shows it
     */
    record LoggedStatement(
            Client client,
            long endMicros,
            long durationMicros,
            StatementText text,
            List<String> values,
            Statement.Effect effect) {
        public LoggedStatement {
            values = List.copyOf(values);
        }
    }

    /** A statement was executed that is to be asked again. */
    void executed(LoggedStatement statement);

    /**
     * Something was executed that is not asked again.
     *
     * @param reason one of few, as a group of words that can be counted: {@code is no query (BEGIN)}
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
