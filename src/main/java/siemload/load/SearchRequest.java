package siemload.load;

import java.util.Optional;
import siemload.load.SearchWorkers.UserCursors.UserCursor;
import siemload.measure.LatencyRecorder.Sample;
import siemload.query.PageClass;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.results.Outcome;
import siemload.results.SearchKey;

/**
 * A search on its way to a worker. Immutable.
 *
 * @param search what is asked
 * @param page how the user came to the page; {@link PageClass#COUNT} asks for the exact count instead of rows, {@link
 *     PageClass#SUMMARY} for the summary that the catalogue names
 * @param intendedStart when the user was due to press Search, on {@link System#nanoTime}
 * @param keptRow the index of the row to keep, or of the last one if there are fewer, all of which are read in any case; negative to keep
 *     none
 * @param keepsLastKey whether the position of the last row is kept
 * @param reading what it is read with; a worker's own session where it is empty
 * @param draw drawn for this search alone, 0 (included) to 1; the answers with the lowest ones are checked
 * @param trend the trend of a tick in whose lines the sums are stored; empty for a search that is answered
 */
record SearchRequest(
        Search search,
        PageClass page,
        long intendedStart,
        int keptRow,
        boolean keepsLastKey,
        Optional<UserCursor> reading,
        double draw,
        String trend) {

    /** One that any session reads, and of which nothing is kept. */
    SearchRequest(Search search, long due, double draw) {
        this(search, SearchKey.of(search).page(), due, -1, false, Optional.empty(), draw, "");
    }

    /** When the events were stored that the answer must have: at the start, or when the cursor was opened. */
    long seenFromNanos(long startNanos) {
        return reading.map(UserCursor::seenFromNanos).orElse(startNanos);
    }

    SearchRequest storedAs(String name) {
        return new SearchRequest(search, page, intendedStart, keptRow, keepsLastKey, reading, draw, name);
    }

    /** What is measured of it where the run ended before it did. */
    Sample unfinishedAt(long handedOver, long now) {
        return new Sample(intendedStart, handedOver, now, now, now, 0, 0, Outcome.UNFINISHED, "");
    }

    boolean isTrend() {
        return !trend.isEmpty();
    }

    SearchKey key() {
        return new SearchKey(search.name(), page, search.order());
    }

    /**
     * What came back for a {@link SearchRequest}. Immutable, but for the bytes of the kept row, which nobody changes.
     *
     * @param sample the measured times, rows and outcome
     * @param count the exact count, where that was asked for; otherwise the rows read
     */
    record SearchAnswer(Sample sample, long count, Optional<byte[]> keptRow, Optional<PageKey> lastKey) {}
}
