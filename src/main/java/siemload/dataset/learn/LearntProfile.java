package siemload.dataset.learn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Duration;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.dataset.EventProfile;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.IdeaTime;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/**
 * A profile like some events, each parameter estimated from what the generator makes of it: with the keys of {@link EventProfile}, whose
 * reader checks them. Not thread-safe.
 */
final class LearntProfile {
    private static final double LONGEST_SECONDS = Duration.ofDays(30).toSeconds();
    private static final int MOST_NAMES = 1_000;
    private static final int MOST_DESCRIPTIONS = 20;
    private static final int LONGEST_DESCRIPTION = 400;
    /** So many standard deviations may counts be apart that are said to be alike. */
    private static final double ALIKE = 4;
    /** A network of 256 addresses is half full at most. */
    private static final double ADDRESSES_A_NETWORK = 128;

    private static final double OWN_PORT_SHARE = 0.01;
    private static final int OWN_PORT_COUNT = 20;
    private static final Pattern SENTENCE_END = Pattern.compile("[.] ");
    private static final Pattern ADDRESS_OR_DIGIT =
            Pattern.compile("(?<![\\p{Alnum}:])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f.]*(?:/[0-9]+)?|[0-9]");
    private static final Pattern NUMBER = Pattern.compile("0+");
    private static final List<String> KINDS = List.of("single", "network", "portOnly", "none");
    private static final Pattern AGGREGATION = Pattern.compile("[0-9]{1,3}:[0-5][0-9]:[0-5][0-9]");

    private final List<SecurityEvent> events;
    private final Pseudonyms names;
    /** How addresses and ports fit the law of their popularity, by the part of the profile. */
    final Map<String, PopularityLaw> laws = new LinkedHashMap<>();

    /** @param events one or more */
    LearntProfile(List<SecurityEvent> events, Pseudonyms names) {
        this.events = events;
        this.names = names;
    }

    /** As it stands in a file. */
    ObjectNode profile(List<Integer> dayCurve) {
        return keys().putPOJO("dayCurve", dayCurve)
                .putPOJO("ip6Ratio", count(LearntProfile::family).share(Family.IP6))
                .putPOJO("times", times())
                .putPOJO("categories", categories())
                .putPOJO("detectors", detectors())
                .putPOJO("sources", endpoints("sources", SecurityEvent::sources))
                .putPOJO("targets", endpoints("targets", SecurityEvent::targets))
                .putPOJO("targetKinds", targetKinds())
                .putPOJO("ports", ports())
                .putPOJO("details", details());
    }

    static ObjectNode keys() {
        return JsonNodeFactory.instance.objectNode();
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
    private ObjectNode times() {
        Counts<Long> windows = count(event -> seconds(event, "WinStartTime")
                .flatMap(opened -> seconds(event, "WinEndTime").map(closed -> closed - opened)));
        return keys().putPOJO("fractionRatio", ratio(event -> event.detectTime().get(ChronoField.NANO_OF_SECOND) > 0))
                .putPOJO("longestEvent", duration(2 * mean(LearntProfile::lasted)))
                .putPOJO("longestDelay", duration(2 * mean(LearntProfile::delay)))
                .putPOJO("eventTimeRatio", has("EventTime"))
                .putPOJO("windowRatio", Counts.ratio(windows.all(), events.size()))
                .putPOJO("window", duration(windows.usual().orElse(0L)));
    }

    private static String duration(double seconds) {
        return Math.round(Math.max(0, Math.min(LONGEST_SECONDS, seconds))) + "s";
    }

    private ObjectNode categories() {
        Counts<String> counted = count(event -> Stream.of(category(event)));
        Map<String, List<SecurityEvent>> ofCategory = new HashMap<>();
        events.forEach(event -> ofCategory
                .computeIfAbsent(category(event), unused -> new ArrayList<>())
                .add(event));
        List<ObjectNode> shares = new ArrayList<>();
        for (String name : first(counted.ranked())) {
            List<SecurityEvent> own = ofCategory.getOrDefault(name, List.of());
            Counts<List<String>> types = Counts.of(own.stream()
                    .flatMap(event -> event.sources().stream().limit(1).map(Endpoint::types)));
            Counts<String> descriptions = Counts.of(
                    own.stream().filter(event -> !event.description().isBlank()).map(LearntProfile::descriptionForm));
            shares.add(keys().putPOJO("category", names.of(name))
                    .putPOJO("share", counted.percent(name))
                    .putPOJO("sourceTypes", names.of(types.usual().orElse(List.of())))
                    .putPOJO("descriptions", descriptions(descriptions)));
        }
        return keys().putPOJO("secondRatio", ratio(event -> event.categories().size() > 1))
                .putPOJO("shares", shares);
    }

    private static <T> List<T> first(List<T> ranked) {
        return ranked.subList(0, Math.min(MOST_NAMES, ranked.size()));
    }

    /** Each once where all are about as frequent, or else as often as it has twentieths. */
    private List<String> descriptions(Counts<String> counted) {
        Map<String, String> first = new HashMap<>();
        Map<String, Long> forms = new LinkedHashMap<>();
        counted.counts().forEach((form, count) -> {
            // Where an event names no port, the number of one is a number like others.
            String shape = NUMBER.matcher(form.replace("{port}", "0")).replaceAll("0");
            String kept = first.computeIfAbsent(shape, unused -> form);
            if (forms.containsKey(kept) || forms.size() < MOST_DESCRIPTIONS) {
                forms.merge(kept, count, Long::sum);
            }
        });
        long all = forms.values().stream().mapToLong(Long::longValue).sum();
        double mean = (double) all / Math.max(1, forms.size());
        boolean alike = forms.values().stream().allMatch(count -> Math.abs(count - mean) <= ALIKE * Math.sqrt(mean));
        List<String> list = new ArrayList<>();
        double owed = 0;
        for (Map.Entry<String, Long> form : forms.entrySet()) {
            owed += alike ? 1 : (double) form.getValue() / all * MOST_DESCRIPTIONS;
            for (; owed > 0.5 || list.isEmpty(); owed--) {
                list.add(names.of(form.getKey()));
            }
        }
        return list.isEmpty() ? List.of("-") : list;
    }

    /**
     * A description without what is the event's own: its first source address becomes {@code {source}}, its port
     * {@code {port}}, every other digit 0, and what looks like an IPv6 address {@code 0::0}.
     */
    private static String descriptionForm(SecurityEvent event) {
        String text = event.description();
        String form = text.substring(0, Math.min(text.length(), LONGEST_DESCRIPTION))
                .replace('{', '(')
                .replace('}', ')')
                .replace('\0', ' ');
        Optional<AddressRange> source = event.sources().stream()
                .limit(1)
                .flatMap(LearntProfile::addresses)
                .findFirst();
        if (source.isPresent()) {
            form = form.replace(source.get().toString(), "{source}");
        }
        Optional<Integer> port = targetPorts(event).findFirst();
        if (port.isPresent() && form.contains(port.get().toString())) {
            form = form.replaceAll("(?<![0-9.:])" + port.get() + "(?![0-9.:]*[0-9])", "{port}");
        }
        return ADDRESS_OR_DIGIT.matcher(form).replaceAll(found -> found.group().length() > 1 ? "0::0" : "0");
    }

    private ObjectNode detectors() {
        Counts<ObjectNode> detectors = count(event -> detector(event).map(this::said));
        Counts<String> relays = count(event ->
                named(event).stream().limit(named(event).size() > 1 ? 1 : 0).map(Node::name));
        List<ObjectNode> shares = new ArrayList<>();
        for (ObjectNode said : first(detectors.ranked())) {
            ObjectNode detector = keys().putPOJO("share", detectors.percent(said));
            detector.setAll(said);
            shares.add(detector);
        }
        if (shares.isEmpty()) {
            shares.add(keys().putPOJO("name", "detector")
                    .putPOJO("share", 1)
                    .putPOJO("types", List.of())
                    .putPOJO("software", List.of()));
        }
        return keys().putPOJO("relayRatio", Counts.ratio(relays.all(), detectors.all()))
                .putPOJO("relay", relays.usual().map(names::of).orElse("relay"))
                .putPOJO("shares", shares);
    }

    /** What a detector says of itself. */
    private ObjectNode said(Node node) {
        ObjectNode said = keys().putPOJO("name", names.of(node.name()))
                .putPOJO("types", names.of(node.types()))
                .putPOJO("software", names.of(node.software()));
        text(node.other(), "AggrWin")
                .filter(window -> AGGREGATION.matcher(window).matches())
                .ifPresent(window -> said.put("aggregation", window));
        return said;
    }

    /** The law is told from the family with more events, and holds for the other one as well. */
    private ObjectNode endpoints(String name, Function<SecurityEvent, List<Endpoint>> side) {
        Counts<AddressRange> ip4 = count(event -> singles(side.apply(event), Family.IP4));
        Counts<AddressRange> ip6 = count(event -> singles(side.apply(event), Family.IP6));
        boolean mostlyIp6 = ip6.all() > ip4.all();
        Counts<AddressRange> mostly = mostlyIp6 ? ip6 : ip4;
        Counts<AddressRange> seldom = mostlyIp6 ? ip4 : ip6;
        double most = EventProfile.MOST_ADDRESSES;
        double addresses = 1;
        double others = 1;
        double rankRoot = 2;
        if (mostly.all() > 0) {
            PopularityLaw law = PopularityLaw.of(mostly, most);
            laws.put(name, law);
            addresses = law.values();
            rankRoot = law.rankRoot();
            others = seldom.all() == 0 ? 1 : PopularityLaw.values(seldom, law.exponent(), most);
        }
        double seen = mostly.counts().keySet().stream()
                .map(address -> mostlyIp6 ? address.firstHigh() : address.firstLow() >>> 8)
                .distinct()
                .count();
        double networks = Math.max(1, seen);
        for (int i = 0; i < 50 && seen > 0; i++) {
            // So many of them have an address (Feller, An Introduction to Probability Theory, volume 1, IV.2), and as
            // many were seen.
            networks = seen / -Math.expm1(-mostly.counts().size() / networks);
        }
        double room = Math.ceil(Math.max(addresses, others) / ADDRESSES_A_NETWORK);
        Counts<Boolean> hasPort = count(event -> side.apply(event).stream()
                .filter(endpoint -> !endpoint.addresses().isEmpty())
                .map(endpoint -> !endpoint.ports().isEmpty()));
        return keys().putPOJO("addresses", (int) Math.rint(mostlyIp6 ? others : addresses))
                .putPOJO("ip6Addresses", (int) Math.rint(mostlyIp6 ? addresses : others))
                .putPOJO("rankRoot", rankRoot)
                .putPOJO("scatteredNetworks", (int)
                        Math.min(EventProfile.MOST_NETWORKS, Math.max(room, Math.rint(networks))))
                .putPOJO("networks", List.of())
                .putPOJO("known", List.of())
                .putPOJO("perEvent", count(event -> perEvent(side.apply(event))).weights(1))
                .putPOJO("portRatio", hasPort.share(true));
    }

    private ObjectNode targetKinds() {
        Counts<String> kinds = count(event -> Stream.of(kind(event)));
        Counts<Integer> bits = count(event ->
                networkBits(event, Family.IP4).map(number -> Math.max(EventProfile.LARGEST_NETWORK_BITS, number)));
        int ip6Bits = count(event -> networkBits(event, Family.IP6)).usual().orElse(64);
        ObjectNode keys = keys().putPOJO("networkBits", bits.weights(24));
        KINDS.forEach(kind -> keys.put(kind, kinds.weight(kind)));
        keys.put("ip6NetworkBits", Math.max(EventProfile.LARGEST_IP6_NETWORK_BITS, ip6Bits));
        return keys;
    }

    /** Ports with a hundredth of all or more, from the most frequent down: these stand in a profile by themselves. */
    static List<Integer> ownPorts(List<SecurityEvent> events) {
        Counts<Integer> ports = Counts.of(events.stream().flatMap(LearntProfile::targetPorts));
        double least = Math.max(OWN_PORT_COUNT, ports.all() * OWN_PORT_SHARE);
        return ports.ranked().stream().filter(port -> ports.of(port) >= least).toList();
    }

    private ObjectNode ports() {
        Counts<Integer> ports = count(LearntProfile::targetPorts);
        Map<Integer, List<String>> protocols = new HashMap<>();
        // With the protocols that events with this port name most often.
        count(event -> event.targets().stream()
                        .flatMap(target -> target.ports().stream().map(port -> Map.entry(port, target.protocols()))))
                .ranked()
                .forEach(one -> protocols.putIfAbsent(one.getKey(), names.of(one.getValue())));
        List<Integer> own = ownPorts(events);
        List<ObjectNode> shares = new ArrayList<>();
        own.forEach(port -> shares.add(keys().putPOJO("port", port)
                .putPOJO("share", ports.percent(port))
                .putPOJO("protocols", protocols.getOrDefault(port, List.of()))));
        Counts<Integer> seldom = count(event -> targetPorts(event).filter(port -> !own.contains(port)));
        ObjectNode tail = keys().putPOJO("share", EventProfile.SMALLEST_SHARE)
                .putPOJO("ports", 1)
                .putPOJO("rankRoot", 1)
                .putPOJO("protocols", Map.of("tcp", 1));
        if (seldom.all() > 0) {
            PopularityLaw law = PopularityLaw.of(seldom, EventProfile.MOST_TAIL_PORTS);
            laws.put("ports.tail", law);
            // Each port of the tail has one protocol, so ports are counted and not events.
            Counts<String> ofTail = Counts.of(seldom.ranked().stream()
                    .map(port -> protocols.getOrDefault(port, List.of()).stream()
                            .findFirst()
                            .orElse("tcp")));
            tail = keys().putPOJO(
                            "share",
                            Math.max(EventProfile.SMALLEST_SHARE, 100 * Counts.ratio(seldom.all(), ports.all())))
                    .putPOJO("ports", (int) law.values())
                    .putPOJO("rankRoot", law.rankRoot())
                    .putPOJO("protocols", ofTail.weights("tcp"));
        }
        return keys().putPOJO("shares", shares).putPOJO("tail", tail);
    }

    /** A note has from one to the largest number of sentences, all numbers alike. */
    private ObjectNode details() {
        double length = mean(LearntProfile::noteLength);
        double sentences =
                Math.max(1, mean(event -> note(event).map(note -> (long) SENTENCE_END.split(note, -1).length)));
        long largest = events.stream()
                .flatMap(LearntProfile::counts)
                .mapToLong(Long::longValue)
                .max()
                .orElse(1);
        return keys().putPOJO("flowCountRatio", has("FlowCount"))
                .putPOJO("connectionCountRatio", has("ConnCount"))
                .putPOJO("largestCount", Math.max(1, Math.min(EventProfile.LARGEST_COUNT, largest)))
                .putPOJO("noteRatio", has("Note"))
                .putPOJO("longestNote", (int) Math.min(EventProfile.MOST_SENTENCES, Math.rint(2 * sentences - 1)))
                .putPOJO("notes", length == 0 ? List.of("-") : names.sentences(length / sentences))
                .putPOJO(
                        "storageRatio",
                        ratio(event ->
                                event.other().get("_CESNET") instanceof ObjectNode own && own.has("StorageTime")));
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
        return event
                .endpoints()
                .flatMap(LearntProfile::addresses)
                .map(AddressRange::family)
                .max(Family::compareTo)
                .stream();
    }

    private static Stream<AddressRange> addresses(Endpoint endpoint) {
        return endpoint.addresses().stream();
    }

    private static Stream<AddressRange> singles(List<Endpoint> side, Family family) {
        return side.stream()
                .flatMap(LearntProfile::addresses)
                .filter(address -> address.isSingle() && address.family() == family);
    }

    /** How many single addresses a side names, if any. */
    static Stream<Integer> perEvent(List<Endpoint> side) {
        long singles = side.stream()
                .flatMap(LearntProfile::addresses)
                .filter(AddressRange::isSingle)
                .count();
        return Stream.of((int) Math.min(singles, EventProfile.MOST_ADDRESSES_PER_EVENT))
                .filter(number -> number > 0);
    }

    /** What an event is directed at. */
    static String kind(SecurityEvent event) {
        List<AddressRange> addresses =
                event.targets().stream().flatMap(LearntProfile::addresses).toList();
        return event.targets().isEmpty()
                ? "none"
                : addresses.isEmpty()
                        ? "portOnly"
                        : addresses.stream().anyMatch(AddressRange::isSingle) ? "single" : "network";
    }

    /** Of networks and ranges that are targets. */
    static Stream<Integer> networkBits(SecurityEvent event, Family family) {
        return event.targets().stream()
                .flatMap(LearntProfile::addresses)
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
        return note(event).map(note -> (long) note.length());
    }

    private static Stream<String> note(SecurityEvent event) {
        return Optional.ofNullable(event.other().get("Note")).map(JsonNode::asText).stream();
    }

    static Stream<Long> counts(SecurityEvent event) {
        return Stream.of("FlowCount", "ConnCount")
                .flatMap(key -> Optional.ofNullable(event.other().get(key)).stream())
                .filter(count -> count.isIntegralNumber() && count.canConvertToLong() && count.longValue() >= 0)
                .map(JsonNode::longValue);
    }

    private static Optional<String> text(Map<String, JsonNode> keys, String key) {
        return keys.get(key) instanceof TextNode text ? Optional.of(text.textValue()) : Optional.empty();
    }
}
