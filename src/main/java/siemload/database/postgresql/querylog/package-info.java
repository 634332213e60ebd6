/**
 * What PostgreSQL logs and counts of queries. In: files of csvlog and jsonlog, and copies of pg_stat_statements. Out: the statements, with their
 * values and times as far as these are there.
 */
@NullMarked
package siemload.database.postgresql.querylog;

import org.jspecify.annotations.NullMarked;
