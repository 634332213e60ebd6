package siemload.event;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A closed range of IP addresses of one family: a single address ({@code 192.0.2.7}), a network ({@code 192.0.2.0/24})
 * or any range ({@code 192.0.2.1-192.0.2.9}). IPv4 and IPv6 are alike: an address is a 128-bit unsigned number, and an
 * IPv4 address uses its lowest 32 bits.
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

    /** The two families of IP addresses, with the number of bits of an address. */
    public enum Family {
        IP4(32),
        IP6(128);

        private final int bits;

        Family(int bits) {
            this.bits = bits;
        }

        /** The number of bits of an address: 32 or 128. */
        public int bits() {
            return bits;
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

    /** By hand, as {@link #equals}: the addresses of a whole data set are counted, and a record's own ones start slowly. */
    @Override
    public int hashCode() {
        return Long.hashCode(firstLow + 31 * firstHigh + 37 * (lastLow - firstLow) + 41 * (lastHigh - firstHigh));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddressRange range
                && firstLow == range.firstLow
                && lastLow == range.lastLow
                && firstHigh == range.firstHigh
                && lastHigh == range.lastHigh
                && family == range.family;
    }

    /** The single IPv4 address with this number, 0 to 2^32-1. */
    public static AddressRange ip4(long address) {
        return new AddressRange(Family.IP4, 0, address, 0, address);
    }

    /** The IPv4 addresses from {@code first} to {@code last}, both included, each 0 to 2^32-1. */
    public static AddressRange ip4(long first, long last) {
        return new AddressRange(Family.IP4, 0, first, 0, last);
    }

    /** The single IPv6 address with these upper and lower 64 bits. */
    public static AddressRange ip6(long high, long low) {
        return new AddressRange(Family.IP6, high, low, high, low);
    }

    /**
     * The single address with these bytes in network order.
     *
     * @throws IllegalArgumentException if they are neither 4 nor 16
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
     * @throws IllegalArgumentException if the text is none of them; the message quotes the text
     */
    @JsonCreator
    public static AddressRange parse(String text) {
        return tryParse(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "'" + text + "' is not an IP address, a network (a/bits) or a range (a-b)"));
    }

    /** Reads like {@link #parse}, but answers empty where the text is no address, network or range. */
    public static Optional<AddressRange> tryParse(String text) {
        int dash = text.indexOf('-');
        if (dash > 0) {
            return single(text.substring(0, dash).strip())
                    .flatMap(first -> single(text.substring(dash + 1).strip()).flatMap(last -> between(first, last)));
        }
        int slash = text.indexOf('/');
        if (slash > 0) {
            return single(text.substring(0, slash)).flatMap(base -> network(base, text.substring(slash + 1)));
        }
        return single(text);
    }

    /** Whether both are of one family and share at least one address. */
    public boolean overlaps(AddressRange other) {
        return family == other.family
                && compare(firstHigh, firstLow, other.lastHigh, other.lastLow) <= 0
                && compare(other.firstHigh, other.firstLow, lastHigh, lastLow) <= 0;
    }

    /** Whether the range is one address. */
    public boolean isSingle() {
        return firstHigh == lastHigh && firstLow == lastLow;
    }

    /** How many addresses the range has; exact up to 2^53. */
    public double count() {
        double high = (double) (lastHigh - firstHigh);
        long low = lastLow - firstLow;
        return high * 0x1p64 + (low < 0 ? low + 0x1p64 : low) + 1;
    }

    /** The address {@code offset} behind the first. */
    public AddressRange nth(int offset) {
        return family == Family.IP4 ? ip4(firstLow + offset) : ip6(firstHigh, firstLow + offset);
    }

    /** The first address alone. */
    public AddressRange first() {
        return new AddressRange(family, firstHigh, firstLow, firstHigh, firstLow);
    }

    /** The last address alone. */
    public AddressRange last() {
        return new AddressRange(family, lastHigh, lastLow, lastHigh, lastLow);
    }

    /** The number of leading bits that all addresses of the range share; for a network, those of its name. */
    public int sharedBits() {
        return family.bits() - 128 + leadingZeros(firstHigh ^ lastHigh, firstLow ^ lastLow);
    }

    /**
     * The network that the first address lies in.
     *
     * @param bits how many leading bits its addresses share: 0 to all bits of the family
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
                ? ByteBuffer.allocate(Integer.BYTES).putInt((int) low).array()
                : ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
    }

    /** The smallest range that covers both; both must be of one family. */
    public AddressRange hull(AddressRange other) {
        if (family != other.family) {
            throw new IllegalArgumentException("no range covers two address families");
        }
        boolean mineFirst = compare(firstHigh, firstLow, other.firstHigh, other.firstLow) <= 0;
        boolean mineLast = compare(lastHigh, lastLow, other.lastHigh, other.lastLow) >= 0;
        return new AddressRange(
                family,
                mineFirst ? firstHigh : other.firstHigh,
                mineFirst ? firstLow : other.firstLow,
                mineLast ? lastHigh : other.lastHigh,
                mineLast ? lastLow : other.lastLow);
    }

    /** The smallest range that covers all of these, which must be at least one and of one family. */
    public static AddressRange hull(List<AddressRange> ranges) {
        AddressRange hull = ranges.get(0);
        for (int i = 1; i < ranges.size(); i++) {
            hull = hull.hull(ranges.get(i));
        }
        return hull;
    }

    /** IPv4 before IPv6, then by first address, then by last. */
    @Override
    public int compareTo(AddressRange other) {
        int order = family.compareTo(other.family);
        if (order == 0) {
            order = compare(firstHigh, firstLow, other.firstHigh, other.firstLow);
        }
        return order == 0 ? compare(lastHigh, lastLow, other.lastHigh, other.lastLow) : order;
    }

    /** The shortest usual notation that reads back as an equal range: address, network or {@code a-b}. */
    @Override
    @JsonValue
    public String toString() {
        StringBuilder text = new StringBuilder(40);
        append(text, firstHigh, firstLow);
        if (!isSingle()) {
            int prefix = prefixLength();
            if (prefix >= 0) {
                text.append('/').append(prefix);
            } else {
                append(text.append('-'), lastHigh, lastLow);
            }
        }
        return text.toString();
    }

    /** The number of leading bits all addresses share when the range is a network; otherwise -1. */
    private int prefixLength() {
        int shared = sharedBits();
        return equals(network(shared)) ? shared : -1;
    }

    private void append(StringBuilder text, long high, long low) {
        if (family == Family.IP4) {
            text.append(low >>> 24).append('.').append(low >>> 16 & 255);
            text.append('.').append(low >>> 8 & 255).append('.').append(low & 255);
        } else {
            Ip6Text.append(text, high, low);
        }
    }

    private static Optional<AddressRange> between(AddressRange first, AddressRange last) {
        boolean ordered = first.family == last.family && first.compareTo(last) <= 0;
        return ordered
                ? Optional.of(
                        new AddressRange(first.family, first.firstHigh, first.firstLow, last.lastHigh, last.lastLow))
                : Optional.empty();
    }

    private static Optional<AddressRange> network(AddressRange base, String bits) {
        if (bits.isEmpty() || bits.length() > 3 || !bits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.empty();
        }
        int leading = Integer.parseInt(bits);
        return leading > base.family.bits() ? Optional.empty() : Optional.of(base.network(leading));
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
            if (c == '.') {
                if (octet < 0 || ++octets > 4) {
                    return Optional.empty();
                }
                address = address << 8 | octet;
                octet = -1;
            } else if (c >= '0' && c <= '9') {
                octet = octet < 0 ? c - '0' : octet * 10 + c - '0';
                if (octet > 255) {
                    return Optional.empty();
                }
            } else {
                return Optional.empty();
            }
        }
        return octets == 4 ? Optional.of(ip4(address)) : Optional.empty();
    }

    private static Optional<AddressRange> singleIp6(String text) {
        if (text.startsWith(".") || !text.chars().allMatch(c -> c == ':' || c == '.' || Character.digit(c, 16) >= 0)) {
            return Optional.empty();
        }
        try {
            // A text with a colon and only these characters, which begins with no dot, is a literal: no name server is
            // asked.
            byte[] bytes = InetAddress.getByName(text).getAddress();
            if (bytes.length == 4) {
                byte[] mapped = new byte[16];
                mapped[10] = (byte) 0xFF;
                mapped[11] = (byte) 0xFF;
                System.arraycopy(bytes, 0, mapped, 12, 4);
                bytes = mapped;
            }
            return Optional.of(ip6(Ip6Text.longAt(bytes, 0), Ip6Text.longAt(bytes, 8)));
        } catch (UnknownHostException notAnAddress) {
            return Optional.empty();
        }
    }

    private static long mask(int bits) {
        return bits == 0 ? 0 : -1L >>> (64 - bits);
    }

    private static int leadingZeros(long high, long low) {
        return high != 0 ? Long.numberOfLeadingZeros(high) : 64 + Long.numberOfLeadingZeros(low);
    }

    private static int compare(long highA, long lowA, long highB, long lowB) {
        int order = Long.compareUnsigned(highA, highB);
        return order == 0 ? Long.compareUnsigned(lowA, lowB) : order;
    }

    /** IPv6 addresses as text in the form of RFC 5952: lower case, no leading zeros, the longest run of zeros as {@code ::}. */
    private static final class Ip6Text {
        private Ip6Text() {}

        static void append(StringBuilder text, long high, long low) {
            int runStart = -1;
            int runLength = 1;
            for (int i = 0; i < 8; i++) {
                int length = 0;
                while (i + length < 8 && group(high, low, i + length) == 0) {
                    length++;
                }
                if (length > runLength) {
                    runStart = i;
                    runLength = length;
                }
            }
            for (int i = 0; i < 8; i++) {
                if (i == runStart) {
                    text.append("::");
                    i += runLength - 1;
                } else {
                    boolean afterRun = runStart >= 0 && i == runStart + runLength;
                    if (i > 0 && !afterRun) {
                        text.append(':');
                    }
                    text.append(Integer.toHexString(group(high, low, i)));
                }
            }
        }

        static long longAt(byte[] bytes, int offset) {
            long value = 0;
            for (int i = offset; i < offset + 8; i++) {
                value = value << 8 | (bytes[i] & 255);
            }
            return value;
        }

        private static int group(long high, long low, int index) {
            long half = index < 4 ? high : low;
            return (int) ((half >>> (48 - 16 * (index & 3))) & 0xFFFF);
        }
    }
}
