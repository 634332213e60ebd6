package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import siemload.database.Counters.StatementSource;
import siemload.database.Counters.StatementTime;
import siemload.measure.monitor.RunMonitor.StatementTimes;
import siemload.query.Order;
import siemload.query.PageClass;
import siemload.query.SearchName;
import siemload.results.MicrosSummary;
import siemload.results.RunResult.SearchResult;
import siemload.results.RunResult.ServerTimes;
import siemload.results.SearchKey;
import siemload.run.RunOutcome.ServerShare;

class ServerShareTest {
    private static final SearchKey FIRST = key(SearchName.HAWAT1, PageClass.FIRST);
    private static final SearchKey DEEPER = key(SearchName.HAWAT1, PageClass.DEEPER);
    private static final SearchKey COUNT = key(SearchName.HAWAT1, PageClass.COUNT);
    private static final SearchKey WHOLE = key(SearchName.MENTAT, PageClass.WHOLE);

    @Test
    void searchesThatShareAStatementShareTheirTime() {
        ServerTimes times = ServerShare.of(
                counted(Map.of(
                        "a", new StatementTime(1, 200, 1_000),
                        "b", new StatementTime(1, 600, 3_000),
                        "others", new StatementTime(9, 9, 9),
                        "count", new StatementTime(2, 0, 9_000))),
                Map.of(FIRST, Set.of("a"), DEEPER, Set.of("b"), COUNT, Set.of("count"), WHOLE, Set.of("a", "b")),
                List.of(result(FIRST, 5), result(DEEPER, 1), result(COUNT, 2), result(WHOLE, 1)));

        assertThat(times.statements())
                .containsExactly(
                        new ServerTimes.Statement(List.of("HAWAT1-count-newestFirst"), 2, 0, 4.5),
                        new ServerTimes.Statement(
                                List.of(
                                        "HAWAT1-first-newestFirst",
                                        "HAWAT1-deeper-newestFirst",
                                        "MENTAT-whole-newestFirst"),
                                2,
                                0.4,
                                2));
    }

    private static StatementTimes counted(Map<String, StatementTime> times) {
        return new StatementTimes(StatementSource.of("view", "execution"), times);
    }

    private static SearchKey key(SearchName name, PageClass page) {
        return new SearchKey(name, page, Order.NEWEST_FIRST);
    }

    private static SearchResult result(SearchKey key, long ok) {
        MicrosSummary none = MicrosSummary.NONE;
        return new SearchResult(key.kind(), ok + 1, ok, 1, Map.of(), 0, 0, none, none, none, none, none, none);
    }
}
