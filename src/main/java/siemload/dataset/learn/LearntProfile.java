package siemload.dataset.learn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Duration;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import siemload.dataset.EventProfile;
import siemload.dataset.EventProfile.Categories;
import siemload.dataset.EventProfile.Category;
import siemload.dataset.EventProfile.Details;
import siemload.dataset.EventProfile.Detector;
import siemload.dataset.EventProfile.Detectors;
import siemload.dataset.EventProfile.Endpoints;
import siemload.dataset.EventProfile.Port;
import siemload.dataset.EventProfile.PortTail;
import siemload.dataset.EventProfile.Ports;
import siemload.dataset.EventProfile.TargetKinds;
import siemload.dataset.EventProfile.Times;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.IdeaTime;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/** A profile like some events, each parameter estimated from what the generator makes of it. Not thread-safe. */
final class LearntProfile {
    private static final double LONGEST_SECONDS = Duration.ofDays(30).toSeconds();
    private static final int MOST_NAMES = 1_000;
    private static final int MOST_TEXTS = 20;
    private static final long LONGEST_NOTE = 10_000;
    /** So many standard deviations may counts be apart that are said to be alike. */
    private static final double ALIKE = 4;

    private static final int LONGEST_DESCRIPTION = 400;
    /** A network of 256 addresses is half full at most. */
    private static final double ADDRESSES_A_NETWORK = 128;

    private static final double OWN_PORT_SHARE = 0.01;
    private static final int OWN_PORT_COUNT = 20;
    private static final Pattern ADDRESS_OR_DIGIT =
            Pattern.compile("(?<![\\p{Alnum}:])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f.]*(?:/[0-9]+)?|[0-9]");
    private static final Pattern AGGREGATION = Pattern.compile("[0-9]{1,3}:[0-5][0-9]:[0-5][0-9]");

    private final List<SecurityEvent> events;
    private final Pseudonyms names;

    /** @param events one or more */
    LearntProfile(List<SecurityEvent> events, Pseudonyms names) {
        this.events = events;
        this.names = names;
    }

    EventProfile profile(List<Integer> dayCurve) {
        return new EventProfile(
                dayCurve,
                count(LearntProfile::family).share(Family.IP6),
                times(),
                categories(),
                detectors(),
                endpoints(SecurityEvent::sources),
                endpoints(SecurityEvent::targets),
                targetKinds(),
                ports(),
                details());
    }

    private <T> Counts<T> count(Function<SecurityEvent, Stream<T>> parts) {
        return Counts.of(events.stream().flatMap(parts));
    }

    private double ratio(Predicate<SecurityEvent> is) {
        return Counts.ratio(events.stream().filter(is).count(), events.size());
    }

    private double has(String key) {
        return ratio(event -> event.other().containsKey(key));
    }

    private double mean(Function<SecurityEvent, Stream<Long>> sizes) {
        return events.stream()
                .flatMap(sizes)
                .mapToLong(Long::longValue)
                .average()
                .orElse(0);
    }

    /** All spans up to the longest are alike, so that it is twice the mean; the largest one would be that of a wrong clock. */
    private Times times() {
        Counts<Long> windows = count(event -> seconds(event, "WinStartTime")
                .flatMap(opened -> seconds(event, "WinEndTime").map(closed -> closed - opened)));
        return new Times(
                ratio(event -> event.detectTime().get(ChronoField.NANO_OF_SECOND) > 0),
                duration(2 * mean(LearntProfile::lasted)),
                duration(2 * mean(LearntProfile::delay)),
                has("EventTime"),
                Counts.ratio(windows.all(), events.size()),
                duration(windows.usual(0L)));
    }

    private static Duration duration(double seconds) {
        return Duration.ofSeconds(Math.round(Math.max(0, Math.min(LONGEST_SECONDS, seconds))));
    }

    private Categories categories() {
        Counts<String> counted = count(event -> Stream.of(category(event)));
        Map<String, List<SecurityEvent>> ofCategory =
                events.stream().collect(Collectors.groupingBy(LearntProfile::category));
        List<Category> shares = counted.ranked().stream()
                .limit(MOST_NAMES)
                .map(name -> {
                    List<SecurityEvent> own = ofCategory.getOrDefault(name, List.of());
                    Counts<List<String>> types = Counts.of(own.stream()
                            .flatMap(event -> event.sources().stream().limit(1).map(Endpoint::types)));
                    return new Category(
                            names.of(name), counted.percent(name), names.of(types.usual(List.of())), descriptions(own));
                })
                .toList();
        return new Categories(ratio(event -> event.categories().size() > 1), shares);
    }

    /**
     * Each once where all are about as frequent, or else as often as it has twentieths. Digits become 0, and what looks like an IPv6
     * address {@code 0::0}.
     */
    private List<String> descriptions(List<SecurityEvent> own) {
        Counts<String> forms = Counts.of(own.stream()
                .map(SecurityEvent::description)
                .filter(text -> !text.isBlank())
                .map(text -> ADDRESS_OR_DIGIT
                        .matcher(text.substring(0, Math.min(text.length(), LONGEST_DESCRIPTION)))
                        .replaceAll(found -> found.group().length() > 1 ? "0::0" : "0")
                        .replaceAll("[{}\0]", " ")));
        double mean = (double) forms.all() / Math.max(1, forms.counts().size());
        boolean alike = forms.counts().size() <= MOST_TEXTS
                && forms.counts().values().stream()
                        .allMatch(count -> Math.abs(count - mean) <= ALIKE * Math.sqrt(mean));
        List<String> list = new ArrayList<>();
        double owed = 0;
        for (String form : forms.ranked()) {
            owed += alike ? 1 : forms.share(form) * MOST_TEXTS;
            for (; owed > 0.5 || list.isEmpty(); owed--) {
                list.add(names.of(form));
            }
        }
        return list.isEmpty() ? List.of("-") : list;
    }

    private Detectors detectors() {
        Counts<Detector> detectors = count(event -> detector(event).map(this::said));
        Counts<String> relays = count(event ->
                named(event).stream().limit(named(event).size() > 1 ? 1 : 0).map(Node::name));
        List<Detector> shares = detectors.ranked().stream()
                .limit(MOST_NAMES)
                .map(said -> new Detector(
                        said.name(), detectors.percent(said), said.types(), said.software(), said.aggregation()))
                .toList();
        return new Detectors(
                Counts.ratio(relays.all(), detectors.all()),
                names.of(relays.usual("relay")),
                shares.isEmpty() ? List.of(new Detector("detector", 1, List.of(), List.of(), "")) : shares);
    }

    /** What a detector says of itself, without its share. */
    private Detector said(Node node) {
        String window = text(node.other(), "AggrWin")
                .filter(text -> AGGREGATION.matcher(text).matches())
                .orElse("");
        return new Detector(names.of(node.name()), 0, names.of(node.types()), names.of(node.software()), window);
    }

    /** The law is told from the family with more events, and holds for the other one as well. */
    private Endpoints endpoints(Function<SecurityEvent, List<Endpoint>> side) {
        Counts<AddressRange> ip4 = count(event -> singles(side.apply(event)).filter(one -> one.family() == Family.IP4));
        Counts<AddressRange> ip6 = count(event -> singles(side.apply(event)).filter(one -> one.family() == Family.IP6));
        boolean mostlyIp6 = ip6.all() > ip4.all();
        Counts<AddressRange> mostly = mostlyIp6 ? ip6 : ip4;
        PopularityLaw law = PopularityLaw.of(mostly, EventProfile.MOST_ADDRESSES);
        double others = PopularityLaw.values(mostlyIp6 ? ip4 : ip6, law.exponent(), EventProfile.MOST_ADDRESSES);
        double seen = mostly.counts().keySet().stream()
                .map(address -> address.network(mostlyIp6 ? 64 : 24))
                .distinct()
                .count();
        double networks = Math.max(1, seen);
        for (int i = 0; i < 50 && seen > 0; i++) {
            // So many of them have an address (Feller, An Introduction to Probability Theory, volume 1, IV.2), and as
            // many were seen.
            networks = seen / -Math.expm1(-mostly.counts().size() / networks);
        }
        double room = Math.ceil(Math.max(law.values(), others) / ADDRESSES_A_NETWORK);
        Counts<Boolean> hasPort = count(event -> side.apply(event).stream()
                .filter(endpoint -> !endpoint.addresses().isEmpty())
                .map(endpoint -> !endpoint.ports().isEmpty()));
        return new Endpoints(
                (int) Math.rint(mostlyIp6 ? others : law.values()),
                (int) Math.rint(mostlyIp6 ? law.values() : others),
                law.rankRoot(),
                (int) Math.min(EventProfile.MOST_NETWORKS, Math.max(room, Math.rint(networks))),
                List.of(),
                List.of(),
                count(event -> perEvent(side.apply(event))).weights(1),
                hasPort.share(true));
    }

    private TargetKinds targetKinds() {
        Counts<String> kinds = count(event -> Stream.of(kind(event.targets())));
        Counts<Integer> bits = count(event ->
                networkBits(event, Family.IP4).map(number -> Math.max(EventProfile.LARGEST_NETWORK_BITS, number)));
        return new TargetKinds(
                kinds.weight("single"),
                kinds.weight("network"),
                kinds.weight("portOnly"),
                kinds.weight("none"),
                bits.weights(24),
                Math.max(
                        EventProfile.LARGEST_IP6_NETWORK_BITS,
                        count(event -> networkBits(event, Family.IP6)).usual(64)));
    }

    /** Ports with a hundredth of all or more, from the most frequent down: these stand in a profile by themselves. */
    static List<Integer> ownPorts(List<SecurityEvent> events) {
        Counts<Integer> ports = Counts.of(events.stream().flatMap(LearntProfile::targetPorts));
        double least = Math.max(OWN_PORT_COUNT, ports.all() * OWN_PORT_SHARE);
        return ports.ranked().stream().filter(port -> ports.of(port) >= least).toList();
    }

    private Ports ports() {
        Counts<Integer> ports = count(LearntProfile::targetPorts);
        Map<Integer, List<String>> protocols = new HashMap<>();
        // With the protocols that events with this port name most often.
        count(event -> event.targets().stream()
                        .flatMap(target -> target.ports().stream().map(port -> Map.entry(port, target.protocols()))))
                .ranked()
                .forEach(one -> protocols.putIfAbsent(one.getKey(), names.of(one.getValue())));
        List<Integer> own = ownPorts(events);
        Counts<Integer> seldom = count(event -> targetPorts(event).filter(port -> !own.contains(port)));
        PopularityLaw law = PopularityLaw.of(seldom, EventProfile.MOST_TAIL_PORTS);
        // Each port of the tail has one protocol, so ports are counted and not events.
        Counts<String> ofTail = Counts.of(seldom.ranked().stream()
                .map(port -> protocols.getOrDefault(port, List.of()).stream()
                        .findFirst()
                        .orElse("tcp")));
        return new Ports(
                own.stream()
                        .map(port -> new Port(port, ports.percent(port), protocols.getOrDefault(port, List.of())))
                        .toList(),
                new PortTail(
                        Math.max(EventProfile.SMALLEST_SHARE, 100 * Counts.ratio(seldom.all(), ports.all())),
                        (int) law.values(),
                        law.rankRoot(),
                        ofTail.weights("tcp")));
    }

    /** Notes are made-up sentences whose lengths are quantiles of those that there are. */
    private Details details() {
        List<Long> lengths =
                events.stream().flatMap(LearntProfile::noteLength).sorted().toList();
        int many = Math.min(MOST_TEXTS, lengths.size());
        List<String> notes = IntStream.range(0, many)
                .map(i -> (2 * i + 1) * lengths.size() / (2 * many))
                .mapToObj(place -> names.sentence(Math.min(LONGEST_NOTE, lengths.get(place))))
                .toList();
        long largest = events.stream()
                .flatMap(LearntProfile::counts)
                .mapToLong(Long::longValue)
                .max()
                .orElse(1);
        return new Details(
                has("FlowCount"),
                has("ConnCount"),
                Math.max(1, Math.min(EventProfile.LARGEST_COUNT, largest)),
                has("Note"),
                1,
                notes.isEmpty() ? List.of("-") : notes,
                ratio(event -> event.other()
                        .getOrDefault("_CESNET", TextNode.valueOf(""))
                        .has("StorageTime")));
    }

    static String category(SecurityEvent event) {
        return event.categories().isEmpty() ? "Other" : event.categories().get(0);
    }

    /** Relays, and behind them the detector. */
    static List<Node> named(SecurityEvent event) {
        return event.nodes().stream().filter(node -> !node.name().isEmpty()).toList();
    }

    /** The last one that is named. */
    static Stream<Node> detector(SecurityEvent event) {
        return named(event).stream().skip(Math.max(0, named(event).size() - 1));
    }

    /** IPv6 where any of its addresses is one. */
    static Stream<Family> family(SecurityEvent event) {
        return addresses(event.endpoints().toList()).map(AddressRange::family).max(Family::compareTo).stream();
    }

    private static Stream<AddressRange> addresses(List<Endpoint> side) {
        return side.stream().flatMap(endpoint -> endpoint.addresses().stream());
    }

    static Stream<AddressRange> singles(List<Endpoint> side) {
        return addresses(side).filter(AddressRange::isSingle);
    }

    /** How many single addresses a side names, if any. */
    static Stream<Integer> perEvent(List<Endpoint> side) {
        return Stream.of((int) Math.min(singles(side).count(), EventProfile.MOST_ADDRESSES_PER_EVENT))
                .filter(number -> number > 0);
    }

    /** What a side of an event is, in the words of {@link TargetKinds}. */
    static String kind(List<Endpoint> side) {
        boolean hasAddress = addresses(side).findFirst().isPresent();
        return singles(side).findFirst().isPresent()
                ? "single"
                : hasAddress ? "network" : side.isEmpty() ? "none" : "portOnly";
    }

    /** Of networks and ranges that are targets. */
    static Stream<Integer> networkBits(SecurityEvent event, Family family) {
        return addresses(event.targets())
                .filter(address -> !address.isSingle() && address.family() == family)
                .map(AddressRange::sharedBits);
    }

    static Stream<Integer> targetPorts(SecurityEvent event) {
        return event.targets().stream().flatMap(target -> target.ports().stream());
    }

    /** Seconds from {@code EventTime} to the detect time, where that is later. */
    static Stream<Long> lasted(SecurityEvent event) {
        return seconds(event, "EventTime").map(seconds -> -seconds).filter(seconds -> seconds >= 0);
    }

    /** Seconds from the detect time to {@code CreateTime}, where that is later. */
    static Stream<Long> delay(SecurityEvent event) {
        return seconds(event, "CreateTime").filter(seconds -> seconds >= 0);
    }

    private static Stream<Long> seconds(SecurityEvent event, String key) {
        return text(event.other(), key)
                .flatMap(IdeaTime::parse)
                .map(time -> time.getEpochSecond() - event.detectTime().getEpochSecond())
                .stream();
    }

    static Stream<Long> noteLength(SecurityEvent event) {
        return Stream.ofNullable(event.other().get("Note"))
                .map(note -> (long) note.asText().length());
    }

    static Stream<Long> counts(SecurityEvent event) {
        return Stream.of("FlowCount", "ConnCount")
                .flatMap(key -> Stream.ofNullable(event.other().get(key)))
                .filter(count -> count.isIntegralNumber() && count.canConvertToLong() && count.longValue() >= 0)
                .map(JsonNode::longValue);
    }

    private static Optional<String> text(Map<String, JsonNode> keys, String key) {
        return keys.get(key) instanceof TextNode text ? Optional.of(text.textValue()) : Optional.empty();
    }
}
