/** What PostgreSQL logs of queries. In: files of csvlog and jsonlog. Out: the statements that only read, with their values and times. */
@NullMarked
package siemload.database.postgresql.querylog;

import org.jspecify.annotations.NullMarked;
