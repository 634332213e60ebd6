package siemload.dataset;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.IntStream;
import siemload.event.AddressRange;

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
 * @param addresses single ones
 * @param services single addresses with a port on their side, by their popularity among those that have one
 * @param ranges of 256 addresses
 * @param detectors node names
 * @param sides what figured on one side
 * @param descriptions and their words
 * @param ids of events; they have no popularity but for being absent
 */
public record ValuePools(
        int formatVersion,
        Pool<AddressValue> addresses,
        Pool<ServiceValue> services,
        Pool<RangeValue> ranges,
        Pool<String> categories,
        Pool<DetectorValue> detectors,
        Pool<Integer> ports,
        SidePools sides,
        TextPools descriptions,
        EventIds ids) {
    static final int MOST_CANDIDATES = 1_000;
    private static final int MOST_PORT = 65_535;
    /** Another one with each change of the form, and of what is counted how: nobody counts values again that are kept. */
    static final int FORMAT_VERSION = 6;

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(
                    DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    /**
     * An address, and what occurred together with it in one event.
     *
     * @param category a category of that event; a made-up one where the event had none
     * @param detector a node name of that event; a made-up one where the event had none
     * @param port a port of the first event with this address that had one; where none had, one of the data set
     */
    public record AddressValue(AddressRange address, String category, String detector, int port) {}

    /** An address, and a port of the first event that had one on the side of the address. */
    public record ServiceValue(AddressRange address, int port) {}

    /**
     * What occurred on one side of events, by how often it did so there.
     *
     * @param addresses single ones
     */
    public record SideValues(Pool<AddressRange> addresses, Pool<Integer> ports) {}

    /**
     * By side.
     *
     * @param source what figured as source
     * @param target what figured as target
     */
    public record SidePools(SideValues source, SideValues target) {}

    /**
     * Of descriptions.
     *
     * @param words single ones
     * @param whole from beginning to end
     */
    public record TextPools(Pool<String> words, Pool<String> whole) {}

    /** Ids of events, and one that none has. */
    public record EventIds(List<String> known, String absent) {
        public EventIds {
            known = List.copyOf(known);
        }
    }

    /** The 256 addresses around an address, and a category that occurred with one of them. */
    public record RangeValue(AddressRange range, String category) {}

    /** A node name, and a category that occurred with it. */
    public record DetectorValue(String name, String category) {}

    /** Candidates by class; none of the lists is empty. */
    public record Pool<T>(List<T> hot, List<T> typical, List<T> rare, List<T> absent) {

        public Pool {
            hot = List.copyOf(hot);
            typical = List.copyOf(typical);
            rare = List.copyOf(rare);
            absent = List.copyOf(absent);
            if (hot.isEmpty() || typical.isEmpty() || rare.isEmpty() || absent.isEmpty()) {
                throw new IllegalArgumentException("a class without values");
            }
        }

        /** The classes of ranked values, most popular first; a class without values takes the absent ones. */
        static <T> Pool<T> ofRanked(List<T> ranked, List<T> absent) {
            return ofRanked(ranked, value -> value, absent);
        }

        /** @param made of those that are kept */
        static <S, T> Pool<T> ofRanked(List<S> ranked, Function<S, T> made, List<T> absent) {
            int n = ranked.size();
            if (n == 0) {
                return new Pool<>(absent, absent, absent, absent);
            }
            int hot = Math.max(1, n / 100);
            int middle = Math.max(n / 10 + 1, n / 2);
            int rare = Math.max(1, n / 10);
            return new Pool<>(
                    thinned(ranked.subList(0, hot), made),
                    thinned(ranked.subList(n / 10, Math.min(n, middle)), made),
                    thinned(ranked.subList(n - rare, n), made),
                    absent);
        }

        /** One of the values that are as popular. */
        public T draw(Popularity popularity, SeededRandom random) {
            List<T> candidates = switch (popularity) {
                case HOT -> hot;
                case TYPICAL -> typical;
                case RARE -> rare;
                case ABSENT -> absent;
            };
            return candidates.get(random.nextInt(candidates.size()));
        }

        private static <S, T> List<T> thinned(List<S> values, Function<S, T> made) {
            int kept = Math.min(values.size(), MOST_CANDIDATES);
            return IntStream.range(0, kept)
                    .mapToObj(i -> made.apply(values.get((int) ((long) i * values.size() / kept))))
                    .toList();
        }
    }

    /** An address as it was counted, and what occurred with it. */
    interface CountedAddress {
        AddressRange address();

        long events();

        String category();

        String detector();

        /** A port of an event with the address; empty where none had one. */
        OptionalInt anyPort();

        /** A port on the side of the address; empty where no event had one there. */
        OptionalInt portBeside();
    }

    /** What was counted, most popular first, and what did not occur. */
    record Ranked(
            List<? extends CountedAddress> addresses,
            List<String> categories,
            String absentCategory,
            List<DetectorValue> detectors,
            String absentDetector,
            List<Integer> ports,
            SideValues source,
            SideValues target,
            TextPools descriptions,
            EventIds ids,
            List<AddressRange> absentAddresses) {

        /** @param ranges empty; its order is that of ranges with as many events */
        ValuePools pools(String categoryOfAbsent, String detectorOfAbsent, Map<AddressRange, Long> ranges) {
            int anyPort = ports.stream().findFirst().orElse(0);
            List<CountedAddress> services = addresses.stream()
                    .filter(seen -> seen.portBeside().isPresent())
                    .<CountedAddress>map(seen -> seen)
                    .toList();
            return new ValuePools(
                    FORMAT_VERSION,
                    Pool.ofRanked(
                            addresses,
                            seen -> new AddressValue(
                                    seen.address(),
                                    seen.category(),
                                    seen.detector(),
                                    seen.anyPort().orElse(anyPort)),
                            absent(address -> new AddressValue(address, categoryOfAbsent, detectorOfAbsent, anyPort))),
                    Pool.ofRanked(
                            services,
                            seen -> new ServiceValue(
                                    seen.address(), seen.portBeside().orElse(anyPort)),
                            absent(address -> new ServiceValue(address, anyPort))),
                    Pool.ofRanked(
                            ranges(ranges, categoryOfAbsent),
                            absent(address -> new RangeValue(around(address), categoryOfAbsent))),
                    Pool.ofRanked(categories, List.of(absentCategory)),
                    Pool.ofRanked(detectors, List.of(new DetectorValue(absentDetector, categoryOfAbsent))),
                    ports(ports),
                    new SidePools(source, target),
                    descriptions,
                    ids);
        }

        private <T> List<T> absent(Function<AddressRange, T> made) {
            return absentAddresses.stream().map(made).toList();
        }

        /** The surroundings of IPv4 addresses, by the events of all addresses in them; the most frequent one says the category. */
        private List<RangeValue> ranges(Map<AddressRange, Long> events, String otherwise) {
            Map<AddressRange, String> category = new HashMap<>();
            for (CountedAddress seen : addresses) {
                if (seen.address().family() == AddressRange.Family.IP4) {
                    AddressRange range = around(seen.address());
                    events.merge(range, seen.events(), Long::sum);
                    category.putIfAbsent(range, seen.category());
                }
            }
            return events.entrySet().stream()
                    .sorted(Map.Entry.<AddressRange, Long>comparingByValue().reversed())
                    .map(entry -> new RangeValue(entry.getKey(), category.getOrDefault(entry.getKey(), otherwise)))
                    .toList();
        }

        private static AddressRange around(AddressRange address) {
            return AddressRange.ip4(address.firstLow() & ~0xFFL, address.firstLow() | 0xFFL);
        }

        /** The absent ones are the highest that do not occur; where all of them do, port 0, for want of a better one. */
        static Pool<Integer> ports(List<Integer> ranked) {
            BitSet used = new BitSet();
            ranked.forEach(used::set);
            List<Integer> unused = IntStream.rangeClosed(0, MOST_PORT)
                    .map(port -> MOST_PORT - port)
                    .filter(port -> !used.get(port))
                    .limit(MOST_CANDIDATES)
                    .boxed()
                    .toList();
            return Pool.ofRanked(ranked, unused.isEmpty() ? List.of(0) : unused);
        }
    }

    /** The id of an event; ids have no popularity but for being absent. */
    public String id(Popularity popularity, SeededRandom random) {
        List<String> known = ids.known();
        boolean absent = popularity == Popularity.ABSENT || known.isEmpty();
        int index = random.nextInt(Math.max(1, known.size()));
        return absent ? ids.absent() : known.get(index);
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
