package siemload.dataset;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import siemload.dataset.ValuePools.AbsentAddresses;
import siemload.dataset.ValuePools.Pool;
import siemload.dataset.ValuePools.Value;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;
import siemload.query.ValueField;

/** Counts the values of a data set while it streams by, in bounded memory. Not thread-safe. */
public final class ValuePoolsBuilder {
    private static final int MOST_NAMES = 100_000;
    private static final int MOST_ADDRESSES = 1_000_000;
    /** A constant of the hash Fowler-Noll-Vo for 64 bits. */
    private static final long FNV_PRIME = 0x100_0000_01B3L;

    static final String ABSENT_CATEGORY = "Absent.Category";
    static final String ABSENT_DETECTOR = "absent.detector";
    private static final String ABSENT_WORD = "absentword";
    private static final int SHORTEST_WORD = 4;
    private static final Pattern NOT_IN_A_WORD = Pattern.compile("[^\\p{L}\\p{N}.:-]+");
    private static final String ABSENT_ID = "00000000-0000-0000-0000-000000000000";

    private final FairSample<AddressRange, SeenAddress> addresses =
            new FairSample<>(MOST_ADDRESSES, address -> SeededRandom.mix(address.firstHigh(), address.firstLow()));
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
                    addresses.note(
                            address,
                            single -> new SeenAddress(single, event),
                            seen -> seen.count(event, side, isSource));
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
        List<SeenAddress> byAddress = new ArrayList<>(addresses.values().values());
        byAddress.sort(Comparator.comparing(SeenAddress::address));
        List<SeenAddress> ranked = ranked(byAddress, Seen::events);
        List<Integer> rankedPorts = rankedPorts(ports);
        int anyPort = rankedPorts.isEmpty() ? 0 : rankedPorts.get(0);
        List<Value> none = absent.values(ABSENT_CATEGORY, ABSENT_DETECTOR, anyPort);
        Map<ValueField, Pool> pools = new EnumMap<>(ValueField.class);
        pools.put(
                ValueField.ADDRESS,
                Pool.ofRanked(ranked, seen -> seen.value(seen.anyPort().orElse(anyPort)), none));
        pools.put(ValueField.SOURCE, ofSide(byAddress, SeenAddress::asSource, none));
        pools.put(ValueField.TARGET, ofSide(byAddress, SeenAddress::asTarget, none));
        pools.put(ValueField.CATEGORY, Pool.ofTexts(ranked(categories), unused(ABSENT_CATEGORY, categories)));
        pools.put(
                ValueField.DETECTOR,
                Pool.ofRanked(
                        ranked(detectors),
                        name -> new Value(name, seen(detectors, name).category(), "", 0),
                        List.of(new Value(unused(ABSENT_DETECTOR, detectors), ABSENT_CATEGORY, "", 0))));
        pools.put(ValueField.PORT, Pool.ofPorts(rankedPorts));
        pools.put(ValueField.SOURCE_PORT, Pool.ofPorts(rankedPorts(sourcePorts)));
        pools.put(ValueField.TARGET_PORT, Pool.ofPorts(rankedPorts(targetPorts)));
        pools.put(ValueField.TEXT, Pool.ofTexts(ranked(ValuePoolsBuilder::words), ABSENT_WORD));
        pools.put(ValueField.DESCRIPTION, Pool.ofTexts(ranked(Stream::of), ABSENT_WORD));
        pools.put(
                ValueField.ID,
                Pool.ofIds(sample.stream().map(SampledEvent::id).sorted().toList(), ABSENT_ID));
        List<SeenAddress> services =
                ranked.stream().filter(seen -> seen.ownPort != Seen.NO_PORT).toList();
        return new ValuePools(
                ValuePools.FORMAT_VERSION,
                pools,
                Pool.ofRanked(services, seen -> seen.value(seen.ownPort), none),
                ValuePools.ranges(ranked, SeenAddress::address, Seen::events, Seen::category, new TreeMap<>(), none));
    }

    private static Pool ofSide(List<SeenAddress> byAddress, ToLongFunction<SeenAddress> events, List<Value> absent) {
        return Pool.ofRanked(
                ranked(byAddress, events).stream()
                        .filter(seen -> events.applyAsLong(seen) > 0)
                        .toList(),
                seen -> Value.of(seen.address().toString()),
                absent);
    }

    /** The one with the most events first, and of the same number in the order that they have here. */
    private static List<SeenAddress> ranked(List<SeenAddress> seen, ToLongFunction<SeenAddress> events) {
        return seen.stream().sorted(Comparator.comparingLong(events).reversed()).toList();
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

    private static long hash(String text) {
        long hash = 0;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        return SeededRandom.mix(hash, text.length());
    }

    /** What was seen of one address. */
    static final class SeenAddress extends Seen {
        private final AddressRange address;
        private int ownPort = NO_PORT;
        private long asSource;

        private SeenAddress(AddressRange address, SecurityEvent event) {
            super(event);
            this.address = address;
        }

        private void count(SecurityEvent event, List<Endpoint> side, boolean isSource) {
            count(event);
            if (isSource) {
                asSource++;
            }
            if (ownPort == NO_PORT) {
                ownPort = anyPort(side);
            }
        }

        AddressRange address() {
            return address;
        }

        private Value value(int port) {
            return new Value(address.toString(), category(), detector(), port);
        }

        /** In how many events it was a source. */
        long asSource() {
            return asSource;
        }

        /** In how many events it was a target. */
        long asTarget() {
            return events() - asSource;
        }
    }

    /**
     * In how many events a value occurred, what occurred with it in the first of them, and in the first with a port. Not
     * thread-safe.
     */
    static class Seen {
        static final int NO_PORT = -1;

        private final String category;
        private final String detector;
        private int port;
        private long events;

        /** Seen in no event yet, but about to be counted in its first one. */
        Seen(SecurityEvent first) {
            category = first.categories().isEmpty()
                    ? ValuePoolsBuilder.ABSENT_CATEGORY
                    : first.categories().get(0);
            detector = first.detector().orElse(ValuePoolsBuilder.ABSENT_DETECTOR);
            port = anyPort(first);
        }

        final void count(SecurityEvent event) {
            events++;
            if (port == NO_PORT) {
                port = anyPort(event);
            }
        }

        /** The first category of its first event. */
        final String category() {
            return category;
        }

        /** The detector of its first event. */
        final String detector() {
            return detector;
        }

        /** A port of the first event that had one. */
        final OptionalInt anyPort() {
            return port == NO_PORT ? OptionalInt.empty() : OptionalInt.of(port);
        }

        final long events() {
            return events;
        }

        /** The first port of a side, or {@link #NO_PORT}. */
        static int anyPort(List<Endpoint> side) {
            for (int i = 0; i < side.size(); i++) {
                if (!side.get(i).ports().isEmpty()) {
                    return side.get(i).ports().get(0);
                }
            }
            return NO_PORT;
        }

        private static int anyPort(SecurityEvent event) {
            int port = anyPort(event.sources());
            return port == NO_PORT ? anyPort(event.targets()) : port;
        }
    }
}
