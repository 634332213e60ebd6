/** Searching. In: a search, and a connection to a database. Out: its statement, its rows, and its plan. */
@NullMarked
package siemload.database.postgresql.search;

import org.jspecify.annotations.NullMarked;
