package siemload.dataset;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import siemload.event.AddressRange;
import siemload.query.ValueField;

/**
 * The values that searches look for, taken from what a data set really holds, by popularity. Values are ranked by how
 * many events they occur in, and the classes are ranges of ranks: {@link Popularity#HOT} is the first hundredth (at
 * least one value), {@link Popularity#TYPICAL} from the first tenth to the middle, {@link Popularity#RARE} the last
 * tenth (at least one). Where there are more than {@value #MOST_CANDIDATES} values in a class, as many are kept, evenly
 * spread. {@link Popularity#ABSENT} values are made up and occur in no event.
 *
 * <p>What is drawn depends on the data set and the random numbers alone. Immutable and thread-safe.
 *
 * @param formatVersion of the file that they are kept in
 * @param fields those of each kind; ids have no popularity but for being absent
 * @param services single addresses with a port on their side, by their popularity among those that have one
 * @param ranges of 256 addresses, each with a category that occurred with one of them
 */
public record ValuePools(int formatVersion, Map<ValueField, Pool> fields, Pool services, Pool ranges) {
    static final int MOST_CANDIDATES = 1_000;
    private static final int MOST_PORT = 65_535;
    /** Another one with each change of the form, and of what is counted how: nobody counts values again that are kept. */
    static final int FORMAT_VERSION = 7;

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
     * A value, and what occurred together with it in one event where that is known.
     *
     * @param category a category of that event; a made-up one where the event had none
     * @param detector a node name of that event; a made-up one where the event had none
     * @param port of the first event that had one
     */
    public record Value(String text, String category, String detector, int port) {
        /** One of which nothing else is known. */
        static Value of(String text) {
            return new Value(text, "", "", 0);
        }

        /** The value as an address or a range of some. */
        public AddressRange range() {
            return AddressRange.parse(text);
        }

        /** The value as a number. */
        public int number() {
            return Integer.parseInt(text);
        }
    }

    /** Candidates by class; none of the lists is empty. */
    public record Pool(List<Value> hot, List<Value> typical, List<Value> rare, List<Value> absent) {

        public Pool {
            hot = List.copyOf(hot);
            typical = List.copyOf(typical);
            rare = List.copyOf(rare);
            absent = List.copyOf(absent);
            if (hot.isEmpty() || typical.isEmpty() || rare.isEmpty() || absent.isEmpty()) {
                throw new IllegalArgumentException("a class without values");
            }
        }

        /** Of ports; the absent ones are the highest that do not occur, or 0 where all of them do, for want of a better one. */
        private static Pool ofPorts(List<Seen> ranked) {
            BitSet used = new BitSet();
            ranked.forEach(port -> used.set(Integer.parseInt(port.text())));
            List<Value> unused = IntStream.rangeClosed(0, MOST_PORT)
                    .map(port -> MOST_PORT - port)
                    .filter(port -> !used.get(port))
                    .limit(MOST_CANDIDATES)
                    .mapToObj(port -> Value.of(Integer.toString(port)))
                    .toList();
            return ofRanked(ranked, Seen::plain, unused.isEmpty() ? List.of(Value.of("0")) : unused);
        }

        /** Of ids, which are all as popular. */
        private static Pool ofIds(List<Seen> known, List<Value> absent) {
            List<Value> ids =
                    known.stream().limit(MOST_CANDIDATES).map(Seen::plain).toList();
            return known.isEmpty() ? new Pool(absent, absent, absent, absent) : new Pool(ids, ids, ids, absent);
        }

        /**
         * The classes of ranked things, most popular first; a class without values takes the absent ones.
         *
         * @param made of those that are kept
         */
        private static <S> Pool ofRanked(List<S> ranked, Function<S, Value> made, List<Value> absent) {
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

        /** One of the values that are as popular; takes one random number. */
        public Value draw(Popularity popularity, SeededRandom random) {
            List<Value> candidates = switch (popularity) {
                case HOT -> hot;
                case TYPICAL -> typical;
                case RARE -> rare;
                case ABSENT -> absent;
            };
            return candidates.get(random.nextInt(candidates.size()));
        }

        private static <S> List<Value> thinned(List<S> values, Function<S, Value> made) {
            int kept = Math.min(values.size(), MOST_CANDIDATES);
            return IntStream.range(0, kept)
                    .mapToObj(i -> made.apply(values.get((int) ((long) i * values.size() / kept))))
                    .toList();
        }
    }

    /** How often a value occurs, and what with it in one of its events. Not thread-safe. */
    static final class Seen {
        static final int NO_PORT = -1;

        /** Made to text where it is drawn from: there may be a million. */
        final Object value;

        private final String category;
        private final String detector;
        /** Of any side, and of an address' own one. */
        int port = NO_PORT;

        int ownPort = NO_PORT;
        long events;
        long asSource;

        /** @param value an address, or something with a text */
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
     * The classes of what was seen.
     *
     * @param ranked of each kind the most popular first; kinds that are not there have absent values alone
     * @param absentNames begins of names of each kind; they go on until they are none that occurs
     */
    static ValuePools of(
            Map<ValueField, List<Seen>> ranked, Function<ValueField, String> absentNames, AbsentAddresses unused) {
        List<Seen> addresses = ranked.getOrDefault(ValueField.ADDRESS, List.of());
        List<Seen> ports = ranked.getOrDefault(ValueField.PORT, List.of());
        int anyPort = ports.isEmpty() ? 0 : Integer.parseInt(ports.get(0).text());
        String noCategory = absent(ValueField.CATEGORY, ranked, absentNames);
        String noDetector = absent(ValueField.DETECTOR, ranked, absentNames);
        List<Value> none = unused.values(noCategory, noDetector, anyPort);
        Map<ValueField, Pool> pools = new EnumMap<>(ValueField.class);
        for (ValueField field : ValueField.values()) {
            List<Seen> seen = ranked.getOrDefault(field, List.of());
            Pool pool = switch (field) {
                case ADDRESS ->
                    Pool.ofRanked(seen, one -> one.with(one.port == Seen.NO_PORT ? anyPort : one.port), none);
                case SOURCE, TARGET -> Pool.ofRanked(seen, Seen::plain, none);
                case PORT, SOURCE_PORT, TARGET_PORT -> Pool.ofPorts(seen);
                case CATEGORY, TEXT, DESCRIPTION ->
                    Pool.ofRanked(seen, Seen::plain, List.of(Value.of(absent(field, ranked, absentNames))));
                case DETECTOR ->
                    Pool.ofRanked(
                            seen,
                            one -> new Value(one.text(), one.category, "", 0),
                            List.of(new Value(noDetector, noCategory, "", 0)));
                case ID -> Pool.ofIds(seen, List.of(Value.of(absentNames.apply(field))));
            };
            pools.put(field, pool);
        }
        List<Seen> services =
                addresses.stream().filter(one -> one.ownPort != Seen.NO_PORT).toList();
        return new ValuePools(
                FORMAT_VERSION,
                pools,
                Pool.ofRanked(services, one -> one.with(one.ownPort), none),
                ranges(addresses, none));
    }

    private static String absent(
            ValueField field, Map<ValueField, List<Seen>> ranked, Function<ValueField, String> absentNames) {
        Set<String> known =
                ranked.getOrDefault(field, List.of()).stream().map(Seen::text).collect(Collectors.toSet());
        return Stream.iterate(absentNames.apply(field), name -> name + "X")
                .filter(name -> !known.contains(name))
                .findFirst()
                .orElseThrow();
    }

    /** The surroundings of IPv4 addresses, by the events of all addresses in them; the most frequent one says the category. */
    private static Pool ranges(List<Seen> addresses, List<Value> absent) {
        Map<AddressRange, Seen> networks = new TreeMap<>();
        for (Seen seen : addresses) {
            AddressRange network = ((AddressRange) seen.value).network(24);
            if (network.family() == AddressRange.Family.IP4) {
                networks.computeIfAbsent(network, range -> new Seen(range, seen.category, "")).events += seen.events;
            }
        }
        return Pool.ofRanked(
                networks.values().stream()
                        .sorted(Comparator.comparingLong(one -> -one.events))
                        .toList(),
                one -> one.with(0),
                absent.stream()
                        .map(one -> new Value(one.range().network(24).toString(), one.category(), "", 0))
                        .toList());
    }

    /** Addresses that occur in no event: made up in 240.0.0.0/4, which is reserved, and struck off as soon as an event comes near. */
    static final class AbsentAddresses {
        private static final long FIRST = 0xF000_0000L;
        private static final int CANDIDATES = 1_000;
        private static final long SEED = 240;

        private final TreeSet<Long> candidates = new TreeSet<>();

        AbsentAddresses() {
            SeededRandom random = new SeededRandom(SEED);
            while (candidates.size() < CANDIDATES) {
                candidates.add(FIRST + random.nextLong(1L << 28));
            }
        }

        /** Strikes off every candidate whose surrounding 256 addresses this range touches; if these are all, the last one is kept. */
        void remove(AddressRange range) {
            if (range.family() == AddressRange.Family.IP4 && range.lastLow() >= FIRST) {
                candidates
                        .subSet(range.firstLow() & ~0xFFL, true, range.lastLow() | 0xFFL, true)
                        .removeIf(candidate -> candidates.size() > 1);
            }
        }

        /** With what comes with them. */
        List<Value> values(String category, String detector, int port) {
            return candidates.stream()
                    .map(address -> new Value(AddressRange.ip4(address).toString(), category, detector, port))
                    .toList();
        }
    }

    /** The values of a kind. */
    public Pool of(ValueField field) {
        return Objects.requireNonNull(fields.get(field), "every kind has values");
    }

    /** All values as text for a file. */
    public String toJson() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("values could not be written as JSON", impossible);
        }
    }

    /**
     * Reads what {@link #toJson} wrote.
     *
     * @throws IllegalArgumentException if the text is of another version or damaged
     */
    public static ValuePools fromJson(String text) {
        try {
            ValuePools pools = JSON.readValue(text, ValuePools.class);
            if (pools == null || pools.formatVersion != FORMAT_VERSION) {
                throw new IllegalArgumentException("values of another version");
            }
            return pools;
        } catch (JsonProcessingException damaged) {
            throw new IllegalArgumentException("not a file of values", damaged);
        }
    }
}
