package siemload.dataset.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.MissingNode;
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
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.NamedFile;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.config.Sha256;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.event.AddressRange;
import siemload.event.ByteLines;
import siemload.event.EventFormatException;
import siemload.event.EventJson;
import siemload.event.EventLineReader;
import siemload.event.EventReader;
import siemload.event.IdeaReader;
import siemload.event.IdeaTime;
import siemload.event.SecurityEvent;

/**
 * A file of events and how it is read. Immutable.
 *
 * @param path as the user named it
 * @param format asked for, or told from its first lines: {@link #IDEA}, or the name of a mapping file in datasets/formats/
 * @param reader of that format
 */
public record EventFile(Path path, String format, EventReader reader) {
    /** Intrusion Detection Extensible Alert, as JSON Lines. */
    public static final String IDEA = "idea";

    private static final Pattern SHOWS_IDEA = Pattern.compile("^\\{.*\"(DetectTime|IDEA0)\"", Pattern.DOTALL);
    private static final String MAPPINGS = "datasets/formats";
    private static final int MOST_LINES = 100;

    /**
     * A file in the format of the settings, or else in that of its first lines.
     *
     * @param home the directory with datasets/
     * @throws siemload.config.ConfigException with what is wrong with the mapping file
     * @throws java.io.UncheckedIOException if the file cannot be read
     */
    public static EventFile of(Path home, Path file, Settings settings) {
        String asked = settings.value(Property.FORMAT);
        String format = asked.equals("auto") ? shown(home, file) : asked;
        return new EventFile(file, format, reader(home, format, file));
    }

    /** The extension key for everything that has no place in IDEA: {@code _CEF}. */
    public String extension() {
        return extension(format);
    }

    private static String extension(String format) {
        return "_" + format.toUpperCase(Locale.ROOT);
    }

    /**
     * A reader of a file.
     *
     * @param home the directory with datasets/
     * @param file whose modification time determines the year of times without one
     * @throws siemload.config.ConfigException with what is wrong with the mapping file
     * @throws UncheckedIOException if the file cannot be read
     */
    public static EventReader reader(Path home, String format, Path file) {
        return format.equals(IDEA) ? new IdeaReader() : mapped(home, format, file);
    }

    private static MappedReader mapped(Path home, String format, Path file) {
        Path mapping = home.resolve(MAPPINGS).resolve(format + NamedFile.ENDING);
        return YamlNode.read(mapping, top -> {
            try {
                Instant modified = Files.getLastModifiedTime(file).toInstant();
                // The day determines the year of a time without one.
                Instant day = modified.truncatedTo(ChronoUnit.DAYS);
                String identity = format + " " + Sha256.fingerprint(Files.readString(mapping)) + " " + day;
                return MappedReader.of(extension(format), top, modified, identity);
            } catch (IOException e) {
                throw new UncheckedIOException(file + " cannot be read by " + mapping, e);
            }
        });
    }

    /** The format of the first line of a hundred that shows one; IDEA where none does. Damaged data is told when it is read. */
    public static String shown(Path home, Path file) {
        Map<String, Pattern> shows = new LinkedHashMap<>();
        shows.put(IDEA, SHOWS_IDEA);
        Optional<ConfigException> faulty = Optional.empty();
        for (String format : NamedFile.files(home, MAPPINGS, 1).keySet()) {
            try {
                shows.put(format, mapped(home, format, file).shows);
            } catch (ConfigException e) {
                faulty = Optional.of(e); // It matters where no other format is shown.
            }
        }
        try (ByteLines lines = ByteLines.open(file, EventLineReader.MAXIMUM_LINE_BYTES)) {
            for (int i = 0; i < MOST_LINES && lines.next(); i++) {
                String line = lines.text().strip();
                for (Map.Entry<String, Pattern> format : shows.entrySet()) {
                    if (format.getValue().matcher(line).find()) {
                        return format.getKey();
                    }
                }
            }
            if (faulty.isPresent()) {
                throw faulty.get();
            }
            return IDEA;
        } catch (EOFException | ZipException damaged) {
            return IDEA;
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }

    /**
     * Reads events of another format by a mapping: what finds its place in IDEA is taken out of the fields of an event, what is left at
     * the end is kept in it under the extension key of the format. Immutable and thread-safe.
     *
     * @param shows what finds something in its lines, but not in those of other formats
     * @param places in IDEA, that of DetectTime first
     * @param rules asked one after the other; the first that knows the value of its field decides the category
     * @param otherwise the category of events that none of them knows
     */
    private record MappedReader(
            String extension,
            boolean isCef,
            Pattern shows,
            EventTimes times,
            List<Place> places,
            List<CategoryRule> rules,
            String otherwise,
            String identity)
            implements EventReader {
        private static final int LONGEST_TEXT = 1_000;
        private static final int LONGEST_PROTOCOL = 40;
        private static final int LONGEST_NUMBER = 18;
        /** Of endpoints, and of values of one key; more stay in the fields. A line of a mebibyte may have a hundred thousand. */
        private static final int MOST = 1_000;
        /** Where a field may go: each side, and behind its point the key. They take their fields in this order. */
        private static final List<String> PLACES = List.of(("DetectTime Description"
                        + " Source.IP Source.Port Source.Proto Source.Hostname Source.MAC Source.URL Source.Email"
                        + " Target.IP Target.Port Target.Proto Target.Hostname Target.MAC Target.URL Target.Email"
                        + " Node.Name Node.SW CreateTime EventTime CeaseTime"
                        + " ConnCount FlowCount PacketCount ByteCount AltNames Ref")
                .split(" "));

        /** Stands in for itself where nothing is shown. */
        private static final ValueType<Pattern> PATTERN = new ValueType<>(
                "regular expression", Pattern.compile("(?!)"), text -> Pattern.compile(text, Pattern.DOTALL));

        private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(Sha256::digest);

        /**
         * A place in IDEA.
         *
         * @param side that it is on; empty for the event itself
         * @param isList whether it takes several values
         * @param fields that may stand there
         */
        private record Place(String side, String key, boolean isList, List<FieldPath> fields) {
            static Place of(String written, List<FieldPath> fields) {
                int point = written.indexOf('.');
                String side = written.substring(0, Math.max(0, point));
                String key = written.substring(point + 1).replace("IP", "IP4");
                boolean isList = side.isEmpty() ? key.equals("AltNames") || key.equals("Ref") : !key.equals("Name");
                return new Place(side, key, isList, fields);
            }
        }

        /**
         * How a field determines the category.
         *
         * @param isWhole whether the whole value is compared, or searched for words
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

            /** The category of a value in lower case; empty if the rule does not know it. */
            Optional<String> category(String value) {
                return isWhole
                        ? Optional.ofNullable(values.get(value))
                        : values.keySet().stream()
                                .filter(value::contains)
                                .findFirst()
                                .map(values::get);
            }
        }

        static MappedReader of(String extension, YamlNode top, Instant modified, String identity) {
            top.required("description").text();
            boolean isCef = top.optional("lines")
                    .map(node -> node.choice(Choices.names(List.of("json", "cef"))))
                    .filter("cef"::equals)
                    .isPresent();
            Pattern shows = top.optional("shows").map(node -> node.as(PATTERN)).orElse(PATTERN.standIn());
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
            String otherwise = categories.required("otherwise").text();
            List<Place> places = new ArrayList<>();
            fields.forEach((place, paths) -> places.add(Place.of(place, paths)));
            EventTimes times = new EventTimes(zone, modified);
            return new MappedReader(extension, isCef, shows, times, places, rules, otherwise, identity);
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
            ObjectNode event = isCef
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

        /** A UUID of version 8 from the bytes of the line and its position in its file: always the same one. */
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
            ObjectNode idea = JsonNodeFactory.instance.objectNode();
            idea.put("ID", id).put("Category", category(found)).put("Format", "IDEA0");
            // By side and list: one of all fields together, and behind it one of each element of a list whose elements
            // are told apart.
            SortedMap<String, SortedMap<Integer, ObjectNode>> sides = new TreeMap<>();
            for (Place place : places) {
                for (FieldPath path : place.fields) {
                    path.take(
                            found,
                            (value, element) -> element < MOST
                                    && isAdded(
                                            place,
                                            place.side.isEmpty()
                                                    ? idea
                                                    : sides.computeIfAbsent(
                                                                    place.side + " " + path.list(),
                                                                    list -> new TreeMap<>())
                                                            .computeIfAbsent(
                                                                    element,
                                                                    number -> JsonNodeFactory.instance.objectNode()),
                                            value));
                }
            }
            if (!idea.has("DetectTime")) {
                throw new EventFormatException("none of "
                        + places.get(0).fields.stream().map(FieldPath::text).toList() + " is a time of 1970 to 9999");
            }
            sides.forEach((side, elements) -> elements.values().stream()
                    .filter(one -> !one.isEmpty())
                    .forEach(one -> idea.withArrayProperty(side.substring(0, side.indexOf(' ')))
                            .add(one)));
            FieldPath.removeTaken(found);
            if (!found.isEmpty()) {
                idea.set(extension, found);
            }
            return IdeaReader.event(idea);
        }

        /** The first known value decides. The fields stay: a category says less than they do. */
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

        /** A value as this key of IDEA has it, such as a reader of JSON makes it; empty where it does not fit. */
        private Optional<? extends JsonNode> fitting(String key, JsonNode value) {
            return switch (key) {
                case "IP4" -> text(value).flatMap(AddressRange::tryParse).map(one -> TextNode.valueOf(one.toString()));
                case "Port" -> IdeaReader.port(value).map(IntNode::valueOf);
                case "Proto" -> protocol(value).map(TextNode::valueOf);
                case "DetectTime", "CreateTime", "EventTime", "CeaseTime" ->
                    times.parse(value).map(time -> TextNode.valueOf(IdeaTime.format(time)));
                case "ConnCount", "FlowCount", "PacketCount", "ByteCount" ->
                    IdeaReader.number(value, LONGEST_NUMBER)
                            .map(count -> count <= Integer.MAX_VALUE
                                    ? IntNode.valueOf(count.intValue())
                                    : LongNode.valueOf(count));
                default -> text(value).map(TextNode::valueOf);
            };
        }

        /** Adds a value unless it does not fit, is there already, or there are too many; a name that is there already counts as added. */
        private boolean isAdded(Place place, ObjectNode to, JsonNode value) {
            boolean isFull = place.isList ? to.path(place.key).size() >= MOST : to.has(place.key);
            Optional<? extends JsonNode> fitting = isFull ? Optional.empty() : fitting(place.key, value);
            if (fitting.isEmpty()) {
                return false;
            }
            if (!place.isList) {
                to.set(place.key, fitting.get());
                return true;
            }
            for (JsonNode there : to.path(place.key)) {
                if (there.equals(fitting.get())) {
                    return !List.of("IP4", "Port", "Proto").contains(place.key);
                }
            }
            to.withArrayProperty(place.key).add(fitting.get());
            return true;
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
    }

    /**
     * Parses a CEF line, versions 0 and 1, after "ArcSight Common Event Format" (OpenText): seven fields separated by {@code |}, then keys
     * and values. Stateless and thread-safe.
     */
    static final class CefLine {
        static final String MARK = "CEF:";

        private static final List<String> HEADER = List.of(
                "cefVersion deviceVendor deviceProduct deviceVersion deviceEventClassId name severity".split(" "));

        /** The last word before an unescaped equals sign. */
        private static final Pattern KEY = Pattern.compile("(?:^| )([A-Za-z0-9_.\\-\\[\\]:]++)=");

        private static final Pattern ESCAPE = Pattern.compile("\\\\([\\\\=|nr])");

        /** The header of RFC 5424 or RFC 3164, with or without its priority; the time may also be one of ISO 8601. */
        private static final Pattern SYSLOG = Pattern.compile("(?:<(?<priority>\\d{1,3})>)?(?:1 (?=\\d{4}-|- ))?"
                + "(?<time>[A-Z][a-z]{2} [ \\d]\\d (?:\\d{4} )?\\d\\d:\\d\\d:\\d\\d|\\d{4}-\\d\\d-\\d\\dT\\S{8,30}|-)"
                + " (?<host>\\S{1,255}) ?(?<rest>.*)");

        private CefLine() {}

        /** The fields of a line by name, all as text; throws {@link EventFormatException} if it is none. */
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

        /** A value extends to the next key. */
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

        /** In addition to an earlier value of the same key. */
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
     * The path of a field in an event: {@code source.ip}. Lists on the path are iterated, and keys may be nested or dotted ({@code
     * "source.ip": ...}). After a key with {@code []} ({@code evidences[].src_endpoint.ip}) each element of that list is an endpoint of its
     * own. Immutable.
     *
     * @param text as in the mapping file
     * @param keys without {@code []}
     * @param list the path of the list with {@code []}; empty if there is none
     */
    private record FieldPath(String text, String keys, String list) {
        private static final JsonNode TAKEN = MissingNode.getInstance();

        static FieldPath of(String text) {
            return new FieldPath(text, text.replace("[]", ""), text.substring(0, Math.max(0, text.indexOf("[]"))));
        }

        /**
         * Visits all values of the event that have not been taken.
         *
         * @param taker whether it takes this value out of the event, in this element of the list with {@code []}; 0 unless that is the
         *     outermost list
         */
        void take(ObjectNode event, BiPredicate<JsonNode, Integer> taker) {
            take(event, 0, -1, taker);
        }

        /**
         * Whether a value is taken.
         *
         * @param at where in the keys the path continues from the node
         * @param element of the outermost list; negative outside of any
         */
        private boolean take(JsonNode node, int at, int element, BiPredicate<JsonNode, Integer> taker) {
            if (node instanceof ArrayNode elements) {
                boolean isOwn = !list.isEmpty() && at == list.length() + 1;
                for (int i = 0; i < elements.size(); i++) {
                    if (!elements.get(i).isArray()
                            && take(elements.get(i), at, element < 0 ? (isOwn ? i : 0) : element, taker)) {
                        elements.set(i, TAKEN);
                    }
                }
            } else if (node instanceof ObjectNode object) {
                for (int end = at; end < keys.length(); ) {
                    int dot = keys.indexOf('.', end);
                    end = dot < 0 ? keys.length() : dot;
                    String key = keys.substring(at, end++);
                    JsonNode value = object.get(key);
                    if (value != null && take(value, end, element, taker)) {
                        object.set(key, TAKEN);
                    }
                }
            } else {
                return at > keys.length() && !node.isMissingNode() && taker.test(node, Math.max(0, element));
            }
            return false;
        }

        /** Removes taken values, with objects and lists that become empty. True if this node was itself taken, or has become empty. */
        static boolean removeTaken(JsonNode node) {
            boolean wasEmpty = node.isEmpty();
            if (node instanceof ObjectNode object) {
                object.properties().removeIf(entry -> removeTaken(entry.getValue()));
            } else if (node instanceof ArrayNode elements) {
                List<JsonNode> left = new ArrayList<>(elements.size());
                elements.forEach(value -> {
                    if (value.isArray() || !removeTaken(value)) {
                        left.add(value);
                    }
                });
                if (left.size() < elements.size()) {
                    elements.removeAll();
                    elements.addAll(left);
                }
            } else {
                return node.isMissingNode();
            }
            return !wasEmpty && node.isEmpty();
        }
    }

    /**
     * Reads the times of events: RFC 3339, milliseconds since 1970, and {@code MMM dd [yyyy] HH:mm:ss[.SSS] [zone]} as in CEF and RFC 3164.
     * Years 1970 to 9999. Immutable and thread-safe.
     *
     * @param zone of times without one
     * @param latest for times without a year: they are of the last year in which they are at most a day after this
     */
    record EventTimes(ZoneId zone, Instant latest) {
        private static final Instant END = Instant.parse("9999-12-31T23:59:59Z");

        private static final DateTimeFormatter ISO = formatter("uuuu-MM-dd['T'][' ']", "[ xxx][ x]");
        private static final DateTimeFormatter WRITTEN = formatter("MMM d[ uuuu] ", "[ xxx][ x][ zzz]");

        private static DateTimeFormatter formatter(String day, String zone) {
            return new DateTimeFormatterBuilder()
                    .parseCaseInsensitive()
                    .appendPattern(day)
                    .append(DateTimeFormatter.ISO_LOCAL_TIME)
                    .appendPattern(zone)
                    .toFormatter(Locale.ENGLISH)
                    .withResolverStyle(ResolverStyle.STRICT);
        }

        Optional<Instant> parse(JsonNode value) {
            if (value.isIntegralNumber() && value.canConvertToLong()) {
                return plausible(Instant.ofEpochMilli(value.longValue()));
            }
            return value.isTextual() ? parse(value.textValue()) : Optional.empty();
        }

        Optional<Instant> parse(String text) {
            if (text.isEmpty() || text.length() > 64) {
                return Optional.empty();
            }
            if (text.length() <= 15 && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return plausible(Instant.ofEpochMilli(Long.parseLong(text)));
            }
            return IdeaTime.parse(text).or(() -> written(text)).flatMap(EventTimes::plausible);
        }

        /** Instants that do not come from a plain 0 or a wrong unit. */
        private static Optional<Instant> plausible(Instant time) {
            return time.isAfter(Instant.EPOCH) && !time.isAfter(END) ? Optional.of(time) : Optional.empty();
        }

        private Optional<Instant> written(String text) {
            try {
                String spaced = text.strip().replaceAll(" +", " ");
                boolean isIso = !spaced.isEmpty() && Character.isDigit(spaced.charAt(0));
                TemporalAccessor read = (isIso ? ISO : WRITTEN).parse(spaced);
                ZoneId used =
                        Optional.ofNullable(read.query(TemporalQueries.zone())).orElse(zone);
                LocalTime time = LocalTime.from(read);
                Optional<LocalDate> date = Optional.ofNullable(read.query(TemporalQueries.localDate()));
                return Optional.of(date.map(day -> day.atTime(time).atZone(used).toInstant())
                        .orElseGet(() -> inLastYear(MonthDay.from(read), time, used)));
            } catch (DateTimeException notATime) {
                return Optional.empty();
            }
        }

        /** The last year with that day: 29 February comes every four years, or after eight. */
        private Instant inLastYear(MonthDay day, LocalTime time, ZoneId used) {
            Instant limit = latest.plus(Duration.ofDays(1));
            for (int year = limit.atZone(used).getYear(); ; year--) {
                Instant at = day.atYear(year).atTime(time).atZone(used).toInstant();
                if (day.isValidYear(year) && !at.isAfter(limit)) {
                    return at;
                }
            }
        }
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
