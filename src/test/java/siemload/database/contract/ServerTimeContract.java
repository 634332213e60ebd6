package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import siemload.database.Counters;
import siemload.database.Counters.StatementTime;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/**
 * Where a target says what its counters call the statement of a search, they tell how often it was executed and how long that
 * took; a target that cannot tell says why.
 */
public interface ServerTimeContract {
    ContractSubject subject();

    /** How often each search is asked: so often that the server counts some time for it. */
    default int times() {
        return 3;
    }

    @Test
    default void aSearchIsCountedUnderTheStatementThatTheTargetNames() {
        Search page =
                new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(5, 1));
        Search summary = new Search(SearchName.TOPLIST, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Whole());
        try (Store store = subject().events();
                SearchSession session = store.openSession()) {
            check(store, session, times(), page, PageClass.FIRST);
            check(store, session, times(), page.with(new Page.Last(5)), PageClass.LAST);
            check(store, session, times(), page.with(new Page.Whole()), PageClass.WHOLE);
            check(store, session, times(), page, PageClass.COUNT);
            check(store, session, times(), summary, PageClass.SUMMARY);
        }
    }

    private static void check(Store store, SearchSession session, int times, Search search, PageClass page) {
        Optional<String> name = session.statement(search, page);
        if (name.isEmpty()) {
            return;
        }
        assertThat(store.openCounters()).as("counters of %s", name).isNotEmpty();
        try (Counters counters = store.openCounters().orElseThrow()) {
            Map<String, StatementTime> before = counters.read().statements();
            if (!counters.statements().untold().isEmpty()) {
                assertThat(before).isEmpty();
                return;
            }
            assertThat(counters.statements().view()).isNotEmpty();
            assertThat(counters.statements().covers()).isNotEmpty();
            long start = System.nanoTime();
            for (int i = 0; i < times; i++) {
                answer(session, search, page);
            }
            long took = System.nanoTime() - start;
            StatementTime then = before.getOrDefault(name.orElseThrow(), StatementTime.NONE);
            StatementTime now = counters.read().statements().getOrDefault(name.orElseThrow(), StatementTime.NONE);
            long nanos = now.planningNanos() + now.executionNanos() - then.planningNanos() - then.executionNanos();
            assertThat(nanos).as("%s %s", page, search).isPositive();
            if (now.calls() > 0) {
                assertThat(now.calls() - then.calls()).as("%s %s", page, search).isEqualTo(times);
                assertThat(nanos).as("%s %s", page, search).isLessThanOrEqualTo(took);
            }
        }
    }

    private static void answer(SearchSession session, Search search, PageClass page) {
        switch (page) {
            case COUNT -> session.count(search);
            case SUMMARY -> session.summarize(search, search.summary().orElseThrow());
            case FIRST, DEEPER, LAST, WHOLE -> session.search(search, row -> {});
        }
    }
}
