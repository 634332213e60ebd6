package siemload.dataset.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.RegularFile;
import siemload.config.Sha256;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.dataset.format.FieldPaths.Field;
import siemload.dataset.format.FieldPaths.Found;
import siemload.dataset.format.FieldPaths.Values;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.EventFormatException;
import siemload.event.EventJson;
import siemload.event.EventReader;
import siemload.event.IdeaReader;
import siemload.event.IdeaTime;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/**
 * Reads events of a format other than IDEA with a mapping file. Values that have a place in IDEA are taken out of the fields of an event;
 * the other fields are kept in the event under the extension key of the format. Immutable and thread-safe.
 */
final class Mapping implements EventReader {
    private static final int LONGEST_NAME = 600;
    private static final int LONGEST_PROTOCOL = 40;
    private static final int LONGEST_NUMBER = 18;
    /** The most endpoints, or values of a key, that are mapped; others stay in the fields. A 1 MiB line may have a hundred thousand. */
    private static final int MOST = 1_000;

    private static final Pattern NO_HOST = Pattern.compile("[\\s/\\\\%\\[]|^[\\d.]+:");
    private static final Pattern ADDRESS_AND_MORE =
            Pattern.compile("^(?:([\\d.]+):\\d{1,5}|\\[([^]%]+)(?:%[^]]+)?](?::\\d{1,5})?|([^%]+)%\\S+)$");
    private static final Pattern NAME_IN_TEXT = Pattern.compile("\\{([^{}]+)}");
    private static final JsonNode FORMAT = TextNode.valueOf("IDEA0");
    private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(Sha256::digest);
    /** The places for fields: a side and a key, joined by a point, or only a key. Places take their fields in this order. */
    private static final List<String> PLACES = List.of(("DetectTime Description"
                    + " Source.IP Source.Port Source.Proto Source.Hostname Source.MAC Source.URL Source.Email"
                    + " Target.IP Target.Port Target.Proto Target.Hostname Target.MAC Target.URL Target.Email"
                    + " Node.Name Node.SW CreateTime EventTime CeaseTime"
                    + " ConnCount FlowCount PacketCount ByteCount AltNames Ref")
            .split(" "));

    private static final List<String> KINDS_OF_RULES = List.of("is", "contains", "begins", "present");
    private static final Map<String, String> PROTOCOLS = named("protocols");
    private static final Map<String, String> SERVICES = named("ports");

    private final String extension;
    private final Optional<MarkedLine> mark;
    private final List<List<String>> shows;
    private final EventTimes times;
    private final List<Place> places;
    private final List<Source> rules;
    private final String otherwise;
    private final String identity;
    private final FieldPaths paths = new FieldPaths();

    /**
     * @param extension the key for fields that have no place in IDEA
     * @param modified the last change of the file of events, for times without a year
     */
    Mapping(String extension, YamlNode top, Instant modified, String identity) {
        this.extension = extension;
        this.identity = identity;
        top.required("description").text();
        this.mark = top.optional("lines")
                .map(node -> node.choice(Choices.names(List.of("json", "cef", "leef"))))
                .flatMap(lines -> Stream.of(MarkedLine.values())
                        .filter(one -> one.name().equalsIgnoreCase(lines))
                        .findFirst());
        this.shows = top.optional("shows").stream()
                .flatMap(node -> node.elements().stream())
                .map(keys ->
                        keys.filled().elements().stream().map(YamlNode::text).toList())
                .toList();
        Map<String, ZoneOffset> zones = new HashMap<>();
        top.optional("zones")
                .ifPresent(node -> node.entries()
                        .forEach((name, offset) ->
                                zones.put(name.toUpperCase(Locale.ROOT), offset.as(ValueType.offset()))));
        this.times = new EventTimes(zone(top).orElse(ZoneOffset.UTC), zones, modified);
        YamlNode given = top.required("fields");
        Map<String, YamlNode> fields = given.entries(Choices.names(PLACES));
        this.places = PLACES.stream()
                .filter(fields::containsKey)
                .map(place -> Place.of(
                        place,
                        given.required(place).filled().elements().stream()
                                .map(one -> source(place, one))
                                .toList()))
                .toList();
        if (places.isEmpty() || !places.get(0).key.equals("DetectTime")) {
            top.required("fields").problem("DetectTime is missing (an event needs one)");
        }
        YamlNode categories = top.required("categories");
        this.rules = categories.required("rules").elements().stream()
                .flatMap(this::rule)
                .toList();
        this.otherwise = categories.required("otherwise").text();
    }

    /** Pairs of {@code names.txt}. */
    static Map<String, String> named(String list) {
        return RegularFile.resource(Mapping.class, "names.txt")
                .lines()
                .filter(line -> line.startsWith(list + ":"))
                .flatMap(line -> Stream.of(line.substring(list.length() + 2).split(", ", -1)))
                .map(pair -> pair.split(" ", -1))
                .collect(Collectors.toUnmodifiableMap(pair -> pair[0], pair -> pair[1]));
    }

    /** A place in IDEA; the side is empty for keys of the event itself. */
    private record Place(String side, String key, List<Source> sources) {
        static Place of(String written, List<Source> sources) {
            int point = written.indexOf('.');
            return new Place(written.substring(0, Math.max(0, point)), written.substring(point + 1), sources);
        }

        boolean isTime() {
            return key.endsWith("Time");
        }

        boolean isOfEndpoint() {
            return side.equals("Source") || side.equals("Target");
        }
    }

    /** Requires that a field has, or lacks, one of these lower-case values; without values, any value of the field counts. */
    private record Condition(List<Field> fields, List<String> values, boolean isWanted) {
        boolean holds(Values event) {
            for (Field field : fields) {
                for (Found found = event.first(field); found != Found.END; found = found.next()) {
                    if (values.isEmpty() || values.contains(lower(found.value().asText()))) {
                        return isWanted;
                    }
                }
            }
            return !isWanted;
        }

        static boolean hold(List<Condition> conditions, Values event) {
            for (int i = 0; i < conditions.size(); i++) {
                if (!conditions.get(i).holds(event)) {
                    return false;
                }
            }
            return true;
        }
    }

    private interface Clock {
        Clock NONE = (value, event) -> Optional.empty();

        Optional<Instant> read(JsonNode value, Values event);
    }

    /** Makes the values of a place; {@code value} is a value of the source's field, or a missing node without a field. */
    private interface Reading {
        Reading PLAIN = (value, event) -> List.of(value);

        List<JsonNode> read(JsonNode value, Values event);
    }

    /**
     * A source of the values of a place, or of the category.
     *
     * @param field the field; empty if the values are made of other fields, or are constant
     * @param clock reads the values of places for times
     * @param reading makes the values of other places
     */
    private record Source(Optional<Field> field, List<Condition> conditions, Clock clock, Reading reading) {
        private static final List<String> OF_TIMES = List.of("zone", "unit", "pattern", "patternIn");
        private static final List<String> OF_OTHERS = List.of("constant", "sum", "text");

        /** Returns the field's first value; {@link Found#END} without a field, or if a condition does not hold. */
        Found first(Values event) {
            Found first = field.map(event::first).orElse(Found.END);
            return first != Found.END && Condition.hold(conditions, event) ? first : Found.END;
        }
    }

    /** Returns a source of the category for each field of a rule; a value that the rule does not know gives none. */
    private Stream<Source> rule(YamlNode node) {
        List<Field> fields = names(node.required("field"));
        List<Condition> conditions = conditions(node);
        List<String> kinds = node.present(KINDS_OF_RULES);
        if (kinds.size() != 1) {
            node.problem("a rule needs exactly one of " + String.join(", ", KINDS_OF_RULES));
            return Stream.empty();
        }
        String kind = kinds.get(0);
        YamlNode given = node.required(kind);
        Map<String, JsonNode> categories = new LinkedHashMap<>();
        if (kind.equals("present")) {
            categories.put("", TextNode.valueOf(given.text()));
        } else {
            given.filled()
                    .entries()
                    .forEach((value, category) -> categories.put(lower(value), TextNode.valueOf(category.text())));
        }
        Reading reading = (value, event) -> categories(kind, categories, lower(value.asText()));
        return fields.stream().map(field -> new Source(Optional.of(field), conditions, Clock.NONE, reading));
    }

    private static List<JsonNode> categories(String kind, Map<String, JsonNode> categories, String value) {
        if (kind.equals("is")) {
            return categories.containsKey(value) ? List.of(categories.get(value)) : List.of();
        }
        for (Map.Entry<String, JsonNode> known : categories.entrySet()) {
            if (kind.equals("contains") ? value.contains(known.getKey()) : value.startsWith(known.getKey())) {
                return List.of(known.getValue());
            }
        }
        return List.of();
    }

    private Source source(String place, YamlNode node) {
        if (!node.isMapping()) {
            return new Source(Optional.of(field(place, node)), List.of(), clock(node), Reading.PLAIN);
        }
        List<Condition> conditions = conditions(node);
        Reading reading = parts(node);
        boolean isTime = place.endsWith("Time");
        Clock clock = isTime ? clock(node) : Clock.NONE;
        List<String> kinds = node.present(List.of("field", "constant", "sum", "text"));
        if (kinds.size() != 1) {
            node.problem("needs exactly one of field, constant, sum and text");
            return new Source(Optional.empty(), conditions, clock, reading);
        }
        List<String> unfit = new ArrayList<>(node.present(isTime ? Source.OF_OTHERS : Source.OF_TIMES));
        unfit.addAll(isTime || !kinds.get(0).equals("field") ? node.present(List.of("values", "split")) : List.of());
        unfit.forEach(key -> node.required(key).problem("has no meaning here (remove it)"));
        YamlNode from = node.required(kinds.get(0));
        return switch (kinds.get(0)) {
            case "field" -> new Source(Optional.of(field(place, from)), conditions, clock, reading);
            case "sum" -> new Source(Optional.empty(), conditions, clock, sum(names(from)));
            case "constant" -> {
                Reading constant = text(List.of(from.text()), List.of());
                JsonNode value = TextNode.valueOf(from.written());
                if (!isTime && !new Draft().add(Place.of(place, List.of()), new DraftEndpoint(), value)) {
                    from.problem("'" + from.written() + "' does not fit in " + place);
                }
                yield new Source(Optional.empty(), conditions, clock, constant);
            }
            default -> {
                List<String> parts = List.of(NAME_IN_TEXT.split(from.text(), -1));
                List<Field> between = NAME_IN_TEXT
                        .matcher(from.text())
                        .results()
                        .map(name -> paths.field(name.group(1)))
                        .toList();
                if (between.isEmpty() || parts.stream().anyMatch(part -> part.matches(".*[{}].*"))) {
                    from.problem(
                            "'" + from.written() + "' is not a text with fields in braces (such as {rule} on {host})");
                }
                yield new Source(Optional.empty(), conditions, clock, text(parts, between));
            }
        };
    }

    /** Splits a text into its values, and replaces some values, which are known by their lower case. */
    private static Reading parts(YamlNode node) {
        Map<String, JsonNode> replaced = new HashMap<>();
        node.optional("values")
                .ifPresent(map -> map.entries()
                        .forEach((value, text) -> replaced.put(lower(value), TextNode.valueOf(text.text()))));
        Optional<String> separator =
                node.optional("split").map(one -> one.filled().written()).map(Pattern::quote);
        if (replaced.isEmpty() && separator.isEmpty()) {
            return Reading.PLAIN;
        }
        return (value, event) -> {
            Stream<JsonNode> parts = separator.isEmpty() || !value.isTextual()
                    ? Stream.of(value)
                    : Stream.of(value.textValue().split(separator.get(), -1))
                            .map(part -> TextNode.valueOf(part.strip()));
            return parts.map(part -> replaced.getOrDefault(lower(part.asText()), part))
                    .toList();
        };
    }

    /** Adds up the fields that are numbers; no value without any, or if the sum is too large. */
    private static Reading sum(List<Field> fields) {
        return (unused, event) -> {
            long sum = 0;
            boolean isKnown = false;
            for (Field field : fields) {
                Optional<Long> number = IdeaReader.number(event.first(field).value(), LONGEST_NUMBER);
                isKnown |= number.isPresent();
                sum += number.orElse(0L);
            }
            return isKnown && sum >= 0 ? List.of(LongNode.valueOf(sum)) : List.of();
        };
    }

    /** Puts a field after each part of a text but the last; no value if the event lacks a field. */
    private static Reading text(List<String> parts, List<Field> fields) {
        return (unused, event) -> {
            StringBuilder whole = new StringBuilder(parts.get(0));
            for (int i = 0; i < fields.size(); i++) {
                Found found = event.first(fields.get(i));
                if (found == Found.END) {
                    return List.of();
                }
                whole.append(found.value().asText()).append(parts.get(i + 1));
            }
            return List.of(TextNode.valueOf(whole.toString()));
        };
    }

    private Clock clock(YamlNode node) {
        if (!node.isMapping()) {
            return (value, event) -> times.parse(value);
        }
        if (node.present(Source.OF_TIMES.subList(1, 4)).size() > 1) {
            node.problem("a time may have only one of unit, pattern and patternIn");
        }
        EventTimes used = zone(node).map(times::in).orElse(times);
        Optional<Integer> digits = node.optional("unit")
                .map(unit -> 3 * EventTimes.UNITS.indexOf(unit.choice(Choices.names(EventTimes.UNITS))));
        Optional<EventTimes.Form> form = node.optional("pattern").map(pattern -> pattern.as(EventTimes.Form.TYPE));
        form.filter(known -> !times.makesTime(known))
                .ifPresent(unused -> node.problem("'" + node.required("pattern").written()
                        + "' does not make a time (needed: day, month and hour: HH, or hh with a)"));
        Optional<Field> formField = node.optional("patternIn").map(name -> field("", name));
        if (digits.isPresent()) {
            return (value, event) -> used.parse(value, digits.get());
        } else if (form.isPresent()) {
            return (value, event) -> used.parse(value.asText(), form.get());
        }
        return (value, event) -> {
            Found pattern = formField.map(event::first).orElse(Found.END);
            return pattern == Found.END
                    ? used.parse(value)
                    : used.parseAs(value.asText(), pattern.value().asText());
        };
    }

    private static Optional<ZoneId> zone(YamlNode node) {
        return node.optional("zone").map(zone -> zone.as(ValueType.zone()));
    }

    private List<Condition> conditions(YamlNode node) {
        return Stream.of("where", "unless")
                .flatMap(kind -> node.optional(kind).stream()
                        .map(condition -> new Condition(
                                names(condition.required("field")),
                                condition.optional("is").map(Mapping::several).orElse(List.of()).stream()
                                        .map(value -> lower(value.text()))
                                        .toList(),
                                kind.equals("where"))))
                .toList();
    }

    private static List<YamlNode> several(YamlNode node) {
        return node.isList() ? node.filled().elements() : List.of(node);
    }

    private List<Field> names(YamlNode node) {
        return several(node).stream().map(one -> field("", one)).toList();
    }

    private Field field(String place, YamlNode node) {
        String text = node.text();
        int lists = text.split("\\[]", -1).length - 1;
        if (lists > 1) {
            node.problem(
                    "'" + text + "' has [] more than once (write [] only after the list whose elements are endpoints)");
        }
        if (text.matches("(?:.*\\.)?\\[].*|.*\\[][^.].*")) {
            node.problem("'" + text + "' has [] in a place other than after a key");
        }
        if (lists > 0 && !place.startsWith("Source.") && !place.startsWith("Target.")) {
            node.problem("only fields of Source and Target may have [] (remove [])");
        }
        return paths.field(text);
    }

    /** An IDEA event that is being made. Not thread-safe. */
    private static final class Draft {
        private final List<String> description = new ArrayList<>(1);
        private final List<String> node = new ArrayList<>(1);
        private final List<String> software = new ArrayList<>(2);
        private Optional<Instant> detectTime = Optional.empty();
        private final Map<String, JsonNode> other = new LinkedHashMap<>();
        private final Side source = new Side();
        private final Side target = new Side();

        /** Adds a value to a place of the event or of this endpoint; returns whether the place has the value now. */
        boolean add(Place place, DraftEndpoint endpoint, JsonNode value) {
            if (place.isOfEndpoint()) {
                return endpoint.add(place.key, value);
            }
            return switch (place.key) {
                case "Description" -> isAdded(description, 1, name(value));
                case "Name" -> isAdded(node, 1, name(value).filter(Draft::isShort));
                case "SW" -> isAdded(software, MOST, name(value).filter(Draft::isShort));
                case "AltNames", "Ref" -> isAdded(other, place.key, name(value));
                default -> {
                    Optional<JsonNode> count = IdeaReader.number(value, LONGEST_NUMBER)
                            .map(number -> number <= Integer.MAX_VALUE
                                    ? IntNode.valueOf(number.intValue())
                                    : LongNode.valueOf(number));
                    count.ifPresent(number -> other.putIfAbsent(place.key, number));
                    yield count.filter(number -> number.equals(other.get(place.key)))
                            .isPresent();
                }
            };
        }

        private static boolean isShort(String name) {
            return name.length() <= LONGEST_NAME;
        }
    }

    /** The endpoints of a side: one for all plain fields, and one for each element of lists with {@code []}. */
    private static final class Side {
        private final DraftEndpoint plain = new DraftEndpoint();
        private final SortedMap<String, SortedMap<Integer, DraftEndpoint>> ofLists = new TreeMap<>();

        DraftEndpoint endpoint(Field field, int element) {
            return field.listPath().isEmpty()
                    ? plain
                    : ofLists.computeIfAbsent(field.listPath(), unused -> new TreeMap<>())
                            .computeIfAbsent(element, unused -> new DraftEndpoint());
        }

        List<Endpoint> endpoints() {
            List<Endpoint> all = new ArrayList<>(1);
            plain.addTo(all);
            ofLists.values().forEach(elements -> elements.values().forEach(one -> one.addTo(all)));
            return all;
        }
    }

    private static final class DraftEndpoint {
        private final List<AddressRange> addresses = new ArrayList<>(1);
        private final List<Integer> ports = new ArrayList<>(1);
        private final List<String> protocols = new ArrayList<>(1);
        private final Map<String, JsonNode> other = new LinkedHashMap<>(4);

        boolean isEmpty() {
            return addresses.isEmpty() && ports.isEmpty() && protocols.isEmpty() && other.isEmpty();
        }

        void addTo(List<Endpoint> all) {
            if (!isEmpty()) {
                all.add(new Endpoint(List.of(), addresses, ports, protocols, other));
            }
        }

        /** Adds a value; returns whether the endpoint has the value now. */
        boolean add(String key, JsonNode value) {
            return switch (key) {
                case "IP" -> {
                    // A text with a port, a zone, or a network's other address stays in the event as a whole.
                    Optional<AddressRange> whole = text(value)
                            .flatMap(AddressRange::tryParse)
                            .filter(one -> value.asText().indexOf('/') < 0
                                    || lower(value.asText()).startsWith(one.first() + "/"));
                    Optional<AddressRange> address = whole.or(() -> text(value)
                            .map(text -> ADDRESS_AND_MORE.matcher(text).replaceFirst("$1$2$3"))
                            .flatMap(AddressRange::tryParse));
                    yield isAdded(addresses, MOST, address.map(Mapping::plain)) && whole.isPresent();
                }
                case "Port" -> isAdded(ports, MOST, port(value));
                case "Proto" -> isAdded(protocols, MOST, protocol(value));
                case "Hostname" ->
                    isAdded(
                            other,
                            key,
                            name(value).filter(name -> !NO_HOST.matcher(name).find()));
                default -> isAdded(other, key, text(value));
            };
        }
    }

    @Override
    public String identity() {
        return identity;
    }

    @Override
    public SecurityEvent read(byte[] bytes, int offset, int length, long position) {
        ObjectNode fields =
                mark.isPresent() ? mark.get().fields(text(bytes, offset, length)) : json(bytes, offset, length);
        return event(fields, id(bytes, offset, length, position));
    }

    /** Returns how many of the format's own keys show a record's format, or more for an earlier mark; 0 if nothing shows it. */
    int shownBy(String record, Optional<ObjectNode> json) {
        if (mark.isPresent()) {
            int start = mark.get().start(record);
            boolean isJson = record.startsWith("{") || (json.isPresent() && record.indexOf('{') < start);
            return isJson || start < 0 ? 0 : Integer.MAX_VALUE - start;
        }
        int most = 0;
        for (List<String> keys : shows) {
            boolean isShown = json.isPresent() && keys.stream().allMatch(key -> FieldPaths.has(json.get(), key));
            most = isShown ? Math.max(most, keys.size()) : most;
        }
        return most;
    }

    /** Reads the object of a record, which may follow a syslog header; throws {@link EventFormatException} without an object. */
    static ObjectNode json(byte[] bytes, int offset, int length) {
        int end = offset + length;
        int begin = offset;
        while (begin < end && bytes[begin] != '{') {
            begin++;
        }
        if (begin == offset || begin == end) {
            return EventJson.STRICT.object(bytes, offset, length);
        }
        ObjectNode event = EventJson.STRICT.object(bytes, begin, end - begin);
        ObjectNode header = MarkedLine.syslog(new String(bytes, offset, begin - offset, StandardCharsets.UTF_8));
        if (!header.isEmpty()) {
            event.set(event.has("syslog") ? "syslogHeader" : "syslog", header);
        }
        return event;
    }

    private static String text(byte[] bytes, int offset, int length) {
        String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
        // U+FFFD either replaces bytes that are not UTF-8, or belongs to the text itself.
        if (text.indexOf('\uFFFD') >= 0
                && !StandardCharsets.UTF_8.encode(text).equals(ByteBuffer.wrap(bytes, offset, length))) {
            throw new EventFormatException("not valid UTF-8");
        }
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    /** Returns a UUID of version 8 that depends only on the bytes of the record and on its position in its file. */
    private static String id(byte[] bytes, int offset, int length, long position) {
        MessageDigest digest = SHA_256.get();
        digest.update(bytes, offset, length);
        ByteBuffer hash = ByteBuffer.wrap(
                digest.digest(ByteBuffer.allocate(Long.BYTES).putLong(position).array()));
        long high = (hash.getLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x8000L;
        long low = (hash.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | Long.MIN_VALUE;
        return new UUID(high, low).toString();
    }

    private SecurityEvent event(ObjectNode fields, String id) {
        Values event = new Values(paths, fields);
        String category = category(event);
        Draft draft = new Draft();
        draft.other.put("Format", FORMAT);
        for (Place place : places) {
            if (place.isTime()) {
                placeTime(place, event, draft);
            } else {
                for (Source source : place.sources) {
                    place(place, source, event, draft);
                }
            }
        }
        Instant detectTime = draft.detectTime.orElseThrow(
                () -> new EventFormatException(
                        "none of "
                                + places.get(0).sources.stream()
                                        .flatMap(source -> source.field.stream())
                                        .map(Field::text)
                                        .toList()
                                + " is a time (a number must mean 1990 to a year from now, an abbreviated zone must not be ambiguous)"));
        // Other fields with the same time are in the event, too.
        for (Source source : places.get(0).sources) {
            for (Found found = source.first(event); found != Found.END; found = found.next()) {
                if (!found.isTaken() && source.clock.read(found.value(), event).equals(draft.detectTime)) {
                    found.take();
                }
            }
        }
        event.removeTaken();
        if (!fields.isEmpty()) {
            draft.other.put(extension, fields);
        }
        List<Node> nodes = draft.node.isEmpty() && draft.software.isEmpty()
                ? List.of()
                : List.of(new Node(String.join("", draft.node), List.of(), draft.software, Map.of()));
        return new SecurityEvent(
                id,
                detectTime,
                List.of(category),
                String.join("", draft.description),
                draft.source.endpoints(),
                draft.target.endpoints(),
                nodes,
                draft.other);
    }

    /** Returns the category of the first known value. The fields stay in the event, since they say more than the category. */
    private String category(Values event) {
        for (Source rule : rules) {
            for (Found found = rule.first(event); found != Found.END; found = found.next()) {
                List<JsonNode> category = rule.reading.read(found.value(), event);
                if (!category.isEmpty()) {
                    return category.get(0).textValue();
                }
            }
        }
        return otherwise;
    }

    /** Places the first plausible time, or else the first time. */
    private void placeTime(Place place, Values event, Draft draft) {
        Found best = Found.END;
        Optional<Instant> bestTime = Optional.empty();
        for (Source source : place.sources) {
            Found found = source.first(event);
            for (; found != Found.END && bestTime.filter(times::isPlausible).isEmpty(); found = found.next()) {
                Optional<Instant> time = found.isTaken() ? Optional.empty() : source.clock.read(found.value(), event);
                if (time.isPresent() && (bestTime.isEmpty() || times.isPlausible(time.get()))) {
                    best = found;
                    bestTime = time;
                }
            }
        }
        if (bestTime.isPresent()) {
            best.take();
            if (place.key.equals("DetectTime")) {
                draft.detectTime = bestTime;
            } else {
                draft.other.put(place.key, TextNode.valueOf(IdeaTime.format(bestTime.get())));
            }
        }
    }

    private static void place(Place place, Source source, Values event, Draft draft) {
        Side side = place.side.equals("Target") ? draft.target : draft.source;
        if (source.field.isEmpty() && Condition.hold(source.conditions, event)) {
            boolean isAlone = place.isOfEndpoint() && side.plain.isEmpty();
            List<JsonNode> values = isAlone ? List.of() : source.reading.read(Found.END.value(), event);
            for (JsonNode value : values) {
                var unused = draft.add(place, side.plain, value);
            }
        }
        for (Found found = source.first(event); found != Found.END; found = found.next()) {
            if (found.element() < MOST && !found.isTaken()) {
                DraftEndpoint endpoint = side.endpoint(source.field.get(), found.element());
                boolean isPlaced = true;
                for (JsonNode value : source.reading.read(found.value(), event)) {
                    isPlaced &= draft.add(place, endpoint, value);
                }
                if (isPlaced) {
                    found.take();
                }
            }
        }
    }

    /** Adds a value unless the list is full; returns whether the list has the value now. */
    private static <T> boolean isAdded(List<T> list, int most, Optional<T> value) {
        return value.isPresent() && (list.contains(value.get()) || (list.size() < most && list.add(value.get())));
    }

    private static boolean isAdded(Map<String, JsonNode> other, String key, Optional<String> value) {
        if (value.isEmpty()) {
            return false;
        }
        ArrayNode list = (ArrayNode) other.computeIfAbsent(key, unused -> JsonNodeFactory.instance.arrayNode());
        for (JsonNode there : list) {
            if (there.textValue().equals(value.get())) {
                return true;
            }
        }
        return list.size() < MOST && list.add(value.get()).size() > 0;
    }

    private static AddressRange plain(AddressRange address) {
        boolean isMapped = address.family() == Family.IP6
                && address.isSingle()
                && address.firstHigh() == 0
                && address.firstLow() >>> 32 == 0xFFFF;
        return isMapped ? AddressRange.ip4(address.firstLow() & 0xFFFF_FFFFL) : address;
    }

    private static Optional<Integer> port(JsonNode value) {
        return IdeaReader.port(value)
                .or(() ->
                        Optional.ofNullable(SERVICES.get(lower(value.asText()))).map(Integer::valueOf));
    }

    /** Returns a protocol in lower case, as in IDEA; a number must belong to an IP protocol with a name. */
    private static Optional<String> protocol(JsonNode value) {
        Optional<Long> number = IdeaReader.number(value, 3);
        return number.isPresent()
                ? Optional.ofNullable(PROTOCOLS.get(number.get().toString()))
                : text(value)
                        .filter(text -> text.length() <= LONGEST_PROTOCOL
                                && text.chars().allMatch(c -> c > ' ' && c < 127))
                        .map(Mapping::lower);
    }

    private static Optional<String> text(JsonNode value) {
        String text = value.isTextual() ? value.textValue() : "";
        return text.isEmpty() || text.equals("-") ? Optional.empty() : Optional.of(text);
    }

    /** Returns a text as it is, and a whole number or a truth value as text. */
    private static Optional<String> name(JsonNode value) {
        return value.isIntegralNumber() || value.isBoolean() ? Optional.of(value.asText()) : text(value);
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
