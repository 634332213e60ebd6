/**
 * Loading and feeding events, and removing the oldest day of them. In: a database and events. Out: rows in the tables of its
 * layout.
 */
@NullMarked
package siemload.database.postgresql.load;

import org.jspecify.annotations.NullMarked;
