/** PostgreSQL: layouts, loading, searching, and the embedded server. */
@NullMarked
package siemload.database.postgresql;

import org.jspecify.annotations.NullMarked;
