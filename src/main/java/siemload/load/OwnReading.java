package siemload.load;

import siemload.database.SearchSession.RowReader;
import siemload.query.Search;

/** What a search is read with in the place of its worker's session. Used by one worker at a time. */
interface OwnReading {
    /**
     * Reads what is asked for.
     *
     * @return the number of rows
     * @throws siemload.database.SearchException if the server gave up, or the user has left
     */
    long read(Search search, RowReader rows);

    /**
     * From when on the answer must have what was stored; asked by whoever has just read.
     *
     * @param startNanos when the reading began
     */
    long seenFromNanos(long startNanos);
}
