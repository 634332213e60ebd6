/** What the SQL databases share: the notation of their statement files. Knows no database. */
@NullMarked
package siemload.target.sql;

import org.jspecify.annotations.NullMarked;
