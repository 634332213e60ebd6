package siemload.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;

class FieldTest {
    @Test
    void theSourceIsTheLowestAddressOfAllSourcesWithIp4BeforeIp6() {
        assertThat(Field.SOURCE.values(
                        event("'Source':[{'IP6':['::1'],'IP4':['192.0.2.9']},{'IP4':['192.0.2.0/29']}]")))
                .containsExactly("192.0.2.0");
        assertThat(Field.SOURCE.values(event("'Source':[{'IP6':['2001:db8::7-2001:db8::9','2001:db8::8']}]")))
                .containsExactly("2001:db8::7");
        assertThat(Field.SOURCE.values(event("'Source':[{'Port':[22]}],'Target':[{'IP4':['192.0.2.1']}]")))
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

    private static SecurityEvent event(String keys) {
        return new IdeaReader()
                .read(("{'ID':'x','DetectTime':'2016-06-06T12:59:59.999+01:00'," + keys + "}").replace('\'', '"'));
    }
}
