/**
 * Connections to PostgreSQL. In: where a server is, files of statements, errors of the driver. Out: open connections with
 * their limits, statements, and what errors mean for a run.
 */
@NullMarked
package siemload.database.postgresql.connection;

import org.jspecify.annotations.NullMarked;
