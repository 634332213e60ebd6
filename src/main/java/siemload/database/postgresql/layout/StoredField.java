package siemload.database.postgresql.layout;

import java.util.Locale;
import siemload.database.sql.layout.LayoutTable;
import siemload.database.sql.layout.StoredValue;

/** What of an event can fill the column of a table, in loads and by the feeder. */
public enum StoredField implements StoredValue {
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

    /** What it is taken from. */
    private enum Source {
        EVENT,
        WHOLE_EVENT,
        ADDRESS
    }

    StoredField(Source source) {
        this.source = source;
    }

    @Override
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public boolean fits(LayoutTable.Rows rows) {
        return switch (source) {
            case EVENT -> true;
            case WHOLE_EVENT -> rows == LayoutTable.Rows.EVENTS;
            case ADDRESS -> rows == LayoutTable.Rows.ADDRESSES;
        };
    }
}
