package siemload.dataset;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import siemload.dataset.ValuePools.AddressValue;
import siemload.dataset.ValuePools.DetectorValue;
import siemload.dataset.ValuePools.RangeValue;
import siemload.dataset.ValuePools.ServiceValue;
import siemload.dataset.ValuePools.SideValues;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/**
 * Counts the values of a data set while it streams by. Memory is bounded: from about two million different addresses on,
 * only those whose hash falls into a shrinking share are counted, which is a fair sample of all. Not thread-safe.
 */
public final class ValuePoolsBuilder {
    private static final int MOST_ADDRESSES = 2_000_000;
    private static final int MOST_NAMES = 100_000;
    /** A constant of the hash Fowler-Noll-Vo for 64 bits. */
    private static final long FNV_PRIME = 0x100_0000_01B3L;

    private static final String ABSENT_CATEGORY = "Absent.Category";
    private static final String ABSENT_DETECTOR = "absent.detector";
    private static final String ABSENT_WORD = "absentword";
    private static final int SHORTEST_WORD = 4;
    private static final Pattern NOT_IN_A_WORD = Pattern.compile("[^\\p{L}\\p{N}.:-]+");
    private static final String ABSENT_ID = "00000000-0000-0000-0000-000000000000";

    private final Map<AddressRange, Seen> addresses = new HashMap<>();
    private final Map<String, Seen> categories = new LinkedHashMap<>();
    private final Map<String, Seen> detectors = new LinkedHashMap<>();
    private final int[] sourcePorts = new int[1 << 16];
    private final int[] targetPorts = new int[1 << 16];
    private final AbsentAddresses absent = new AbsentAddresses();
    private final PriorityQueue<SampledEvent> sample =
            new PriorityQueue<>(Comparator.comparingLong(SampledEvent::hash).reversed());
    private long hashMask;

    /**
     * In how many events a value occurred, what occurred with it in the first of them, and in the first with a port; of addresses,
     * also in the first with a port on the same side, and in how many it was a source.
     */
    private static final class Seen {
        private final String category;
        private final String detector;
        private int port;
        private int ownPort = -1;
        private long events;
        private long asSource;

        Seen(SecurityEvent event) {
            category = event.categories().isEmpty()
                    ? ABSENT_CATEGORY
                    : event.categories().get(0);
            detector = event.detector().orElse(ABSENT_DETECTOR);
            port = anyPort(event);
        }

        void count(SecurityEvent event) {
            events++;
            if (port < 0) {
                port = anyPort(event);
            }
        }

        /**
         * Counts an event that has the address on this side.
         *
         * @param sources 1 for the side of the sources, 0 for the other one
         */
        void count(SecurityEvent event, List<Endpoint> side, int sources) {
            count(event);
            asSource += sources;
            if (ownPort < 0) {
                ownPort = anyPort(side);
            }
        }

        private static int anyPort(SecurityEvent event) {
            int port = anyPort(event.sources());
            return port < 0 ? anyPort(event.targets()) : port;
        }

        private static int anyPort(List<Endpoint> side) {
            for (int i = 0; i < side.size(); i++) {
                if (!side.get(i).ports().isEmpty()) {
                    return side.get(i).ports().get(0);
                }
            }
            return -1;
        }
    }

    private record SampledEvent(long hash, String id, String description) {}

    /** Counts these events. */
    public void add(List<SecurityEvent> events) {
        events.forEach(this::add);
    }

    private void add(SecurityEvent event) {
        for (String category : event.categories()) {
            count(categories, category, event);
        }
        for (Node node : event.nodes()) {
            if (!node.name().isEmpty()) {
                count(detectors, node.name(), event);
            }
        }
        addSide(event.sources(), event, 1, sourcePorts);
        addSide(event.targets(), event, 0, targetPorts);
        sample(event);
    }

    private void addSide(List<Endpoint> side, SecurityEvent event, int sources, int[] ports) {
        for (Endpoint endpoint : side) {
            for (AddressRange address : endpoint.addresses()) {
                absent.remove(address);
                if (address.isSingle() && (hash(address) & hashMask) == 0) {
                    addresses
                            .computeIfAbsent(address, unused -> new Seen(event))
                            .count(event, side, sources);
                }
            }
            for (int port : endpoint.ports()) {
                ports[port]++;
            }
        }
        while (addresses.size() > MOST_ADDRESSES) {
            hashMask = hashMask << 1 | 1;
            addresses.keySet().removeIf(address -> (hash(address) & hashMask) != 0);
        }
    }

    private static void count(Map<String, Seen> values, String value, SecurityEvent event) {
        Seen seen = values.get(value);
        if (seen == null && values.size() < MOST_NAMES) {
            seen = new Seen(event);
            values.put(value, seen);
        }
        if (seen != null) {
            seen.count(event);
        }
    }

    private void sample(SecurityEvent event) {
        long hash = hash(event.id());
        SampledEvent largest = sample.peek();
        if (largest != null && sample.size() >= ValuePools.MOST_CANDIDATES) {
            if (hash >= largest.hash()) {
                return;
            }
            sample.poll();
        }
        sample.add(new SampledEvent(hash, event.id(), event.description()));
    }

    /** The values of all events counted so far. */
    public ValuePools build() {
        int[] ports = IntStream.range(0, sourcePorts.length)
                .map(port -> sourcePorts[port] + targetPorts[port])
                .toArray();
        int anyPort = rankedPorts(ports).stream().findFirst().orElse(0);
        List<AddressValue> absentAddresses = absent.addresses().stream()
                .map(address -> new AddressValue(address, ABSENT_CATEGORY, ABSENT_DETECTOR, anyPort))
                .toList();
        List<ServiceValue> absentServices = absent.addresses().stream()
                .map(address -> new ServiceValue(address, anyPort))
                .toList();
        List<RangeValue> absentRanges = absent.addresses().stream()
                .map(address -> new RangeValue(around(address), ABSENT_CATEGORY))
                .toList();
        return new ValuePools(
                ValuePools.FORMAT_VERSION,
                ValuePools.Pool.ofRanked(rankedAddresses(anyPort), absentAddresses),
                ValuePools.Pool.ofRanked(rankedServices(), absentServices),
                ValuePools.Pool.ofRanked(rankedRanges(), absentRanges),
                ValuePools.Pool.ofRanked(ranked(categories), List.of(unused(ABSENT_CATEGORY, categories))),
                ValuePools.Pool.ofRanked(
                        rankedDetectors(),
                        List.of(new DetectorValue(unused(ABSENT_DETECTOR, detectors), ABSENT_CATEGORY))),
                ValuePools.Pool.ofRanked(rankedPorts(ports), absentPorts(ports)),
                new ValuePools.SidePools(
                        ofSide(seen -> seen.asSource, sourcePorts),
                        ofSide(seen -> seen.events - seen.asSource, targetPorts)),
                new ValuePools.TextPools(
                        ValuePools.Pool.ofRanked(ranked(ValuePoolsBuilder::words), List.of(ABSENT_WORD)),
                        ValuePools.Pool.ofRanked(ranked(Stream::of), List.of(ABSENT_WORD))),
                new ValuePools.EventIds(
                        sample.stream().map(SampledEvent::id).sorted().toList(), ABSENT_ID));
    }

    private SideValues ofSide(ToLongFunction<Seen> events, int[] ports) {
        List<AddressRange> ranked = addresses.entrySet().stream()
                .filter(entry -> events.applyAsLong(entry.getValue()) > 0)
                .sorted(Comparator.<Map.Entry<AddressRange, Seen>>comparingLong(
                                entry -> -events.applyAsLong(entry.getValue()))
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
        return new SideValues(
                ValuePools.Pool.ofRanked(ranked, absent.addresses()),
                ValuePools.Pool.ofRanked(rankedPorts(ports), absentPorts(ports)));
    }

    private List<AddressValue> rankedAddresses(int anyPort) {
        return ranked(addresses).stream()
                .map(address -> {
                    Seen seen = seen(addresses, address);
                    return new AddressValue(address, seen.category, seen.detector, seen.port < 0 ? anyPort : seen.port);
                })
                .toList();
    }

    private List<ServiceValue> rankedServices() {
        return ranked(addresses).stream()
                .filter(address -> seen(addresses, address).ownPort >= 0)
                .map(address -> new ServiceValue(address, seen(addresses, address).ownPort))
                .toList();
    }

    /** The surroundings of IPv4 addresses, by the events of all addresses in them. */
    private List<RangeValue> rankedRanges() {
        Map<AddressRange, Long> events = new TreeMap<>();
        Map<AddressRange, String> category = new HashMap<>();
        for (AddressRange address : ranked(addresses)) {
            if (address.family() == AddressRange.Family.IP4) {
                events.merge(around(address), seen(addresses, address).events, Long::sum);
                category.putIfAbsent(around(address), seen(addresses, address).category);
            }
        }
        return events.entrySet().stream()
                .sorted(Map.Entry.<AddressRange, Long>comparingByValue().reversed())
                .map(entry -> new RangeValue(entry.getKey(), category.getOrDefault(entry.getKey(), ABSENT_CATEGORY)))
                .toList();
    }

    private List<DetectorValue> rankedDetectors() {
        return ranked(detectors).stream()
                .map(name -> new DetectorValue(name, seen(detectors, name).category))
                .toList();
    }

    private static Stream<String> words(String description) {
        return NOT_IN_A_WORD
                .splitAsStream(description)
                .filter(word -> word.length() >= SHORTEST_WORD)
                .distinct();
    }

    /** Parts of the sampled descriptions, by the number of descriptions they occur in. */
    private List<String> ranked(Function<String, Stream<String>> parts) {
        Map<String, Long> descriptions = new TreeMap<>();
        sample.stream()
                .flatMap(event -> parts.apply(event.description()))
                .filter(part -> !part.isEmpty())
                .forEach(part -> descriptions.merge(part, 1L, Long::sum));
        return descriptions.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .map(Map.Entry::getKey)
                .toList();
    }

    private static List<Integer> rankedPorts(int[] ports) {
        List<Integer> used = new ArrayList<>();
        for (int port = 0; port < ports.length; port++) {
            if (ports[port] > 0) {
                used.add(port);
            }
        }
        used.sort(Comparator.comparingInt((Integer port) -> ports[port]).reversed());
        return used;
    }

    /** Ports that do not occur; where all of them do, port 0, for want of a better one. */
    private static List<Integer> absentPorts(int[] ports) {
        List<Integer> unused = new ArrayList<>();
        for (int port = ports.length - 1; port >= 0 && unused.size() < ValuePools.MOST_CANDIDATES; port--) {
            if (ports[port] == 0) {
                unused.add(port);
            }
        }
        return unused.isEmpty() ? List.of(0) : unused;
    }

    private static <T extends Comparable<T>> List<T> ranked(Map<T, Seen> values) {
        return values.entrySet().stream()
                .sorted(Comparator.<Map.Entry<T, Seen>>comparingLong(entry -> -entry.getValue().events)
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static <T> Seen seen(Map<T, Seen> values, T value) {
        return Optional.ofNullable(values.get(value)).orElseThrow();
    }

    private static String unused(String name, Map<String, Seen> values) {
        String unused = name;
        while (values.containsKey(unused)) {
            unused += "X";
        }
        return unused;
    }

    private static AddressRange around(AddressRange address) {
        return AddressRange.ip4(address.firstLow() & ~0xFFL, address.firstLow() | 0xFFL);
    }

    private static long hash(AddressRange address) {
        return SeededRandom.mix(address.firstHigh(), address.firstLow());
    }

    private static long hash(String text) {
        long hash = 0;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        return SeededRandom.mix(hash, text.length());
    }
}
