package siemload.run.answers;

import siemload.query.Order;
import siemload.query.PageKey;

/** {@link siemload.query.SearchMeaning#comparator} for places that are not made into objects. */
enum RowOrder {
    ASCENDING,
    DESCENDING,
    NONE;

    static RowOrder of(Order order) {
        return switch (order) {
            case OLDEST_FIRST -> ASCENDING;
            case NEWEST_FIRST -> DESCENDING;
            case UNSORTED -> NONE;
        };
    }

    /** Negative if the first place comes before the second one; unsorted places are ordered as ascending ones. */
    int compare(long micros, String id, long otherMicros, String otherId) {
        int ascending = micros == otherMicros ? PageKey.compareUtf8(id, otherId) : Long.compare(micros, otherMicros);
        return this == DESCENDING ? -ascending : ascending;
    }
}
