package siemload.event;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads IDEA events from JSON. Takes the shapes that detectors really send: a single value where a list belongs, ports
 * as text, addresses as networks or ranges, any offset, missing parts, NUL characters, unknown keys. Whatever does not
 * fit a typed field stays in {@code other} under its own key, so nothing is lost. Only {@code ID} and
 * {@code DetectTime} must be there. Thread-safe.
 */
public final class IdeaReader implements EventReader {
    private static final IdeaOutlineReader OUTLINES = new IdeaOutlineReader();

    /** Reads one event from UTF-8 bytes; throws {@link EventFormatException} if they are none. */
    public SecurityEvent read(byte[] json) {
        return read(json, 0, json.length);
    }

    /** Reads one event from a part of UTF-8 bytes; throws {@link EventFormatException} if they are none. */
    public SecurityEvent read(byte[] json, int offset, int length) {
        return event(EventJson.OF_DETECTORS.object(json, offset, length));
    }

    /** Reads one event from text; throws {@link EventFormatException} if it is none. */
    public SecurityEvent read(String json) {
        return read(json.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public SecurityEvent read(byte[] bytes, int offset, int length, long position) {
        return read(bytes, offset, length);
    }

    @Override
    public Optional<EventOutline> outline(byte[] bytes, int offset, int length) {
        return OUTLINES.outline(bytes, offset, length);
    }

    @Override
    public String identity() {
        return "idea";
    }

    /** {@code Format} and {@code Category}, where they are missing. */
    @Override
    public List<String> lacks(SecurityEvent event) {
        List<String> lacks = new ArrayList<>(0);
        if (!event.other().containsKey("Format")) {
            lacks.add("the event has no Format (IDEA demands \"Format\": \"IDEA0\")");
        }
        if (event.categories().isEmpty()) {
            lacks.add("the event has no Category");
        }
        return lacks;
    }

    private static SecurityEvent event(ObjectNode event) {
        String id = id(event.path("ID"));
        Instant detectTime = detectTime(event.path("DetectTime"));
        List<String> categories = new ArrayList<>(1);
        List<Endpoint> sources = new ArrayList<>(1);
        List<Endpoint> targets = new ArrayList<>(1);
        List<Node> nodes = new ArrayList<>(1);
        Map<String, JsonNode> other = new LinkedHashMap<>();
        for (Entry<String, JsonNode> entry : event.properties()) {
            switch (entry.getKey()) {
                case "ID", "DetectTime" -> {}
                case "Category" -> split(entry, IdeaReader::text, categories, other);
                case "Source" -> split(entry, IdeaReader::endpoint, sources, other);
                case "Target" -> split(entry, IdeaReader::endpoint, targets, other);
                case "Node" -> split(entry, IdeaReader::node, nodes, other);
                default -> other.put(entry.getKey(), entry.getValue());
            }
        }
        return new SecurityEvent(
                id, detectTime, categories, takeText(other, "Description"), sources, targets, nodes, other);
    }

    private static String id(JsonNode value) {
        if (value.isMissingNode()) {
            throw new EventFormatException("ID is missing");
        }
        String id = value.asText();
        if (!value.isTextual() || id.isEmpty() || id.indexOf('\0') >= 0) {
            throw new EventFormatException("ID must be a text with at least one character and no NUL, was " + value);
        }
        return id;
    }

    private static Instant detectTime(JsonNode value) {
        if (value.isMissingNode()) {
            throw new EventFormatException("DetectTime is missing");
        }
        return text(value)
                .flatMap(IdeaTime::parse)
                .orElseThrow(() -> new EventFormatException(
                        "DetectTime must be a time like \"2016-06-06T12:00:00Z\", was " + value));
    }

    private static Optional<Endpoint> endpoint(JsonNode tree) {
        if (!(tree instanceof ObjectNode)) {
            return Optional.empty();
        }
        List<String> types = new ArrayList<>(1);
        List<AddressRange> addresses = new ArrayList<>(1);
        List<Integer> ports = new ArrayList<>(1);
        List<String> protocols = new ArrayList<>(2);
        Map<String, JsonNode> other = new LinkedHashMap<>();
        for (Entry<String, JsonNode> entry : tree.properties()) {
            switch (entry.getKey()) {
                case "Type" -> split(entry, IdeaReader::text, types, other);
                case "IP4", "IP6" -> split(entry, IdeaReader::address, addresses, other);
                case "Port" -> split(entry, IdeaReader::port, ports, other);
                case "Proto" -> split(entry, IdeaReader::text, protocols, other);
                default -> other.put(entry.getKey(), entry.getValue());
            }
        }
        return Optional.of(new Endpoint(types, addresses, ports, protocols, other));
    }

    private static Optional<Node> node(JsonNode tree) {
        if (!(tree instanceof ObjectNode)) {
            return Optional.empty();
        }
        List<String> types = new ArrayList<>(2);
        List<String> software = new ArrayList<>(2);
        Map<String, JsonNode> other = new LinkedHashMap<>();
        for (Entry<String, JsonNode> entry : tree.properties()) {
            switch (entry.getKey()) {
                case "Type" -> split(entry, IdeaReader::text, types, other);
                case "SW" -> split(entry, IdeaReader::text, software, other);
                default -> other.put(entry.getKey(), entry.getValue());
            }
        }
        return Optional.of(new Node(takeText(other, "Name"), types, software, other));
    }

    /** Entries that fit go to {@code fitting}; the others stay in {@code other} under the same key, as a list. */
    private static <T> void split(
            Entry<String, JsonNode> entry,
            Function<JsonNode, Optional<T>> convert,
            List<T> fitting,
            Map<String, JsonNode> other) {
        JsonNode value = entry.getValue();
        ArrayNode unfit = JsonNodeFactory.instance.arrayNode(0);
        for (JsonNode item : value.isArray() ? value : List.of(value)) {
            Optional<T> converted = convert.apply(item);
            if (converted.isPresent()) {
                fitting.add(converted.get());
            } else {
                unfit.add(item);
            }
        }
        if (!unfit.isEmpty()) {
            other.put(entry.getKey(), unfit);
        }
    }

    private static String takeText(Map<String, JsonNode> other, String key) {
        JsonNode value = other.get(key);
        if (value == null || !value.isTextual()) {
            return "";
        }
        other.remove(key);
        return value.textValue();
    }

    private static Optional<String> text(JsonNode value) {
        return Optional.ofNullable(value.textValue());
    }

    private static Optional<AddressRange> address(JsonNode value) {
        return text(value).flatMap(AddressRange::tryParse);
    }

    private static Optional<Integer> port(JsonNode value) {
        String digits = value.isIntegralNumber() ? value.asText() : value.isTextual() ? value.textValue() : "";
        boolean number =
                !digits.isEmpty() && digits.length() <= 5 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Optional.of(Integer.valueOf(digits)).filter(port -> port <= 65_535) : Optional.empty();
    }

    /**
     * Reads the outlines of plain IDEA events without building them, some four times as fast as {@link IdeaReader}. Whatever is not
     * plain is left to that one: what is no event, or lacks something, or is as long or has such numbers that only reading it whole
     * shows whether it can be read. So a line has an outline only if it is an event. Thread-safe.
     */
    private static final class IdeaOutlineReader {
        private static final int PLAIN_DIGITS = 15;
        private static final int PLAIN_NAMES = 64;

        /** The outline of a line; empty where it must be read whole. */
        Optional<EventOutline> outline(byte[] bytes, int offset, int length) {
            if (length > IndexedTexts.MOST_BYTES || Utf8.isDoubtful(bytes, offset, length)) {
                return Optional.empty();
            }
            try (JsonParser parser = EventJson.OF_DETECTORS.parser(bytes, offset, length)) {
                return new Line(parser).outline();
            } catch (JsonProcessingException notJson) {
                return Optional.empty();
            } catch (IOException notUtf8) {
                return Optional.empty();
            }
        }

        /** One line while it is read. */
        private static final class Line {
            private final JsonParser parser;
            private Optional<String> id = Optional.empty();
            private Optional<Instant> detectTime = Optional.empty();
            private boolean hasFormat;
            private boolean hasCategory;
            /** Of all objects that have begun and not ended, those of the innermost one last. */
            private final String[] names = new String[PLAIN_NAMES];

            private int nameCount;

            Line(JsonParser parser) {
                this.parser = parser;
            }

            Optional<EventOutline> outline() throws IOException {
                if (parser.nextToken() != JsonToken.START_OBJECT) {
                    return Optional.empty();
                }
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    if (!isNewName(0) || !isPlainValueOf(parser.currentName())) {
                        return Optional.empty();
                    }
                }
                boolean whole = hasFormat && hasCategory && parser.nextToken() == null;
                return whole
                        ? id.flatMap(text -> detectTime.map(time -> new EventOutline(text, time)))
                        : Optional.empty();
            }

            private boolean isPlainValueOf(String key) throws IOException {
                JsonToken value = parser.nextToken();
                switch (key) {
                    case "ID" -> id = text(value).filter(text -> !text.isEmpty() && text.indexOf('\0') < 0);
                    case "DetectTime" -> detectTime = text(value).flatMap(IdeaTime::parse);
                    case "Format" -> hasFormat = true;
                    case "Category" -> {
                        return isPlainCategory(value);
                    }
                    default -> {}
                }
                return isPlain(value);
            }

            /** Whether the name that was just read is the only one of its object so far; two would make the line no event. */
            private boolean isNewName(int firstOfObject) throws IOException {
                String name = parser.currentName();
                for (int i = firstOfObject; i < nameCount; i++) {
                    if (names[i].equals(name)) {
                        return false;
                    }
                }
                if (nameCount == PLAIN_NAMES) {
                    return false;
                }
                names[nameCount++] = name;
                return true;
            }

            private Optional<String> text(JsonToken value) throws IOException {
                return value == JsonToken.VALUE_STRING ? Optional.of(parser.getText()) : Optional.empty();
            }

            private boolean isPlainCategory(JsonToken value) throws IOException {
                if (value != JsonToken.START_ARRAY) {
                    return false;
                }
                for (JsonToken one = parser.nextToken(); one != JsonToken.END_ARRAY; one = parser.nextToken()) {
                    if (one != JsonToken.VALUE_STRING) {
                        return false;
                    }
                    hasCategory = true;
                }
                return true;
            }

            /** Goes to the end of the value that has begun. */
            private boolean isPlain(JsonToken begun) throws IOException {
                return switch (begun) {
                    case START_OBJECT -> isPlainObject();
                    case START_ARRAY -> isPlainArray();
                    case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> isPlainNumber(begun);
                    default -> true;
                };
            }

            private boolean isPlainObject() throws IOException {
                int before = nameCount;
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    if (!isNewName(before) || !isPlain(parser.nextToken())) {
                        return false;
                    }
                }
                nameCount = before;
                return true;
            }

            private boolean isPlainArray() throws IOException {
                for (JsonToken value = parser.nextToken(); value != JsonToken.END_ARRAY; value = parser.nextToken()) {
                    if (!isPlain(value)) {
                        return false;
                    }
                }
                return true;
            }

            private boolean isPlainNumber(JsonToken token) throws IOException {
                if (parser.getTextLength() > PLAIN_DIGITS) {
                    return false;
                }
                String text = token == JsonToken.VALUE_NUMBER_FLOAT ? parser.getText() : "";
                return text.indexOf('e') < 0 && text.indexOf('E') < 0;
            }
        }
    }
}
