package siemload.load;

import java.util.Optional;
import siemload.load.SearchWorkers.UserCursor;
import siemload.measure.LatencyRecorder.Sample;
import siemload.query.PageClass;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.results.Outcome;
import siemload.results.SearchKey;

/**
 * A search on its way to a worker. Immutable.
 *
 * @param search to be executed
 * @param page how the user came to the page; {@link PageClass#COUNT} asks for the exact count instead of rows, {@link PageClass#SUMMARY}
 *     for the summary that the catalogue names
 * @param intendedStart when the user was due to press Search, on {@link System#nanoTime}
 * @param keptRow the index of the row to keep, or of the last one if there are fewer; all rows are read in any case; negative to keep none
 * @param keepsLastKey whether the position of the last row is kept
 * @param reading a cursor to read it with; a worker's session if empty
 * @param draw a random number for this search, 0 (included) to 1; the answers with the lowest ones are checked
 * @param trend the trend in whose lines the sums of a tick are stored; empty for a search with an answer
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

    /** A search for any session, of which nothing is kept. */
    SearchRequest(Search search, long due, double draw) {
        this(search, due, draw, "");
    }

    SearchRequest(Search search, long due, double draw, String trend) {
        this(search, SearchKey.of(search).page(), due, -1, false, Optional.empty(), draw, trend);
    }

    /** Its sample if the run ends before it does. */
    Sample unfinishedAt(long handedOver, long now) {
        return new Sample(intendedStart, handedOver, now, now, now, 0, 0, Outcome.UNFINISHED, "");
    }

    SearchKey key() {
        return new SearchKey(search.name(), page, search.order());
    }

    /**
     * The answer to a {@link SearchRequest}. Immutable, but for the bytes of the kept row, which nobody changes.
     *
     * @param sample the measured times, rows and outcome
     * @param count the exact count, if that was requested; otherwise the number of rows read
     */
    record SearchAnswer(Sample sample, long count, Optional<byte[]> keptRow, Optional<PageKey> lastKey) {}
}
