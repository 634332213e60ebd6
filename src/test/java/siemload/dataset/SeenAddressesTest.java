package siemload.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import siemload.dataset.ValuePoolsBuilder.SeenAddresses;
import siemload.dataset.ValuePoolsBuilder.SeenAddresses.SeenAddress;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.SecurityEvent;

final class SeenAddressesTest {
    private static final List<Endpoint> WITHOUT_PORT = side();
    private static final List<Endpoint> WITH_PORT = side(22);

    @Test
    void eachAddressIsCountedOnItsSides() {
        SeenAddresses seen = new SeenAddresses();
        AddressRange address = AddressRange.parse("192.0.2.7");
        seen.count(address, event(WITHOUT_PORT, WITH_PORT), WITHOUT_PORT, true);
        seen.count(address, event(WITH_PORT, WITHOUT_PORT), WITHOUT_PORT, false);
        seen.count(address, event(WITHOUT_PORT, WITHOUT_PORT), WITHOUT_PORT, false);

        SeenAddress only = seen.inOrder().get(0);

        assertThat(only.address()).isEqualTo(address);
        assertThat(List.of(only.events(), only.asSource(), only.asTarget())).containsExactly(3L, 1L, 2L);
        assertThat(only.port(-7)).isEqualTo(22);
        assertThat(only.hasOwnPort()).isFalse();

        seen.count(address, event(WITHOUT_PORT, WITH_PORT), WITH_PORT, false);
        assertThat(only.hasOwnPort()).isTrue();
        assertThat(only.ownPort()).isEqualTo(22);
    }

    /** The sixteenth part is left after halving four times. */
    @Test
    void ofTooManyAFairShareIsCountedInFull() {
        SeenAddresses seen = new SeenAddresses(1_000);
        for (int round = 0; round < 3; round++) {
            LongStream.range(0, 12_000).mapToObj(AddressRange::ip4).forEach(address -> count(seen, address));
        }
        List<SeenAddress> kept = seen.inOrder();
        assertThat(kept).hasSizeBetween(650, 850);
        assertThat(kept).extracting(SeenAddress::events).containsOnly(3L);
        assertThat(kept.stream().filter(each -> each.address().firstLow() < 6_000))
                .hasSizeBetween(300, 450);
    }

    private static void count(SeenAddresses seen, AddressRange address) {
        seen.count(address, event(WITHOUT_PORT, WITHOUT_PORT), WITHOUT_PORT, true);
    }

    private static List<Endpoint> side(Integer... ports) {
        return List.of(new Endpoint(List.of(), List.of(), List.of(ports), List.of(), Map.of()));
    }

    private static SecurityEvent event(List<Endpoint> sources, List<Endpoint> targets) {
        return new SecurityEvent("id", Instant.EPOCH, List.of("Test"), "", sources, targets, List.of(), Map.of());
    }
}
