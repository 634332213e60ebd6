/** DuckDB as a target: a column store in this process, over one file. Start at {@link siemload.database.duckdb.DuckdbPlugin}. */
@NullMarked
package siemload.database.duckdb;

import org.jspecify.annotations.NullMarked;
