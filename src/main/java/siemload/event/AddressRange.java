package siemload.event;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A closed range of IP addresses of one family: a single address ({@code 192.0.2.7}), a network ({@code 192.0.2.0/24}) or any range ({@code
 * 192.0.2.1-192.0.2.9}). Both families have one form: an address is a 128-bit unsigned number, and an IPv4 address uses its lowest 32 bits.
 *
 * <p>Immutable and thread-safe.
 *
 * @param family the address family of both ends
 * @param firstHigh the upper 64 bits of the first address, as an unsigned number (0 for IPv4)
 * @param firstLow the lower 64 bits of the first address, as an unsigned number
 * @param lastHigh the upper 64 bits of the last address, as an unsigned number (0 for IPv4)
 * @param lastLow the lower 64 bits of the last address, as an unsigned number
 */
public record AddressRange(Family family, long firstHigh, long firstLow, long lastHigh, long lastLow)
        implements Comparable<AddressRange> {
    private static final Pattern BITS = Pattern.compile("[0-9]{1,3}");

    /** The two families of IP addresses, with the number of bits of an address. */
    public enum Family {
        IP4,
        IP6;

        /** The number of bits of an address: 32 or 128. */
        public int bits() {
            return this == IP4 ? 32 : 128;
        }
    }

    /** @throws IllegalArgumentException if the first address is above the last, or an IPv4 end above 255.255.255.255 */
    public AddressRange {
        if (compare(firstHigh, firstLow, lastHigh, lastLow) > 0) {
            throw new IllegalArgumentException("the first address of a range must not be above the last");
        }
        if (family == Family.IP4 && (lastHigh != 0 || lastLow < 0 || lastLow > 0xFFFF_FFFFL)) {
            throw new IllegalArgumentException("an IPv4 address has 32 bits");
        }
    }

    /** The single IPv4 address with this number, 0 to 2^32-1. */
    public static AddressRange ip4(long address) {
        return new AddressRange(Family.IP4, 0, address, 0, address);
    }

    /** The single IPv6 address with these upper and lower 64 bits. */
    public static AddressRange ip6(long high, long low) {
        return new AddressRange(Family.IP6, high, low, high, low);
    }

    /**
     * The single address with these bytes in network order.
     *
     * @throws IllegalArgumentException if the number of bytes is neither 4 nor 16
     */
    public static AddressRange ofBytes(byte[] address) {
        ByteBuffer bytes = ByteBuffer.wrap(address);
        return switch (address.length) {
            case Integer.BYTES -> ip4(Integer.toUnsignedLong(bytes.getInt()));
            case 2 * Long.BYTES -> ip6(bytes.getLong(), bytes.getLong());
            default -> throw new IllegalArgumentException("an address has 4 or 16 bytes, not " + address.length);
        };
    }

    /**
     * Reads an address, a network in CIDR notation (host bits are ignored) or a range {@code a-b}. Never asks a name
     * server.
     *
     * @throws IllegalArgumentException for any other text; the message quotes the text
     */
    @JsonCreator
    public static AddressRange parse(String text) {
        return tryParse(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "'" + text + "' is not an IP address, a network (a/bits) or a range (a-b)"));
    }

    /** Reads like {@link #parse}, but returns empty for a text that is not an address, a network or a range. */
    public static Optional<AddressRange> tryParse(String text) {
        int dash = text.indexOf('-');
        if (dash > 0) {
            return single(text.substring(0, dash).strip())
                    .flatMap(first -> single(text.substring(dash + 1).strip())
                            .filter(last -> first.family == last.family && first.compareTo(last) <= 0)
                            .map(first::to));
        }
        int slash = text.indexOf('/');
        if (slash > 0) {
            String bits = text.substring(slash + 1);
            return single(text.substring(0, slash))
                    .filter(base -> BITS.matcher(bits).matches() && Integer.parseInt(bits) <= base.family.bits())
                    .map(base -> base.network(Integer.parseInt(bits)));
        }
        return single(text);
    }

    /** The range from the first address of this range to the last address of the other range. */
    private AddressRange to(AddressRange other) {
        return new AddressRange(family, firstHigh, firstLow, other.lastHigh, other.lastLow);
    }

    /** Returns whether both ranges are of one family and share at least one address. */
    public boolean overlaps(AddressRange other) {
        return family == other.family
                && compare(firstHigh, firstLow, other.lastHigh, other.lastLow) <= 0
                && compare(other.firstHigh, other.firstLow, lastHigh, lastLow) <= 0;
    }

    /** Returns whether the range is one address. */
    public boolean isSingle() {
        return firstHigh == lastHigh && firstLow == lastLow;
    }

    /** The number of addresses of the range; exact up to 2^53. */
    public double count() {
        double high = (double) (lastHigh - firstHigh);
        long low = lastLow - firstLow;
        return high * 0x1p64 + (low < 0 ? low + 0x1p64 : low) + 1;
    }

    /** The address at this offset from the first address. */
    public AddressRange nth(int offset) {
        return family == Family.IP4 ? ip4(firstLow + offset) : ip6(firstHigh, firstLow + offset);
    }

    /** The first address as a single address. */
    public AddressRange first() {
        return new AddressRange(family, firstHigh, firstLow, firstHigh, firstLow);
    }

    /** The last address as a single address. */
    public AddressRange last() {
        return new AddressRange(family, lastHigh, lastLow, lastHigh, lastLow);
    }

    /** The number of leading bits that all addresses of the range share; for a network, its prefix length. */
    public int sharedBits() {
        long high = firstHigh ^ lastHigh;
        return family.bits()
                - (high == 0
                        ? 64 - Long.numberOfLeadingZeros(firstLow ^ lastLow)
                        : 128 - Long.numberOfLeadingZeros(high));
    }

    /**
     * Returns the network of the first address.
     *
     * @param bits the prefix length of the network: 0 to the number of bits of the family
     */
    public AddressRange network(int bits) {
        int hostBits = family.bits() - bits;
        long maskHigh = hostBits <= 64 ? 0 : mask(hostBits - 64);
        long maskLow = mask(Math.min(hostBits, 64));
        return new AddressRange(
                family, firstHigh & ~maskHigh, firstLow & ~maskLow, firstHigh | maskHigh, firstLow | maskLow);
    }

    /** The first address in network order, 4 or 16 bytes. */
    public byte[] firstBytes() {
        return bytes(firstHigh, firstLow);
    }

    /** The last address in network order, 4 or 16 bytes. */
    public byte[] lastBytes() {
        return bytes(lastHigh, lastLow);
    }

    private byte[] bytes(long high, long low) {
        return family == Family.IP4
                ? new byte[] {(byte) (low >>> 24), (byte) (low >>> 16), (byte) (low >>> 8), (byte) low}
                : ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
    }

    /** Returns the smallest range that covers all of these ranges, which are one or more of one family. */
    public static AddressRange hull(List<AddressRange> ranges) {
        AddressRange first = Collections.min(ranges);
        AddressRange last = Collections.max(ranges, Comparator.comparing(AddressRange::last));
        if (first.family != last.family) {
            throw new IllegalArgumentException("no range covers two address families");
        }
        return first.to(last);
    }

    /** Orders IPv4 before IPv6, then by the first address, then by the last address. */
    @Override
    public int compareTo(AddressRange other) {
        int families = family.compareTo(other.family);
        int firsts = compare(firstHigh, firstLow, other.firstHigh, other.firstLow);
        return families != 0
                ? families
                : firsts != 0 ? firsts : compare(lastHigh, lastLow, other.lastHigh, other.lastLow);
    }

    /** The shortest usual notation that parses to an equal range: address, network or {@code a-b}. */
    @Override
    @JsonValue
    public String toString() {
        String first = text(firstHigh, firstLow);
        if (isSingle()) {
            return first;
        }
        return equals(network(sharedBits())) ? first + "/" + sharedBits() : first + "-" + text(lastHigh, lastLow);
    }

    private String text(long high, long low) {
        return family == Family.IP6
                ? ip6Text(high, low)
                : (low >>> 24) + "." + (low >>> 16 & 255) + "." + (low >>> 8 & 255) + "." + (low & 255);
    }

    /** The address in the form of RFC 5952: lower case, no leading zeros, the longest run of zeros as {@code ::}. */
    private static String ip6Text(long high, long low) {
        StringBuilder groups = new StringBuilder(":");
        for (int i = 0; i < 8; i++) {
            long half = i < 4 ? high : low;
            groups.append(Integer.toHexString((int) (half >>> (48 - 16 * (i & 3))) & 0xFFFF))
                    .append(':');
        }
        for (int run = 8; run > 1; run--) {
            String zeros = ":" + "0:".repeat(run);
            int at = groups.indexOf(zeros);
            if (at >= 0) {
                groups.replace(at, at + zeros.length(), "::");
                break;
            }
        }
        int begin = groups.charAt(1) == ':' ? 0 : 1;
        int end = groups.length() - (groups.charAt(groups.length() - 2) == ':' ? 0 : 1);
        return groups.substring(begin, end);
    }

    private static Optional<AddressRange> single(String text) {
        return text.indexOf(':') >= 0 ? singleIp6(text) : singleIp4(text);
    }

    private static Optional<AddressRange> singleIp4(String text) {
        long address = 0;
        int octets = 0;
        int octet = -1;
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : '.';
            boolean isDigit = c >= '0' && c <= '9';
            octet = isDigit ? Math.max(octet, 0) * 10 + c - '0' : octet;
            if ((!isDigit && c != '.') || octet < 0 || octet > 255 || octets == 4) {
                return Optional.empty();
            }
            if (!isDigit) {
                address = address << 8 | octet;
                octet = -1;
                octets++;
            }
        }
        return octets == 4 ? Optional.of(ip4(address)) : Optional.empty();
    }

    private static Optional<AddressRange> singleIp6(String text) {
        if (text.startsWith(".") || !text.chars().allMatch(c -> c == ':' || c == '.' || Character.digit(c, 16) >= 0)) {
            return Optional.empty();
        }
        try {
            // A text of only these characters, with a colon and without a leading dot, is an address literal: Java
            // asks no name server for it.
            AddressRange address = ofBytes(InetAddress.getByName(text).getAddress());
            return Optional.of(address.family == Family.IP6 ? address : ip6(0, 0xFFFF_0000_0000L | address.firstLow));
        } catch (UnknownHostException notAnAddress) {
            return Optional.empty();
        }
    }

    private static long mask(int bits) {
        return bits == 0 ? 0 : -1L >>> (64 - bits);
    }

    private static int compare(long highA, long lowA, long highB, long lowB) {
        int order = Long.compareUnsigned(highA, highB);
        return order == 0 ? Long.compareUnsigned(lowA, lowB) : order;
    }
}
