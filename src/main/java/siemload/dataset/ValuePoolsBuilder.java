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
import siemload.dataset.SeenAddresses.SeenAddress;
import siemload.dataset.ValuePools.AddressValue;
import siemload.dataset.ValuePools.DetectorValue;
import siemload.dataset.ValuePools.RangeValue;
import siemload.dataset.ValuePools.ServiceValue;
import siemload.dataset.ValuePools.SideValues;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/** Counts the values of a data set while it streams by, in bounded memory. Not thread-safe. */
public final class ValuePoolsBuilder {
    private static final int MOST_NAMES = 100_000;
    /** A constant of the hash Fowler-Noll-Vo for 64 bits. */
    private static final long FNV_PRIME = 0x100_0000_01B3L;

    static final String ABSENT_CATEGORY = "Absent.Category";
    static final String ABSENT_DETECTOR = "absent.detector";
    private static final String ABSENT_WORD = "absentword";
    private static final int SHORTEST_WORD = 4;
    private static final Pattern NOT_IN_A_WORD = Pattern.compile("[^\\p{L}\\p{N}.:-]+");
    private static final String ABSENT_ID = "00000000-0000-0000-0000-000000000000";

    private final SeenAddresses addresses = new SeenAddresses();
    private final Map<String, Seen> categories = new LinkedHashMap<>();
    private final Map<String, Seen> detectors = new LinkedHashMap<>();
    private final int[] sourcePorts = new int[1 << 16];
    private final int[] targetPorts = new int[1 << 16];
    private final AbsentAddresses absent = new AbsentAddresses();
    private final PriorityQueue<SampledEvent> sample =
            new PriorityQueue<>(Comparator.comparingLong(SampledEvent::hash).reversed());

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
        addSide(event.sources(), event, true, sourcePorts);
        addSide(event.targets(), event, false, targetPorts);
        sample(event);
    }

    private void addSide(List<Endpoint> side, SecurityEvent event, boolean isSource, int[] ports) {
        for (Endpoint endpoint : side) {
            for (AddressRange address : endpoint.addresses()) {
                absent.remove(address);
                if (address.isSingle()) {
                    addresses.count(address, event, side, isSource);
                }
            }
            for (int port : endpoint.ports()) {
                ports[port]++;
            }
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
        List<SeenAddress> byAddress = addresses.inOrder();
        List<SeenAddress> ranked = ranked(byAddress, Seen::events);
        List<AddressValue> addressValues = ranked.stream()
                .map(seen -> new AddressValue(seen.address(), seen.category(), seen.detector(), seen.port(anyPort)))
                .toList();
        List<ServiceValue> services = ranked.stream()
                .filter(SeenAddress::hasOwnPort)
                .map(seen -> new ServiceValue(seen.address(), seen.ownPort()))
                .toList();
        return new ValuePools(
                ValuePools.FORMAT_VERSION,
                ValuePools.Pool.ofRanked(addressValues, absentAddresses),
                ValuePools.Pool.ofRanked(services, absentServices),
                ValuePools.Pool.ofRanked(ranges(ranked), absentRanges),
                ValuePools.Pool.ofRanked(ranked(categories), List.of(unused(ABSENT_CATEGORY, categories))),
                ValuePools.Pool.ofRanked(
                        rankedDetectors(),
                        List.of(new DetectorValue(unused(ABSENT_DETECTOR, detectors), ABSENT_CATEGORY))),
                ValuePools.Pool.ofRanked(rankedPorts(ports), absentPorts(ports)),
                new ValuePools.SidePools(
                        ofSide(byAddress, SeenAddress::asSource, absent, sourcePorts),
                        ofSide(byAddress, SeenAddress::asTarget, absent, targetPorts)),
                new ValuePools.TextPools(
                        ValuePools.Pool.ofRanked(ranked(ValuePoolsBuilder::words), List.of(ABSENT_WORD)),
                        ValuePools.Pool.ofRanked(ranked(Stream::of), List.of(ABSENT_WORD))),
                new ValuePools.EventIds(
                        sample.stream().map(SampledEvent::id).sorted().toList(), ABSENT_ID));
    }

    private static SideValues ofSide(
            List<SeenAddress> byAddress, ToLongFunction<SeenAddress> events, AbsentAddresses absent, int[] ports) {
        List<AddressRange> ranked = ranked(byAddress, events).stream()
                .filter(seen -> events.applyAsLong(seen) > 0)
                .map(SeenAddress::address)
                .toList();
        return new SideValues(
                ValuePools.Pool.ofRanked(ranked, absent.addresses()),
                ValuePools.Pool.ofRanked(rankedPorts(ports), absentPorts(ports)));
    }

    /** The one with the most events first, and of the same number in the order that they have here. */
    private static List<SeenAddress> ranked(List<SeenAddress> seen, ToLongFunction<SeenAddress> events) {
        return seen.stream().sorted(Comparator.comparingLong(events).reversed()).toList();
    }

    /** The surroundings of IPv4 addresses, by the events of all addresses in them. */
    private static List<RangeValue> ranges(List<SeenAddress> ranked) {
        Map<AddressRange, Long> events = new TreeMap<>();
        Map<AddressRange, String> category = new HashMap<>();
        for (SeenAddress seen : ranked) {
            AddressRange address = seen.address();
            if (address.family() == AddressRange.Family.IP4) {
                events.merge(around(address), seen.events(), Long::sum);
                category.putIfAbsent(around(address), seen.category());
            }
        }
        return events.entrySet().stream()
                .sorted(Map.Entry.<AddressRange, Long>comparingByValue().reversed())
                .map(entry -> new RangeValue(entry.getKey(), category.getOrDefault(entry.getKey(), ABSENT_CATEGORY)))
                .toList();
    }

    private List<DetectorValue> rankedDetectors() {
        return ranked(detectors).stream()
                .map(name -> new DetectorValue(name, seen(detectors, name).category()))
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
                .sorted(Comparator.<Map.Entry<T, Seen>>comparingLong(
                                entry -> -entry.getValue().events())
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

    private static long hash(String text) {
        long hash = 0;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        return SeededRandom.mix(hash, text.length());
    }
}
