package siemload.dataset;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import siemload.dataset.EventProfile.Endpoints;
import siemload.dataset.EventProfile.KnownAddresses;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;

/**
 * All addresses of one side of the events by popularity rank, and the law by which they are drawn. Built once for a
 * data set: 16 bytes an IPv4 address, so that it fits into a processor's caches, and about 64 an IPv6 one. Immutable and
 * thread-safe.
 */
final class AddressBook {
    private final int[] ip4;
    private final AddressRange[] ip6;
    private final AliasTable ip4Ranks;
    private final AliasTable ip6Ranks;

    AddressBook(Endpoints spec, long seed) {
        SeededRandom random = new SeededRandom(seed);
        ip4 = Arrays.stream(addresses(Family.IP4, spec.addresses(), spec, random))
                .mapToInt(address -> (int) address.firstLow())
                .toArray();
        ip6 = addresses(Family.IP6, spec.ip6Addresses(), spec, random);
        ip4Ranks = AliasTable.ofRanks(ip4.length, spec.rankRoot());
        ip6Ranks = AliasTable.ofRanks(ip6.length, spec.rankRoot());
    }

    AddressRange draw(Family family, SeededRandom random) {
        return family == Family.IP4
                ? AddressRange.ip4(Integer.toUnsignedLong(ip4[ip4Ranks.draw(random)]))
                : ip6[ip6Ranks.draw(random)];
    }

    private static AddressRange[] addresses(Family family, int count, Endpoints spec, SeededRandom random) {
        AddressRange[] addresses = new AddressRange[count];
        Set<AddressRange> taken = new HashSet<>(count * 2);
        for (KnownAddresses known : spec.known()) {
            if (known.range().family() == family) {
                place(known, addresses, taken);
            }
        }
        List<AddressRange> networks = networks(family, spec, random);
        for (int rank = 0; rank < count; rank++) {
            if (addresses[rank] == null) {
                addresses[rank] = fresh(networks, taken, random);
            }
        }
        return addresses;
    }

    private static void place(KnownAddresses known, AddressRange[] addresses, Set<AddressRange> taken) {
        AddressRange range = known.range();
        for (int i = 0; i < known.count(); i++) {
            AddressRange address = AddressCounts.nth(range, i);
            int rank = known.rank() - 1 + i * known.rankStep();
            if (rank >= addresses.length || addresses[rank] != null || !taken.add(address)) {
                throw new IllegalArgumentException("known address " + address + " cannot have rank " + (rank + 1)
                        + ": there are " + addresses.length + " ranks, and two addresses cannot share one");
            }
            addresses[rank] = address;
        }
    }

    private static List<AddressRange> networks(Family family, Endpoints spec, SeededRandom random) {
        List<AddressRange> networks = new ArrayList<>();
        spec.networks().stream().filter(network -> network.family() == family).forEach(networks::add);
        for (int i = 0; i < spec.scatteredNetworks(); i++) {
            networks.add(family == Family.IP4 ? scatteredIp4(random) : scatteredIp6(random));
        }
        return networks;
    }

    /** An address that is not yet taken, in one of the networks; all of them alike, whatever their size. */
    private static AddressRange fresh(List<AddressRange> networks, Set<AddressRange> taken, SeededRandom random) {
        for (int attempt = 0; attempt < 10_000; attempt++) {
            AddressRange network = networks.get(random.nextInt(networks.size()));
            AddressRange address = inside(network, random);
            if (taken.add(address)) {
                return address;
            }
        }
        throw new IllegalArgumentException(
                "the networks are too few or too small for so many addresses: all of them are taken after "
                        + taken.size());
    }

    private static AddressRange inside(AddressRange network, SeededRandom random) {
        if (network.family() == Family.IP4) {
            return AddressRange.ip4(network.firstLow() + random.nextLong(network.lastLow() - network.firstLow() + 1));
        }
        long highHosts = network.firstHigh() ^ network.lastHigh();
        long lowHosts = network.firstLow() ^ network.lastLow();
        return AddressRange.ip6(
                network.firstHigh() | (random.nextLong() & highHosts),
                network.firstLow() | (random.nextLong() & lowHosts));
    }

    /** A /24 network that may be somebody's on the Internet: not private, not shared, not multicast. */
    private static AddressRange scatteredIp4(SeededRandom random) {
        while (true) {
            long network = (1 + random.nextLong(222)) << 24 | random.nextLong(1 << 16) << 8;
            long top = network >>> 24;
            boolean reserved = top == 10
                    || top == 127
                    || (top == 100 && (network >>> 22 & 3) == 1)
                    || network >>> 16 == (169 << 8 | 254)
                    || network >>> 20 == (172 << 4 | 1)
                    || (top == 192 && (network >>> 16 & 255) <= 168)
                    || top == 198
                    || top == 203;
            if (!reserved) {
                return AddressRange.ip4(network, network | 255);
            }
        }
    }

    /** A /64 network in one of the blocks of the registries. */
    private static AddressRange scatteredIp6(SeededRandom random) {
        long[] blocks = {0x2001, 0x2400, 0x2600, 0x2800, 0x2A00, 0x2C00};
        long block = blocks[random.nextInt(blocks.length)];
        long high = block << 48 | 1L << 44 | random.nextLong(1L << 44);
        return new AddressRange(Family.IP6, high, 0, high, -1L);
    }
}
