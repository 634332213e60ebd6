package siemload.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import siemload.config.Sha256;
import siemload.dataset.DatasetSpec.SearchedValues;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.IdeaTime;
import siemload.event.IdeaWriter;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/**
 * A generated data set. Event i depends only on the specification and on i, so every machine and thread can generate any part of the data
 * set with the same bytes. Detect times ascend with i. Thread-safe.
 */
public final class EventGenerator implements EventSource {
    private static final int HOUR_MILLIS = 3_600_000;
    /** An event's part of the area below the day curve is cut into this many places, of which the event gets one. */
    private static final int PLACES = 1_024;

    private static final JsonNode FORMAT = TextNode.valueOf("IDEA0");
    private static final int FIRST_EPHEMERAL_PORT = 1_024;

    /** The numbers of the independent streams of draws; another number would change every data set. */
    private static final int CONTENT = 0;

    private static final int ID = 1;
    private static final int PLACE = 2;
    private static final int FRACTION = 3;
    private static final int FEED_CONTENT = 4;
    private static final int FEED_ID = 5;
    private static final int SOURCE_ADDRESSES = 6;
    private static final int TARGET_ADDRESSES = 7;
    private static final int TAIL_PORTS = 8;

    private final DatasetSpec spec;
    private final EventProfile profile;
    private final Weighted<EventProfile.Category> categories;
    private final Node relay;
    private final Weighted<Node> detectors;
    private final AddressBook sources;
    private final AddressBook targets;
    private final Weighted<Integer> sourcesPerEvent;
    private final Weighted<Integer> targetsPerEvent;
    private final Weighted<Integer> networkBits;
    private final AliasTable targetKinds;
    private final List<Service> services;
    private final AliasTable serviceShares;
    private final Weighted<Service> tail;
    /** Hour h has the places from {@code bounds[h]} (included) to {@code bounds[h + 1]} (excluded). */
    private final long[] bounds;

    /** Makes the data set of a specification. */
    public EventGenerator(DatasetSpec spec) {
        this.spec = spec;
        profile = spec.profile();
        categories = Weighted.of(profile.categories().shares(), one -> one, EventProfile.Category::share);
        relay = new Node(profile.detectors().relay(), List.of("Relay"), List.of(), Map.of());
        detectors = Weighted.of(profile.detectors().shares(), EventGenerator::node, EventProfile.Detector::share);
        sources = new AddressBook(profile.sources(), seed(SOURCE_ADDRESSES));
        targets = new AddressBook(profile.targets(), seed(TARGET_ADDRESSES));
        sourcesPerEvent = Weighted.of(profile.sources().perEvent());
        targetsPerEvent = Weighted.of(profile.targets().perEvent());
        EventProfile.TargetKinds kinds = profile.targetKinds();
        networkBits = Weighted.of(kinds.networkBits());
        targetKinds = new AliasTable(DoubleStream.of(kinds.single(), kinds.network(), kinds.portOnly(), kinds.none()));
        EventProfile.Ports ports = profile.ports();
        services = ports.shares().stream()
                .map(port -> new Service(List.of(port.port()), port.protocols()))
                .toList();
        serviceShares = new AliasTable(DoubleStream.concat(
                ports.shares().stream().mapToDouble(EventProfile.Port::share),
                DoubleStream.of(ports.tail().share())));
        tail = Weighted.ranked(
                tail(ports, new SeededRandom(seed(TAIL_PORTS))), ports.tail().rankRoot());
        long[] sums = sums(spec.start(), spec.span(), profile);
        BigInteger places = BigInteger.valueOf(spec.events()).multiply(BigInteger.valueOf(PLACES));
        BigInteger area = BigInteger.valueOf(sums[sums.length - 1]);
        bounds = Arrays.stream(sums)
                .map(sum ->
                        BigInteger.valueOf(sum).multiply(places).divide(area).longValueExact())
                .toArray();
    }

    private long seed(int stream) {
        return SeededRandom.mix(spec.seed(), stream);
    }

    @Override
    public SecurityEvent event(long index) {
        return event(id(index), time(index), SeededRandom.of(seed(CONTENT), index));
    }

    /** The id of the event with this number. */
    public String id(long index) {
        return SeededRandom.id(seed(ID), index);
    }

    /**
     * Returns the detect time of an event. Event i of n lies in the i-th of n equal parts of the area below the day curve, so times ascend
     * with i and follow the curve. In each second, either all times or no times have milliseconds, which keeps the order.
     */
    private Instant time(long index) {
        long place = index * PLACES + (SeededRandom.mix(seed(PLACE), index) & (PLACES - 1));
        int found = Arrays.binarySearch(bounds, place);
        int hour = found >= 0 ? found : -found - 2;
        while (bounds[hour + 1] == bounds[hour]) { // Hours of weight 0 share their bound with the next hour.
            hour++;
        }
        long width = bounds[hour + 1] - bounds[hour];
        long millis =
                spec.start().toEpochMilli() + hour * (long) HOUR_MILLIS + (place - bounds[hour]) * HOUR_MILLIS / width;
        long second = Math.floorDiv(millis, 1_000);
        double ratio = profile.times().fractionRatio();
        boolean hasFractions =
                ratio > 0 && SeededRandom.of(seed(FRACTION), second).nextDouble() < ratio;
        return hasFractions ? Instant.ofEpochMilli(millis) : Instant.ofEpochSecond(second);
    }

    /** Returns for each hour the sum of the weights of all earlier hours. */
    private static long[] sums(Instant start, Duration span, EventProfile profile) {
        int firstHour = start.atOffset(ZoneOffset.UTC).getHour();
        long[] sums = new long[Math.toIntExact(span.toHours()) + 1];
        for (int hour = 1; hour < sums.length; hour++) {
            sums[hour] = sums[hour - 1] + profile.dayCurve().get((firstHour + hour - 1) % 24);
        }
        return sums;
    }

    static boolean hasBusyHour(Instant start, Duration span, EventProfile profile) {
        return Arrays.stream(sums(start, span, profile)).anyMatch(sum -> sum > 0);
    }

    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public long count() {
        return spec.events();
    }

    /** Returns a hash of the specification and of a sample of the events, so that a changed generator changes the hash. */
    @Override
    public String fingerprint() {
        MessageDigest digest = Sha256.digest();
        String numbers = spec.events() + " " + spec.start() + " " + spec.span() + " " + spec.seed() + " ";
        digest.update((numbers + "\n" + spec.profile() + "\n").getBytes(StandardCharsets.UTF_8));
        IdeaWriter writer = new IdeaWriter();
        long step = Math.max(1, count() / 100);
        for (long index = 0; index < count(); index += step) {
            digest.update(writer.toBytes(event(index)));
            digest.update((byte) '\n');
        }
        return Sha256.fingerprint(digest.digest());
    }

    @Override
    public long seed() {
        return spec.seed();
    }

    @Override
    public Map<String, SearchedValues> searched() {
        return spec.searched();
    }

    @Override
    public FeedEvents feed() {
        return new FeedEvents(
                number -> SeededRandom.id(seed(FEED_ID), number),
                (number, id, detectTime) -> event(id, detectTime, SeededRandom.of(seed(FEED_CONTENT), number)));
    }

    private static Node node(EventProfile.Detector detector) {
        String window = detector.aggregation();
        return new Node(
                detector.name(),
                detector.types(),
                detector.software(),
                window.isEmpty() ? Map.of() : Map.of("AggrWin", TextNode.valueOf(window)));
    }

    private record Service(List<Integer> port, List<String> protocols) {}

    private static List<Service> tail(EventProfile.Ports ports, SeededRandom random) {
        Weighted<String> protocols = Weighted.of(ports.tail().protocols());
        Set<Integer> taken = new HashSet<>();
        ports.shares().forEach(port -> taken.add(port.port()));
        List<Service> tail = new ArrayList<>();
        while (tail.size() < ports.tail().ports()) {
            int port = 1 + random.nextInt(65_535);
            if (taken.add(port)) {
                tail.add(new Service(List.of(port), List.of(protocols.draw(random))));
            }
        }
        return List.copyOf(tail);
    }

    /** Draws the event with this id and time. Another order of the draws would change every data set. */
    private SecurityEvent event(String id, Instant detectTime, SeededRandom random) {
        int first = categories.table.draw(random);
        EventProfile.Category category = categories.things.get(first);
        List<String> names = categoryNames(first, random);
        Node detector = detectors.draw(random);
        boolean isRelayed = happens(profile.detectors().relayRatio(), random);
        List<Node> nodes = isRelayed ? List.of(relay, detector) : List.of(detector);
        Family family = happens(profile.ip6Ratio(), random) ? Family.IP6 : Family.IP4;
        int drawn = serviceShares.draw(random);
        Service service = drawn < services.size() ? services.get(drawn) : tail.draw(random);
        List<Endpoint> from = sources(family, service, category.sourceTypes(), random);
        List<Endpoint> to = targets(family, service, random);
        String description = description(category, from, service, random);
        return new SecurityEvent(id, detectTime, names, description, from, to, nodes, other(detectTime, random));
    }

    private List<String> categoryNames(int first, SeededRandom random) {
        List<EventProfile.Category> all = categories.things;
        String name = all.get(first).name();
        if (!happens(profile.categories().secondRatio(), random) || all.size() == 1) {
            return List.of(name);
        }
        int second = categories.table.draw(random);
        return List.of(
                name,
                all.get(second == first ? (second + 1) % all.size() : second).name());
    }

    private static String description(
            EventProfile.Category category, List<Endpoint> sources, Service service, SeededRandom random) {
        String text = category.descriptions()
                .get(random.nextInt(category.descriptions().size()));
        if (text.indexOf('{') < 0) {
            return text;
        }
        return text.replace("{source}", sources.get(0).addresses().get(0).toString())
                .replace("{port}", service.port.get(0).toString());
    }

    private List<Endpoint> sources(Family family, Service service, List<String> types, SeededRandom random) {
        int count = sourcesPerEvent.draw(random);
        List<Endpoint> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            List<AddressRange> addresses = List.of(sources.draw(family, random));
            int port = FIRST_EPHEMERAL_PORT + random.nextInt(65_536 - FIRST_EPHEMERAL_PORT);
            boolean hasPort = happens(profile.sources().portRatio(), random);
            list.add(new Endpoint(types, addresses, hasPort ? List.of(port) : List.of(), service.protocols, Map.of()));
        }
        return list;
    }

    private List<Endpoint> targets(Family family, Service service, SeededRandom random) {
        int kind = targetKinds.draw(random);
        boolean hasPort = happens(profile.targets().portRatio(), random);
        List<AddressRange> addresses = new ArrayList<>(1);
        if (kind == 0) {
            for (int left = targetsPerEvent.draw(random); left > 0; left--) {
                AddressRange address = targets.draw(family, random);
                if (!addresses.contains(address)) {
                    addresses.add(address);
                }
            }
        } else if (kind == 1) {
            AddressRange address = targets.draw(family, random);
            addresses.add(address.network(
                    family == Family.IP6 ? profile.targetKinds().ip6NetworkBits() : networkBits.draw(random)));
        }
        List<Integer> ports = hasPort || kind == 2 ? service.port : List.of();
        return kind > 2 ? List.of() : List.of(new Endpoint(List.of(), addresses, ports, service.protocols, Map.of()));
    }

    private Map<String, JsonNode> other(Instant detectTime, SeededRandom random) {
        EventProfile.Times times = profile.times();
        EventProfile.Details details = profile.details();
        Map<String, JsonNode> other = new LinkedHashMap<>(16);
        other.put("Format", FORMAT);
        Instant created =
                detectTime.plusSeconds(random.nextLong(times.longestDelay().toSeconds() + 1));
        other.put("CreateTime", text(created));
        if (happens(times.eventTimeRatio(), random)) {
            long lasted = random.nextLong(times.longestEvent().toSeconds() + 1);
            Instant began = detectTime.minusSeconds(lasted);
            other.put("EventTime", text(began));
            other.put("CeaseTime", text(began.plusSeconds(random.nextLong(lasted + 1))));
        }
        if (happens(times.windowRatio(), random)) {
            other.put("WinStartTime", text(detectTime.minus(times.window())));
            other.put("WinEndTime", text(detectTime));
        }
        if (happens(details.flowCountRatio(), random)) {
            other.put("FlowCount", count(random));
        }
        if (happens(details.connectionCountRatio(), random)) {
            other.put("ConnCount", count(random));
        }
        if (happens(details.noteRatio(), random)) {
            other.put("Note", note(details, random));
        }
        if (happens(details.storageRatio(), random)) {
            other.put("_CESNET", JsonNodeFactory.instance.objectNode().put("StorageTime", created.getEpochSecond()));
        }
        return other;
    }

    /** Draws a count; all orders of magnitude up to the largest count are equally likely. */
    private JsonNode count(SeededRandom random) {
        long largest = profile.details().largestCount();
        int bits = 64 - Long.numberOfLeadingZeros(largest);
        return LongNode.valueOf(1 + random.nextLong(Math.min(1L << (1 + random.nextInt(bits)), largest)));
    }

    private static JsonNode note(EventProfile.Details details, SeededRandom random) {
        List<String> sentences = details.notes();
        StringBuilder note = new StringBuilder(sentences.get(random.nextInt(sentences.size())));
        for (int more = random.nextInt(details.longestNote()); more > 0; more--) {
            note.append(' ').append(sentences.get(random.nextInt(sentences.size())));
        }
        return TextNode.valueOf(note.toString());
    }

    private static boolean happens(double ratio, SeededRandom random) {
        return random.nextDouble() < ratio;
    }

    private static JsonNode text(Instant time) {
        return TextNode.valueOf(IdeaTime.format(time));
    }

    /**
     * Draws an index in constant time, with a probability in proportion to its weight, after Walker and Vose ("A Linear Algorithm for
     * Generating Random Numbers with a Given Distribution", 1991). The table uses only whole numbers, so that every machine draws the same
     * indexes; probabilities are exact to {@code 2^-32 / size}. Immutable and thread-safe.
     */
    private static final class AliasTable {
        private static final int WEIGHT_BITS = 40;

        private static final long LOW_HALF = 0xFFFF_FFFFL;

        /**
         * A column stands for its own index below its cut, and for its alias above the cut. A number has the cut, in 2^-32 of the column,
         * in its upper half and the alias in its lower half: a draw reads one place of a table too large for the first caches.
         */
        private final long[] columns;

        /** Draws an index; takes one number from the generator. */
        int draw(SeededRandom random) {
            long bits = random.nextLong();
            int index = (int) (((bits >>> 32) * columns.length) >>> 32);
            long column = columns[index];
            return (bits & LOW_HALF) < column >>> 32 ? index : (int) column;
        }

        /**
         * Makes a table for weights of 0 or more, at least one of them above 0. The rest of a light weight and a piece of a heavy weight
         * fill each column up to the mean.
         */
        AliasTable(DoubleStream given) {
            double[] shares = given.toArray();
            double largest = Arrays.stream(shares).max().orElse(0);
            long[] weights = Arrays.stream(shares)
                    .mapToLong(share -> (long) Math.rint(share / largest * (1L << WEIGHT_BITS)))
                    .toArray();
            int size = weights.length;
            // A column without a piece of another weight has its own index on both sides of its cut.
            columns = LongStream.range(0, size).toArray();
            long column = Arrays.stream(weights).sum();
            BigInteger whole = BigInteger.valueOf(column);
            long[] left = Arrays.stream(weights).map(weight -> weight * size).toArray();
            int[] stack = new int[size];
            int lights = 0;
            int heavies = size;
            for (int i = 0; i < size; i++) {
                stack[left[i] < column ? lights++ : --heavies] = i;
            }
            // The stack has light weights at its low end, and heavy weights at its high end, the last one first.
            while (lights > 0 && heavies < size) {
                int small = stack[--lights];
                int large = stack[heavies];
                // The cut is in 2^-32 of a column, rounded down.
                long cut = BigInteger.valueOf(left[small])
                        .shiftLeft(32)
                        .divide(whole)
                        .longValue();
                columns[small] = cut << 32 | large;
                left[large] -= column - left[small];
                if (left[large] < column) {
                    heavies++;
                    stack[lights++] = large;
                }
            }
        }
    }

    /** Draws values, whose order must never change, with probabilities in proportion to their weights. Immutable and thread-safe. */
    private record Weighted<T>(List<T> things, AliasTable table) {
        static <S, T> Weighted<T> of(List<S> all, Function<S, T> made, ToDoubleFunction<S> weight) {
            return new Weighted<>(
                    all.stream().map(made).toList(), new AliasTable(all.stream().mapToDouble(weight)));
        }

        static <T> Weighted<T> of(Map<T, Integer> weights) {
            return of(List.copyOf(weights.entrySet()), Map.Entry::getKey, Map.Entry::getValue);
        }

        /** Gives each value the weight {@code rank ^ (-1 / root)}, with ranks from 1. */
        static <T> Weighted<T> ranked(List<T> things, double root) {
            return new Weighted<>(
                    things,
                    new AliasTable(IntStream.rangeClosed(1, things.size())
                            .mapToDouble(rank -> StrictMath.pow(rank, -1 / root))));
        }

        T draw(SeededRandom random) {
            return things.get(table.draw(random));
        }
    }

    /** The addresses on one side of the events, by popularity rank. Immutable and thread-safe. */
    private static final class AddressBook {
        /** Networks for private, shared, link-local, documentation and benchmark use, and their neighbours. */
        private static final List<AddressRange> RESERVED = Arrays.stream(("10.0.0.0/8 127.0.0.0/8 100.64.0.0/10"
                                + " 169.254.0.0/16 172.16.0.0/12 192.0.0.0-192.168.255.255 198.0.0.0/8 203.0.0.0/8")
                        .split(" "))
                .map(AddressRange::parse)
                .toList();

        private final Weighted<AddressRange> ip4;
        private final Weighted<AddressRange> ip6;

        AddressBook(EventProfile.Endpoints spec, long seed) {
            SeededRandom random = new SeededRandom(seed);
            ip4 = Weighted.ranked(addresses(Family.IP4, spec.addresses(), spec, random), spec.rankRoot());
            ip6 = Weighted.ranked(addresses(Family.IP6, spec.ip6Addresses(), spec, random), spec.rankRoot());
        }

        AddressRange draw(Family family, SeededRandom random) {
            return (family == Family.IP4 ? ip4 : ip6).draw(random);
        }

        private static List<AddressRange> addresses(
                Family family, int count, EventProfile.Endpoints spec, SeededRandom random) {
            AddressRange[] addresses = new AddressRange[count];
            Set<AddressRange> taken = new HashSet<>(count * 2);
            for (EventProfile.KnownAddresses known : spec.known()) {
                for (int i = 0; i < known.count() && known.range().family() == family; i++) {
                    AddressRange address = known.range().nth(i);
                    addresses[known.rank() - 1 + i * known.rankStep()] = address;
                    taken.add(address);
                }
            }
            List<AddressRange> networks = new ArrayList<>(spec.networks());
            networks.removeIf(network -> network.family() != family);
            for (int i = 0; i < spec.scatteredNetworks(); i++) {
                networks.add(family == Family.IP4 ? scatteredIp4(random) : scatteredIp6(random));
            }
            for (int rank = 0; rank < count; rank++) {
                if (addresses[rank] == null) {
                    addresses[rank] = fresh(networks, taken, random);
                }
            }
            return Arrays.asList(addresses);
        }

        /** Draws a network, all equally likely whatever their sizes, and returns a free address in the network. */
        private static AddressRange fresh(List<AddressRange> networks, Set<AddressRange> taken, SeededRandom random) {
            for (int attempt = 0; attempt < 10_000; attempt++) {
                AddressRange address = inside(networks.get(random.nextInt(networks.size())), random);
                if (taken.add(address)) {
                    return address;
                }
            }
            throw new IllegalArgumentException(
                    "the networks are too few or too small: no further address was found after the first "
                            + taken.size());
        }

        private static AddressRange inside(AddressRange network, SeededRandom random) {
            if (network.family() == Family.IP4) {
                return AddressRange.ip4(
                        network.firstLow() + random.nextLong(network.lastLow() - network.firstLow() + 1));
            }
            long highHosts = network.firstHigh() ^ network.lastHigh();
            long lowHosts = network.firstLow() ^ network.lastLow();
            return AddressRange.ip6(
                    network.firstHigh() | (random.nextLong() & highHosts),
                    network.firstLow() | (random.nextLong() & lowHosts));
        }

        /** Draws a /24 network that may be in use on the Internet. */
        private static AddressRange scatteredIp4(SeededRandom random) {
            while (true) {
                long address = (1 + random.nextLong(222)) << 24 | random.nextLong(1 << 16) << 8;
                AddressRange network = AddressRange.ip4(address).network(24);
                if (RESERVED.stream().noneMatch(network::overlaps)) {
                    return network;
                }
            }
        }

        /** Draws a /64 network in one of the address blocks of the Internet registries. */
        private static AddressRange scatteredIp6(SeededRandom random) {
            long[] blocks = {0x2001, 0x2400, 0x2600, 0x2800, 0x2A00, 0x2C00};
            long block = blocks[random.nextInt(blocks.length)];
            long high = block << 48 | 1L << 44 | random.nextLong(1L << 44);
            return new AddressRange(Family.IP6, high, 0, high, -1L);
        }
    }
}
