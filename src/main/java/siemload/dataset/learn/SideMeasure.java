package siemload.dataset.learn;

import siemload.dataset.EventProfile;
import siemload.dataset.SeededRandom;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;

/** The addresses of one side of the events: how many there are, how popular, in how many networks. Not thread-safe. */
final class SideMeasure {
    private static final int MOST_ADDRESSES = 1 << 17;

    private final SampledCounts ip4 = new SampledCounts(MOST_ADDRESSES);
    private final SampledCounts ip6 = new SampledCounts(MOST_ADDRESSES);
    private final long[] perEvent = new long[EventProfile.MOST_ADDRESSES_PER_EVENT + 1];
    private long endpoints;
    private long withPort;

    /** A single address that an event names on this side. */
    void address(AddressRange address) {
        if (address.family() == Family.IP4) {
            ip4.add(address.firstLow(), address.firstLow() >>> 8);
        } else {
            ip6.add(SeededRandom.mix(address.firstHigh(), address.firstLow()), address.firstHigh());
        }
    }

    /** How many single addresses an event names on this side. */
    void addressesOfEvent(int count) {
        perEvent[Math.min(count, EventProfile.MOST_ADDRESSES_PER_EVENT)]++;
    }

    /** A place where a port may stand. */
    void port(boolean named) {
        endpoints++;
        withPort += named ? 1 : 0;
    }

    SampledCounts ip4() {
        return ip4;
    }

    SampledCounts ip6() {
        return ip6;
    }

    /** Events by how many addresses they name. */
    long[] perEvent() {
        return perEvent;
    }

    long endpoints() {
        return endpoints;
    }

    long withPort() {
        return withPort;
    }
}
