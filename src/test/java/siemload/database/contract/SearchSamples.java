package siemload.database.contract;

import java.util.List;
import java.util.stream.Stream;
import siemload.query.Order;
import siemload.query.Search;

/** The searches of the contract, for tests that look at how a target puts them. */
public final class SearchSamples {
    private SearchSamples() {}

    /** Every criteria of the contract in this order, in the study's window and without one. */
    public static List<Search> inOrder(Order order) {
        return Stream.concat(
                        ContractSearches.inTheStudyWindow(order).stream(),
                        ContractSearches.inEveryWindow().stream().filter(search -> search.order() == order))
                .toList();
    }
}
