package siemload.query;

import java.util.function.Supplier;
import siemload.config.Choices.Labelled;

/** The way in which a user moves from page to page. */
public enum Paging implements Labelled {
    /** Paging by skip and limit: {@link Page.Numbered}. */
    OFFSET,
    /** Paging by the key of the last row seen: {@link Page.After}, and {@link Page.Last} for the last page. */
    KEYSET,
    /** Paging by a cursor that stays open on the server between pages; {@link Page.Last} for the last page. */
    CURSOR;

    /** The page with this number, 1 for the first; only {@link #KEYSET} uses the key of the last row of the previous page. */
    public Page page(int size, long number, Supplier<PageKey> keyBefore) {
        return this == KEYSET && number > 1 ? new Page.After(size, keyBefore.get()) : new Page.Numbered(size, number);
    }

    /** The last page of a result with this many rows. */
    public Page lastPage(int size, long rows) {
        long pages = pages(size, rows);
        return this == OFFSET
                ? new Page.Numbered(size, pages)
                : new Page.Last((int) Math.max(1, rows - (pages - 1) * size));
    }

    /** The number of pages for this many rows, 1 or more: an empty result has an empty page. */
    public static long pages(int size, long rows) {
        return Math.max(1, (rows + size - 1) / size);
    }
}
