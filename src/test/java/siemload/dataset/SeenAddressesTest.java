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
import siemload.event.SecurityEvent;

final class SeenAddressesTest {
    private static final SecurityEvent EVENT =
            new SecurityEvent("id", Instant.EPOCH, List.of("Test"), "", List.of(), List.of(), List.of(), Map.of());

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
        seen.count(address, EVENT, List.of(), true);
    }
}
