/** PostgreSQL: layouts, loading, searching, and the embedded server. */
@NullMarked
package siemload.target.postgresql;

import org.jspecify.annotations.NullMarked;
