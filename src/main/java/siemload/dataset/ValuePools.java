package siemload.dataset;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;
import siemload.query.CountedValue;
import siemload.query.ValueField;

/**
 * The values that searches look for, taken from the events of a data set. Values are ranked by their number of events, and classes of
 * popularity are ranges of ranks: {@link Popularity#HOT} is the first hundredth (at least one value), {@link Popularity#TYPICAL} is from
 * the first tenth to the middle, {@link Popularity#RARE} is the last tenth (at least one value). A class keeps {@value #MOST_CANDIDATES}
 * values at most, evenly spread. {@link Popularity#ABSENT} values are made up; absent addresses are not among the single addresses that
 * were counted.
 *
 * <p>Draws depend only on the data set and the random numbers. Immutable and thread-safe.
 *
 * @param formatVersion the version of the cache file's format
 * @param fields the values of each kind; ids are either present or absent
 * @param services single addresses with a port on their side, by their popularity among addresses with a port
 * @param ranges ranges of 256 addresses, each with a category of one of its addresses
 */
public record ValuePools(int formatVersion, Map<ValueField, Pool> fields, Pool services, Pool ranges) {
    private static final int MOST_CANDIDATES = 1_000;
    private static final long FIRST_RESERVED = 0xF000_0000L;
    private static final int MOST_PORT = 65_535;
    private static final String NO_ID = "00000000-0000-0000-0000-000000000000";
    private static final String NO_CATEGORY = "Absent.Category";
    private static final String NO_DETECTOR = "absent.detector";
    /** The version of the cache file, which must change with the file's format and the way of counting, to count values again. */
    static final int FORMAT_VERSION = 8;

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(
                    DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    public ValuePools {
        Map<ValueField, Pool> copy = new EnumMap<>(ValueField.class);
        copy.putAll(fields);
        fields = Collections.unmodifiableMap(copy);
        if (fields.size() != ValueField.values().length) {
            throw new IllegalArgumentException("a kind without values");
        }
    }

    /**
     * A value, with other values of one of its events if they are known.
     *
     * @param category a category of an event with the value; a made-up category if the event had none
     * @param detector a node name of an event with the value; a made-up name if the event had none
     * @param port a port of the first event with a port
     */
    public record Value(String text, String category, String detector, int port) {
        /** Makes a value without the other values of an event. */
        static Value of(String text) {
            return new Value(text, "", "", 0);
        }

        /** The value as an address or a range. */
        public AddressRange range() {
            return AddressRange.parse(text);
        }

        /** The value as a number. */
        public int number() {
            return Integer.parseInt(text);
        }
    }

    /** The candidates of each class; no list is empty. */
    public record Pool(List<Value> hot, List<Value> typical, List<Value> rare, List<Value> absent) {

        public Pool {
            if (hot.isEmpty() || typical.isEmpty() || rare.isEmpty() || absent.isEmpty()) {
                throw new IllegalArgumentException("a class without values");
            }
        }

        /**
         * Makes the classes of ranked values, the most popular first; without any value, all classes are the absent values.
         *
         * @param made makes the values that are kept
         */
        private static Pool of(List<Seen> ranked, Function<Seen, Value> made, List<Value> absent) {
            int n = ranked.size();
            if (n == 0) {
                return new Pool(absent, absent, absent, absent);
            }
            int hot = Math.max(1, n / 100);
            int middle = Math.max(n / 10 + 1, n / 2);
            int rare = Math.max(1, n / 10);
            return new Pool(
                    thinned(ranked.subList(0, hot), made),
                    thinned(ranked.subList(n / 10, Math.min(n, middle)), made),
                    thinned(ranked.subList(n - rare, n), made),
                    absent);
        }

        /** Draws a value of this class; takes one random number. */
        public Value draw(Popularity popularity, SeededRandom random) {
            List<Value> candidates = switch (popularity) {
                case HOT -> hot;
                case TYPICAL -> typical;
                case RARE -> rare;
                case ABSENT -> absent;
            };
            return candidates.get(random.nextInt(candidates.size()));
        }

        private static List<Value> thinned(List<Seen> values, Function<Seen, Value> made) {
            int kept = Math.min(values.size(), MOST_CANDIDATES);
            return IntStream.range(0, kept)
                    .mapToObj(i -> made.apply(values.get((int) ((long) i * values.size() / kept))))
                    .toList();
        }
    }

    /** The number of events with a value, and other values of one of these events. Not thread-safe. */
    private static final class Seen {
        static final int NO_PORT = -1;

        /** The value becomes text only if it is kept as a candidate, since there may be a million values. */
        final Object value;

        private final String category;
        private final String detector;
        /** The first port on any side; {@code ownPort} is the first port on an address's own side. */
        int port = NO_PORT;

        int ownPort = NO_PORT;
        long events;
        long asSource;

        /** @param value an address, or another object with a text form */
        Seen(Object value, String category, String detector) {
            this.value = value;
            this.category = category;
            this.detector = detector;
        }

        String text() {
            return value.toString();
        }

        private Value plain() {
            return Value.of(text());
        }

        private Value with(int usedPort) {
            return new Value(text(), category, detector, usedPort);
        }
    }

    /**
     * Makes the classes of counted values.
     *
     * @param ranked the values of each kind, the most popular first; kinds that are missing have only absent values
     */
    private static ValuePools of(Map<ValueField, List<Seen>> ranked, String noId) {
        List<Seen> addresses = ranked.getOrDefault(ValueField.ADDRESS, List.of());
        List<Seen> ports = ranked.getOrDefault(ValueField.PORT, List.of());
        int anyPort = ports.isEmpty() ? 0 : Integer.parseInt(ports.get(0).text());
        String noCategory = absent(ValueField.CATEGORY, ranked);
        String noDetector = absent(ValueField.DETECTOR, ranked);
        List<Value> none = unusedAddresses(ranked).stream()
                .map(address -> new Value(address.toString(), noCategory, noDetector, anyPort))
                .toList();
        Map<ValueField, Pool> pools = new EnumMap<>(ValueField.class);
        for (ValueField field : ValueField.values()) {
            List<Seen> seen = ranked.getOrDefault(field, List.of());
            pools.put(
                    field,
                    switch (field) {
                        case ADDRESS ->
                            Pool.of(seen, one -> one.with(one.port == Seen.NO_PORT ? anyPort : one.port), none);
                        case SOURCE, TARGET -> Pool.of(seen, Seen::plain, none);
                        case PORT, SOURCE_PORT, TARGET_PORT -> Pool.of(seen, Seen::plain, unusedPorts(seen));
                        case CATEGORY, TEXT, DESCRIPTION ->
                            Pool.of(seen, Seen::plain, List.of(Value.of(absent(field, ranked))));
                        case DETECTOR ->
                            Pool.of(
                                    seen,
                                    one -> new Value(one.text(), one.category, "", 0),
                                    List.of(new Value(noDetector, noCategory, "", 0)));
                        case ID -> ids(seen, List.of(Value.of(noId)));
                    });
        }
        List<Seen> services =
                addresses.stream().filter(one -> one.ownPort != Seen.NO_PORT).toList();
        return new ValuePools(
                FORMAT_VERSION, pools, Pool.of(services, one -> one.with(one.ownPort), none), ranges(addresses, none));
    }

    /** Ids are equally popular. */
    private static Pool ids(List<Seen> seen, List<Value> absent) {
        List<Value> ids = seen.stream().limit(MOST_CANDIDATES).map(Seen::plain).toList();
        return seen.isEmpty() ? new Pool(absent, absent, absent, absent) : new Pool(ids, ids, ids, absent);
    }

    /** Returns the highest ports that do not occur, or port 0 if all ports occur. */
    private static List<Value> unusedPorts(List<Seen> seen) {
        Set<String> used = seen.stream().map(Seen::text).collect(Collectors.toSet());
        List<Value> unused = IntStream.rangeClosed(0, MOST_PORT)
                .mapToObj(port -> Value.of(Integer.toString(MOST_PORT - port)))
                .filter(port -> !used.contains(port.text))
                .limit(MOST_CANDIDATES)
                .toList();
        return unused.isEmpty() ? List.of(Value.of("0")) : unused;
    }

    /**
     * Makes up IPv4 addresses in 240.0.0.0/4, which is reserved. No event names an address in their /24 networks; networks and ranges in
     * events do not count. If events name addresses near all candidates, the last candidate is used.
     */
    private static List<AddressRange> unusedAddresses(Map<ValueField, List<Seen>> seen) {
        Set<AddressRange> used = Stream.of(ValueField.ADDRESS, ValueField.SOURCE, ValueField.TARGET)
                .flatMap(field -> seen.getOrDefault(field, List.of()).stream())
                .map(one -> (AddressRange) one.value)
                .filter(address -> address.family() == Family.IP4 && address.firstLow() >= FIRST_RESERVED)
                .map(address -> address.network(24))
                .collect(Collectors.toSet());
        SeededRandom random = new SeededRandom(240);
        List<AddressRange> candidates = Stream.generate(() -> FIRST_RESERVED + random.nextLong(1L << 28))
                .distinct()
                .limit(MOST_CANDIDATES)
                .sorted()
                .map(AddressRange::ip4)
                .toList();
        List<AddressRange> unused = candidates.stream()
                .filter(address -> !used.contains(address.network(24)))
                .toList();
        return unused.isEmpty() ? candidates.subList(candidates.size() - 1, candidates.size()) : unused;
    }

    /**
     * Makes the classes of values that queries found in existing events. Counts of the same value are summed up, and values with equal
     * counts are sorted by value, so that equal data give equal classes. Kinds that are missing have only absent values.
     *
     * @param values the values by kind, none of which {@link ValueField#refusal} may refuse
     */
    public static ValuePools ofExisting(Map<ValueField, List<CountedValue>> values) {
        Map<ValueField, List<Seen>> ranked = new EnumMap<>(ValueField.class);
        values.forEach((field, some) -> {
            Map<String, Seen> byValue = new HashMap<>();
            some.forEach(value ->
                    byValue.computeIfAbsent(value.value(), unused -> seen(field, value)).events += value.events());
            // A query may only estimate how frequent a value is, or say 0.
            ranked.put(field, ranked(byValue, one -> Math.max(1, one.events)));
        });
        // A table with numbers as ids accepts only numbers, and no counter ever reaches -1.
        List<CountedValue> ids = values.getOrDefault(ValueField.ID, List.of());
        boolean numbers =
                !ids.isEmpty() && ids.stream().allMatch(id -> id.value().matches("-?[0-9]{1,18}"));
        return of(ranked, numbers ? "-1" : NO_ID);
    }

    private static Seen seen(ValueField field, CountedValue value) {
        boolean isAddress = field == ValueField.ADDRESS || field == ValueField.SOURCE || field == ValueField.TARGET;
        Seen seen = new Seen(
                isAddress ? AddressRange.parse(value.value()) : value.value(),
                value.beside().getOrDefault(ValueField.CATEGORY, NO_CATEGORY),
                value.beside().getOrDefault(ValueField.DETECTOR, NO_DETECTOR));
        seen.port = Integer.parseInt(value.beside().getOrDefault(ValueField.PORT, "" + Seen.NO_PORT));
        seen.ownPort = seen.port;
        return seen;
    }

    /** Returns a name that does not occur: a fixed name, made longer until it is new. */
    private static String absent(ValueField field, Map<ValueField, List<Seen>> ranked) {
        Set<String> known =
                ranked.getOrDefault(field, List.of()).stream().map(Seen::text).collect(Collectors.toSet());
        String begin =
                field == ValueField.CATEGORY ? NO_CATEGORY : field == ValueField.DETECTOR ? NO_DETECTOR : "absentword";
        return Stream.iterate(begin, name -> name + "X")
                .filter(name -> !known.contains(name))
                .findFirst()
                .orElseThrow();
    }

    /** The /24 networks of IPv4 addresses, by the events of their addresses; the most frequent address determines the category. */
    private static Pool ranges(List<Seen> addresses, List<Value> absent) {
        Map<AddressRange, Seen> networks = new HashMap<>();
        for (Seen seen : addresses) {
            AddressRange network = ((AddressRange) seen.value).network(24);
            if (network.family() == Family.IP4) {
                networks.computeIfAbsent(network, range -> new Seen(range, seen.category, "")).events += seen.events;
            }
        }
        return Pool.of(
                ranked(networks, one -> one.events),
                one -> one.with(0),
                absent.stream()
                        .map(one -> new Value(one.range().network(24).toString(), one.category(), "", 0))
                        .toList());
    }

    /** The values with events, most events first; ties are in the order of the values. */
    private static <K extends Comparable<K>> List<Seen> ranked(Map<K, Seen> seen, ToLongFunction<Seen> events) {
        return seen.entrySet().stream()
                .filter(one -> events.applyAsLong(one.getValue()) > 0)
                .sorted(Comparator.comparingLong((Map.Entry<K, Seen> one) -> -events.applyAsLong(one.getValue()))
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Returns the values of this kind. */
    public Pool of(ValueField field) {
        return Objects.requireNonNull(fields.get(field), "every kind has values");
    }

    /** All values as text for the cache. */
    public String toJson() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("values could not be written as JSON", impossible);
        }
    }

    /**
     * Reads the text that {@link #toJson} wrote.
     *
     * @throws IllegalArgumentException if the text is of another version or damaged
     */
    public static ValuePools fromJson(String text) {
        try {
            return Optional.ofNullable(JSON.readValue(text, ValuePools.class))
                    .filter(pools -> pools.formatVersion == FORMAT_VERSION)
                    .orElseThrow(() -> new IllegalArgumentException("values of another version"));
        } catch (JsonProcessingException damaged) {
            throw new IllegalArgumentException("not a file of values", damaged);
        }
    }

    /** Counts the values of a data set in one pass, in bounded memory. Not thread-safe. */
    public static final class Builder {
        private static final int MOST_NAMES = 100_000;
        private static final int MOST_ADDRESSES = 1_000_000;
        /** The prime number of the 64-bit Fowler-Noll-Vo hash. */
        private static final long FNV_PRIME = 0x100_0000_01B3L;

        private static final int SHORTEST_WORD = 4;
        private static final Pattern NOT_IN_A_WORD = Pattern.compile("[^\\p{L}\\p{N}.:-]+");

        private final FairSample<AddressRange, Seen> addresses =
                new FairSample<>(MOST_ADDRESSES, address -> SeededRandom.mix(address.firstHigh(), address.firstLow()));
        private final FairSample<String, Seen> categories = new FairSample<>(MOST_NAMES, Builder::hash);
        private final FairSample<String, Seen> detectors = new FairSample<>(MOST_NAMES, Builder::hash);
        private final FairSample<Integer, Seen> ports = new FairSample<>(1 << 16, port -> port);
        /** A fair sample: the events whose ids have the smallest hashes. */
        private final TreeMap<Long, SampledEvent> sample = new TreeMap<>();

        private record SampledEvent(String id, String description) {}

        /** Counts these events. */
        public void add(List<SecurityEvent> events) {
            events.forEach(this::add);
        }

        private void add(SecurityEvent event) {
            for (String category : event.categories()) {
                categories.note(category, name -> seen(name, event), seen -> count(seen, event));
            }
            for (Node node : event.nodes()) {
                if (!node.name().isEmpty()) {
                    detectors.note(node.name(), name -> seen(name, event), seen -> count(seen, event));
                }
            }
            addSide(event.sources(), event, 1);
            addSide(event.targets(), event, 0);
            sample(event);
        }

        private void addSide(List<Endpoint> side, SecurityEvent event, int asSource) {
            for (Endpoint endpoint : side) {
                for (AddressRange address : endpoint.addresses()) {
                    if (address.isSingle()) {
                        addresses.note(address, single -> seen(single, event), seen -> {
                            count(seen, event);
                            seen.asSource += asSource;
                            seen.ownPort = seen.ownPort == Seen.NO_PORT ? anyPort(side) : seen.ownPort;
                        });
                    }
                }
                for (Integer port : endpoint.ports()) {
                    ports.note(port, unused -> new Seen(port, "", ""), seen -> {
                        seen.events++;
                        seen.asSource += asSource;
                    });
                }
            }
        }

        /** Makes an entry for a value from the first event that has this value, without counting the event. */
        private static Seen seen(Object value, SecurityEvent first) {
            List<String> categories = first.categories();
            return new Seen(
                    value,
                    categories.isEmpty() ? NO_CATEGORY : categories.get(0),
                    first.detector().orElse(NO_DETECTOR));
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
            if (sample.size() < MOST_CANDIDATES || hash < sample.lastKey()) {
                sample.put(hash, new SampledEvent(event.id(), event.description()));
                if (sample.size() > MOST_CANDIDATES) {
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
            Map<ValueField, List<Seen>> ranked = new EnumMap<>(ValueField.class);
            ranked.put(ValueField.ADDRESS, ranked(addresses.values(), seen -> seen.events));
            ranked.put(ValueField.SOURCE, ranked(addresses.values(), seen -> seen.asSource));
            ranked.put(ValueField.TARGET, ranked(addresses.values(), seen -> seen.events - seen.asSource));
            ranked.put(ValueField.CATEGORY, ranked(categories.values(), seen -> seen.events));
            ranked.put(ValueField.DETECTOR, ranked(detectors.values(), seen -> seen.events));
            ranked.put(ValueField.PORT, ranked(ports.values(), seen -> seen.events));
            ranked.put(ValueField.SOURCE_PORT, ranked(ports.values(), seen -> seen.asSource));
            ranked.put(ValueField.TARGET_PORT, ranked(ports.values(), seen -> seen.events - seen.asSource));
            ranked.put(ValueField.TEXT, rankedParts(Builder::words));
            ranked.put(ValueField.DESCRIPTION, rankedParts(Stream::of));
            Stream<String> ids = sample.values().stream().map(SampledEvent::id).sorted();
            ranked.put(ValueField.ID, ids.map(id -> new Seen(id, "", "")).toList());
            return ValuePools.of(ranked, NO_ID);
        }

        private static Stream<String> words(String description) {
            return NOT_IN_A_WORD
                    .splitAsStream(description)
                    .filter(word -> word.length() >= SHORTEST_WORD)
                    .distinct();
        }

        /** The parts of the sampled descriptions, ranked by the number of descriptions with them. */
        private List<Seen> rankedParts(Function<String, Stream<String>> parts) {
            Map<String, Seen> seen = new HashMap<>();
            sample.values().stream()
                    .flatMap(event -> parts.apply(event.description()))
                    .filter(part -> !part.isEmpty())
                    .forEach(part -> seen.computeIfAbsent(part, text -> new Seen(text, "", "")).events++);
            return ranked(seen, one -> one.events);
        }
    }
}
