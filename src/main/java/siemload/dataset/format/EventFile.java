package siemload.dataset.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.EOFException;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.ZipException;
import siemload.config.Choices;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.config.Sha256;
import siemload.config.YamlNode;
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
        EventFormat format = format(file, EventFormat.find(settings.value(Property.FORMAT)));
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
        Path mapping = home.resolve("datasets").resolve("formats").resolve(format.id() + ".yaml");
        return YamlNode.read(mapping, top -> {
            try {
                Instant modified = Files.getLastModifiedTime(file).toInstant();
                // The day is what decides of which year a time without one is.
                Instant day = modified.truncatedTo(ChronoUnit.DAYS);
                String identity = format.id() + " " + Sha256.fingerprint(Files.readString(mapping)) + " " + day;
                return MappedReader.of(format, top, modified, identity);
            } catch (IOException e) {
                throw new UncheckedIOException(file + " cannot be read by " + mapping, e);
            }
        });
    }

    /** The format of the first line of a hundred that shows one. Damaged data is told when it is read. */
    private static Optional<EventFormat> shown(Path file) {
        Optional<EventFormat> found = Optional.empty();
        try (ByteLines lines = ByteLines.open(file, EventLineReader.MAXIMUM_LINE_BYTES)) {
            for (int i = 0; i < MOST_LINES && found.isEmpty() && lines.next(); i++) {
                found = EventFormat.ofLine(lines.text().strip());
            }
        } catch (EOFException | ZipException damaged) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
        return found;
    }

    /**
     * Reads events of another format by a mapping: what finds its place in IDEA is taken out of the fields of an event, what is left at
     * the end is kept in it under the extension key of the format. Immutable and thread-safe.
     *
     * @param fields where in IDEA, and the fields that may stand there
     * @param rules asked one after the other; the first that knows the value of its field decides the category
     * @param otherwise the category of events that none of them knows
     */
    private record MappedReader(
            EventFormat format,
            EventTimes times,
            Map<String, List<FieldPath>> fields,
            List<CategoryRule> rules,
            String otherwise,
            String identity)
            implements EventReader {
        private static final int LONGEST_TEXT = 1_000;
        private static final int LONGEST_PROTOCOL = 40;
        private static final int LONGEST_NUMBER = 18;
        /** Of endpoints, and of values of one; more stay in the fields. A line of a mebibyte may have a hundred thousand. */
        private static final int MOST = 1_000;
        /** Where a field may go, as mapping files write it: each side, and behind its point the key. */
        private static final List<String> PLACES = List.of(("DetectTime CreateTime EventTime CeaseTime Description"
                        + " ConnCount FlowCount PacketCount ByteCount AltNames Ref Node.Name Node.SW"
                        + " Source.IP Source.Port Source.Proto Source.Hostname Source.MAC Source.URL Source.Email"
                        + " Target.IP Target.Port Target.Proto Target.Hostname Target.MAC Target.URL Target.Email")
                .split(" "));

        private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(Sha256::digest);

        /**
         * How a field says the category.
         *
         * @param isWhole whether the whole value is compared, or is searched for words
         * @param values lower case; in the order of the file
         */
        private record CategoryRule(FieldPath field, boolean isWhole, Map<String, String> values) {
            static CategoryRule of(YamlNode node) {
                boolean isWhole = node.optional("is").isPresent();
                Map<String, String> categories = new LinkedHashMap<>();
                node.required(isWhole ? "is" : "contains")
                        .entries()
                        .forEach((value, category) -> categories.put(lower(value), category.text()));
                return new CategoryRule(path("", node.required("field")), isWhole, categories);
            }

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

        static MappedReader of(EventFormat format, YamlNode top, Instant modified, String identity) {
            top.required("description").text();
            ZoneId zone = top.optional("zone").map(MappedReader::zone).orElse(ZoneOffset.UTC);
            Map<String, List<FieldPath>> fields = new LinkedHashMap<>();
            PLACES.forEach(place -> fields.put(place, List.of()));
            top.required("fields")
                    .entries(Choices.names(PLACES))
                    .forEach((place, node) -> fields.put(
                            place,
                            node.elements().stream()
                                    .map(one -> path(place, one))
                                    .toList()));
            if (fields.getOrDefault("DetectTime", List.of()).isEmpty()) {
                top.required("fields").problem("DetectTime is missing (an event needs one)");
            }
            YamlNode categories = top.required("categories");
            List<CategoryRule> rules = categories.required("rules").elements().stream()
                    .map(CategoryRule::of)
                    .toList();
            EventTimes times = new EventTimes(zone, modified);
            String otherwise = categories.required("otherwise").text();
            return new MappedReader(format, times, fields, rules, otherwise, identity);
        }

        private static FieldPath path(String place, YamlNode node) {
            String text = node.text();
            int lists = text.split("\\[]", -1).length - 1;
            if (lists > 1) {
                node.problem("'" + text
                        + "' has [] more than once (it stands behind the list whose elements are endpoints)");
            }
            if (lists > 0 && !place.startsWith("Source.") && !place.startsWith("Target.")) {
                node.problem("only fields of Source and Target may have [] (remove it)");
            }
            return FieldPath.of(text);
        }

        private static ZoneId zone(YamlNode node) {
            try {
                return ZoneId.of(node.text());
            } catch (DateTimeException unknown) {
                node.problem("'" + node.written() + "' is not a time zone (write for example UTC or Europe/Prague)");
                return ZoneOffset.UTC;
            }
        }

        @Override
        public SecurityEvent read(byte[] bytes, int offset, int length, long position) {
            ObjectNode event = format == EventFormat.CEF
                    ? CefLine.fields(text(bytes, offset, length))
                    : EventJson.STRICT.object(bytes, offset, length);
            return event(event, id(bytes, offset, length, position));
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

        /** A UUID of version 8 from the bytes of the line and from where it stands in its file: always the same one. */
        private static String id(byte[] bytes, int offset, int length, long position) {
            MessageDigest digest = SHA_256.get();
            digest.update(bytes, offset, length);
            ByteBuffer hash = ByteBuffer.wrap(digest.digest(
                    ByteBuffer.allocate(Long.BYTES).putLong(position).array()));
            long high = (hash.getLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x8000L;
            long low = (hash.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | Long.MIN_VALUE;
            return new UUID(high, low).toString();
        }

        private SecurityEvent event(ObjectNode found, String id) {
            String category = category(found);
            Instant detectTime = first(found, "DetectTime", times::parse)
                    .orElseThrow(() -> new EventFormatException("none of "
                            + paths("DetectTime").stream().map(FieldPath::text).toList()
                            + " is a time of 1970 to 9999"));
            Map<String, JsonNode> other = new LinkedHashMap<>();
            other.put("Format", TextNode.valueOf("IDEA0"));
            String description = first(found, "Description", MappedReader::text).orElse("");
            List<Endpoint> sources = endpoints(found, "Source.");
            List<Endpoint> targets = endpoints(found, "Target.");
            String name = first(found, "Node.Name", MappedReader::text).orElse("");
            List<String> software = taken(found, "Node.SW", Integer.MAX_VALUE, MappedReader::text);
            for (String place : List.of("CreateTime", "EventTime", "CeaseTime")) {
                first(found, place, times::parse)
                        .ifPresent(time -> other.put(place, TextNode.valueOf(IdeaTime.format(time))));
            }
            for (String place : List.of("ConnCount", "FlowCount", "PacketCount", "ByteCount")) {
                first(found, place, MappedReader::count).ifPresent(count -> other.put(place, count));
            }
            for (String place : List.of("AltNames", "Ref")) {
                ArrayNode texts = JsonNodeFactory.instance.arrayNode();
                taken(found, place, Integer.MAX_VALUE, MappedReader::text).forEach(texts::add);
                if (!texts.isEmpty()) {
                    other.put(place, texts);
                }
            }
            FieldPath.removeTaken(found);
            if (!found.isEmpty()) {
                other.put(format.extension(), found);
            }
            List<Node> nodes = name.isEmpty() && software.isEmpty()
                    ? List.of()
                    : List.of(new Node(name, List.of(), software, Map.of()));
            return new SecurityEvent(id, detectTime, List.of(category), description, sources, targets, nodes, other);
        }

        private List<FieldPath> paths(String place) {
            return fields.getOrDefault(place, List.of());
        }

        /** The first value that is known decides. The fields stay: a category says less than they do. */
        private String category(ObjectNode event) {
            List<String> found = new ArrayList<>(1);
            for (CategoryRule rule : rules) {
                rule.field().take(event, (value, element) -> {
                    if (found.isEmpty()) {
                        rule.category(lower(value.asText())).ifPresent(found::add);
                    }
                    return false;
                });
                if (!found.isEmpty()) {
                    return found.get(0);
                }
            }
            return otherwise;
        }

        private <T> Optional<T> first(ObjectNode event, String place, Function<JsonNode, Optional<T>> read) {
            return taken(event, place, 1, read).stream().findFirst();
        }

        /** Asks field after field; what is not read, and what is above the number that is taken, stays. */
        private <T> List<T> taken(ObjectNode event, String place, int most, Function<JsonNode, Optional<T>> read) {
            List<T> taken = new ArrayList<>(1);
            paths(place)
                    .forEach(path -> path.take(
                            event,
                            (value, element) -> taken.size() < most
                                    && read.apply(value).map(taken::add).orElse(false)));
            return taken;
        }

        /** One of all fields together, and behind it one of each element of lists whose elements are told apart. */
        private List<Endpoint> endpoints(ObjectNode event, String side) {
            Map<String, SortedMap<Integer, ObjectNode>> lists = new LinkedHashMap<>();
            lists.put("", new TreeMap<>());
            fields.forEach((place, paths) -> {
                if (place.startsWith(side)) {
                    String key = place.substring(side.length());
                    paths.forEach(path -> path.take(
                            event,
                            (value, element) -> element < MOST
                                    && isAdded(
                                            lists.computeIfAbsent(path.list(), list -> new TreeMap<>())
                                                    .computeIfAbsent(
                                                            element, number -> JsonNodeFactory.instance.objectNode()),
                                            key,
                                            value)));
                }
            });
            return lists.values().stream()
                    .flatMap(elements -> elements.values().stream())
                    .filter(endpoint -> !endpoint.isEmpty())
                    .flatMap(endpoint -> IdeaReader.endpoint(endpoint).stream())
                    .toList();
        }

        /**
         * Adds a value to an endpoint, unless it does not fit, is there already, or there are too many; a text that is there already
         * counts as added.
         */
        private static boolean isAdded(ObjectNode endpoint, String key, JsonNode value) {
            Optional<? extends JsonNode> fitting = switch (key) {
                case "IP" ->
                    text(value).flatMap(AddressRange::tryParse).map(address -> TextNode.valueOf(address.toString()));
                case "Port" -> IdeaReader.port(value).map(IntNode::valueOf);
                case "Proto" -> protocol(value).map(TextNode::valueOf);
                default -> text(value).map(TextNode::valueOf);
            };
            String idea = key.equals("IP") ? "IP4" : key;
            ArrayNode list =
                    endpoint.get(idea) instanceof ArrayNode known ? known : JsonNodeFactory.instance.arrayNode();
            boolean isThere = IntStream.range(0, list.size())
                    .anyMatch(i -> fitting.filter(list.get(i)::equals).isPresent());
            boolean isNew = fitting.isPresent() && list.size() < MOST && !isThere;
            if (isNew) {
                endpoint.set(idea, list.add(fitting.get()));
            }
            return isNew || (isThere && !List.of("IP", "Port", "Proto").contains(key));
        }

        private static Optional<String> text(JsonNode value) {
            String text = value.isTextual() ? value.textValue() : "";
            return text.isEmpty() || text.equals("-") || text.length() > LONGEST_TEXT
                    ? Optional.empty()
                    : Optional.of(text);
        }

        /** In lower case, as IDEA writes them. */
        private static Optional<String> protocol(JsonNode value) {
            String text = value.isTextual() ? value.textValue() : "";
            boolean isWord = !text.isEmpty()
                    && text.length() <= LONGEST_PROTOCOL
                    && text.chars().allMatch(c -> c > ' ' && c < 127);
            return isWord ? Optional.of(lower(text)) : Optional.empty();
        }

        /** The node that a reader of JSON makes. */
        private static Optional<JsonNode> count(JsonNode value) {
            return IdeaReader.number(value, LONGEST_NUMBER)
                    .map(count ->
                            count <= Integer.MAX_VALUE ? IntNode.valueOf(count.intValue()) : LongNode.valueOf(count));
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

        /** The last word before an equals sign that is not escaped. */
        private static final Pattern KEY = Pattern.compile("(?:^| )([A-Za-z0-9_.\\-\\[\\]:]++)=");

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
                int end = at;
                while (end < line.length() && line.charAt(end) != '|') {
                    end += line.charAt(end) == '\\' ? 2 : 1;
                }
                // The last field may end with the line: then there is no extension.
                if (end >= line.length() && !name.equals("severity")) {
                    throw new EventFormatException("not CEF: its header ends after " + name + " (it has seven fields)");
                }
                String value = line.substring(at, Math.min(end, line.length()));
                fields.put(name, value.replace("\\|", "|").replace("\\\\", "\\"));
                at = Math.min(end + 1, line.length());
            }
            if (!fields.get("cefVersion").textValue().matches("[01](\\.\\d)?")) {
                throw new EventFormatException("not CEF of version 0 or 1");
            }
            return at;
        }

        /** A value goes on to the next key. */
        private static void extension(String text, ObjectNode fields) {
            Matcher key = KEY.matcher(text);
            boolean found = key.find();
            String before =
                    text.substring(0, found ? key.start() : text.length()).strip();
            if (!before.isEmpty()) {
                add(fields, "extensionBeforeKeys", TextNode.valueOf(unescaped(before)));
            }
            while (found) {
                String name = key.group(1);
                int start = key.end();
                found = key.find();
                String value = text.substring(start, found ? key.start() : text.length());
                add(fields, name, TextNode.valueOf(unescaped(value.stripTrailing())));
            }
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

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
