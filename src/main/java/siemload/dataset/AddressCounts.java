package siemload.dataset;

import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;

/** The addresses of a range by number. */
final class AddressCounts {
    private static final double TWO_TO_64 = 0x1p64;

    private AddressCounts() {}

    /** How many addresses the range has; exact up to 2^53. */
    static double of(AddressRange range) {
        double high = (double) (range.lastHigh() - range.firstHigh());
        long low = range.lastLow() - range.firstLow();
        return high * TWO_TO_64 + (low < 0 ? low + TWO_TO_64 : low) + 1;
    }

    /** The address {@code offset} behind the first. */
    static AddressRange nth(AddressRange range, int offset) {
        return range.family() == Family.IP4
                ? AddressRange.ip4(range.firstLow() + offset)
                : AddressRange.ip6(range.firstHigh(), range.firstLow() + offset);
    }
}
