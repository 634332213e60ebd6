package siemload.run.answers;

import java.util.List;
import siemload.database.SearchSession.RowReader;
import siemload.query.Summary;

/** Looks over the shoulder of one search. Used by the thread that runs the search. */
public interface AnswerWatch {

    /** For searches that are not in the sample. */
    AnswerWatch NOBODY = (seenFromNanos, endNanos, reportedRows) -> {};

    /**
     * Takes the next row.
     *
     * @param content all that it has; the array is not changed afterwards
     */
    default void row(RowReader.Row row, byte[] content) {}

    /** Takes the lines of a summary. */
    default void lines(List<Summary.Line> lines) {}

    /**
     * Takes the end of a search that was answered; it need not be called for others.
     *
     * @param seenFromNanos when the search started, or when the cursor was opened that it read from
     * @param endNanos when the last row was read
     * @param reportedRows the number of rows or lines, or the count, that the session reported
     */
    void answered(long seenFromNanos, long endNanos, long reportedRows);
}
