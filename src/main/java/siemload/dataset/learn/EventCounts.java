package siemload.dataset.learn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import siemload.dataset.EventProfile;
import siemload.dataset.FairSample;
import siemload.dataset.SeededRandom;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.IdeaTime;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/** Counts what a profile says of events, in one pass and in memory that does not grow with them. Not thread-safe. */
final class EventCounts {
    static final String FRACTION = "a detect time with a fraction of a second";
    static final String STORAGE_TIME = "_CESNET.StorageTime";
    static final String MORE_CATEGORIES = "more than one Category";
    private static final String NO_CATEGORY = "Other";
    private static final Pattern SENTENCE_END = Pattern.compile("[.] ");
    private static final int LONGEST_DESCRIPTION = 400;
    /** Descriptions that have nothing of their event. */
    private static final Pattern PLAIN =
            Pattern.compile("[^0-9:{}\\x00]{0," + LONGEST_DESCRIPTION + "}", Pattern.DOTALL);

    private static final Pattern ADDRESS_OR_DIGIT =
            Pattern.compile("(?<![\\p{Alnum}:])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f.]*(?:/[0-9]+)?|[0-9]");
    private static final int MOST_NAMES = 1_000;
    private static final int MOST_DESCRIPTIONS = 64;
    private static final int MOST_HOURS = 100_000;
    private static final int HOUR_SECONDS = 3_600;
    private static final long LARGEST_SIZE = 1L << 50;

    /** What events have, in words to stand behind how many: a part by its name in IDEA, and whether there are several. */
    final Frequencies<String> features = new Frequencies<>(MOST_NAMES);

    /** Since 1970. */
    final Frequencies<Long> hours = new Frequencies<>(MOST_HOURS);

    final Frequencies<Long> window = new Frequencies<>(MOST_NAMES);
    final Frequencies<String> categories = new Frequencies<>(MOST_NAMES);
    final Frequencies<String> detectors = new Frequencies<>(MOST_NAMES);
    final Frequencies<String> relays = new Frequencies<>(MOST_NAMES);
    final Side sources = new Side();
    final Side targets = new Side();
    final Frequencies<TargetKind> targetKinds = new Frequencies<>(TargetKind.values().length);
    final Frequencies<Integer> ports = new Frequencies<>(1 << 16);
    final Frequencies<Family> families = new Frequencies<>(2);
    /** Sizes of 0 or more, in cells of at most one percent. */
    final Map<Size, Histogram> sizes = new EnumMap<>(Size.class);

    final Histogram noteSentences = new Histogram(2);
    private final Map<String, CategoryCounts> ofCategory = new HashMap<>();
    private final Map<String, Frequencies<DetectorWords>> ofDetector = new HashMap<>();
    private final Map<Integer, Frequencies<List<String>>> protocols = new HashMap<>();
    private long events;

    /** What is compared by its sizes. */
    enum Size {
        LINE("bytes of a line"),
        DESCRIPTION("characters of a description"),
        NOTE("characters of a note"),
        LASTED("seconds from EventTime to DetectTime"),
        DELAY("seconds from DetectTime to CreateTime"),
        COUNT("FlowCount and ConnCount");

        final String words;

        Size(String words) {
            this.words = words;
        }
    }

    /** What an event is directed at, in the order of a profile. */
    enum TargetKind {
        SINGLE,
        NETWORK,
        PORT_ONLY,
        NONE
    }

    /** What a detector says of itself. */
    record DetectorWords(List<String> types, List<String> software, String aggregation) {}

    /** What the events of a category are like. */
    static final class CategoryCounts {
        final Frequencies<String> descriptions = new Frequencies<>(MOST_DESCRIPTIONS);
        private final Frequencies<String> types = new Frequencies<>(MOST_DESCRIPTIONS);
        private long sources;

        /** The types that most of its sources have. */
        List<String> sourceTypes() {
            return types.ranked().stream()
                    .filter(type -> types.of(type) * 2 > sources)
                    .toList();
        }
    }

    /** How often each of very many addresses occurred; beyond a limit of a fair sample. */
    static final class Addresses {
        private static final int MOST = 1 << 17;
        private static final int LARGEST_COUNT = 1 << 30;

        private final FairSample<AddressRange, int[]> counts =
                new FairSample<>(MOST, address -> SeededRandom.mix(address.hashCode(), 1));
        private long draws;

        private void add(AddressRange address) {
            draws++;
            counts.note(address, unused -> new int[1], count -> count[0] += count[0] < LARGEST_COUNT ? 1 : 0);
        }

        PopularityLaw.Occurrences occurrences() {
            int[] each = counts.values().values().stream()
                    .mapToInt(count -> count[0])
                    .toArray();
            return new PopularityLaw.Occurrences(draws, counts.share(), each);
        }

        /** In how many different networks, of 256 addresses of IPv4 and of 64 bits of IPv6, the addresses of the sample lie. */
        long networks() {
            return counts.values().keySet().stream()
                    .map(address -> address.family() == Family.IP4 ? address.firstLow() >>> 8 : address.firstHigh())
                    .distinct()
                    .count();
        }
    }

    /** One side of the events. */
    static final class Side {
        final Addresses ip4 = new Addresses();
        final Addresses ip6 = new Addresses();
        /** Of networks and ranges. */
        final Frequencies<Integer> networkBits = new Frequencies<>(33);

        final Frequencies<Integer> ip6NetworkBits = new Frequencies<>(129);
        /** Events by how many single addresses they name. */
        final Frequencies<Integer> perEvent = new Frequencies<>(EventProfile.MOST_ADDRESSES_PER_EVENT);
        /** Whether a side with an address has a port. */
        final Frequencies<Boolean> hasPort = new Frequencies<>(2);

        private void add(List<Endpoint> endpoints) {
            int singles = 0;
            for (Endpoint endpoint : endpoints) {
                for (AddressRange address : endpoint.addresses()) {
                    boolean isIp4 = address.family() == Family.IP4;
                    if (address.isSingle()) {
                        (isIp4 ? ip4 : ip6).add(address);
                        singles++;
                    } else {
                        (isIp4 ? networkBits : ip6NetworkBits).add(address.sharedBits());
                    }
                }
                if (!endpoint.addresses().isEmpty()) {
                    hasPort.add(!endpoint.ports().isEmpty());
                }
            }
            if (singles > 0) {
                perEvent.add(Math.min(singles, EventProfile.MOST_ADDRESSES_PER_EVENT));
            }
        }
    }

    /** @param bytes how long its line is, without the line end */
    void add(SecurityEvent event, int bytes) {
        events++;
        addSize(Size.LINE, bytes);
        addTimes(event);
        addCategory(event);
        addDetector(named(event.nodes()).toList());
        sources.add(event.sources());
        addTargets(event.targets());
        boolean ip6 = event.endpoints()
                .flatMap(side -> side.addresses().stream())
                .anyMatch(one -> one.family() == Family.IP6);
        if (ip6 || event.endpoints().anyMatch(side -> !side.addresses().isEmpty())) {
            families.add(ip6 ? Family.IP6 : Family.IP4);
        }
        event.other().forEach(this::addSizes);
        Features.of(event).forEach(features::add);
    }

    private void addSize(Size of, long size) {
        if (size >= 0) {
            sizes.computeIfAbsent(of, unused -> new Histogram(2)).recordValue(Math.min(LARGEST_SIZE, size));
        }
    }

    private void addTimes(SecurityEvent event) {
        hours.add(Math.floorDiv(event.detectTime().getEpochSecond(), HOUR_SECONDS));
        addSize(Size.LASTED, span(event, "EventTime", -1).orElse(-1));
        addSize(Size.DELAY, span(event, "CreateTime", 1).orElse(-1));
        OptionalLong opened = span(event, "WinStartTime", 1);
        OptionalLong closed = span(event, "WinEndTime", 1);
        if (opened.isPresent() && closed.isPresent()) {
            window.add(closed.getAsLong() - opened.getAsLong());
        }
    }

    private void addCategory(SecurityEvent event) {
        String name = category(event);
        categories.add(name);
        CategoryCounts counted = details(name, categories, ofCategory, CategoryCounts::new);
        addSize(Size.DESCRIPTION, event.description().length());
        if (!event.description().isBlank()) {
            counted.descriptions.add(descriptionForm(event));
        }
        event.sources().stream().limit(1).forEach(source -> {
            counted.sources++;
            source.types().forEach(counted.types::add);
        });
    }

    private void addDetector(List<Node> named) {
        if (!named.isEmpty()) {
            Node node = named.get(named.size() - 1);
            detectors.add(node.name());
            JsonNode aggregation = node.other().getOrDefault("AggrWin", MissingNode.getInstance());
            details(node.name(), detectors, ofDetector, () -> new Frequencies<>(MOST_DESCRIPTIONS))
                    .add(new DetectorWords(
                            node.types(), node.software(), aggregation.isTextual() ? aggregation.textValue() : ""));
        }
        if (named.size() > 1) {
            relays.add(named.get(0).name());
        }
    }

    /** What is counted of a name, as long as the name is. */
    private static <D> D details(String name, Frequencies<String> names, Map<String, D> details, Supplier<D> fresh) {
        if (details.size() > 2 * MOST_NAMES) {
            details.keySet().removeIf(other -> names.of(other) == 0);
        }
        return details.computeIfAbsent(name, unused -> fresh.get());
    }

    private void addTargets(List<Endpoint> list) {
        targets.add(list);
        for (Endpoint target : list) {
            for (int port : target.ports()) {
                ports.add(port);
                protocols.computeIfAbsent(port, unused -> new Frequencies<>(4)).add(target.protocols());
            }
        }
        if (list.isEmpty()) {
            targetKinds.add(TargetKind.NONE);
        } else if (any(list, target -> target.addresses().stream().anyMatch(AddressRange::isSingle))) {
            targetKinds.add(TargetKind.SINGLE);
        } else {
            targetKinds.add(
                    any(list, target -> !target.addresses().isEmpty()) ? TargetKind.NETWORK : TargetKind.PORT_ONLY);
        }
    }

    private void addSizes(String key, JsonNode value) {
        if (value.isIntegralNumber()
                && value.canConvertToLong()
                && (key.equals("FlowCount") || key.equals("ConnCount"))) {
            addSize(Size.COUNT, value.longValue());
        } else if (key.equals("Note")) {
            addSize(Size.NOTE, value.asText().length());
            noteSentences.recordValue(SENTENCE_END.split(value.asText(), -1).length);
        }
    }

    long events() {
        return events;
    }

    /** How many of the events have it, 0 to 1. */
    double ratio(String feature) {
        return Frequencies.ratio(features.of(feature), events);
    }

    Histogram size(Size of) {
        return sizes.getOrDefault(of, new Histogram(2));
    }

    CategoryCounts category(String name) {
        return ofCategory.getOrDefault(name, new CategoryCounts());
    }

    /** What it says most often. */
    DetectorWords detector(String name) {
        return ofDetector
                .getOrDefault(name, new Frequencies<>(1))
                .usual()
                .orElse(new DetectorWords(List.of(), List.of(), ""));
    }

    /** The protocols that events with this port name most often. */
    List<String> protocols(int port) {
        return protocols.getOrDefault(port, new Frequencies<>(1)).usual().orElse(List.of());
    }

    private static boolean any(List<Endpoint> side, Predicate<Endpoint> is) {
        return side.stream().anyMatch(is);
    }

    private static String category(SecurityEvent event) {
        return event.categories().isEmpty() ? NO_CATEGORY : event.categories().get(0);
    }

    private static Stream<Node> named(List<Node> nodes) {
        return nodes.stream().filter(node -> !node.name().isEmpty());
    }

    /** Whole seconds from the detect time to another one, or back from it; none where that is not given, or no time. */
    private static OptionalLong span(SecurityEvent event, String key, int direction) {
        return time(event.other().get(key))
                .map(time -> OptionalLong.of(
                        direction * (time.getEpochSecond() - event.detectTime().getEpochSecond())))
                .orElse(OptionalLong.empty());
    }

    private static Optional<Instant> time(@Nullable JsonNode value) {
        return value == null || !value.isTextual() ? Optional.empty() : IdeaTime.parse(value.textValue());
    }

    /**
     * A description without what is the event's own: its first source address becomes {@code {source}}, its port
     * {@code {port}}, every other digit 0, and what looks like an IPv6 address {@code 0::0}.
     */
    private static String descriptionForm(SecurityEvent event) {
        String text = event.description();
        if (PLAIN.matcher(text).matches()) {
            return text;
        }
        String form = text.substring(0, Math.min(text.length(), LONGEST_DESCRIPTION))
                .replace('{', '(')
                .replace('}', ')')
                .replace('\0', ' ');
        Optional<AddressRange> source = event.sources().stream()
                .limit(1)
                .flatMap(first -> first.addresses().stream())
                .findFirst();
        if (source.isPresent()) {
            form = form.replace(source.get().toString(), "{source}");
        }
        Optional<Integer> port = event.targets().stream()
                .flatMap(target -> target.ports().stream())
                .findFirst();
        if (port.isPresent()) {
            form = form.replaceAll("(?<![0-9.:])" + port.get() + "(?![0-9.:]*[0-9])", "{port}");
        }
        return ADDRESS_OR_DIGIT.matcher(form).replaceAll(found -> found.group().length() > 1 ? "0::0" : "0");
    }

    /** What an event has, told without any of its values. */
    private static final class Features {
        /** What IDEA defines for an event and its sides, and siemload's own; other keys may be private. */
        private static final Set<String> KEYS = Set.of(
                ("AggrID AltNames Anonymised ASN Attach AttachHand BitMask CeaseTime Confidence ConnCount Content CorrelID CreateTime Email"
                                + " EventTime FileName FlowCount Format Handle Hash Hostname Imprecise Interface IP4 IP6 MAC Netname Note"
                                + " PacketCount ByteCount Port PredID Proto Ref RelID Router Size Spoofed Type URL WinEndTime WinStartTime"
                                + " _CESNET _CEF _ECS _OCSF")
                        .split(" "));

        private final Set<String> found = new HashSet<>();

        static Set<String> of(SecurityEvent event) {
            Features features = new Features();
            features.has(!event.detectTime().truncatedTo(ChronoUnit.SECONDS).equals(event.detectTime()), FRACTION);
            features.has(span(event, "EventTime", -1).orElse(0) < 0, "an EventTime after DetectTime");
            features.has(span(event, "CreateTime", 1).orElse(0) < 0, "a CreateTime before DetectTime");
            features.has(!Pseudonyms.isStandard(category(event)), "a category that IDEA does not define");
            features.has(event.description().indexOf('\0') >= 0, "a NUL character in the description");
            features.has(event.description().isBlank(), "no Description");
            features.has(
                    event.other()
                            .getOrDefault("_CESNET", MissingNode.getInstance())
                            .has("StorageTime"),
                    STORAGE_TIME);
            features.list("Category", event.categories());
            features.list("named Node", named(event.nodes()).toList());
            features.has(named(event.nodes()).count() > 2, "more than one relay");
            features.keys("", event.other());
            features.side("Source", event.sources());
            features.side("Target", event.targets());
            return features.found;
        }

        private void has(boolean is, String feature) {
            if (is) {
                found.add(feature);
            }
        }

        private void list(String name, List<?> values) {
            has(values.isEmpty(), "no " + name);
            has(values.size() > 1, "more than one " + name);
        }

        private void side(String name, List<Endpoint> side) {
            list(name, side);
            for (Endpoint endpoint : side) {
                list("address in a " + name, endpoint.addresses());
                list("Port in a " + name, endpoint.ports());
                for (AddressRange address : endpoint.addresses()) {
                    boolean isNetwork = address.equals(address.network(address.sharedBits()));
                    has(!address.isSingle(), (isNetwork ? "a network in a " : "a range in a ") + name);
                    has(true, address.family() + " in a " + name);
                }
                keys(" in a " + name, endpoint.other());
            }
        }

        private void keys(String place, Map<String, JsonNode> keys) {
            keys.keySet()
                    .forEach(key -> has(true, (KEYS.contains(key) ? key : "a key that IDEA does not define") + place));
        }
    }
}
