package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.query.Order;
import siemload.query.Search;

/** For targets that offer cursors: what a cursor hands over page by page is the whole result. */
public interface CursorContract {

    ContractSubject subject();

    @Test
    default void pagesByCursorMakeUpTheWholeResult() {
        int[] sizes = {1, 7, 10_000};
        subject().ask(session -> {
            List<Search> searches = subject().searches();
            for (int number = 0; number < searches.size(); number++) {
                Search search = searches.get(number).with(number % 2 == 0 ? Order.NEWEST_FIRST : Order.OLDEST_FIRST);
                int size = sizes[number % 3];
                assertThat(read(session, search, size))
                        .as("pages of %d rows of %s", size, search)
                        .isEqualTo(ReferenceAnswers.aboutAll().to(search).ids());
            }
        });
    }

    @Test
    default void aCursorThatIsGivenUpLeavesTheSessionUsable() {
        Search search = ContractSearches.inTheStudyWindow(Order.NEWEST_FIRST).get(0);
        List<String> whole = ReferenceAnswers.aboutAll().to(search).ids();
        subject().ask(session -> {
            try (ResultCursor cursor = session.open(search)) {
                assertThat(cursor.next(1, row -> {})).isEqualTo(1);
            }
            ResultCursor forgotten = session.open(search);
            assertThat(forgotten.next(1, row -> {})).isEqualTo(1);
            assertThat(AnsweredRows.of(session, search).ids()).isEqualTo(whole);
            assertThat(read(session, search, 3)).isEqualTo(whole);
        });
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
