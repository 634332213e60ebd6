package siemload.dataset;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import siemload.dataset.EventProfile.Port;
import siemload.dataset.EventProfile.Ports;
import siemload.dataset.EventProfile.TargetKinds;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;

/** Makes the sources and targets of events. Immutable and thread-safe. */
final class EndpointMaker {
    private static final int FIRST_EPHEMERAL_PORT = 1_024;

    private final AddressBook sources;
    private final AddressBook targets;
    private final WeightedNumbers sourcesPerEvent;
    private final WeightedNumbers targetsPerEvent;
    private final double sourcePortRatio;
    private final double targetPortRatio;
    private final AliasTable targetKinds;
    private final WeightedNumbers networkBits;
    private final int ip6NetworkBits;
    private final List<Service> services;
    private final AliasTable serviceShares;
    private final List<Service> tail;
    private final AliasTable tailRanks;

    /** What a target offers: a transport port and its protocols. */
    record Service(int port, List<Integer> ports, List<String> protocols) {
        static Service of(int port, List<String> protocols) {
            return new Service(port, List.of(port), protocols);
        }
    }

    EndpointMaker(EventProfile profile, long seed) {
        sources = new AddressBook(profile.sources(), Stream.SOURCE_ADDRESSES.seed(seed));
        targets = new AddressBook(profile.targets(), Stream.TARGET_ADDRESSES.seed(seed));
        sourcesPerEvent = new WeightedNumbers(profile.sources().perEvent());
        targetsPerEvent = new WeightedNumbers(profile.targets().perEvent());
        sourcePortRatio = profile.sources().portRatio();
        targetPortRatio = profile.targets().portRatio();
        TargetKinds kinds = profile.targetKinds();
        targetKinds = AliasTable.of(kinds.single(), kinds.network(), kinds.portOnly(), kinds.none());
        networkBits = new WeightedNumbers(kinds.networkBits());
        ip6NetworkBits = kinds.ip6NetworkBits();
        Ports ports = profile.ports();
        services = ports.shares().stream()
                .map(port -> Service.of(port.port(), port.protocols()))
                .toList();
        serviceShares = serviceShares(ports);
        tail = tail(ports, new SeededRandom(Stream.TAIL_PORTS.seed(seed)));
        tailRanks = AliasTable.ofRanks(ports.tail().ports(), ports.tail().rankRoot());
    }

    Service service(SeededRandom random) {
        int index = serviceShares.draw(random);
        return index < services.size() ? services.get(index) : tail.get(tailRanks.draw(random));
    }

    List<Endpoint> sources(Family family, Service service, List<String> types, SeededRandom random) {
        int count = sourcesPerEvent.draw(random);
        if (count == 1) {
            return List.of(source(family, service, types, random));
        }
        List<Endpoint> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(source(family, service, types, random));
        }
        return list;
    }

    List<Endpoint> targets(Family family, Service service, SeededRandom random) {
        int kind = targetKinds.draw(random);
        List<Integer> ports = EventMaker.happens(targetPortRatio, random) ? service.ports() : List.of();
        return switch (kind) {
            case 0 -> target(addresses(family, random), ports, service);
            case 1 -> target(List.of(network(targets.draw(family, random), random)), ports, service);
            case 2 -> target(List.of(), service.ports(), service);
            default -> List.of();
        };
    }

    private Endpoint source(Family family, Service service, List<String> types, SeededRandom random) {
        List<AddressRange> addresses = List.of(sources.draw(family, random));
        int port = FIRST_EPHEMERAL_PORT + random.nextInt(65_536 - FIRST_EPHEMERAL_PORT);
        List<Integer> ports = EventMaker.happens(sourcePortRatio, random) ? List.of(port) : List.of();
        return new Endpoint(types, addresses, ports, service.protocols(), Map.of());
    }

    private static List<Endpoint> target(List<AddressRange> addresses, List<Integer> ports, Service service) {
        return List.of(new Endpoint(List.of(), addresses, ports, service.protocols(), Map.of()));
    }

    private List<AddressRange> addresses(Family family, SeededRandom random) {
        int count = targetsPerEvent.draw(random);
        if (count == 1) {
            return List.of(targets.draw(family, random));
        }
        List<AddressRange> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            AddressRange address = targets.draw(family, random);
            if (!list.contains(address)) {
                list.add(address);
            }
        }
        return list;
    }

    private AddressRange network(AddressRange address, SeededRandom random) {
        if (address.family() == Family.IP6) {
            long highHosts = ip6NetworkBits >= 64 ? 0 : -1L >>> ip6NetworkBits;
            long lowHosts = ip6NetworkBits <= 64 ? -1L : ip6NetworkBits == 128 ? 0 : -1L >>> (ip6NetworkBits - 64);
            return new AddressRange(
                    Family.IP6,
                    address.firstHigh() & ~highHosts,
                    address.firstLow() & ~lowHosts,
                    address.firstHigh() | highHosts,
                    address.firstLow() | lowHosts);
        }
        long hosts = (1L << (32 - networkBits.draw(random))) - 1;
        return AddressRange.ip4(address.firstLow() & ~hosts, address.firstLow() | hosts);
    }

    private static AliasTable serviceShares(Ports ports) {
        double[] shares = new double[ports.shares().size() + 1];
        for (int i = 0; i < ports.shares().size(); i++) {
            shares[i] = ports.shares().get(i).share();
        }
        shares[shares.length - 1] = ports.tail().share();
        return AliasTable.of(shares);
    }

    private static List<Service> tail(Ports ports, SeededRandom random) {
        Map<String, Integer> weights = ports.tail().protocols();
        List<String> names = List.copyOf(weights.keySet());
        AliasTable protocols = AliasTable.of(names, name -> weights.getOrDefault(name, 0));
        Set<Integer> taken = new HashSet<>();
        ports.shares().stream().map(Port::port).forEach(taken::add);
        List<Service> tail = new ArrayList<>(ports.tail().ports());
        while (tail.size() < ports.tail().ports()) {
            int port = 1 + random.nextInt(65_535);
            if (taken.add(port)) {
                tail.add(Service.of(port, List.of(names.get(protocols.draw(random)))));
            }
        }
        return List.copyOf(tail);
    }
}
