package siemload.measure;

/**
 * What a user sees who pages through the newest events while more of them arrive. Immutable.
 *
 * @param paging {@code offset}, {@code keyset} or {@code cursor}
 * @param walks how many times a user began at the first page
 * @param rows the rows of all pages
 * @param skipped events that were there when a walk began, lie between its first and its last row, and were on no page
 * @param shownTwice rows that had been on an earlier page of the same walk
 */
public record PagingTruth(String paging, long walks, long pages, long rows, long skipped, long shownTwice) {}
