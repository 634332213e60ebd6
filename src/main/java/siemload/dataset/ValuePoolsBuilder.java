package siemload.dataset;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
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

    private static final String ABSENT_CATEGORY = "Absent.Category";
    private static final String ABSENT_DETECTOR = "absent.detector";
    private static final String ABSENT_WORD = "absentword";
    private static final int SHORTEST_WORD = 4;
    private static final Pattern NOT_IN_A_WORD = Pattern.compile("[^\\p{L}\\p{N}.:-]+");
    private static final int NO_PORT = -1;
    private static final String ABSENT_ID = "00000000-0000-0000-0000-000000000000";

    private final FairSample<AddressRange, Seen> addresses =
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
        addSide(event.sources(), event, 1, sourcePorts);
        addSide(event.targets(), event, 0, targetPorts);
        sample(event);
    }

    private void addSide(List<Endpoint> side, SecurityEvent event, int asSource, int[] ports) {
        for (Endpoint endpoint : side) {
            for (AddressRange address : endpoint.addresses()) {
                absent.remove(address);
                if (address.isSingle()) {
                    addresses.note(address, single -> new Seen(event), seen -> {
                        seen.count(event);
                        seen.asSource += asSource;
                        seen.ownPort = seen.ownPort == NO_PORT ? anyPort(side) : seen.ownPort;
                    });
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
        List<Entry<AddressRange, Seen>> byAddress = addresses.values().entrySet().stream()
                .sorted(Entry.comparingByKey())
                .toList();
        List<Entry<AddressRange, Seen>> ranked = ranked(byAddress, seen -> seen.events);
        List<Integer> ports = rankedPorts(port -> sourcePorts[port] + targetPorts[port]);
        int anyPort = ports.isEmpty() ? 0 : ports.get(0);
        List<Value> none = absent.values(ABSENT_CATEGORY, ABSENT_DETECTOR, anyPort);
        Map<ValueField, Pool> pools = new EnumMap<>(ValueField.class);
        pools.put(
                ValueField.ADDRESS,
                Pool.ofRanked(
                        ranked,
                        one -> value(one, one.getValue().port == NO_PORT ? anyPort : one.getValue().port),
                        none));
        pools.put(ValueField.SOURCE, ofSide(byAddress, seen -> seen.asSource, none));
        pools.put(ValueField.TARGET, ofSide(byAddress, seen -> seen.events - seen.asSource, none));
        pools.put(
                ValueField.CATEGORY,
                Pool.ofTexts(names(categories).map(Entry::getKey).toList(), unused(ABSENT_CATEGORY, categories)));
        pools.put(
                ValueField.DETECTOR,
                Pool.ofRanked(
                        names(detectors).toList(),
                        one -> new Value(one.getKey(), one.getValue().category, "", 0),
                        List.of(new Value(unused(ABSENT_DETECTOR, detectors), ABSENT_CATEGORY, "", 0))));
        pools.put(ValueField.PORT, Pool.ofPorts(ports));
        pools.put(ValueField.SOURCE_PORT, Pool.ofPorts(rankedPorts(port -> sourcePorts[port])));
        pools.put(ValueField.TARGET_PORT, Pool.ofPorts(rankedPorts(port -> targetPorts[port])));
        pools.put(ValueField.TEXT, Pool.ofTexts(ranked(ValuePoolsBuilder::words), ABSENT_WORD));
        pools.put(ValueField.DESCRIPTION, Pool.ofTexts(ranked(Stream::of), ABSENT_WORD));
        pools.put(
                ValueField.ID,
                Pool.ofIds(sample.stream().map(SampledEvent::id).sorted().toList(), ABSENT_ID));
        return new ValuePools(
                ValuePools.FORMAT_VERSION,
                pools,
                Pool.ofRanked(
                        ranked.stream()
                                .filter(one -> one.getValue().ownPort != NO_PORT)
                                .toList(),
                        one -> value(one, one.getValue().ownPort),
                        none),
                ValuePools.ranges(
                        ranked, Entry::getKey, one -> one.getValue().events, one -> one.getValue().category, none));
    }

    private static Value value(Entry<AddressRange, Seen> one, int port) {
        return new Value(one.getKey().toString(), one.getValue().category, one.getValue().detector, port);
    }

    private static Pool ofSide(
            List<Entry<AddressRange, Seen>> byAddress, ToLongFunction<Seen> events, List<Value> absent) {
        return Pool.ofRanked(
                ranked(byAddress, events).stream()
                        .filter(one -> events.applyAsLong(one.getValue()) > 0)
                        .toList(),
                one -> Value.of(one.getKey().toString()),
                absent);
    }

    /** The one with the most events first, and of the same number in the order that they have here. */
    private static <T> List<Entry<T, Seen>> ranked(List<Entry<T, Seen>> seen, ToLongFunction<Seen> events) {
        return seen.stream()
                .sorted(Comparator.comparingLong(one -> -events.applyAsLong(one.getValue())))
                .toList();
    }

    private static Stream<Entry<String, Seen>> names(Map<String, Seen> names) {
        return ranked(names.entrySet().stream().sorted(Entry.comparingByKey()).toList(), seen -> seen.events).stream();
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
                .sorted(Entry.<String, Long>comparingByValue().reversed())
                .map(Entry::getKey)
                .toList();
    }

    private static List<Integer> rankedPorts(ToIntFunction<Integer> events) {
        return IntStream.range(0, 1 << 16)
                .boxed()
                .filter(port -> events.applyAsInt(port) > 0)
                .sorted(Comparator.comparingInt(events).reversed())
                .toList();
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

    /** In how many events a value occurred, what occurred with it in the first of them, and in the first with a port. */
    private static final class Seen {
        private final String category;
        private final String detector;
        /** Of any side, and of an address' own one. */
        private int port = NO_PORT;

        private int ownPort = NO_PORT;
        private long events;
        private long asSource;

        /** Seen in no event yet, but about to be counted in its first one. */
        Seen(SecurityEvent first) {
            category = first.categories().isEmpty()
                    ? ABSENT_CATEGORY
                    : first.categories().get(0);
            detector = first.detector().orElse(ABSENT_DETECTOR);
        }

        void count(SecurityEvent event) {
            events++;
            if (port == NO_PORT) {
                int source = anyPort(event.sources());
                port = source == NO_PORT ? anyPort(event.targets()) : source;
            }
        }
    }

    /** The first port of a side, or {@link #NO_PORT}. */
    private static int anyPort(List<Endpoint> side) {
        for (int i = 0; i < side.size(); i++) {
            if (!side.get(i).ports().isEmpty()) {
                return side.get(i).ports().get(0);
            }
        }
        return NO_PORT;
    }
}
