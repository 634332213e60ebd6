package siemload.run.answers;

import siemload.query.Search;
import siemload.results.SearchKey;

/**
 * A search of the sample with its answer. Instants are nanoseconds of {@link System#nanoTime}.
 *
 * @param key what it was measured as
 * @param draw what was drawn for it, 0 (included) to 1; the lowest ones are checked
 * @param seenFromNanos what was acknowledged before this instant must be in the answer: when the search started, or its
 *     cursor was opened
 * @param endNanos what was first sent after this instant cannot be in the answer: when the last row was read
 * @param reportedRows the number of rows, lines or counted events that the session reported
 */
public record SampledAnswer(
        SearchKey key,
        Search search,
        double draw,
        long seenFromNanos,
        long endNanos,
        long reportedRows,
        Answer answer) {}
