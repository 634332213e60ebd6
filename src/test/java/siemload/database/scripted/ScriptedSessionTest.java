package siemload.database.scripted;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.database.Counters.StatementTime;
import siemload.database.scripted.ScriptedPlugin.Script;
import siemload.database.scripted.ScriptedPlugin.ScriptedSession;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

class ScriptedSessionTest {
    /** Eleven rows until 110 ms, and a row after 5 ms. */
    @Test
    void theCountersHaveWhatTheAnswersWereToTake() {
        Script script = new Script(ScriptTimingTest.AT_ZERO, Map.of());
        try (ScriptedSession session = new ScriptedSession(script, Duration.ofMinutes(1))) {
            Search slow = search(SearchName.HAWAT3);
            session.search(slow, row -> {});
            session.count(slow);
            session.count(search(SearchName.DETAIL));

            assertThat(script.read().statements())
                    .isEqualTo(Map.of(
                            session.statement(slow, PageClass.FIRST).orElseThrow(),
                            new StatementTime(2, 0, 220_000_000),
                            session.statement(search(SearchName.DETAIL), PageClass.COUNT)
                                    .orElseThrow(),
                            new StatementTime(1, 0, 5_000_000)));
            assertThat(script.statements().untold()).isEmpty();
        }
    }

    private static Search search(SearchName name) {
        return new Search(name, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(100, 1));
    }
}
