package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import siemload.dataset.SeededRandom;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Search;
import siemload.query.Summary;

/** A whole result holds the very rows of the reference: ids, detect times, events, and their order; a summary its very lines. */
public interface SearchContract {
    long SEED = 1;

    ContractSubject subject();

    @Test
    default void everySearchNewestFirstIsThatOfTheReference() {
        compare(ContractSearches.inTheStudyWindow(Order.NEWEST_FIRST));
    }

    @Test
    default void anUnsortedSearchHasTheRowsOfTheReference() {
        compare(ContractSearches.every(5, Order.UNSORTED));
    }

    @Test
    default void aWindowHoldsItsFirstInstantAndNotItsLast() {
        compare(ContractSearches.inEveryWindow());
    }

    @Test
    default void everyCountIsThatOfTheReference() {
        subject().ask(session -> {
            for (Search search : subject().searches()) {
                assertThat(session.count(search))
                        .as(search.toString())
                        .isEqualTo(ReferenceAnswers.aboutAll().count(search));
            }
        });
    }

    @Test
    default void everyTimelineIsThatOfTheReference() {
        summarize(Summary.Timeline::new, List.of(200, 7, 1));
    }

    @Test
    default void everyTopListIsThatOfTheReference() {
        summarize(Summary.TopList::new, List.of(1, 5, 10_000));
    }

    @Test
    default void everyHourIsThatOfTheReference() {
        summarize((field, unused) -> new Summary.Hours(field), List.of(1));
    }

    private void compare(List<Search> searches) {
        subject()
                .ask(session -> searches.forEach(search -> assertThat(AnsweredRows.of(session, search))
                        .as(search.toString())
                        .isEqualTo(ReferenceAnswers.aboutAll().to(search))));
    }

    /** Each search by a field and in one of the sizes by chance. */
    private void summarize(BiFunction<Field, Integer, Summary> kind, List<Integer> sizes) {
        SeededRandom random = new SeededRandom(SEED);
        List<Field> fields = List.of(Field.values());
        subject().ask(session -> {
            for (Search search : subject().searches()) {
                Summary summary =
                        kind.apply(fields.get(random.nextInt(fields.size())), sizes.get(random.nextInt(sizes.size())));
                assertThat(session.summarize(search, summary))
                        .as("%s of %s", summary, search)
                        .isEqualTo(ReferenceAnswers.aboutAll().to(search, summary));
            }
        });
    }
}
