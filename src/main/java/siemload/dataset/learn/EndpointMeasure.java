package siemload.dataset.learn;

import java.util.List;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.SecurityEvent;

/** Where events come from and what they are directed at. Not thread-safe. */
final class EndpointMeasure {
    private final Oddities oddities;
    private final SideMeasure sources = new SideMeasure();
    private final SideMeasure targets = new SideMeasure();
    private final PortMeasure ports = new PortMeasure();
    private final KindCounts<TargetKind> kinds = new KindCounts<>(TargetKind.class);
    private final long[] networkBits = new long[129];
    private final long[] ip6NetworkBits = new long[129];
    private long withAddress;
    private long withIp6;

    /** What an event is directed at, in the order of a profile. */
    enum TargetKind {
        SINGLE,
        NETWORK,
        PORT_ONLY,
        NONE
    }

    EndpointMeasure(Oddities oddities) {
        this.oddities = oddities;
    }

    void add(SecurityEvent event) {
        addSources(event.sources());
        addTargets(event.targets());
        family(event);
    }

    private void addSources(List<Endpoint> list) {
        int addresses = 0;
        for (int i = 0; i < list.size(); i++) {
            Endpoint source = list.get(i);
            List<AddressRange> named = source.addresses();
            oddities(source);
            if (named.isEmpty()) {
                oddities.add(Oddity.SOURCE_WITHOUT_ADDRESS);
            } else if (named.size() > 1) {
                oddities.add(Oddity.SOURCE_OF_MANY);
            }
            for (int j = 0; j < named.size(); j++) {
                if (named.get(j).isSingle()) {
                    sources.address(named.get(j));
                    addresses++;
                } else {
                    oddities.add(Oddity.SOURCE_NETWORK);
                }
            }
            sources.port(!source.ports().isEmpty());
        }
        if (list.isEmpty()) {
            oddities.add(Oddity.NO_SOURCE);
        } else if (addresses > 0) {
            sources.addressesOfEvent(addresses);
        }
    }

    private void addTargets(List<Endpoint> list) {
        if (list.isEmpty()) {
            kinds.add(TargetKind.NONE);
            return;
        }
        if (list.size() > 1) {
            oddities.add(Oddity.MORE_TARGETS);
        }
        int addresses = 0;
        int networks = 0;
        boolean port = false;
        for (int i = 0; i < list.size(); i++) {
            Endpoint target = list.get(i);
            oddities(target);
            ports.add(target);
            port |= !target.ports().isEmpty();
            for (int j = 0; j < target.addresses().size(); j++) {
                AddressRange address = target.addresses().get(j);
                if (address.isSingle()) {
                    targets.address(address);
                    addresses++;
                } else {
                    network(address);
                    networks++;
                }
            }
        }
        kind(addresses, networks, port);
    }

    private void kind(int addresses, int networks, boolean port) {
        if (addresses + networks > 0) {
            targets.port(port);
        } else if (!port) {
            oddities.add(Oddity.BARE_TARGET);
        }
        if (addresses > 0) {
            targets.addressesOfEvent(addresses);
        }
        kinds.add(addresses > 0 ? TargetKind.SINGLE : networks > 0 ? TargetKind.NETWORK : TargetKind.PORT_ONLY);
    }

    private void network(AddressRange network) {
        long high = network.firstHigh() ^ network.lastHigh();
        long low = network.firstLow() ^ network.lastLow();
        int hostBits = high != 0 ? 128 - Long.numberOfLeadingZeros(high) : 64 - Long.numberOfLeadingZeros(low);
        int bits = network.family().bits() - hostBits;
        (network.family() == Family.IP4 ? networkBits : ip6NetworkBits)[bits]++;
        if (!isNetwork(network, hostBits)) {
            oddities.add(Oddity.TARGET_RANGE);
        }
    }

    private static boolean isNetwork(AddressRange network, int hostBits) {
        long lowHosts = hostBits >= 64 ? -1 : (1L << hostBits) - 1;
        long highHosts = hostBits <= 64 ? 0 : -1L >>> (128 - hostBits);
        return (network.firstLow() & lowHosts) == 0
                && (network.firstHigh() & highHosts) == 0
                && (network.lastLow() & lowHosts) == lowHosts
                && (network.lastHigh() & highHosts) == highHosts;
    }

    private void oddities(Endpoint endpoint) {
        if (endpoint.ports().size() > 1) {
            oddities.add(Oddity.MORE_PORTS);
        }
        if (!endpoint.other().isEmpty()) {
            for (String key : endpoint.other().keySet()) {
                oddities.add(IdeaWords.isTyped(key) ? Oddity.UNFIT_VALUE : Oddity.OWN_KEY);
            }
        }
    }

    private void family(SecurityEvent event) {
        int four = 0;
        int six = 0;
        for (int side = 0; side < 2; side++) {
            List<Endpoint> list = side == 0 ? event.sources() : event.targets();
            for (int i = 0; i < list.size(); i++) {
                List<AddressRange> addresses = list.get(i).addresses();
                for (int j = 0; j < addresses.size(); j++) {
                    boolean isSix = addresses.get(j).family() == Family.IP6;
                    four += isSix ? 0 : 1;
                    six += isSix ? 1 : 0;
                }
            }
        }
        withAddress += four + six > 0 ? 1 : 0;
        withIp6 += six > 0 ? 1 : 0;
        if (four > 0 && six > 0) {
            oddities.add(Oddity.MIXED_FAMILIES);
        }
    }

    SideMeasure sources() {
        return sources;
    }

    SideMeasure targets() {
        return targets;
    }

    PortMeasure ports() {
        return ports;
    }

    /** Events by what they are directed at. */
    KindCounts<TargetKind> kinds() {
        return kinds;
    }

    /** IPv4 networks that are targets, by the length of their prefix. */
    long[] networkBits() {
        return networkBits;
    }

    /** IPv6 networks that are targets, by the length of their prefix. */
    long[] ip6NetworkBits() {
        return ip6NetworkBits;
    }

    /** How many events name an address. */
    long withAddress() {
        return withAddress;
    }

    /** How many events name an IPv6 address. */
    long withIp6() {
        return withIp6;
    }
}
