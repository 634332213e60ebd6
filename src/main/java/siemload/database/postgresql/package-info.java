/** PostgreSQL as a target. In: where a server is, a variant, a data set. Out: its stores, one database for each run. */
@NullMarked
package siemload.database.postgresql;

import org.jspecify.annotations.NullMarked;
