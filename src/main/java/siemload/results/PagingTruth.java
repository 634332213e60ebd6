package siemload.results;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a user sees who pages through the newest events while more of them arrive. Immutable.
 *
 * @param paging {@code offset}, {@code keyset} or {@code cursor}
 * @param walks how many times a user began at the first page and came to the last one that was wanted
 * @param rows the rows of all pages
 * @param skipped events that were there when a walk began, lie between its oldest and its newest row, and were on no page
 * @param shownTwice rows that had been on an earlier page of the same walk
 * @param failed walks that a failed search ended; nothing else is known of them
 */
public record PagingTruth(
        String paging, long walks, long pages, long rows, long skipped, long shownTwice, long failed) {

    /** Those of each way of paging added up, {@code offset} first. */
    public static List<PagingTruth> summed(Collection<PagingTruth> walks) {
        Map<String, PagingTruth> sums = new TreeMap<>(Comparator.reverseOrder());
        walks.forEach(walk -> sums.merge(walk.paging, walk, PagingTruth::plus));
        return List.copyOf(sums.values());
    }

    private PagingTruth plus(PagingTruth other) {
        return new PagingTruth(
                paging,
                walks + other.walks,
                pages + other.pages,
                rows + other.rows,
                skipped + other.skipped,
                shownTwice + other.shownTwice,
                failed + other.failed);
    }
}
