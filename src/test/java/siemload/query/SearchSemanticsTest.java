package siemload.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.config.Problems;
import siemload.config.YamlNode;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;

class SearchSemanticsTest {
    private static final String AT_NOON = "{'ID':'scan','DetectTime':'2016-06-06T12:00:00Z'";
    private static final SecurityEvent SCAN = event(
            AT_NOON + ",'Category':['Recon.Scanning'],'Description':'Hor\\u0000izontal 100% scan_',"
                    + "'Source':[{'IP4':['192.0.2.1'],'Port':[5000]},{'IP4':['192.0.2.64/26']}],"
                    + "'Target':[{'IP6':['2001:db8::/64'],'Port':[22]}],'Node':[{'Name':'cz.cesnet.a'},{'Name':'cz.b'}]}");
    private static final SecurityEvent EMPTY = event(AT_NOON + "}");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # An address figures on either side, and inside of networks and ranges.
            address: 192.0.2.1                                          | true
            address: 192.0.2.127                                        | true
            address: 2001:db8::ffff                                     | true
            range: 192.0.2.0-192.0.2.1                                  | true
            address: 192.0.2.2                                          | false
            addresses: [192.0.2.2, 10.0.0.1, 192.0.2.128]               | false
            addresses: [10.0.0.1, 192.0.2.100]                          | true
            range: [10.0.0.0/8, 192.0.2.64/26]                          | true
            # Categories, detectors and ids are the same letter for letter.
            category: Recon.Scanning                                    | true
            category: Recon                                             | false
            detector: cz.b                                              | true
            detector: cz.cesnet                                         | false
            id: scan                                                    | true
            id: sca                                                     | false
            # A port alone is found anywhere, but with an address only on its side.
            port: 22                                                    | true
            port: 23                                                    | false
            port: 23-5000                                               | true
            port: 23-4999                                               | false
            service: {address: 192.0.2.1, port: 5000}                   | true
            service: {address: 192.0.2.100, port: 5000}                 | true
            service: {address: 192.0.2.1, port: 22}                     | false
            service: {address: "2001:db8::1", port: 22}                 | true
            # One side is looked at alone, and both by a criterion for each.
            address: 192.0.2.1, side: source                            | true
            address: 192.0.2.1, side: target                            | false
            address: 2001:db8::1, side: source                          | false
            address: 2001:db8::1, side: target                          | true
            port: 5000, side: source                                    | true
            port: 5000, side: target                                    | false
            port: 22, side: target                                      | true
            # Descriptions are compared letter for letter, without NUL.
            text: Horiz                                                 | true
            text: 0% scan_                                              | true
            text: horiz                                                 | false
            text: 100_                                                  | false
            text: [100_, Horiz]                                         | true
            description: Horizontal 100% scan_                          | true
            description: Horizontal                                     | false
            description: horizontal 100% scan_                          | false
            """)
    void anEventMeetsACriterionOrNot(String criterion, boolean meets) {
        String yaml = "{description: x, criteria: [{" + criterion + "}]}";
        SearchDefinition search = YamlNode.parse(
                        "x", yaml, new Problems(), top -> SearchDefinition.read(top, SearchName.MENTAT))
                .orElseThrow();

        assertThat(search.criteria().get(0).meets(SCAN)).isEqualTo(meets);
        assertThat(search.criteria().get(0).meets(EMPTY)).isEqualTo(criterion.equals("id: scan"));
    }

    @Test
    void noDescriptionIsAnEmptyOne() {
        assertThat(CriterionKey.DESCRIPTION.is("\0").meets(EMPTY)).isTrue();
        assertThat(new Criterion.Missing(CriterionKey.DESCRIPTION, EventSide.EITHER).meets(EMPTY))
                .isTrue();
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
        return search.condition().test(SCAN);
    }

    private static SecurityEvent event(String json) {
        return new IdeaReader().read(json.replace('\'', '"'));
    }

    @Test
    void theSourceIsTheLowestAddressOfAllSourcesWithIp4BeforeIp6() {
        assertThat(Field.SOURCE.values(with("'Source':[{'IP6':['::1'],'IP4':['192.0.2.9']},{'IP4':['192.0.2.0/29']}]")))
                .containsExactly("192.0.2.0");
        assertThat(Field.SOURCE.values(with("'Source':[{'IP6':['2001:db8::7-2001:db8::9','2001:db8::8']}]")))
                .containsExactly("2001:db8::7");
        assertThat(Field.SOURCE.values(with("'Source':[{'Port':[22]}],'Target':[{'IP4':['192.0.2.1']}]")))
                .isEmpty();
    }

    @Test
    void addressesComeByTheirNumbersAndOtherValuesByTheirBytes() {
        List<String> values = List.of("192.0.2.10", "192.0.2.9", "2001:db8::1", "9.0.0.1");

        assertThat(values.stream().sorted(Field.SOURCE.order()))
                .containsExactly("9.0.0.1", "192.0.2.9", "192.0.2.10", "2001:db8::1");
        assertThat(values.stream().sorted(Field.CATEGORY.order()))
                .containsExactly("192.0.2.10", "192.0.2.9", "2001:db8::1", "9.0.0.1");
    }

    private static SecurityEvent with(String keys) {
        return event("{'ID':'x','DetectTime':'2016-06-06T12:59:59.999+01:00'," + keys + "}");
    }
}
