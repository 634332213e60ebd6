package siemload.database.layout;

import java.util.Locale;
import siemload.database.layout.LayoutTable.Rows;

/** What of an event can fill the column of a table. Implemented by an enum of each database. */
public interface StoredValue {
    /** That of the constant. */
    String name();

    /** What it is taken from. */
    Source source();

    /** The name in the files of layouts. */
    default String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it can fill a column of such a table. */
    default boolean fits(Rows rows) {
        return switch (source()) {
            case EVENT -> true;
            case WHOLE_EVENT -> rows == Rows.EVENTS;
            case ADDRESS -> rows == Rows.ADDRESSES;
        };
    }

    /** What of an event it is taken from, and so in the rows of which tables it is known. */
    enum Source {
        /** Its parts: known in any row. */
        EVENT,
        /** All of it: in the row of the event alone. */
        WHOLE_EVENT,
        /** One of its addresses. */
        ADDRESS
    }
}
