package siemload.dataset;

import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntToLongFunction;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import siemload.dataset.ValuePools.AbsentAddresses;
import siemload.dataset.ValuePools.Seen;
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
    static final String NO_ID = "00000000-0000-0000-0000-000000000000";
    private static final int SHORTEST_WORD = 4;
    private static final Pattern NOT_IN_A_WORD = Pattern.compile("[^\\p{L}\\p{N}.:-]+");

    private final FairSample<AddressRange, Seen> addresses =
            new FairSample<>(MOST_ADDRESSES, address -> SeededRandom.mix(address.firstHigh(), address.firstLow()));
    private final Map<String, Seen> categories = new HashMap<>();
    private final Map<String, Seen> detectors = new HashMap<>();
    private final int[] sourcePorts = new int[1 << 16];
    private final int[] targetPorts = new int[1 << 16];
    private final AbsentAddresses absent = new AbsentAddresses();
    /** Those with the smallest hashes of their ids. */
    private final TreeMap<Long, SampledEvent> sample = new TreeMap<>();

    private record SampledEvent(String id, String description) {}

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
                    addresses.note(address, single -> seen(single, event), seen -> {
                        count(seen, event);
                        seen.asSource += asSource;
                        seen.ownPort = seen.ownPort == Seen.NO_PORT ? anyPort(side) : seen.ownPort;
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
            seen = seen(value, event);
            values.put(value, seen);
        }
        if (seen != null) {
            count(seen, event);
        }
    }

    /** Seen in no event yet, but about to be counted in its first one. */
    private static Seen seen(Object value, SecurityEvent first) {
        List<String> categories = first.categories();
        return new Seen(
                value,
                categories.isEmpty() ? ABSENT_CATEGORY : categories.get(0),
                first.detector().orElse(ABSENT_DETECTOR));
    }

    private static void count(Seen seen, SecurityEvent event) {
        seen.events++;
        if (seen.port == Seen.NO_PORT) {
            int source = anyPort(event.sources());
            seen.port = source == Seen.NO_PORT ? anyPort(event.targets()) : source;
        }
    }

    /** The first port of a side, or {@link Seen#NO_PORT}. */
    private static int anyPort(List<Endpoint> side) {
        for (int i = 0; i < side.size(); i++) {
            if (!side.get(i).ports().isEmpty()) {
                return side.get(i).ports().get(0);
            }
        }
        return Seen.NO_PORT;
    }

    private void sample(SecurityEvent event) {
        long hash = hash(event.id());
        if (sample.size() < ValuePools.MOST_CANDIDATES || hash < sample.lastKey()) {
            sample.put(hash, new SampledEvent(event.id(), event.description()));
            if (sample.size() > ValuePools.MOST_CANDIDATES) {
                sample.pollLastEntry();
            }
        }
    }

    private static long hash(String text) {
        long hash = 0;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        return SeededRandom.mix(hash, text.length());
    }

    /** The values of all events counted so far. */
    public ValuePools build() {
        Collection<Seen> byAddress = new TreeMap<>(addresses.values()).values();
        Map<ValueField, List<Seen>> ranked = new EnumMap<>(ValueField.class);
        ranked.put(ValueField.ADDRESS, ranked(byAddress, seen -> seen.events));
        ranked.put(ValueField.SOURCE, ranked(byAddress, seen -> seen.asSource));
        ranked.put(ValueField.TARGET, ranked(byAddress, seen -> seen.events - seen.asSource));
        ranked.put(ValueField.CATEGORY, ranked(new TreeMap<>(categories).values(), seen -> seen.events));
        ranked.put(ValueField.DETECTOR, ranked(new TreeMap<>(detectors).values(), seen -> seen.events));
        ranked.put(ValueField.PORT, rankedPorts(port -> sourcePorts[port] + targetPorts[port]));
        ranked.put(ValueField.SOURCE_PORT, rankedPorts(port -> sourcePorts[port]));
        ranked.put(ValueField.TARGET_PORT, rankedPorts(port -> targetPorts[port]));
        ranked.put(ValueField.TEXT, rankedParts(ValuePoolsBuilder::words));
        ranked.put(ValueField.DESCRIPTION, rankedParts(Stream::of));
        Stream<String> ids = sample.values().stream().map(SampledEvent::id).sorted();
        ranked.put(ValueField.ID, ids.map(id -> new Seen(id, "", "")).toList());
        return ValuePools.of(
                ranked,
                field -> switch (field) {
                    case CATEGORY -> ABSENT_CATEGORY;
                    case DETECTOR -> ABSENT_DETECTOR;
                    case ID -> NO_ID;
                    default -> "absentword";
                },
                absent);
    }

    /** Those with events, the one with the most first, and of the same number in the order that they have here. */
    private static List<Seen> ranked(Collection<Seen> seen, ToLongFunction<Seen> events) {
        return seen.stream()
                .filter(one -> events.applyAsLong(one) > 0)
                .sorted(Comparator.comparingLong(one -> -events.applyAsLong(one)))
                .toList();
    }

    private static Stream<String> words(String description) {
        return NOT_IN_A_WORD
                .splitAsStream(description)
                .filter(word -> word.length() >= SHORTEST_WORD)
                .distinct();
    }

    /** Parts of the sampled descriptions, by the number of descriptions they occur in. */
    private List<Seen> rankedParts(Function<String, Stream<String>> parts) {
        Map<String, Seen> seen = new TreeMap<>();
        sample.values().stream()
                .flatMap(event -> parts.apply(event.description()))
                .filter(part -> !part.isEmpty())
                .forEach(part -> seen.computeIfAbsent(part, text -> new Seen(text, "", "")).events++);
        return ranked(seen.values(), one -> one.events);
    }

    private static List<Seen> rankedPorts(IntToLongFunction events) {
        return ranked(
                IntStream.range(0, 1 << 16)
                        .mapToObj(port -> new Seen(port, "", ""))
                        .toList(),
                port -> events.applyAsLong((Integer) port.value));
    }
}
