package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.database.AnsweredRows;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;

/** Pages, by number and by key, are cut from the ordered result without a gap or a repetition. */
public interface PagingContract {
    int SMALL = 20;

    ContractSubject subject();

    @ParameterizedTest
    @ValueSource(ints = {3, 100})
    default void numberedPagesMakeUpTheWholeResult(int size) {
        forEachSearch(
                (session, search, whole) -> {
                    for (int number = 1; number <= whole.size() / size + 2; number++) {
                        int from = Math.min((number - 1) * size, whole.size());
                        List<String> expected = whole.subList(from, Math.min(from + size, whole.size()));
                        assertThat(AnsweredRows.of(session, search.with(new Page.Numbered(size, number)))
                                        .ids())
                                .as("page %d of %d rows of %s", number, size, search)
                                .isEqualTo(expected);
                    }
                },
                size);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    default void pagesByKeyMakeUpTheWholeResult(int size) {
        forEachSearch(
                (session, search, whole) -> {
                    AnsweredRows page = AnsweredRows.of(session, search.with(new Page.Numbered(size, 1)));
                    List<String> read = new ArrayList<>();
                    while (!page.rows().isEmpty() && read.size() <= whole.size()) {
                        read.addAll(page.ids());
                        AnsweredRows.Line last = page.rows().get(page.rows().size() - 1);
                        page = AnsweredRows.of(session, search.with(new Page.After(size, last.key())));
                    }
                    assertThat(read).as("pages of %d rows of %s", size, search).isEqualTo(whole);
                },
                size);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    default void theLastPageIsTheEndOfTheResultInItsOrder(int size) {
        forEachSearch(
                (session, search, whole) -> assertThat(AnsweredRows.of(session, search.with(new Page.Last(size)))
                                .ids())
                        .as("the last %d rows of %s", size, search)
                        .isEqualTo(whole.subList(Math.max(0, whole.size() - size), whole.size())),
                size);
    }

    @Test
    default void aPageFarBeyondTheEndIsEmpty() {
        forEachSearch(
                (session, search, whole) -> assertThat(
                                AnsweredRows.of(session, search.with(new Page.Numbered(100_000, 100_000)))
                                        .ids())
                        .isEmpty(),
                100);
    }

    /** Each search in one of both orders, the other one for pages of the other size; long results only in large pages. */
    private void forEachSearch(Check check, int size) {
        try (Store store = subject().events();
                SearchSession session = store.openSession()) {
            for (Order order : List.of(Order.NEWEST_FIRST, Order.OLDEST_FIRST)) {
                List<Search> searches = ContractSearches.inTheStudyWindow(order);
                for (int number = (order.ordinal() + size) % 2; number < searches.size(); number += 2) {
                    Search search = searches.get(number);
                    List<String> whole = ReferenceAnswers.aboutAll().to(search).ids();
                    if (whole.size() <= SMALL * size) {
                        check.check(session, search, whole);
                    }
                }
            }
        }
    }

    /** What is checked with each search and the ids of its whole result. */
    interface Check {
        void check(SearchSession session, Search search, List<String> whole);
    }
}
