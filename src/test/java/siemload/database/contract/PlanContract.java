package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import siemload.database.Hint;
import siemload.database.Plan;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.server.Portions;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.Summary;

/** Every search has a plan that says how its events were found, as the hint demands, and asking for it changes nothing. */
public interface PlanContract {

    List<Page> PAGES = List.of(
            new Page.Whole(),
            new Page.Numbered(5, 1),
            new Page.Numbered(5, 2),
            new Page.Numbered(Portions.LARGEST_AT_ONCE + 1, 1),
            new Page.Last(Portions.LARGEST_AT_ONCE + 1));

    List<Summary> SUMMARIES =
            List.of(new Summary.Timeline(Field.CATEGORY, 200), new Summary.TopList(Field.DETECTOR, 20));

    ContractSubject subject();

    @Test
    default void thePlanOfEverySearchSaysHowItsEventsWereFoundAndThatTheHintTookEffect() {
        forEachSearch((session, criteria) -> {
            for (Page page : PAGES) {
                Search search = criteria.with(page);
                Plan plan = session.explain(search);
                check(search, plan, search);
                if (SearchCatalog.summary(search.name()).isEmpty()) {
                    assertThat(session.expect(search).accesses())
                            .as("expected for %s", search)
                            .isEqualTo(plan.accesses());
                }
            }
        });
    }

    @Test
    default void thePlanOfEverySummarySaysHowItsEventsWereFoundAndThatTheHintTookEffect() {
        forEachSearch((session, search) -> {
            for (Summary summary : SUMMARIES) {
                check(search, session.explain(search, summary), summary);
            }
        });
    }

    private void forEachSearch(BiConsumer<SearchSession, Search> check) {
        try (Store store = subject().events();
                SearchSession session = store.openSession()) {
            for (Search search : ContractSearches.inTheStudyWindow(Order.NEWEST_FIRST)) {
                check.accept(session, search);
            }
            assertThat(store.events()).isEqualTo(ContractEvents.ALL.size());
        }
    }

    private void check(Search search, Plan plan, Object asked) {
        Hint hint = subject().variant().hint();
        assertThat(plan.text()).as("%s of %s", asked, search).isNotBlank();
        assertThat(plan.accesses())
                .as("%s of %s in %s", asked, search, plan.text())
                .isNotEmpty();
        assertThat(hint.missedBy(search, plan))
                .as("%s for %s of %s in %s", hint, asked, search, plan.text())
                .isEmpty();
    }
}
