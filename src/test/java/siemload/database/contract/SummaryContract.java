package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Search;
import siemload.query.Summary;

/** Timelines and top lists have the very lines of the reference. */
public interface SummaryContract {

    ContractSubject subject();

    @Test
    default void everyTimelineIsThatOfTheReference() {
        compare(Summary.Timeline::new, 200, 7, 1);
    }

    @Test
    default void everyTopListIsThatOfTheReference() {
        compare(Summary.TopList::new, 1, 5, 10_000);
    }

    private void compare(BiFunction<Field, Integer, Summary> kind, Integer... sizes) {
        compare(Stream.of(Field.values())
                .flatMap(field -> Stream.of(sizes).map(size -> kind.apply(field, size)))
                .toList());
    }

    private void compare(List<Summary> summaries) {
        try (Store store = subject().events();
                SearchSession session = store.openSession();
                SearchSession reference = subject().reference().openSession()) {
            for (Search search : ContractSearches.inTheStudyWindow(Order.NEWEST_FIRST)) {
                for (Summary summary : summaries) {
                    assertThat(session.summarize(search, summary))
                            .as("%s of %s", summary, search)
                            .isEqualTo(reference.summarize(search, summary));
                }
            }
        }
    }
}
