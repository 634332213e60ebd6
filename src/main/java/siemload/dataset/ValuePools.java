package siemload.dataset;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
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

        /** The classes of ranked texts, most popular first; a class without values takes the absent one. */
        static Pool ofTexts(List<String> ranked, String absent) {
            return ofRanked(ranked, Value::of, List.of(Value.of(absent)));
        }

        /** Of ports; the absent ones are the highest that do not occur, or 0 where all of them do, for want of a better one. */
        static Pool ofPorts(List<Integer> ranked) {
            BitSet used = new BitSet();
            ranked.forEach(used::set);
            List<Value> unused = IntStream.rangeClosed(0, MOST_PORT)
                    .map(port -> MOST_PORT - port)
                    .filter(port -> !used.get(port))
                    .limit(MOST_CANDIDATES)
                    .mapToObj(port -> Value.of(Integer.toString(port)))
                    .toList();
            return ofRanked(
                    ranked,
                    port -> Value.of(Integer.toString(port)),
                    unused.isEmpty() ? List.of(Value.of("0")) : unused);
        }

        /** Of ids, which are all as popular. */
        static Pool ofIds(List<String> known, String absent) {
            List<Value> none = List.of(Value.of(absent));
            List<Value> ids =
                    known.isEmpty() ? none : known.stream().map(Value::of).toList();
            return new Pool(ids, ids, ids, none);
        }

        /** @param made of those that are kept */
        static <S> Pool ofRanked(List<S> ranked, Function<S, Value> made, List<Value> absent) {
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

    /**
     * The surroundings of IPv4 addresses, by the events of all addresses in them; the most frequent one says the category.
     *
     * @param addresses most popular first
     * @param absent addresses that do not occur, with what comes with them
     */
    static <S> Pool ranges(
            List<S> addresses,
            Function<S, AddressRange> address,
            ToLongFunction<S> count,
            Function<S, String> category,
            List<Value> absent) {
        Map<AddressRange, Long> events = new TreeMap<>();
        Map<AddressRange, String> categories = new HashMap<>();
        for (S seen : addresses) {
            AddressRange range = address.apply(seen).network(24);
            if (range.family() == AddressRange.Family.IP4) {
                events.merge(range, count.applyAsLong(seen), Long::sum);
                categories.putIfAbsent(range, category.apply(seen));
            }
        }
        List<AddressRange> ranked = events.entrySet().stream()
                .sorted(Map.Entry.<AddressRange, Long>comparingByValue().reversed())
                .map(Map.Entry::getKey)
                .toList();
        return Pool.ofRanked(
                ranked,
                range -> new Value(range.toString(), categories.getOrDefault(range, ""), "", 0),
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
