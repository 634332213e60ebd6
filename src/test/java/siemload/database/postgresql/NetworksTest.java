package siemload.database.postgresql;

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

    private static String covering(String range) {
        Endpoint end = new Endpoint(List.of(), List.of(AddressRange.parse(range)), List.of(), List.of(), Map.of());
        return Networks.ofSide(List.of(end)).iterator().next().toString();
    }
}
