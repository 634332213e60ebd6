package siemload.database.layout;

import java.util.Locale;
import siemload.database.layout.LayoutTable.Rows;

/** What of an event can fill the column of a table, in loads and by the feeder. */
public enum StoredField {
    ID(Source.EVENT),
    DETECT_TIME(Source.EVENT),
    CATEGORY(Source.EVENT),
    DESCRIPTION(Source.EVENT),
    SOURCE_IP4(Source.EVENT),
    TARGET_IP4(Source.EVENT),
    SOURCE_IP4_HULL(Source.EVENT),
    TARGET_IP4_HULL(Source.EVENT),
    SOURCE_IP6(Source.EVENT),
    TARGET_IP6(Source.EVENT),
    SOURCE_IP6_HULL(Source.EVENT),
    TARGET_IP6_HULL(Source.EVENT),
    SOURCE_PORT(Source.EVENT),
    TARGET_PORT(Source.EVENT),
    SOURCE_TYPE(Source.EVENT),
    TARGET_TYPE(Source.EVENT),
    PROTOCOL(Source.EVENT),
    NODE_NAME(Source.EVENT),
    NODE_TYPE(Source.EVENT),
    /** The whole event as IDEA JSON, in bytes. */
    JSON(Source.WHOLE_EVENT),
    /** An address of the event, or the smallest network around the range that it is. */
    NETWORK(Source.ADDRESS),
    /** On which side that address is: {@code s} or {@code t}. */
    SIDE(Source.ADDRESS);

    private final Source source;

    StoredField(Source source) {
        this.source = source;
    }

    /** The name in the files of layouts. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it can fill a column of such a table. */
    public boolean fits(Rows rows) {
        return switch (source) {
            case EVENT -> true;
            case WHOLE_EVENT -> rows == Rows.EVENTS;
            case ADDRESS -> rows == Rows.ADDRESSES;
        };
    }

    /** Whether it is known in any row: neither the whole event nor one of its addresses. */
    public boolean isOfEventAlone() {
        return source == Source.EVENT;
    }

    /** What of an event it is taken from, and so in the rows of which tables it is known. */
    private enum Source {
        /** Its parts: known in any row. */
        EVENT,
        /** All of it: in the row of the event alone. */
        WHOLE_EVENT,
        /** One of its addresses. */
        ADDRESS
    }
}
