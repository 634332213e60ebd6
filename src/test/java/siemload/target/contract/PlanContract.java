package siemload.target.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.target.Hint;
import siemload.target.Plan;
import siemload.target.SearchSession;
import siemload.target.Store;

/** Every search has a plan that says how its events were found, and asking for it changes nothing. */
public interface PlanContract {

    ContractSubject subject();

    @Test
    default void thePlanOfEverySearchSaysHowItsEventsWereFound() {
        try (Store store = subject().copy();
                SearchSession session = store.openSession()) {
            for (Search search : ContractSearches.inTheStudyWindow(Order.NEWEST_FIRST)) {
                for (Page page : new Page[] {new Page.Whole(), new Page.Numbered(5, 1), new Page.Numbered(5, 2)}) {
                    Plan plan = session.explain(search.with(page));
                    assertThat(plan.text()).as(search.toString()).isNotBlank();
                    assertThat(plan.accesses())
                            .as("%s in %s", search, plan.text())
                            .isNotEmpty();
                }
            }
            assertThat(store.events()).isEqualTo(ContractEvents.ALL.size());
        }
    }

    @Test
    default void theHintOfTheVariantTakesEffectOnEverySearch() {
        Hint hint = subject().variant().hint();
        try (Store store = subject().copy();
                SearchSession session = store.openSession()) {
            for (Search search : ContractSearches.inTheStudyWindow(Order.NEWEST_FIRST)) {
                for (Page page : new Page[] {new Page.Whole(), new Page.Numbered(5, 1), new Page.Numbered(5, 2)}) {
                    Plan plan = session.explain(search.with(page));
                    assertThat(hint.missedBy(search.with(page), plan))
                            .as("%s of %s in %s", hint, search.with(page), plan.text())
                            .isEmpty();
                }
            }
        }
    }
}
