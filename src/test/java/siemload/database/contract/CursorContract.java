package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.database.AnsweredRows;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.Store;
import siemload.query.Order;
import siemload.query.Search;

/** For targets that offer cursors: what a cursor hands over page by page is the whole result. */
public interface CursorContract {

    ContractSubject subject();

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 10_000})
    default void pagesByCursorMakeUpTheWholeResult(int size) {
        try (Store store = subject().events();
                SearchSession session = store.openSession()) {
            for (Order order : List.of(Order.NEWEST_FIRST, Order.OLDEST_FIRST)) {
                for (Search search : ContractSearches.inTheStudyWindow(order)) {
                    assertThat(read(session, search, size))
                            .as("pages of %d rows of %s", size, search)
                            .isEqualTo(ReferenceAnswers.aboutAll().to(search).ids());
                }
            }
        }
    }

    @Test
    default void aCursorThatIsGivenUpLeavesTheSessionUsable() {
        Search search = ContractSearches.inTheStudyWindow(Order.NEWEST_FIRST).get(0);
        try (Store store = subject().events();
                SearchSession session = store.openSession()) {
            try (ResultCursor cursor = session.open(search)) {
                assertThat(cursor.next(1, row -> {})).isEqualTo(1);
            }
            ResultCursor forgotten = session.open(search);
            assertThat(forgotten.next(1, row -> {})).isEqualTo(1);
            assertThat(AnsweredRows.of(session, search).ids())
                    .isEqualTo(ReferenceAnswers.aboutAll().to(search).ids());
            assertThat(read(session, search, 3))
                    .isEqualTo(ReferenceAnswers.aboutAll().to(search).ids());
        }
    }

    private static List<String> read(SearchSession session, Search search, int size) {
        List<String> ids = new ArrayList<>();
        try (ResultCursor cursor = session.open(search)) {
            long count;
            do {
                count = cursor.next(size, row -> ids.add(row.id()));
            } while (count == size);
        }
        return ids;
    }
}
