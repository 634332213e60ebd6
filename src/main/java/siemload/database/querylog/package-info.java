/** What PostgreSQL logs of queries. In: files of csvlog and jsonlog. Out: the statements, with their values and times. */
@NullMarked
package siemload.database.querylog;

import org.jspecify.annotations.NullMarked;
