package siemload.query;

import java.util.Locale;

/** How a user moves from page to page. */
public enum Paging {
    /** Skip and limit: {@link Page.Numbered}. */
    OFFSET,
    /** By the key of the last row seen: {@link Page.After}, and {@link Page.Last} from the far end. */
    KEYSET,
    /** By a cursor that stays open on the server between pages; {@link Page.Last} from the far end. */
    CURSOR;

    /** The name in settings and results: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
