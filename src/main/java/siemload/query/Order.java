package siemload.query;

import java.util.Comparator;

/**
 * The order of a search's rows. Rows with equal detect times are ordered by the UTF-8 bytes of the event id, in the direction of the order.
 */
public enum Order {
    NEWEST_FIRST,
    OLDEST_FIRST,
    /** Any order; only for {@link Page.Whole} and {@link Page.Stated}, since pages of unordered rows have no meaning. */
    UNSORTED;

    /** Returns the opposite order; only for an order with a direction. */
    public Order reversed() {
        return this == OLDEST_FIRST ? NEWEST_FIRST : OLDEST_FIRST;
    }

    /** The order of the rows. @throws IllegalArgumentException for {@link #UNSORTED}, which has no order */
    public Comparator<PageKey> comparator() {
        return switch (this) {
            case OLDEST_FIRST -> PageKey.OLDEST_FIRST;
            case NEWEST_FIRST -> PageKey.OLDEST_FIRST.reversed();
            case UNSORTED -> throw new IllegalArgumentException("unsorted rows have no order");
        };
    }
}
