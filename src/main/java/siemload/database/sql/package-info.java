/** What the SQL databases share: the notation of statement files, connections of a run, and the registry as a table. Knows no database. */
@NullMarked
package siemload.database.sql;

import org.jspecify.annotations.NullMarked;
