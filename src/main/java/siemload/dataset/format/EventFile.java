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
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
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
import siemload.event.AddressRange;
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

    /**
     * A file in the format that the settings name, or else in the one that its lines show.
     *
     * @param home the directory with datasets/
     * @throws siemload.config.ConfigException with what is wrong with the mapping file
     * @throws java.io.UncheckedIOException if the file cannot be looked at
     */
    public static EventFile of(Path home, Path file, Settings settings) {
        Optional<EventFormat> asked = EventFormat.find(settings.value(Property.FORMAT));
        EventFormat format = EventFormats.of(file, asked);
        return new EventFile(file, format, EventFormats.reader(home, format, file));
    }

    /** Readers of the formats of events, made from the mapping files in {@code datasets/formats}. Stateless. */
    public static final class EventFormats {
        private EventFormats() {}

        /** The format asked for, or else that of the first line that shows one; IDEA where none does. */
        public static EventFormat of(Path file, Optional<EventFormat> asked) {
            return asked.orElseGet(() -> FormatDetection.detect(file).orElse(EventFormat.IDEA));
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

        /** Tells the format of a file from its first hundred lines. Not thread-safe. */
        private static final class FormatDetection implements EventReader {
            private static final int MOST_LINES = 100;
            private static final Pattern CEF = Pattern.compile("(^|[\\s:])CEF:\\d");
            private static final Pattern IDEA = Pattern.compile("\"(DetectTime|IDEA0)\"");
            private static final Pattern OCSF = Pattern.compile("\"(class_uid|type_uid)\"");
            private static final Pattern ECS = Pattern.compile("\"(@timestamp|ecs(\\.version)?)\"\\s*:");
            private static final SecurityEvent ENOUGH =
                    new SecurityEvent("", Instant.EPOCH, List.of(), "", List.of(), List.of(), List.of(), Map.of());

            private int lines;
            private Optional<EventFormat> found = Optional.empty();

            private FormatDetection() {}

            /** The format of the first line that shows one. */
            static Optional<EventFormat> detect(Path file) {
                FormatDetection detection = new FormatDetection();
                try (EventLineReader reader = EventLineReader.open(file, detection, problem -> {})) {
                    reader.next();
                }
                return detection.found;
            }

            @Override
            public String identity() {
                return "detection";
            }

            /** Ends the reading by an event as soon as enough is known. */
            @Override
            public SecurityEvent read(byte[] bytes, int offset, int length, long position) {
                found = format(new String(bytes, offset, length, StandardCharsets.UTF_8).strip());
                if (found.isPresent() || ++lines >= MOST_LINES) {
                    return ENOUGH;
                }
                throw new EventFormatException("this line shows no format");
            }

            private static Optional<EventFormat> format(String line) {
                if (!line.startsWith("{")) {
                    return CEF.matcher(line).find() ? Optional.of(EventFormat.CEF) : Optional.empty();
                }
                if (IDEA.matcher(line).find()) {
                    return Optional.of(EventFormat.IDEA);
                }
                if (OCSF.matcher(line).find()) {
                    return Optional.of(EventFormat.OCSF);
                }
                return ECS.matcher(line).find() ? Optional.of(EventFormat.ECS) : Optional.empty();
            }
        }

        /** Reads mapping files. Stateless and thread-safe. */
        private static final class FormatMappingReader {
            private static final Choices<IdeaPlace> PLACES = Choices.of(IdeaPlace.class, IdeaPlace::id);

            private static final String NO_ELEMENTS = "only fields of Source and Target may have [] (leave it out)";

            private FormatMappingReader() {}

            /** Reads a file; throws {@link ConfigException} with everything that is wrong, with file, line and column. */
            static FormatMapping read(Path file) {
                return YamlDocument.read(file, FormatMappingReader::mapping);
            }

            private static FormatMapping mapping(YamlNode top) {
                top.required("description").text();
                ZoneId zone =
                        top.optional("zone").map(FormatMappingReader::zone).orElse(ZoneOffset.UTC);
                Map<IdeaPlace, List<FieldPath>> fields = new EnumMap<>(IdeaPlace.class);
                top.required("fields").entries(PLACES).forEach((place, node) -> fields.put(place, paths(place, node)));
                if (!fields.containsKey(IdeaPlace.DETECT_TIME)) {
                    top.required("fields").problem("DetectTime is missing (an event needs one)");
                }
                List<FormatMapping.CategoryRule> categories = new ArrayList<>();
                YamlNode node = top.required("categories");
                node.required("rules").elements().forEach(rule -> categories.add(rule(rule)));
                List<FieldPath> lists = lists(fields);
                fields.replaceAll((place, paths) ->
                        paths.stream().map(path -> path.beside(lists)).toList());
                return new FormatMapping(
                        zone,
                        fields,
                        lists,
                        categories,
                        node.required("otherwise").text());
            }

            private static List<FieldPath> paths(IdeaPlace place, YamlNode node) {
                return node.elements().stream().map(field -> path(place, field)).toList();
            }

            private static FieldPath path(IdeaPlace place, YamlNode node) {
                String text = node.text();
                int lists = text.split("\\[]", -1).length - 1;
                if (lists > 1) {
                    node.problem("'" + text
                            + "' has [] more than once (it stands behind the list whose elements are endpoints)");
                }
                if (lists > 0 && !place.isOf("Source") && !place.isOf("Target")) {
                    node.problem(NO_ELEMENTS);
                }
                return FieldPath.of(text);
            }

            private static List<FieldPath> lists(Map<IdeaPlace, List<FieldPath>> fields) {
                Map<String, FieldPath> lists = new LinkedHashMap<>();
                for (List<FieldPath> paths : fields.values()) {
                    paths.stream()
                            .filter(FieldPath::hasElements)
                            .forEach(path -> lists.putIfAbsent(path.listText(), path));
                }
                return List.copyOf(lists.values());
            }

            private static FormatMapping.CategoryRule rule(YamlNode node) {
                FieldPath field = FieldPath.of(node.required("field").text());
                if (field.hasElements()) {
                    node.required("field").problem(NO_ELEMENTS);
                }
                boolean whole = node.optional("is").isPresent();
                YamlNode values = whole ? node.required("is") : node.required("contains");
                Map<String, String> categories = new LinkedHashMap<>();
                values.entries().forEach((value, category) -> categories.put(IdeaPlace.lower(value), category.text()));
                return new FormatMapping.CategoryRule(
                        field, whole ? FormatMapping.Match.IS : FormatMapping.Match.CONTAINS, categories);
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
                return new MappedEvent(format, mapping, times, fields)
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
                        throw new EventFormatException(
                                "not CEF: its header ends after " + name + " (it has seven fields)");
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
                String before = equals < 0 ? text : text.substring(0, keyStart(text, equals));
                if (!before.isBlank()) {
                    add(fields, "extensionBeforeKeys", TextNode.valueOf(unescaped(before.strip())));
                }
                while (equals >= 0) {
                    String key = text.substring(keyStart(text, equals), equals);
                    int next = nextEquals(text, equals + 1);
                    int end = next < 0 ? text.length() : keyStart(text, next);
                    add(
                            fields,
                            key,
                            TextNode.valueOf(
                                    unescaped(text.substring(equals + 1, end).stripTrailing())));
                    equals = next;
                }
            }

            /** Where the next equals sign stands that has a key before it; -1 if none has. */
            private static int nextEquals(String text, int from) {
                for (int at = from; at < text.length(); at++) {
                    char character = text.charAt(at);
                    if (character == '\\') {
                        at++;
                    } else if (character == '=') {
                        int start = keyStart(text, at);
                        if (start < at && start >= from && (start == 0 || text.charAt(start - 1) == ' ')) {
                            return at;
                        }
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
                if (text.indexOf('\\') < 0) {
                    return text;
                }
                StringBuilder plain = new StringBuilder(text.length());
                for (int i = 0; i < text.length(); i++) {
                    char character = text.charAt(i);
                    int escape = character == '\\' && i + 1 < text.length() ? "\\=|nr".indexOf(text.charAt(i + 1)) : -1;
                    if (escape >= 0) {
                        plain.append("\\=|\n\r".charAt(escape));
                        i++;
                    } else {
                        plain.append(character);
                    }
                }
                return plain.toString();
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
                    fields.set(
                            key,
                            JsonNodeFactory.instance.arrayNode().add(before).add(value));
                }
            }
        }
    }

    /**
     * One event on its way from the fields of its format into IDEA: what finds its place is taken out of the fields, what is
     * left at the end is kept in the event under the extension key of the format. Not thread-safe.
     */
    private record MappedEvent(EventFormat format, FormatMapping mapping, EventTimes times, ObjectNode fields) {
        private static final List<IdeaPlace> COUNTS = places(place -> place.kind() == IdeaPlace.Kind.COUNT);
        private static final List<IdeaPlace> SOURCE = places(place -> place.isOf("Source"));
        private static final List<IdeaPlace> TARGET = places(place -> place.isOf("Target"));

        private static List<IdeaPlace> places(Predicate<IdeaPlace> wanted) {
            return Arrays.stream(IdeaPlace.values()).filter(wanted).toList();
        }

        SecurityEvent event(String id) {
            List<String> categories = List.of(category());
            Instant detectTime = time(IdeaPlace.DETECT_TIME)
                    .orElseThrow(() -> new EventFormatException("none of "
                            + mapping.paths(IdeaPlace.DETECT_TIME).stream()
                                    .map(FieldPath::text)
                                    .toList()
                            + " is a time of 1970 to 9999"));
            Map<String, JsonNode> other = new LinkedHashMap<>();
            other.put("Format", TextNode.valueOf("IDEA0"));
            String description = text(IdeaPlace.DESCRIPTION);
            List<Endpoint> sources = new MappedEndpoints(SOURCE, mapping, fields).endpoints();
            List<Endpoint> targets = new MappedEndpoints(TARGET, mapping, fields).endpoints();
            List<Node> nodes = nodes();
            for (IdeaPlace place : List.of(IdeaPlace.CREATE_TIME, IdeaPlace.EVENT_TIME, IdeaPlace.CEASE_TIME)) {
                time(place).ifPresent(time -> other.put(place.id(), TextNode.valueOf(IdeaTime.format(time))));
            }
            for (IdeaPlace place : COUNTS) {
                first(place, FieldValues::number).ifPresent(count -> other.put(place.id(), count(count)));
            }
            for (IdeaPlace place : List.of(IdeaPlace.ALT_NAMES, IdeaPlace.REF)) {
                ArrayNode texts = JsonNodeFactory.instance.arrayNode();
                taken(place, Integer.MAX_VALUE, FieldValues::text).forEach(texts::add);
                if (!texts.isEmpty()) {
                    other.put(place.key(), texts);
                }
            }
            mapping.lists().forEach(list -> list.removeEmptied(fields));
            if (!fields.isEmpty()) {
                other.put(format.extension(), fields);
            }
            return new SecurityEvent(id, detectTime, categories, description, sources, targets, nodes, other);
        }

        /** The fields that decide stay: a category says less than they do. */
        private String category() {
            for (FormatMapping.CategoryRule rule : mapping.categories()) {
                List<String> found = new ArrayList<>(1);
                rule.field().visit(fields, value -> noteCategory(rule, value.asText(), found));
                if (!found.isEmpty()) {
                    return found.get(0);
                }
            }
            return mapping.otherwise();
        }

        /** The first value that is known decides. */
        private static void noteCategory(FormatMapping.CategoryRule rule, String written, List<String> found) {
            if (!found.isEmpty()) {
                return;
            }
            String value = IdeaPlace.lower(written);
            switch (rule.match()) {
                case IS -> Optional.ofNullable(rule.values().get(value)).ifPresent(found::add);
                case CONTAINS ->
                    rule.values().entrySet().stream()
                            .filter(entry -> value.contains(entry.getKey()))
                            .findFirst()
                            .ifPresent(entry -> found.add(entry.getValue()));
            }
        }

        private Optional<Instant> time(IdeaPlace place) {
            return first(place, times::parse);
        }

        private String text(IdeaPlace place) {
            return first(place, FieldValues::text).orElse("");
        }

        private List<Node> nodes() {
            String name = text(IdeaPlace.NODE_NAME);
            List<String> software = taken(IdeaPlace.NODE_SOFTWARE, Integer.MAX_VALUE, FieldValues::text);
            return name.isEmpty() && software.isEmpty()
                    ? List.of()
                    : List.of(new Node(name, List.of(), software, Map.of()));
        }

        private <T> Optional<T> first(IdeaPlace place, Function<JsonNode, Optional<T>> read) {
            return taken(place, 1, read).stream().findFirst();
        }

        /** Asks field after field; what is not read, and what is above the number that is taken, stays. */
        private <T> List<T> taken(IdeaPlace place, int most, Function<JsonNode, Optional<T>> read) {
            List<T> taken = new ArrayList<>(1);
            for (FieldPath path : mapping.paths(place)) {
                path.take(
                        fields,
                        (value, element) -> taken.size() < most
                                && read.apply(value).map(taken::add).orElse(false));
            }
            return taken;
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

            MappedEndpoints(List<IdeaPlace> places, FormatMapping mapping, ObjectNode fields) {
                for (IdeaPlace place : places) {
                    for (FieldPath path : mapping.paths(place)) {
                        path.take(
                                fields,
                                (value, element) ->
                                        element < MOST && parts(path, element).takes(place, value));
                    }
                }
            }

            private Parts parts(FieldPath path, int element) {
                if (element == FieldPath.NO_ELEMENT) {
                    return together;
                }
                List<Parts> elements = apart.computeIfAbsent(path.listText(), list -> new ArrayList<>());
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

                private boolean takes(IdeaPlace place, JsonNode value) {
                    return switch (place.kind()) {
                        case ADDRESSES -> addNew(addresses, FieldValues.address(value));
                        case PORTS -> addNew(ports, FieldValues.port(value));
                        case PROTOCOLS -> addNew(protocols, FieldValues.protocol(value));
                        case TEXTS -> addText(place.key(), FieldValues.text(value));
                        case TIME, TEXT, COUNT -> false;
                    };
                }

                private static <T> boolean addNew(List<T> values, Optional<T> value) {
                    return values.size() < MOST
                            && value.isPresent()
                            && !values.contains(value.get())
                            && values.add(value.get());
                }

                private boolean addText(String key, Optional<String> text) {
                    if (text.isPresent()
                            && other.computeIfAbsent(key, list -> JsonNodeFactory.instance.arrayNode())
                                    instanceof ArrayNode texts) {
                        texts.add(text.get());
                    }
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
}
