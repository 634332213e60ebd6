package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.dataset.SeededRandom;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Search;
import siemload.query.Summary;

/** Timelines and top lists have the very lines of the reference. */
public interface SummaryContract {
    long SEED = 1;

    ContractSubject subject();

    @Test
    default void everyTimelineIsThatOfTheReference() {
        compare(Summary.Timeline::new, List.of(200, 7, 1));
    }

    @Test
    default void everyTopListIsThatOfTheReference() {
        compare(Summary.TopList::new, List.of(1, 5, 10_000));
    }

    @Test
    default void everyHourIsThatOfTheReference() {
        compare((field, unused) -> new Summary.Hours(field), List.of(1));
    }

    /** Every search, by a field and in one of the sizes by chance. */
    private void compare(BiFunction<Field, Integer, Summary> kind, List<Integer> sizes) {
        SeededRandom random = new SeededRandom(SEED);
        List<Field> fields = List.of(Field.values());
        try (Store store = subject().events();
                SearchSession session = store.openSession()) {
            for (Search search : ContractSearches.inTheStudyWindow(Order.NEWEST_FIRST)) {
                Summary summary =
                        kind.apply(fields.get(random.nextInt(fields.size())), sizes.get(random.nextInt(sizes.size())));
                assertThat(session.summarize(search, summary))
                        .as("%s of %s", summary, search)
                        .isEqualTo(ReferenceAnswers.aboutAll().to(search, summary));
            }
        }
    }
}
