package siemload.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.event.AddressRange;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DescriptionIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.IdIs;
import siemload.query.Criterion.PortUsed;
import siemload.query.Criterion.TextContains;

/** What searches mean, against answers worked out by hand, since all targets are measured by it. */
final class SearchMeaningTest {
    private static final SecurityEvent SCAN = event(
            "{'ID':'scan','DetectTime':'2016-06-06T12:00:00Z','Category':['Recon.Scanning'],"
                    + "'Source':[{'IP4':['192.0.2.1'],'Port':[5000]},{'IP4':['192.0.2.64/26']}],"
                    + "'Target':[{'IP6':['2001:db8::/64'],'Port':[22]}],'Node':[{'Name':'cz.cesnet.a'},{'Name':'cz.b'}]}");
    private static final SecurityEvent EMPTY = event("{'ID':'empty','DetectTime':'2016-06-06T12:00:00Z'}");

    @Test
    void anAddressFiguresOnEitherSideAndInsideOfNets() {
        assertThat(meets(SCAN, address("192.0.2.1"))).isTrue();
        assertThat(meets(SCAN, address("192.0.2.127"))).isTrue();
        assertThat(meets(SCAN, address("2001:db8::ffff"))).isTrue();
        assertThat(meets(SCAN, address("192.0.2.0-192.0.2.1"))).isTrue();
        assertThat(meets(SCAN, address("192.0.2.2"))).isFalse();
        assertThat(meets(SCAN, address("192.0.2.2", "10.0.0.1", "192.0.2.128"))).isFalse();
        assertThat(meets(SCAN, address("10.0.0.1", "192.0.2.100"))).isTrue();
        assertThat(meets(EMPTY, address("::/0", "0.0.0.0/0"))).isFalse();
    }

    @Test
    void categoriesAndDetectorsMatchExactly() {
        assertThat(meets(SCAN, new CategoryIs("Recon.Scanning"))).isTrue();
        assertThat(meets(SCAN, new CategoryIs("Recon"))).isFalse();
        assertThat(meets(SCAN, new DetectorIs("cz.b"))).isTrue();
        assertThat(meets(SCAN, new DetectorIs("cz.cesnet"))).isFalse();
        assertThat(meets(SCAN, new IdIs("scan"))).isTrue();
        assertThat(meets(SCAN, new IdIs("sca"))).isFalse();
    }

    @Test
    void aPortAloneIsFoundAnywhereButWithAnAddressOnlyOnItsSide() {
        assertThat(meets(SCAN, new PortUsed(22))).isTrue();
        assertThat(meets(SCAN, new PortUsed(23))).isFalse();
        assertThat(meets(SCAN, onOneSide("192.0.2.1", 5_000))).isTrue();
        assertThat(meets(SCAN, onOneSide("192.0.2.100", 5_000))).isTrue();
        assertThat(meets(SCAN, onOneSide("192.0.2.1", 22))).isFalse();
        assertThat(meets(SCAN, onOneSide("2001:db8::1", 22))).isTrue();
    }

    @Test
    void oneSideIsLookedAtAloneAndBothByACriterionForEach() {
        assertThat(meets("192.0.2.1", EventSide.SOURCE)).isTrue();
        assertThat(meets("192.0.2.1", EventSide.TARGET)).isFalse();
        assertThat(meets("2001:db8::1", EventSide.SOURCE)).isFalse();
        assertThat(meets("2001:db8::1", EventSide.TARGET)).isTrue();
        assertThat(meets(SCAN, new PortUsed(5_000, EventSide.SOURCE))).isTrue();
        assertThat(meets(SCAN, new PortUsed(5_000, EventSide.TARGET))).isFalse();
        assertThat(meets(SCAN, new PortUsed(22, EventSide.TARGET))).isTrue();
        SecurityEvent inside = event("{'ID':'in','DetectTime':'2016-06-06T12:00:00Z','Source':[{'IP4':['192.0.2.1']}],"
                + "'Target':[{'IP4':['192.0.2.9']}]}");
        List<Criterion> both = List.of(
                new AddressFigured(List.of(AddressRange.parse("192.0.2.0/24")), EventSide.SOURCE),
                new AddressFigured(List.of(AddressRange.parse("192.0.2.0/24")), EventSide.TARGET));
        assertThat(both).allMatch(side -> meets(inside, side));
        assertThat(both).noneMatch(side -> meets(EMPTY, side));
        assertThat(both).anyMatch(side -> !meets(SCAN, side));
    }

    private static boolean meets(String address, EventSide side) {
        return meets(SCAN, new AddressFigured(List.of(AddressRange.parse(address)), side));
    }

    @Test
    void aTextIsFoundLetterForLetterWithoutNul() {
        SecurityEvent event =
                event("{'ID':'x','DetectTime':'2016-06-06T12:00:00Z','Description':'Hor\\u0000izontal 100% scan_'}");
        assertThat(meets(event, new TextContains("Horiz"))).isTrue();
        assertThat(meets(event, new TextContains("0% scan_"))).isTrue();
        assertThat(meets(event, new TextContains("horiz"))).isFalse();
        assertThat(meets(event, new TextContains("100_"))).isFalse();
        assertThat(meets(EMPTY, new TextContains("a"))).isFalse();
    }

    @Test
    void aDescriptionIsAskedForAsAWholeWithoutNul() {
        SecurityEvent event =
                event("{'ID':'x','DetectTime':'2016-06-06T12:00:00Z','Description':'Hor\\u0000izontal scan'}");
        assertThat(meets(event, new DescriptionIs("Horizontal scan"))).isTrue();
        assertThat(meets(event, new DescriptionIs("Horizontal\0 scan"))).isTrue();
        assertThat(meets(event, new DescriptionIs("Horizontal"))).isFalse();
        assertThat(meets(event, new DescriptionIs("horizontal scan"))).isFalse();
        assertThat(meets(EMPTY, new DescriptionIs(""))).isTrue();
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

    private static boolean meets(SecurityEvent event, Criterion criterion) {
        return criterion.meets(event);
    }

    private static boolean finds(Window window) {
        Search search = new Search(SearchName.MENTAT, window, List.of(), Order.UNSORTED, new Page.Whole());
        return search.condition().test(SCAN);
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
