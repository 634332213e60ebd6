package siemload.database.postgresql.search;

import java.util.ArrayList;
import java.util.List;
import siemload.database.sql.layout.SqlSearches;

/**
 * A search as one SQL statement. Equal kinds of search have the very same text, whatever their values.
 *
 * @param text the statement with {@code ?} for each value
 * @param values the values in text form; the statement settles their types
 * @param reading how the rows come
 */
record PostgresqlSearchSql(String text, List<String> values, Reading reading) {

    static PostgresqlSearchSql of(SqlSearches.Compiled compiled, Reading reading) {
        List<String> values = new ArrayList<>(compiled.values().size());
        compiled.values().forEach(value -> values.add((String) value));
        return new PostgresqlSearchSql(compiled.sql(), values, reading);
    }

    /** How the rows of a statement are read. */
    enum Reading {
        /** In their order, received at once. */
        PAGE,
        /** From the last to the first, received at once. */
        PAGE_BACKWARDS,
        /** In their order, received in portions. */
        STREAM,
        /** The same by a cursor, for which the server plans to have the first rows early. */
        CURSOR,
        /** In their order, received as they come. */
        COPY
    }
}
