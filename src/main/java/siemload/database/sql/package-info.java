/**
 * What the SQL databases share: the notation of their statement files, work over connections with errors that say what was
 * tried, statements of users, and the registry as a table. In go {@link siemload.database.sql.SqlErrors}, files and a way to open a connection;
 * out come the exceptions and the registry of {@link siemload.database.Target}. Knows no database.
 */
@NullMarked
package siemload.database.sql;

import org.jspecify.annotations.NullMarked;
