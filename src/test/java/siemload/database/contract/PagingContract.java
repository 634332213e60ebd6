package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.database.SearchSession;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;

/** Pages, by number and by key, are cut from the ordered result without a gap or a repetition. */
public interface PagingContract {
    int SMALL = 10;

    ContractSubject subject();

    @Test
    default void numberedPagesMakeUpTheWholeResultAndFarBeyondItsEndIsNothing() {
        forEachSearch(3, 100, (session, search, whole, size) -> {
            for (int number = 1; number <= whole.size() / size + 1; number++) {
                int from = Math.min((number - 1) * size, whole.size());
                assertThat(ids(session, search, new Page.Numbered(size, number)))
                        .as("page %d of %d rows of %s", number, size, search)
                        .isEqualTo(whole.subList(from, Math.min(from + size, whole.size())));
            }
            assertThat(ids(session, search, new Page.Numbered(100_000, 100_000)))
                    .isEmpty();
        });
    }

    @Test
    default void pagesByKeyMakeUpTheWholeResult() {
        forEachSearch(1, 100, (session, search, whole, size) -> {
            AnsweredRows page = AnsweredRows.of(session, search.with(new Page.Numbered(size, 1)));
            List<String> read = new ArrayList<>();
            while (!page.rows().isEmpty() && read.size() <= whole.size()) {
                read.addAll(page.ids());
                AnsweredRows.Line last = page.rows().get(page.rows().size() - 1);
                page = AnsweredRows.of(session, search.with(new Page.After(size, last.key())));
            }
            assertThat(read).as("pages of %d rows of %s", size, search).isEqualTo(whole);
        });
    }

    @Test
    default void theLastPageIsTheEndOfTheResultInItsOrder() {
        forEachSearch(
                1,
                100,
                (session, search, whole, size) -> assertThat(ids(session, search, new Page.Last(size)))
                        .as("the last %d rows of %s", size, search)
                        .isEqualTo(whole.subList(Math.max(0, whole.size() - size), whole.size())));
    }

    private static List<String> ids(SearchSession session, Search search, Page page) {
        return AnsweredRows.of(session, search.with(page)).ids();
    }

    /** Each search in one of both orders and one of both sizes of pages, by turns; long results only in large pages. */
    private void forEachSearch(int small, int large, Check check) {
        subject().ask(session -> {
            List<Search> searches = subject().searches();
            for (int number = 0; number < searches.size(); number++) {
                Search search = searches.get(number).with(number % 2 == 0 ? Order.NEWEST_FIRST : Order.OLDEST_FIRST);
                List<String> whole = ReferenceAnswers.aboutAll().to(search).ids();
                int size = number % 4 < 2 && whole.size() <= SMALL ? small : large;
                check.check(session, search, whole, size);
            }
        });
    }

    /** What is checked with each search, the ids of its whole result, and a size of pages. */
    interface Check {
        void check(SearchSession session, Search search, List<String> whole, int size);
    }
}
