package siemload.database.postgresql.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.event.AddressRange;
import siemload.event.Endpoint;

final class NetworksTest {

    @Test
    void aRangeIsKeptAsTheSmallestNetworkAroundIt() {
        assertThat(covering("192.0.2.7")).isEqualTo("192.0.2.7");
        assertThat(covering("192.0.2.0/24")).isEqualTo("192.0.2.0/24");
        assertThat(covering("192.0.2.4-192.0.2.130")).isEqualTo("192.0.2.0/24");
        assertThat(covering("127.255.255.255-128.0.0.0")).isEqualTo("0.0.0.0/0");
        assertThat(covering("2001:db8::1-2001:db8::2")).isEqualTo("2001:db8::/126");
        assertThat(covering("7fff::-8000::")).isEqualTo("::/0");
    }

    @Test
    void anAddressLiesInAsManyNetworksAsItHasBitsAndOne() {
        List<AddressRange> four = Networks.around(AddressRange.parse("192.0.2.7"));
        assertThat(four).hasSize(33).doesNotHaveDuplicates();
        assertThat(Networks.array(four))
                .startsWith("{192.0.2.7,192.0.2.6/31,192.0.2.4/30,")
                .endsWith(",0.0.0.0/0}");
        List<AddressRange> six = Networks.around(AddressRange.parse("2001:db8::1"));
        assertThat(six).hasSize(129).doesNotHaveDuplicates();
        assertThat(Networks.array(six))
                .startsWith("{2001:db8::1,2001:db8::/127,")
                .endsWith(",::/1,::/0}");
    }

    private static String covering(String range) {
        Endpoint end = new Endpoint(List.of(), List.of(AddressRange.parse(range)), List.of(), List.of(), Map.of());
        return Networks.ofSide(List.of(end)).iterator().next().toString();
    }
}
