package siemload.dataset.learn;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import siemload.dataset.EventProfile;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.IdeaTime;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/** Counts what a profile says of events, in one pass and in memory that does not grow with them. Not thread-safe. */
final class EventCounts {
    static final String NO_CATEGORY = "Other";
    /** Keys of events that a profile has, or that every event has. */
    private static final Set<String> GENERATED_KEYS = Set.of(
            "Format",
            "CreateTime",
            "EventTime",
            "CeaseTime",
            "WinStartTime",
            "WinEndTime",
            "FlowCount",
            "ConnCount",
            "Note",
            "_CESNET");
    /** Keys whose values readers understand: what is left under one of them does not fit. */
    private static final Set<String> TYPED_KEYS = Set.of(
            "Category", "Source", "Target", "Node", "Type", "IP4", "IP6", "Port", "Proto", "SW", "Description", "Name");

    private static final Pattern SENTENCE_END = Pattern.compile("[.] ");
    private static final int MOST_NAMES = 1_000;
    private static final int MOST_DESCRIPTIONS = 64;
    private static final int MOST_HOURS = 100_000;
    private static final int HOUR_SECONDS = 3_600;
    private static final long LARGEST_SIZE = 1L << 50;

    static final String MORE_RELAYS =
            "events with more than one relay, or with another relay than the most frequent one";
    private static final String UNFIT_VALUE = "addresses, ports or types that are none, kept as they are";
    private static final int MOST_FEATURES = 30;

    /** What real streams have and profiles cannot say, in words to stand behind a number: it is counted and told, and not generated. */
    final Frequencies<String> unmodelled = new Frequencies<>(MOST_FEATURES);

    /** Sizes of 0 or more, in cells of at most one percent. */
    final Histogram lineBytes = new Histogram(2);

    /** Since 1970. */
    final Frequencies<Long> hours = new Frequencies<>(MOST_HOURS);

    final Histogram lasted = new Histogram(2);
    final Histogram delay = new Histogram(2);
    final Frequencies<Long> window = new Frequencies<>(MOST_NAMES);

    final Frequencies<String> categories = new Frequencies<>(MOST_NAMES);
    final Histogram descriptionCharacters = new Histogram(2);
    final Frequencies<String> detectors = new Frequencies<>(MOST_NAMES);
    final Frequencies<String> relays = new Frequencies<>(MOST_NAMES);

    final Side sources = new Side();
    final Side targets = new Side();
    final Frequencies<TargetKind> targetKinds = new Frequencies<>(TargetKind.values().length);
    final Frequencies<Integer> networkBits = new Frequencies<>(33);
    final Frequencies<Integer> ip6NetworkBits = new Frequencies<>(129);
    final Frequencies<Integer> ports = new Frequencies<>(1 << 16);
    final Frequencies<Family> families = new Frequencies<>(2);

    /** By the number of events that have them. */
    final Frequencies<String> keys = new Frequencies<>(MOST_NAMES);

    final Histogram counts = new Histogram(2);
    final Histogram noteCharacters = new Histogram(2);
    final Histogram noteSentences = new Histogram(2);

    private final Map<String, CategoryCounts> ofCategory = new HashMap<>();
    private final Map<String, Frequencies<DetectorWords>> ofDetector = new HashMap<>();
    private final Map<Integer, Frequencies<List<String>>> protocols = new HashMap<>();
    private long events;
    private long secondCategories;
    private long fractions;

    /** What an event is directed at, in the order of a profile. */
    enum TargetKind {
        SINGLE,
        NETWORK,
        PORT_ONLY,
        NONE
    }

    /** One side of the events. */
    static final class Side {
        final Frequencies.Sample<AddressRange> ip4 = new Frequencies.Sample<>();
        final Frequencies.Sample<AddressRange> ip6 = new Frequencies.Sample<>();
        /** Events by how many single addresses they name. */
        final Frequencies<Integer> perEvent = new Frequencies<>(EventProfile.MOST_ADDRESSES_PER_EVENT);

        private long endpoints;
        private long withPort;

        private void addresses(int count) {
            if (count > 0) {
                perEvent.add(Math.min(count, EventProfile.MOST_ADDRESSES_PER_EVENT));
            }
        }

        private void address(AddressRange address) {
            (address.family() == Family.IP4 ? ip4 : ip6).add(address);
        }

        private void place(boolean hasPort) {
            endpoints++;
            withPort += hasPort ? 1 : 0;
        }

        /** Of the places where a port may stand, how many have one. */
        double portRatio() {
            return Frequencies.ratio(withPort, endpoints);
        }
    }

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

    /** What a detector says of itself. */
    record DetectorWords(List<String> types, List<String> software, String aggregation) {}

    /** @param bytes how long its line is, without the line end */
    void add(SecurityEvent event, int bytes) {
        events++;
        lineBytes.recordValue(bytes);
        addTimes(event.detectTime(), event.other());
        addCategories(event);
        addDetector(event.nodes());
        addSources(event.sources());
        addTargets(event.targets());
        addFamily(event);
        event.other().forEach(this::addKey);
    }

    private static void add(Histogram sizes, long size) {
        if (size >= 0) {
            sizes.recordValue(Math.min(LARGEST_SIZE, size));
        }
    }

    private void noteIf(boolean isSo, String feature) {
        if (isSo) {
            unmodelled.add(feature);
        }
    }

    private void addTimes(Instant detected, Map<String, JsonNode> other) {
        long second = detected.getEpochSecond();
        hours.add(Math.floorDiv(second, HOUR_SECONDS));
        fractions += detected.getNano() == 0 ? 0 : 1;
        if (!other.containsKey("CreateTime")) {
            unmodelled.add("events without CreateTime; generated ones have it");
        }
        time(other, "CreateTime").ifPresent(created -> addSpan(delay, created.getEpochSecond() - second));
        time(other, "EventTime").ifPresent(began -> addSpan(lasted, second - began.getEpochSecond()));
        time(other, "WinStartTime")
                .ifPresent(opened -> time(other, "WinEndTime")
                        .ifPresent(closed -> window.add(closed.getEpochSecond() - opened.getEpochSecond())));
    }

    private void addSpan(Histogram spans, long seconds) {
        add(spans, seconds);
        noteIf(
                seconds < 0,
                "times that lie after what they come before: EventTime after DetectTime, DetectTime after CreateTime");
    }

    private Optional<Instant> time(Map<String, JsonNode> other, String key) {
        JsonNode value = other.get(key);
        if (value == null) {
            return Optional.empty();
        }
        Optional<Instant> time = value.isTextual() ? IdeaTime.parse(value.textValue()) : Optional.empty();
        noteIf(time.isEmpty(), "times, other than DetectTime, that cannot be read");
        return time;
    }

    private void addCategories(SecurityEvent event) {
        List<String> names = event.categories();
        noteIf(names.isEmpty(), "events without a category");
        noteIf(names.size() > 2, "events with more than two categories");
        secondCategories += names.size() > 1 ? 1 : 0;
        String name = names.isEmpty() ? NO_CATEGORY : names.get(0);
        categories.add(name);
        CategoryCounts counted = details(name, categories, ofCategory, CategoryCounts::new);
        addDescription(event, counted.descriptions);
        if (!event.sources().isEmpty()) {
            counted.sources++;
            event.sources().get(0).types().forEach(counted.types::add);
        }
    }

    /** What is counted of a name, as long as the name is. */
    private static <D> D details(String name, Frequencies<String> names, Map<String, D> details, Supplier<D> fresh) {
        if (details.size() > 2 * MOST_NAMES) {
            details.keySet().removeIf(other -> !names.has(other));
        }
        return details.computeIfAbsent(name, unused -> fresh.get());
    }

    private void addDescription(SecurityEvent event, Frequencies<String> forms) {
        String text = event.description();
        descriptionCharacters.recordValue(text.length());
        if (text.isBlank()) {
            unmodelled.add("events without a description");
            return;
        }
        noteIf(text.indexOf('\0') >= 0, "descriptions with a NUL character");
        forms.add(DescriptionForm.of(text, event));
    }

    private void addDetector(List<Node> nodes) {
        int last = nodes.size() - 1;
        while (last >= 0 && nodes.get(last).name().isEmpty()) {
            last--;
        }
        if (last < 0) {
            unmodelled.add("events without a named node");
            return;
        }
        Node node = nodes.get(last);
        detectors.add(node.name());
        JsonNode aggregation = node.other().get("AggrWin");
        String window = aggregation != null && aggregation.isTextual() ? aggregation.textValue() : "";
        details(node.name(), detectors, ofDetector, () -> new Frequencies<>(MOST_DESCRIPTIONS))
                .add(new DetectorWords(node.types(), node.software(), window));
        if (last > 0) {
            relays.add(nodes.get(0).name().isEmpty() ? "-" : nodes.get(0).name());
        }
        noteIf(last > 1, MORE_RELAYS);
    }

    private void addSources(List<Endpoint> list) {
        int addresses = 0;
        for (Endpoint source : list) {
            lookAt(source);
            noteIf(source.addresses().isEmpty(), "sources without an address");
            noteIf(source.addresses().size() > 1, "sources with more than one address");
            for (AddressRange address : source.addresses()) {
                if (address.isSingle()) {
                    sources.address(address);
                    addresses++;
                } else {
                    unmodelled.add("sources that are a network or a range");
                }
            }
            sources.place(!source.ports().isEmpty());
        }
        sources.addresses(addresses);
        noteIf(list.isEmpty(), "events without a source");
    }

    private void addTargets(List<Endpoint> list) {
        if (list.isEmpty()) {
            targetKinds.add(TargetKind.NONE);
            return;
        }
        noteIf(list.size() > 1, "events with more than one target");
        int addresses = 0;
        int networks = 0;
        boolean port = false;
        for (Endpoint target : list) {
            lookAt(target);
            for (int number : target.ports()) {
                port = true;
                ports.add(number);
                protocols
                        .computeIfAbsent(number, unused -> new Frequencies<>(4))
                        .add(target.protocols());
            }
            for (AddressRange address : target.addresses()) {
                if (address.isSingle()) {
                    targets.address(address);
                    addresses++;
                } else {
                    addNetwork(address);
                    networks++;
                }
            }
        }
        if (addresses + networks > 0) {
            targets.place(port);
        } else {
            noteIf(!port, "targets with neither address nor port: a name, a MAC address, a url");
        }
        targets.addresses(addresses);
        targetKinds.add(addresses > 0 ? TargetKind.SINGLE : networks > 0 ? TargetKind.NETWORK : TargetKind.PORT_ONLY);
    }

    private void addNetwork(AddressRange network) {
        int bits = network.sharedBits();
        (network.family() == Family.IP4 ? networkBits : ip6NetworkBits).add(bits);
        if (!network.equals(network.network(bits))) {
            unmodelled.add("targets that are a range and no network; generated as the next larger network");
        }
    }

    private void lookAt(Endpoint endpoint) {
        noteIf(endpoint.ports().size() > 1, "sources or targets with more than one port");
        endpoint.other().keySet().forEach(this::addUnknownKey);
    }

    private void addUnknownKey(String key) {
        unmodelled.add(
                TYPED_KEYS.contains(key)
                        ? UNFIT_VALUE
                        : "keys of events that IDEA does not know, or that siemload does not generate");
    }

    private void addFamily(SecurityEvent event) {
        Set<Family> found = EnumSet.noneOf(Family.class);
        event.endpoints().forEach(endpoint -> endpoint.addresses().forEach(address -> found.add(address.family())));
        if (!found.isEmpty()) {
            families.add(found.contains(Family.IP6) ? Family.IP6 : Family.IP4);
        }
        noteIf(found.size() == 2, "events with addresses of both families");
    }

    private void addKey(String key, JsonNode value) {
        if (!key.equals("_CESNET") || value.has("StorageTime")) {
            keys.add(key);
        }
        if (key.equals("FlowCount") || key.equals("ConnCount")) {
            if (value.isIntegralNumber() && value.canConvertToLong()) {
                add(counts, value.longValue());
            } else {
                unmodelled.add(UNFIT_VALUE);
            }
        } else if (key.equals("Note")) {
            String text = value.asText();
            noteCharacters.recordValue(text.length());
            noteSentences.recordValue(SENTENCE_END.split(text, -1).length);
        } else if (!GENERATED_KEYS.contains(key)) {
            addUnknownKey(key);
        }
    }

    long events() {
        return events;
    }

    /** In how many events the detect time has a fraction of a second. */
    double fractionRatio() {
        return Frequencies.ratio(fractions, events);
    }

    double secondCategoryRatio() {
        return Frequencies.ratio(secondCategories, events);
    }

    /** How many events have a key. */
    double keyRatio(String key) {
        return Frequencies.ratio(keys.of(key), events);
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

    /**
     * A description without what is the event's own: its first source address becomes {@code {source}}, its port
     * {@code {port}}, every other digit 0, and what looks like an IPv6 address {@code 0::0}. Stateless.
     */
    private static final class DescriptionForm {
        private static final Pattern ADDRESS =
                Pattern.compile("(?<![\\p{Alnum}:])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f.]*(?:/[0-9]+)?");
        private static final Pattern DIGIT = Pattern.compile("[0-9]");
        private static final int LONGEST = 400;

        private DescriptionForm() {}

        static String of(String text, SecurityEvent event) {
            if (isPlain(text)) {
                return text;
            }
            String form = text.length() > LONGEST ? text.substring(0, LONGEST) : text;
            form = form.replace('{', '(').replace('}', ')').replace('\0', ' ');
            if (!event.sources().isEmpty()
                    && !event.sources().get(0).addresses().isEmpty()) {
                form = form.replace(event.sources().get(0).addresses().get(0).toString(), "{source}");
            }
            int port = port(event);
            if (port >= 0) {
                form = form.replaceAll("(?<![0-9.:])" + port + "(?![0-9.:]*[0-9])", "{port}");
            }
            return DIGIT.matcher(ADDRESS.matcher(form).replaceAll("0::0")).replaceAll("0");
        }

        private static int port(SecurityEvent event) {
            for (Endpoint target : event.targets()) {
                if (!target.ports().isEmpty()) {
                    return target.ports().get(0);
                }
            }
            return -1;
        }

        private static boolean isPlain(String text) {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if ((c >= '0' && c <= '9') || c == ':' || c == '{' || c == '}' || c == 0) {
                    return false;
                }
            }
            return text.length() <= LONGEST;
        }
    }
}
