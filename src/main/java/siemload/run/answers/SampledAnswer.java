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
        Answer answer) {
    /** Whether an event that meets the conditions of a search belongs into its answer. */
    enum Visibility {
        /** The event is of the data set, which was there before the run. */
        STORED,
        /** The event is of the data set, and was removed while the search ran, with all others of its day. */
        LEAVING,
        /** It was fed, and acknowledged before the search started. */
        MUST,
        /** It was on its way while the search ran. */
        MAY,
        /** It was sent after the search had ended, or removed before it started. */
        NEVER;

        /** Whether the answer is wrong without it. */
        boolean isMust() {
            return this == STORED || this == MUST;
        }
    }
}
