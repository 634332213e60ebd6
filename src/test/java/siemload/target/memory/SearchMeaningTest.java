package siemload.target.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.event.AddressRange;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.IdIs;
import siemload.query.Criterion.PortUsed;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/** The reference against answers worked out by hand, since all other targets are measured by it. */
final class SearchMeaningTest {
    private static final SecurityEvent SCAN = event(
            "{'ID':'scan','DetectTime':'2016-06-06T12:00:00Z','Category':['Recon.Scanning'],"
                    + "'Source':[{'IP4':['192.0.2.1'],'Port':[5000]},{'IP4':['192.0.2.64/26']}],"
                    + "'Target':[{'IP6':['2001:db8::/64'],'Port':[22]}],'Node':[{'Name':'cz.cesnet.a'},{'Name':'cz.b'}]}");
    private static final SecurityEvent EMPTY = event("{'ID':'empty','DetectTime':'2016-06-06T12:00:00Z'}");

    @Test
    void anAddressFiguresOnEitherSideAndInsideOfNets() {
        assertThat(SearchMeaning.meets(SCAN, address("192.0.2.1"))).isTrue();
        assertThat(SearchMeaning.meets(SCAN, address("192.0.2.127"))).isTrue();
        assertThat(SearchMeaning.meets(SCAN, address("2001:db8::ffff"))).isTrue();
        assertThat(SearchMeaning.meets(SCAN, address("192.0.2.0-192.0.2.1"))).isTrue();
        assertThat(SearchMeaning.meets(SCAN, address("192.0.2.2"))).isFalse();
        assertThat(SearchMeaning.meets(SCAN, address("192.0.2.2", "10.0.0.1", "192.0.2.128")))
                .isFalse();
        assertThat(SearchMeaning.meets(SCAN, address("10.0.0.1", "192.0.2.100")))
                .isTrue();
        assertThat(SearchMeaning.meets(EMPTY, address("::/0", "0.0.0.0/0"))).isFalse();
    }

    @Test
    void categoriesAndDetectorsMatchExactly() {
        assertThat(SearchMeaning.meets(SCAN, new CategoryIs("Recon.Scanning"))).isTrue();
        assertThat(SearchMeaning.meets(SCAN, new CategoryIs("Recon"))).isFalse();
        assertThat(SearchMeaning.meets(SCAN, new DetectorIs("cz.b"))).isTrue();
        assertThat(SearchMeaning.meets(SCAN, new DetectorIs("cz.cesnet"))).isFalse();
        assertThat(SearchMeaning.meets(SCAN, new IdIs("scan"))).isTrue();
        assertThat(SearchMeaning.meets(SCAN, new IdIs("sca"))).isFalse();
    }

    @Test
    void aPortAloneIsFoundAnywhereButWithAnAddressOnlyOnItsSide() {
        assertThat(SearchMeaning.meets(SCAN, new PortUsed(22))).isTrue();
        assertThat(SearchMeaning.meets(SCAN, new PortUsed(23))).isFalse();
        assertThat(SearchMeaning.meets(SCAN, onOneSide("192.0.2.1", 5_000))).isTrue();
        assertThat(SearchMeaning.meets(SCAN, onOneSide("192.0.2.100", 5_000))).isTrue();
        assertThat(SearchMeaning.meets(SCAN, onOneSide("192.0.2.1", 22))).isFalse();
        assertThat(SearchMeaning.meets(SCAN, onOneSide("2001:db8::1", 22))).isTrue();
    }

    @Test
    void tiesAreBrokenByTheBytesOfTheId() {
        // U+FFFD is EF BF BD and the face F0 9F 98 80 in UTF-8; in UTF-16 the face's D83D comes first.
        List<StoredEvent> events = stored("b", "\uFFFD", "B", "\uD83D\uDE00", "é");
        assertThat(ids(events, Order.OLDEST_FIRST, new Page.Whole()))
                .containsExactly("B", "b", "é", "\uFFFD", "\uD83D\uDE00");
        assertThat(ids(events, Order.NEWEST_FIRST, new Page.Whole()))
                .containsExactly("\uD83D\uDE00", "\uFFFD", "é", "b", "B");
    }

    @Test
    void pagesAreCutFromTheOrderedResult() {
        List<StoredEvent> events = stored("a", "b", "c", "d", "e");
        PageKey afterB = new PageKey(SCAN.detectTime(), "b");
        assertThat(ids(events, Order.OLDEST_FIRST, new Page.Numbered(2, 1))).containsExactly("a", "b");
        assertThat(ids(events, Order.OLDEST_FIRST, new Page.Numbered(2, 3))).containsExactly("e");
        assertThat(ids(events, Order.OLDEST_FIRST, new Page.Numbered(2, 4))).isEmpty();
        assertThat(ids(events, Order.OLDEST_FIRST, new Page.After(2, afterB))).containsExactly("c", "d");
        assertThat(ids(events, Order.NEWEST_FIRST, new Page.After(2, afterB))).containsExactly("a");
        assertThat(ids(events, Order.OLDEST_FIRST, new Page.Last(2))).containsExactly("d", "e");
        assertThat(ids(events, Order.NEWEST_FIRST, new Page.Last(2))).containsExactly("b", "a");
        assertThat(ids(events, Order.NEWEST_FIRST, new Page.Last(9))).containsExactly("e", "d", "c", "b", "a");
    }

    @Test
    void aWindowIncludesItsStartAndExcludesItsEndInMicroseconds() {
        Instant time = SCAN.detectTime();
        assertThat(finds(new Window(time, time.plusNanos(1_000)))).isTrue();
        assertThat(finds(new Window(time.plusNanos(999), time.plusNanos(1_000))))
                .isTrue();
        assertThat(finds(new Window(time.minusSeconds(1), time))).isFalse();
        assertThat(finds(new Window(time, time))).isFalse();
        assertThat(finds(Window.ALWAYS)).isTrue();
    }

    private static boolean finds(Window window) {
        Search search = new Search(SearchName.MENTAT, window, List.of(), Order.UNSORTED, new Page.Whole());
        return SearchMeaning.condition(search).test(StoredEvent.of(SCAN));
    }

    private static List<String> ids(List<StoredEvent> found, Order order, Page page) {
        Search search = new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), order, page);
        return SearchMeaning.page(found, search)
                .map(stored -> stored.event().id())
                .toList();
    }

    private static List<StoredEvent> stored(String... ids) {
        List<StoredEvent> stored = new ArrayList<>();
        for (String id : ids) {
            stored.add(StoredEvent.of(event("{'ID':'" + id + "','DetectTime':'2016-06-06T12:00:00Z'}")));
        }
        return stored;
    }

    private static Criterion address(String... anyOf) {
        return new AddressFigured(
                List.of(anyOf).stream().map(AddressRange::parse).toList());
    }

    private static Criterion onOneSide(String address, int port) {
        return new AddressAndPortOnOneSide(AddressRange.parse(address), port);
    }

    private static SecurityEvent event(String json) {
        return new IdeaReader().read(json.replace('\'', '"'));
    }
}
