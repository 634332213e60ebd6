package siemload.dataset.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.config.Sha256;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;
import siemload.dataset.format.FieldsByPath.Field;
import siemload.dataset.format.FieldsByPath.FieldPath;
import siemload.event.AddressRange;
import siemload.event.ByteLines;
import siemload.event.Endpoint;
import siemload.event.EventFormatException;
import siemload.event.EventJson;
import siemload.event.EventLineReader;
import siemload.event.EventReader;
import siemload.event.IdeaReader;
import siemload.event.IdeaTime;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/**
 * A file of events and how it is read. Immutable.
 *
 * @param path as the user named it
 * @param format asked for, or told from its first lines
 * @param reader of that format
 */
public record EventFile(Path path, EventFormat format, EventReader reader) {
    private static final int MOST_LINES = 100;

    /**
     * A file in the format that the settings name, or else in the one that its lines show.
     *
     * @param home the directory with datasets/
     * @throws siemload.config.ConfigException with what is wrong with the mapping file
     * @throws java.io.UncheckedIOException if the file cannot be looked at
     */
    public static EventFile of(Path home, Path file, Settings settings) {
        Optional<EventFormat> asked = EventFormat.find(settings.value(Property.FORMAT));
        EventFormat format = format(file, asked);
        return new EventFile(file, format, reader(home, format, file));
    }

    /** The format asked for, or else that of the first line that shows one; IDEA where none does. */
    public static EventFormat format(Path file, Optional<EventFormat> asked) {
        return asked.orElseGet(() -> shown(file).orElse(EventFormat.IDEA));
    }

    /**
     * A reader of a file.
     *
     * @param home the directory with datasets/
     * @param file whose time of modification stands in for the year of times that have none
     * @throws siemload.config.ConfigException with what is wrong with the mapping file
     * @throws UncheckedIOException if the file cannot be looked at
     */
    public static EventReader reader(Path home, EventFormat format, Path file) {
        if (format == EventFormat.IDEA) {
            return new IdeaReader();
        }
        Path mappingFile = home.resolve("datasets").resolve("formats").resolve(format.id() + ".yaml");
        FormatMapping mapping = FormatMappingReader.read(mappingFile);
        Instant modified = modified(file);
        return new MappedReader(
                format, mapping, new EventTimes(mapping.zone(), modified), identity(format, mappingFile, modified));
    }

    /** The day is what decides of which year a time without one is. */
    private static String identity(EventFormat format, Path mappingFile, Instant modified) {
        try {
            String mapping = Sha256.fingerprint(Files.readString(mappingFile));
            return format.id() + " " + mapping + " " + modified.truncatedTo(ChronoUnit.DAYS);
        } catch (IOException e) {
            throw new UncheckedIOException(mappingFile + " cannot be read", e);
        }
    }

    private static Instant modified(Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }

    /** The format of the first line of a hundred that shows one. Damaged data is told when it is read. */
    private static Optional<EventFormat> shown(Path file) {
        try (ByteLines lines = ByteLines.open(file, EventLineReader.MAXIMUM_LINE_BYTES)) {
            return shown(lines);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }

    private static Optional<EventFormat> shown(ByteLines lines) {
        Optional<EventFormat> found = Optional.empty();
        try {
            for (int i = 0; i < MOST_LINES && found.isEmpty() && lines.next(); i++) {
                found = EventFormat.ofLine(lines.text().strip());
            }
        } catch (IOException damaged) {
            return Optional.empty();
        }
        return found;
    }

    /** Reads mapping files. Stateless and thread-safe. */
    private static final class FormatMappingReader {
        private static final Choices<String> PLACES = Choices.names(MappedEvent.PLACES);

        private static final String NO_ELEMENTS = "only fields of Source and Target may have [] (leave it out)";

        private FormatMappingReader() {}

        /** Reads a file; throws {@link ConfigException} with everything that is wrong, with file, line and column. */
        static FormatMapping read(Path file) {
            return YamlDocument.read(file, FormatMappingReader::mapping);
        }

        private static FormatMapping mapping(YamlNode top) {
            top.required("description").text();
            ZoneId zone = top.optional("zone").map(FormatMappingReader::zone).orElse(ZoneOffset.UTC);
            Map<String, List<FieldPath>> fields = new LinkedHashMap<>();
            top.required("fields").entries(PLACES).forEach((place, node) -> fields.put(place, paths(place, node)));
            if (!fields.containsKey("DetectTime")) {
                top.required("fields").problem("DetectTime is missing (an event needs one)");
            }
            List<FormatMapping.CategoryRule> categories = new ArrayList<>();
            YamlNode node = top.required("categories");
            node.required("rules").elements().forEach(rule -> categories.add(rule(rule)));
            return FormatMapping.of(
                    zone, fields, categories, node.required("otherwise").text());
        }

        private static List<FieldPath> paths(String place, YamlNode node) {
            return node.elements().stream().map(field -> path(place, field)).toList();
        }

        private static FieldPath path(String place, YamlNode node) {
            String text = node.text();
            int lists = text.split("\\[]", -1).length - 1;
            if (lists > 1) {
                node.problem("'" + text
                        + "' has [] more than once (it stands behind the list whose elements are endpoints)");
            }
            if (lists > 0 && !place.startsWith("Source.") && !place.startsWith("Target.")) {
                node.problem(NO_ELEMENTS);
            }
            return FieldPath.of(text);
        }

        private static FormatMapping.CategoryRule rule(YamlNode node) {
            FieldPath field = FieldPath.of(node.required("field").text());
            if (field.hasElements()) {
                node.required("field").problem(NO_ELEMENTS);
            }
            boolean whole = node.optional("is").isPresent();
            YamlNode values = whole ? node.required("is") : node.required("contains");
            Map<String, String> categories = new LinkedHashMap<>();
            values.entries().forEach((value, category) -> categories.put(lower(value), category.text()));
            return new FormatMapping.CategoryRule(field, whole, categories);
        }

        private static ZoneId zone(YamlNode node) {
            try {
                return ZoneId.of(node.text());
            } catch (DateTimeException unknown) {
                node.problem("'" + node.written() + "' is no time zone (write for example UTC or Europe/Prague)");
                return ZoneOffset.UTC;
            }
        }
    }

    /** Reads events of another format by a mapping. Thread-safe. */
    private record MappedReader(EventFormat format, FormatMapping mapping, EventTimes times, String identity)
            implements EventReader {
        @Override
        public SecurityEvent read(byte[] bytes, int offset, int length, long position) {
            ObjectNode fields = format == EventFormat.CEF
                    ? CefLine.fields(text(bytes, offset, length))
                    : EventJson.STRICT.object(bytes, offset, length);
            return new MappedEvent(format, mapping, times, new FieldsByPath(fields, mapping.keys()))
                    .event(LineId.of(bytes, offset, length, position));
        }

        private static String text(byte[] bytes, int offset, int length) {
            try {
                String text = StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes, offset, length))
                        .toString();
                return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
            } catch (CharacterCodingException notUtf8) {
                throw new EventFormatException("not valid UTF-8");
            }
        }

        /** Ids of events whose format has none: the same line at the same place has always the same one. Thread-safe. */
        private static final class LineId {
            private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(Sha256::digest);

            private LineId() {}

            /** A UUID of version 8 from the bytes of the line and from where it stands in its file. */
            static String of(byte[] bytes, int offset, int length, long position) {
                MessageDigest digest = SHA_256.get();
                digest.update(bytes, offset, length);
                ByteBuffer hash = ByteBuffer.wrap(digest.digest(
                        ByteBuffer.allocate(Long.BYTES).putLong(position).array()));
                long high = (hash.getLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x8000L;
                long low = (hash.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | Long.MIN_VALUE;
                return new UUID(high, low).toString();
            }
        }
    }

    /**
     * Takes a CEF line apart, versions 0 and 1, after "ArcSight Common Event Format" (OpenText): seven fields with {@code |}
     * between them, then keys and values. Stateless and thread-safe.
     */
    static final class CefLine {
        static final String MARK = "CEF:";

        private static final List<String> HEADER = List.of(
                "cefVersion",
                "deviceVendor",
                "deviceProduct",
                "deviceVersion",
                "deviceEventClassId",
                "name",
                "severity");

        private static final Pattern ESCAPE = Pattern.compile("\\\\([\\\\=|nr])");

        /** The header of RFC 5424 or RFC 3164, with or without its priority; the time may also be one of ISO 8601. */
        private static final Pattern SYSLOG = Pattern.compile("(?:<(?<priority>\\d{1,3})>)?(?:1 (?=\\d{4}-|- ))?"
                + "(?<time>[A-Z][a-z]{2} [ \\d]\\d (?:\\d{4} )?\\d\\d:\\d\\d:\\d\\d|\\d{4}-\\d\\d-\\d\\dT\\S{8,30}|-)"
                + " (?<host>\\S{1,255}) ?(?<rest>.*)");

        private CefLine() {}

        /** The fields of a line by their names, texts all of them; throws {@link EventFormatException} where it is none. */
        static ObjectNode fields(String line) {
            int start = line.indexOf(MARK);
            if (start < 0) {
                throw new EventFormatException("not CEF: there is no CEF: in the line");
            }
            ObjectNode fields = JsonNodeFactory.instance.objectNode();
            int end = header(line, start + MARK.length(), fields);
            extension(line.substring(end), fields);
            syslog(line.substring(0, start).strip(), fields);
            return fields;
        }

        private static int header(String line, int start, ObjectNode fields) {
            int at = start;
            for (String name : HEADER) {
                StringBuilder value = new StringBuilder();
                boolean ended = false;
                while (at < line.length() && !ended) {
                    char character = line.charAt(at++);
                    if (character == '\\' && at < line.length() && "\\|".indexOf(line.charAt(at)) >= 0) {
                        value.append(line.charAt(at++));
                    } else if (character == '|') {
                        ended = true;
                    } else {
                        value.append(character);
                    }
                }
                // The last field may end with the line: then there is no extension.
                if (!ended && !name.equals("severity")) {
                    throw new EventFormatException("not CEF: its header ends after " + name + " (it has seven fields)");
                }
                fields.put(name, value.toString());
            }
            if (!fields.get("cefVersion").textValue().matches("[01](\\.\\d)?")) {
                throw new EventFormatException("not CEF of version 0 or 1");
            }
            return at;
        }

        /** A key is the last word before an equals sign that is not escaped; its value goes on to the next key. */
        private static void extension(String text, ObjectNode fields) {
            int equals = nextEquals(text, 0);
            String before = text.substring(0, equals < 0 ? text.length() : keyStart(text, equals))
                    .strip();
            if (!before.isEmpty()) {
                add(fields, "extensionBeforeKeys", TextNode.valueOf(unescaped(before)));
            }
            while (equals >= 0) {
                int next = nextEquals(text, equals + 1);
                String value = text.substring(equals + 1, next < 0 ? text.length() : keyStart(text, next));
                add(
                        fields,
                        text.substring(keyStart(text, equals), equals),
                        TextNode.valueOf(unescaped(value.stripTrailing())));
                equals = next;
            }
        }

        /** Where the next equals sign stands that has a key before it, and that a blank; -1 if none has. */
        private static int nextEquals(String text, int from) {
            for (int at = text.indexOf('=', from); at >= 0; at = text.indexOf('=', at + 1)) {
                int start = keyStart(text, at);
                if (start < at && start >= from && (start == 0 || text.charAt(start - 1) == ' ')) {
                    return at;
                }
            }
            return -1;
        }

        private static int keyStart(String text, int equals) {
            int start = equals;
            while (start > 0 && isOfKey(text.charAt(start - 1))) {
                start--;
            }
            return start;
        }

        private static boolean isOfKey(char character) {
            return (character >= 'a' && character <= 'z')
                    || (character >= 'A' && character <= 'Z')
                    || (character >= '0' && character <= '9')
                    || "_.-[]:".indexOf(character) >= 0;
        }

        private static String unescaped(String text) {
            return text.indexOf('\\') < 0
                    ? text
                    : ESCAPE.matcher(text).replaceAll(escape -> switch (escape.group(1)) {
                        case "n" -> "\n";
                        case "r" -> "\r";
                        default -> Matcher.quoteReplacement(escape.group(1));
                    });
        }

        private static void syslog(String prefix, ObjectNode fields) {
            if (prefix.isEmpty()) {
                return;
            }
            Matcher header = SYSLOG.matcher(prefix);
            ObjectNode syslog = JsonNodeFactory.instance.objectNode();
            if (header.matches()) {
                for (String part : List.of("priority", "time", "host", "rest")) {
                    String value = header.group(part);
                    if (value != null && !value.isEmpty()) {
                        syslog.put(part, value);
                    }
                }
            } else {
                syslog.put("header", prefix);
            }
            add(fields, "syslog", syslog);
        }

        /** Beside what has the same key already. */
        private static void add(ObjectNode fields, String key, JsonNode value) {
            JsonNode before = fields.get(key);
            if (before == null) {
                fields.set(key, value);
            } else if (before instanceof ArrayNode list) {
                list.add(value);
            } else {
                fields.set(key, JsonNodeFactory.instance.arrayNode().add(before).add(value));
            }
        }
    }

    /**
     * Which field of a format goes where in IDEA, as a mapping file says. Immutable.
     *
     * @param zone of times that name none
     * @param fields where in IDEA, and the fields that may stand there
     * @param categories asked one after the other; the first that knows the value of its field decides
     * @param otherwise the category of events that none of them knows
     * @param keys of all fields that are asked for
     */
    private record FormatMapping(
            ZoneId zone,
            Map<String, List<FieldPath>> fields,
            List<CategoryRule> categories,
            String otherwise,
            Set<String> keys) {
        FormatMapping {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
            categories = List.copyOf(categories);
            keys = new HashSet<>(keys);
        }

        static FormatMapping of(
                ZoneId zone, Map<String, List<FieldPath>> fields, List<CategoryRule> categories, String otherwise) {
            Set<String> keys = new HashSet<>();
            Map<String, List<FieldPath>> ordered = new LinkedHashMap<>();
            for (String place : MappedEvent.PLACES) {
                List<FieldPath> paths = fields.getOrDefault(place, List.of());
                paths.forEach(path -> keys.add(path.keys()));
                ordered.put(place, paths);
            }
            categories.forEach(rule -> keys.add(rule.field().keys()));
            return new FormatMapping(zone, ordered, categories, otherwise, keys);
        }

        /** The fields that may stand there. */
        List<FieldPath> paths(String place) {
            return fields.getOrDefault(place, List.of());
        }

        /**
         * How a field says the category.
         *
         * @param isWhole whether the whole value is compared, or is searched for words
         * @param values lower case; in the order of the file
         */
        record CategoryRule(FieldPath field, boolean isWhole, Map<String, String> values) {
            /** Of a value in lower case; empty where the rule does not know it. */
            Optional<String> category(String value) {
                if (isWhole) {
                    return Optional.ofNullable(values.get(value));
                }
                for (Map.Entry<String, String> entry : values.entrySet()) {
                    if (value.contains(entry.getKey())) {
                        return Optional.of(entry.getValue());
                    }
                }
                return Optional.empty();
            }
        }
    }

    /**
     * One event on its way from the fields of its format into IDEA: what finds its place is taken out of the fields, what is
     * left at the end is kept in the event under the extension key of the format. Not thread-safe.
     */
    private record MappedEvent(EventFormat format, FormatMapping mapping, EventTimes times, FieldsByPath fields) {
        private static final int LONGEST_TEXT = 1_000;
        private static final int LONGEST_PROTOCOL = 40;
        private static final int LONGEST_NUMBER = 18;
        private static final int LARGEST_PORT = 65_535;
        private static final Set<String> NO_TEXT = Set.of("", "-");
        /** Where a field may go, as mapping files write it: each side, and behind its point the key. */
        private static final List<String> PLACES = List.of(("DetectTime CreateTime EventTime CeaseTime Description"
                        + " ConnCount FlowCount PacketCount ByteCount AltNames Ref Node.Name Node.SW"
                        + " Source.IP Source.Port Source.Proto Source.Hostname Source.MAC Source.URL Source.Email"
                        + " Target.IP Target.Port Target.Proto Target.Hostname Target.MAC Target.URL Target.Email")
                .split(" "));

        SecurityEvent event(String id) {
            List<String> categories = List.of(category());
            Instant detectTime = time("DetectTime")
                    .orElseThrow(() -> new EventFormatException("none of "
                            + mapping.paths("DetectTime").stream()
                                    .map(FieldPath::text)
                                    .toList()
                            + " is a time of 1970 to 9999"));
            Map<String, JsonNode> other = new LinkedHashMap<>();
            other.put("Format", TextNode.valueOf("IDEA0"));
            String description = text("Description");
            List<Endpoint> sources = new MappedEndpoints("Source.", mapping, fields).endpoints();
            List<Endpoint> targets = new MappedEndpoints("Target.", mapping, fields).endpoints();
            List<Node> nodes = nodes();
            for (String place : List.of("CreateTime", "EventTime", "CeaseTime")) {
                time(place).ifPresent(time -> other.put(place, TextNode.valueOf(IdeaTime.format(time))));
            }
            for (String place : List.of("ConnCount", "FlowCount", "PacketCount", "ByteCount")) {
                first(place, MappedEvent::number).ifPresent(count -> other.put(place, count(count)));
            }
            for (String place : List.of("AltNames", "Ref")) {
                ArrayNode texts = JsonNodeFactory.instance.arrayNode();
                taken(place, Integer.MAX_VALUE, MappedEvent::text).forEach(texts::add);
                if (!texts.isEmpty()) {
                    other.put(place, texts);
                }
            }
            ObjectNode rest = fields.rest();
            if (!rest.isEmpty()) {
                other.put(format.extension(), rest);
            }
            return new SecurityEvent(id, detectTime, categories, description, sources, targets, nodes, other);
        }

        /** The first value that is known decides. The fields stay: a category says less than they do. */
        private String category() {
            for (FormatMapping.CategoryRule rule : mapping.categories()) {
                for (Field field = fields.first(rule.field()); field != FieldsByPath.OTHER; field = field.next()) {
                    Optional<String> found = rule.category(lower(field.value.asText()));
                    if (found.isPresent()) {
                        return found.get();
                    }
                }
            }
            return mapping.otherwise();
        }

        private Optional<Instant> time(String place) {
            return first(place, times::parse);
        }

        private String text(String place) {
            return first(place, MappedEvent::text).orElse("");
        }

        private List<Node> nodes() {
            String name = text("Node.Name");
            List<String> software = taken("Node.SW", Integer.MAX_VALUE, MappedEvent::text);
            return name.isEmpty() && software.isEmpty()
                    ? List.of()
                    : List.of(new Node(name, List.of(), software, Map.of()));
        }

        private <T> Optional<T> first(String place, Function<JsonNode, Optional<T>> read) {
            return taken(place, 1, read).stream().findFirst();
        }

        /** Asks field after field; what is not read, and what is above the number that is taken, stays. */
        private <T> List<T> taken(String place, int most, Function<JsonNode, Optional<T>> read) {
            List<T> taken = new ArrayList<>(1);
            for (FieldPath path : mapping.paths(place)) {
                for (Field field = fields.first(path); field != FieldsByPath.OTHER; field = field.next()) {
                    if (!field.isTaken && taken.size() < most) {
                        field.isTaken = read.apply(field.value).map(taken::add).orElse(false);
                    }
                }
            }
            return taken;
        }

        private static Optional<String> text(JsonNode value) {
            boolean fits = value.isTextual()
                    && value.textValue().length() <= LONGEST_TEXT
                    && !NO_TEXT.contains(value.textValue());
            return fits ? Optional.of(value.textValue()) : Optional.empty();
        }

        /** In lower case, as IDEA writes them. */
        private static Optional<String> protocol(JsonNode value) {
            return value.isTextual() && isWord(value.textValue())
                    ? Optional.of(lower(value.textValue()))
                    : Optional.empty();
        }

        private static boolean isWord(String text) {
            return !text.isEmpty()
                    && text.length() <= LONGEST_PROTOCOL
                    && text.chars().allMatch(c -> c > ' ' && c < 127);
        }

        private static Optional<AddressRange> address(JsonNode value) {
            return value.isTextual() ? AddressRange.tryParse(value.textValue()) : Optional.empty();
        }

        private static Optional<Integer> port(JsonNode value) {
            return number(value).filter(port -> port <= LARGEST_PORT).map(Long::intValue);
        }

        private static Optional<Long> number(JsonNode value) {
            String digits = value.isIntegralNumber() || value.isTextual() ? value.asText() : "";
            boolean number = !digits.isEmpty()
                    && digits.length() <= LONGEST_NUMBER
                    && digits.chars().allMatch(c -> c >= '0' && c <= '9');
            return number ? Optional.of(Long.valueOf(digits)) : Optional.empty();
        }

        /** The node that a reader of JSON makes. */
        private static JsonNode count(long count) {
            return count <= Integer.MAX_VALUE ? IntNode.valueOf((int) count) : LongNode.valueOf(count);
        }

        /**
         * The sources or the targets of one event: one of all fields together, and behind it one of each element of lists whose
         * elements are told apart. Not thread-safe.
         */
        private static final class MappedEndpoints {
            /** Of endpoints, and of values of one; more stay in the fields. A line of a mebibyte may have a hundred thousand. */
            private static final int MOST = 1_000;

            private final Parts together = new Parts();
            /** By the list that the elements are of. */
            private final Map<String, List<Parts>> apart = new LinkedHashMap<>(0);

            MappedEndpoints(String side, FormatMapping mapping, FieldsByPath fields) {
                mapping.fields().forEach((place, paths) -> {
                    if (place.startsWith(side)) {
                        String key = place.substring(side.length());
                        paths.forEach(path -> take(key, path, fields));
                    }
                });
            }

            private void take(String key, FieldPath path, FieldsByPath fields) {
                for (Field field = fields.first(path); field != FieldsByPath.OTHER; field = field.next()) {
                    if (!field.isTaken && (!path.hasElements() || field.element(path.list()) < MOST)) {
                        field.isTaken = parts(path, field).takes(key, field.value);
                    }
                }
            }

            private Parts parts(FieldPath path, Field field) {
                if (!path.hasElements()) {
                    return together;
                }
                int element = field.element(path.list());
                List<Parts> elements = apart.computeIfAbsent(path.list(), list -> new ArrayList<>());
                while (elements.size() <= element) {
                    elements.add(new Parts());
                }
                return elements.get(element);
            }

            List<Endpoint> endpoints() {
                Stream<Parts> all = Stream.concat(
                        Stream.of(together), apart.values().stream().flatMap(List::stream));
                return all.filter(Parts::isAny).map(Parts::endpoint).toList();
            }

            /** What becomes one endpoint. */
            private static final class Parts {
                private final List<AddressRange> addresses = new ArrayList<>(1);
                private final List<Integer> ports = new ArrayList<>(1);
                private final List<String> protocols = new ArrayList<>(1);
                private final Map<String, JsonNode> other = new LinkedHashMap<>(0);

                private boolean takes(String key, JsonNode value) {
                    return switch (key) {
                        case "IP" -> addNew(addresses, MappedEvent.address(value));
                        case "Port" -> addNew(ports, MappedEvent.port(value));
                        case "Proto" -> addNew(protocols, MappedEvent.protocol(value));
                        default -> addText(key, MappedEvent.text(value));
                    };
                }

                private static <T> boolean addNew(List<T> values, Optional<T> value) {
                    return values.size() < MOST
                            && value.isPresent()
                            && !values.contains(value.get())
                            && values.add(value.get());
                }

                private boolean addText(String key, Optional<String> text) {
                    text.ifPresent(value -> ((ArrayNode)
                                    other.computeIfAbsent(key, list -> JsonNodeFactory.instance.arrayNode()))
                            .add(value));
                    return text.isPresent();
                }

                private boolean isAny() {
                    return !addresses.isEmpty() || !ports.isEmpty() || !protocols.isEmpty() || !other.isEmpty();
                }

                private Endpoint endpoint() {
                    if (!addresses.isEmpty()) {
                        // IDEA has those of each family in a list of their own.
                        AddressRange.Family first = addresses.get(0).family();
                        addresses.sort(Comparator.comparing(range -> range.family() != first));
                    }
                    return new Endpoint(List.of(), addresses, ports, protocols, other);
                }
            }
        }
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
