package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import siemload.database.Hint;
import siemload.database.SearchSession;
import siemload.database.SearchSession.Plan;
import siemload.database.Store;
import siemload.database.TargetPlugin.Offer;
import siemload.database.server.Portions;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.SearchName;
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

    /** The pages that the search with this number is explained for: the next one, so that each name meets every page with other values. */
    default List<Page> pagesOf(int number) {
        return List.of(next(PAGES, number));
    }

    /** The summaries that it is explained for. */
    default List<Summary> summariesOf(int number) {
        return List.of(next(SUMMARIES, number));
    }

    private static <T> T next(List<T> all, int number) {
        return all.get(number % all.size());
    }

    @Test
    default void thePlanOfEverySearchSaysHowItsEventsWereFoundAndThatTheHintTookEffect() {
        forEachSearch((session, criteria, number) -> {
            for (Page page : pagesOf(number)) {
                Search search = criteria.with(page);
                Plan plan = session.explain(search);
                check(search, plan, search);
                if (search.summary().isEmpty()) {
                    assertThat(session.expect(search).accesses())
                            .as("expected for %s", search)
                            .isEqualTo(plan.accesses());
                }
            }
        });
    }

    @Test
    default void thePlanOfEverySummarySaysHowItsEventsWereFoundAndThatTheHintTookEffect() {
        forEachSearch((session, search, number) -> {
            for (Summary summary : summariesOf(number)) {
                Search summed = new Search(
                        search.name(),
                        search.window(),
                        search.criteria(),
                        search.order(),
                        search.page(),
                        Optional.of(summary));
                check(search, session.explain(summed), summary);
            }
        });
    }

    @Test
    default void thePlanOfATrendSaysHowItsEventsWereFoundAndLeavesNoLine() {
        assumeThat(subject().offers(Offer.TRENDS)).isTrue();
        Search search = new Search(
                new SearchName("CATEGORYTREND"),
                ContractSearches.STUDY,
                List.of(),
                Order.NEWEST_FIRST,
                new Page.Whole());
        Hint hint = subject().variant().hint();
        try (Store copy = subject().copy();
                SearchSession session = copy.openSession()) {
            copy.createTrends();
            Plan plan = session.explain(search);

            // What writes may have to do without workers, as on PostgreSQL.
            check(search, plan, "storing", hint == Hint.FULL_SCAN_PARALLEL ? Hint.FULL_SCAN : hint);
            assertThat(session.expect(search).accesses()).isEqualTo(plan.accesses());
            assertThat(copy.trendLines("", Field.CATEGORY)).isEmpty();
        }
    }

    private void forEachSearch(Check check) {
        List<Search> searches = subject().searches().stream()
                .filter(search -> SearchCatalog.trend(search.name()).isEmpty())
                .toList();
        try (Store store = subject().events();
                SearchSession session = store.openSession()) {
            for (int number = 0; number < searches.size(); number++) {
                check.check(session, searches.get(number), number);
            }
            assertThat(store.events()).isEqualTo(ContractEvents.ALL.size());
        }
    }

    private void check(Search search, Plan plan, Object asked) {
        check(search, plan, asked, subject().variant().hint());
    }

    private static void check(Search search, Plan plan, Object asked, Hint hint) {
        assertThat(plan.text()).as("%s of %s", asked, search).isNotBlank();
        assertThat(plan.accesses())
                .as("%s of %s in %s", asked, search, plan.text())
                .isNotEmpty();
        assertThat(hint.missedBy(search, plan))
                .as("%s for %s of %s in %s", hint, asked, search, plan.text())
                .isEmpty();
    }

    /** What is checked with each search and its number. */
    interface Check {
        void check(SearchSession session, Search search, int number);
    }
}
