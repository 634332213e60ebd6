package siemload.query;

import java.util.Optional;

/**
 * In which order a search has its rows, where that is not for its users to choose. Immutable.
 *
 * @param always whatever is read; not unsorted
 * @param ofWhole where the whole result is read, before {@code always}
 */
public record OwnOrder(Optional<Order> always, Optional<Order> ofWhole) {
    /** As users want it. */
    public static final OwnOrder AS_WANTED = new OwnOrder(Optional.empty(), Optional.empty());

    public OwnOrder {
        if (always.filter(order -> order == Order.UNSORTED).isPresent()) {
            throw new IllegalArgumentException("only a whole result can be unsorted");
        }
    }

    /** The order of the rows of a page, where a user wants this one. */
    public Order of(Page page, Order wanted) {
        return page instanceof Page.Whole ? ofWhole.or(() -> always).orElse(wanted) : always.orElse(wanted);
    }
}
