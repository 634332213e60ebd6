package siemload.database.querylog;

import siemload.database.Plan;
import siemload.query.StatementText;

/**
 * How a database went about one execution of a statement, as its log tells it. Immutable.
 *
 * @param database the statement was sent to; empty where the log does not say
 * @param program how the client calls itself; empty where the log does not say
 * @param user who asked; empty where the log does not say
 * @param text as of a {@link LoggedStatement}
 */
public record LoggedPlan(String database, String program, String user, StatementText text, Plan plan) {}
