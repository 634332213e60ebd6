package siemload.load;

import java.util.Optional;
import siemload.measure.LatencyRecorder.Sample;
import siemload.query.PageClass;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.results.Outcome;
import siemload.results.SearchKey;

/**
 * A search on its way to a worker. Immutable.
 *
 * @param page how the user came to the page; {@link PageClass#COUNT} asks for the exact count instead of rows, {@link PageClass#SUMMARY}
 *     for the summary that the catalogue names
 * @param intendedStart when the user was due to press Search, on {@link System#nanoTime}
 * @param keptRow the index of the row to keep, negative for none; if there are fewer rows, the last one is kept; all rows are read anyway
 * @param keepsLastKey whether the position of the last row is kept
 * @param reading the cursor with which to read the search; if empty, a worker's session is used
 * @param draw a random number for this search, from 0 to below 1; the answers with the lowest numbers are checked
 * @param trend the name under which the sums of a tick are stored; empty for a search with an answer
 */
record SearchRequest(
        Search search,
        PageClass page,
        long intendedStart,
        int keptRow,
        boolean keepsLastKey,
        Optional<SearchWorkers.UserCursor> reading,
        double draw,
        String trend) {

    /** Creates a search for any session; no row of the answer is kept. */
    SearchRequest(Search search, long due, double draw, String trend) {
        this(search, SearchKey.of(search).page(), due, -1, false, Optional.empty(), draw, trend);
    }

    /** Returns the sample of this search for a run that ends before the search does. */
    Sample unfinishedAt(long handedOver, long now) {
        return new Sample(intendedStart, handedOver, now, now, now, 0, 0, Outcome.UNFINISHED, "");
    }

    SearchKey key() {
        return new SearchKey(search.name(), page, search.order());
    }

    /**
     * The answer to a {@link SearchRequest}. Immutable, except for the bytes of the kept row, which nobody changes.
     *
     * @param sample the measured times, rows and outcome
     * @param count the exact count, if that was requested; otherwise the number of rows read
     */
    record SearchAnswer(Sample sample, long count, Optional<byte[]> keptRow, Optional<PageKey> lastKey) {}
}
