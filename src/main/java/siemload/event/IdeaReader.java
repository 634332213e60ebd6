package siemload.event;

import com.fasterxml.jackson.core.JsonParser;
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
    private static final int PLAIN_DIGITS = 15;

    /** Reads one event from UTF-8 bytes; throws {@link EventFormatException} if they are none. */
    public SecurityEvent read(byte[] json) {
        return read(json, 0, json.length, 0);
    }

    /** Reads one event from text; throws {@link EventFormatException} if it is none. */
    public SecurityEvent read(String json) {
        return read(json.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public SecurityEvent read(byte[] bytes, int offset, int length, long position) {
        return event(EventJson.OF_DETECTORS.object(bytes, offset, length));
    }

    /**
     * Of a plain event without building it, some four times as fast. Whatever is not plain must be read whole: what is no event, or is as
     * long or has such numbers that only reading it whole shows whether it can be read. So a line has an outline only if it is an event.
     */
    @Override
    public Optional<Outline> outline(byte[] bytes, int offset, int length) {
        if (length > EventLineReader.MOST_INDEXED_BYTES || EventJson.isDoubtful(bytes, offset, length)) {
            return Optional.empty();
        }
        Optional<String> id = Optional.empty();
        Optional<Instant> detectTime = Optional.empty();
        String key = "";
        int depth = 0;
        try (JsonParser parser = EventJson.tokens(bytes, offset, length)) {
            boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
            for (JsonToken token = parser.currentToken(); token != null; token = parser.nextToken()) {
                boolean isText = depth == 1 && token == JsonToken.VALUE_STRING;
                if (depth == 1 && token == JsonToken.FIELD_NAME) {
                    key = parser.currentName();
                } else if (token.isNumeric() && !isPlainNumber(parser)) {
                    return Optional.empty();
                } else if (isText && key.equals("ID")) {
                    id = Optional.of(parser.getText()).filter(IdeaReader::isId);
                } else if (isText && key.equals("DetectTime")) {
                    detectTime = IdeaTime.parse(parser.getText());
                }
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (depth == 0) {
                    isObject &= parser.nextToken() == null;
                }
            }
            Optional<Instant> time = isObject ? detectTime : Optional.empty();
            return id.flatMap(text -> time.map(when -> new Outline(text, when)));
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }

    private static boolean isPlainNumber(JsonParser parser) throws IOException {
        return parser.getTextLength() <= PLAIN_DIGITS
                && (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
                        || (parser.getText().indexOf('e') < 0
                                && parser.getText().indexOf('E') < 0));
    }

    @Override
    public String identity() {
        return "idea";
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
        if (!value.isTextual() || !isId(id)) {
            throw new EventFormatException("ID must be a text with at least one character and no NUL, was " + value);
        }
        return id;
    }

    private static boolean isId(String text) {
        return !text.isEmpty() && text.indexOf('\0') < 0;
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

    /** A port, 0 to 65535, as a number or as text. */
    public static Optional<Integer> port(JsonNode value) {
        String digits = value.isIntegralNumber() ? value.asText() : value.isTextual() ? value.textValue() : "";
        boolean number =
                !digits.isEmpty() && digits.length() <= 5 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Optional.of(Integer.valueOf(digits)).filter(port -> port <= 65_535) : Optional.empty();
    }
}
