package siemload.database.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.database.memory.MemoryPlugin.MemorySession;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Summary;
import siemload.query.Summary.Line;
import siemload.query.Window;

final class ResultTest {
    private static final Instant NOON = Instant.parse("2016-06-06T12:00:00Z");

    @Test
    void tiesAreBrokenByTheBytesOfTheId() {
        // U+FFFD is EF BF BD and the face F0 9F 98 80 in UTF-8; in UTF-16 the face's D83D comes first.
        List<SecurityEvent> events = stored("b", "\uFFFD", "B", "\uD83D\uDE00", "é");
        assertThat(ids(events, Order.OLDEST_FIRST, new Page.Whole()))
                .containsExactly("B", "b", "é", "\uFFFD", "\uD83D\uDE00");
        assertThat(ids(events, Order.NEWEST_FIRST, new Page.Whole()))
                .containsExactly("\uD83D\uDE00", "\uFFFD", "é", "b", "B");
    }

    @Test
    void aTopListHasTheMostFrequentValuesFirstAndTiesByBytes() {
        List<SecurityEvent> events = List.of(
                stored("2016-06-06T12:00:00Z", "'b','a','é','Z'"),
                stored("2016-06-06T12:00:01Z", "'é','b'"),
                stored("2016-06-06T12:00:02Z", "'b','Z'"));
        Window window = new Window(NOON, NOON.plusSeconds(119));
        Search search = new Search(SearchName.MENTAT, window, List.of(), Order.UNSORTED, new Page.Whole());
        assertThat(MemorySession.summary(search, new Summary.TopList(Field.CATEGORY, 3), events))
                .containsExactly(new Line(NOON, "b", 3), new Line(NOON, "Z", 2), new Line(NOON, "é", 2));
    }

    private static List<String> ids(List<SecurityEvent> found, Order order, Page page) {
        Search search = new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), order, page);
        return MemorySession.page(search, found).map(SecurityEvent::id).toList();
    }

    private static List<SecurityEvent> stored(String... ids) {
        List<SecurityEvent> stored = new ArrayList<>();
        for (String id : ids) {
            stored.add(event("{'ID':'" + id + "','DetectTime':'2016-06-06T12:00:00Z'}"));
        }
        return stored;
    }

    private static SecurityEvent stored(String time, String categories) {
        return event("{'ID':'x','DetectTime':'" + time + "','Category':[" + categories + "]}");
    }

    private static SecurityEvent event(String json) {
        return new IdeaReader().read(json.replace('\'', '"'));
    }
}
