/**
 * Loading and feeding events. In: a database and events. Out: rows in the tables of its layout, with their indexes and
 * statistics.
 */
@NullMarked
package siemload.database.postgresql.load;

import org.jspecify.annotations.NullMarked;
