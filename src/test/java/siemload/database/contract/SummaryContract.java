package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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
        List<Summary> timelines = new ArrayList<>();
        for (Field field : Field.values()) {
            timelines.add(new Summary.Timeline(field, 200));
            timelines.add(new Summary.Timeline(field, 7));
            timelines.add(new Summary.Timeline(field, 1));
        }
        compare(timelines);
    }

    @Test
    default void everyTopListIsThatOfTheReference() {
        List<Summary> topLists = new ArrayList<>();
        for (Field field : Field.values()) {
            topLists.add(new Summary.TopList(field, 1));
            topLists.add(new Summary.TopList(field, 5));
            topLists.add(new Summary.TopList(field, 10_000));
        }
        compare(topLists);
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
