package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.database.Hint;
import siemload.database.Plan;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.server.Portions;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;

/** Every search has a plan that says how its events were found, as the hint demands, and asking for it changes nothing. */
public interface PlanContract {

    List<Page> PAGES = List.of(
            new Page.Whole(),
            new Page.Numbered(5, 1),
            new Page.Numbered(5, 2),
            new Page.Numbered(Portions.LARGEST_AT_ONCE + 1, 1),
            new Page.Last(Portions.LARGEST_AT_ONCE + 1));

    ContractSubject subject();

    @Test
    default void thePlanOfEverySearchSaysHowItsEventsWereFoundAndThatTheHintTookEffect() {
        Hint hint = subject().variant().hint();
        try (Store store = subject().events();
                SearchSession session = store.openSession()) {
            for (Search criteria : ContractSearches.inTheStudyWindow(Order.NEWEST_FIRST)) {
                for (Page page : PAGES) {
                    Search search = criteria.with(page);
                    Plan plan = session.explain(search);
                    assertThat(plan.text()).as(search.toString()).isNotBlank();
                    assertThat(plan.accesses())
                            .as("%s in %s", search, plan.text())
                            .isNotEmpty();
                    assertThat(hint.missedBy(search, plan))
                            .as("%s of %s in %s", hint, search, plan.text())
                            .isEmpty();
                }
            }
            assertThat(store.events()).isEqualTo(ContractEvents.ALL.size());
        }
    }
}
