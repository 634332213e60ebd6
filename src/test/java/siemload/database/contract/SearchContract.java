package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.database.AnsweredRows;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.query.Order;
import siemload.query.Search;

/** A whole result holds the very rows of the reference: ids, detect times, events, and their order. */
public interface SearchContract {

    ContractSubject subject();

    @Test
    default void everySearchNewestFirstIsThatOfTheReference() {
        compare(ContractSearches.inTheStudyWindow(Order.NEWEST_FIRST));
    }

    @Test
    default void everyUnsortedSearchHasTheRowsOfTheReference() {
        compare(ContractSearches.inTheStudyWindow(Order.UNSORTED));
    }

    @Test
    default void aWindowHoldsItsFirstInstantAndNotItsLast() {
        compare(ContractSearches.inEveryWindow());
    }

    @Test
    default void everyCountIsThatOfTheReference() {
        try (Store store = subject().events();
                SearchSession session = store.openSession()) {
            for (Search search : ContractSearches.inTheStudyWindow(Order.NEWEST_FIRST)) {
                assertThat(session.count(search))
                        .as(search.toString())
                        .isEqualTo(ReferenceAnswers.aboutAll().count(search));
            }
        }
    }

    private void compare(List<Search> searches) {
        try (Store store = subject().events();
                SearchSession session = store.openSession()) {
            for (Search search : searches) {
                assertThat(AnsweredRows.of(session, search))
                        .as(search.toString())
                        .isEqualTo(ReferenceAnswers.aboutAll().to(search));
            }
        }
    }
}
