/** What the SQL databases share: the notation of their statement files. Knows no database. */
@NullMarked
package siemload.database.sql;

import org.jspecify.annotations.NullMarked;
