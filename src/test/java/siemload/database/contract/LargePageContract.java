package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.server.Portions;
import siemload.query.Criterion;
import siemload.query.CriterionKey;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/** A page that is too large to be received at once has the very rows of the reference, and can be given up in its middle. */
public interface LargePageContract {
    int SIZE = Portions.LARGEST_AT_ONCE + 1;
    /** Within its second portion. */
    int MIDDLE = Portions.ROWS + Portions.ROWS / 2;

    ContractSubject subject();

    @Test
    @Tag("exhaustive")
    default void everyLargePageIsThatOfTheReference() {
        try (Store store = subject().manyEvents();
                SearchSession session = store.openSession()) {
            for (Order order : List.of(Order.NEWEST_FIRST, Order.OLDEST_FIRST)) {
                for (Search search : pages(order, ReferenceAnswers.aboutMany().to(everything(order)))) {
                    assertThat(AnsweredRows.of(session, search))
                            .as(search.toString())
                            .isEqualTo(ReferenceAnswers.aboutMany().to(search));
                }
            }
        }
    }

    /** Full ones from either end and behind others, those that the result ends in, and one that is larger than all of it. */
    private static List<Search> pages(Order order, AnsweredRows whole) {
        List<Page> pages = List.of(
                new Page.Numbered(SIZE, 1),
                new Page.Numbered(SIZE, 2),
                new Page.Numbered(2 * SIZE, 1),
                new Page.After(SIZE, whole.rows().get(MIDDLE).key()),
                new Page.After(SIZE, whole.rows().get(SIZE).key()),
                new Page.Last(SIZE),
                new Page.Last(2 * SIZE));
        List<Search> searches = new ArrayList<>();
        for (Page page : pages) {
            searches.add(everything(order).with(page));
        }
        List<Criterion> category = List.of(CriterionKey.CATEGORY.is("Recon"));
        for (Page page : List.of(new Page.Numbered(SIZE, 1), new Page.Last(SIZE))) {
            searches.add(new Search(SearchName.HAWAT3, Window.ALWAYS, category, order, page));
        }
        return searches;
    }

    /** Cancelled, or by a reader that fails. */
    @Test
    default void aLargePageThatIsLeftInItsMiddleEndsThereAndTheSessionGoesOn() {
        try (Store store = subject().manyEvents();
                SearchSession session = store.openSession()) {
            for (Page page : List.of(new Page.Numbered(SIZE, 1), new Page.Last(SIZE))) {
                Search search = everything(Order.NEWEST_FIRST).with(page);
                AtomicLong rows = new AtomicLong();
                assertThatExceptionOfType(SearchException.class)
                        .isThrownBy(() -> session.search(search, inTheMiddle(rows, session::cancel)))
                        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.CANCELLED));
                assertThat(rows.get()).isLessThan(SIZE);
                assertThat(session.search(search.with(new Page.Numbered(5, 1)), row -> {}))
                        .isEqualTo(5);
                assertThat(session.search(search, row -> {})).isEqualTo(SIZE);
            }
            AtomicLong rows = new AtomicLong();
            Search search = everything(Order.NEWEST_FIRST).with(new Page.Numbered(SIZE, 1));
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> session.search(search, inTheMiddle(rows, () -> {
                        throw new IllegalStateException("the reader has had enough");
                    })));
            assertThat(rows.get()).isEqualTo(MIDDLE);
            assertThat(session.search(search, row -> {})).isEqualTo(SIZE);
        }
    }

    private static SearchSession.RowReader inTheMiddle(AtomicLong rows, Runnable task) {
        return row -> {
            if (rows.incrementAndGet() == MIDDLE) {
                task.run();
            }
        };
    }

    private static Search everything(Order order) {
        return ContractSearches.whole(SearchName.MENTAT, Window.ALWAYS, List.of(), order);
    }
}
