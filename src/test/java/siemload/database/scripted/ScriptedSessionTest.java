package siemload.database.scripted;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

class ScriptedSessionTest {
    /** A user reads a row to search for something in it. */
    @Test
    void everyRowIsTheEventThatItSaysItIs() {
        List<SecurityEvent> events = new ArrayList<>();
        Search search =
                new Search(SearchName.HAWAT3, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(100, 1));
        try (ScriptedSession session = new ScriptedSession(
                new Script(ScriptTimingTest.AT_ZERO, ScriptTiming.of(Map.of())), Duration.ofMinutes(1))) {
            long unused = session.search(search, row -> {
                SecurityEvent event = new IdeaReader().read(row.idea());
                assertThat(event.id()).isEqualTo(row.id());
                assertThat(event.detectTime()).isEqualTo(row.detectTime());
                events.add(event);
            });
        }
        assertThat(events).hasSize(11);
    }
}
