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
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads IDEA events from JSON. Accepts what detectors really send: a single value where a list belongs, ports as text, addresses as
 * networks or ranges, any offset, missing parts, NUL characters, unknown keys. Whatever does not fit a typed field stays in {@code other}
 * under its own key, so nothing is lost. Only {@code ID} and {@code DetectTime} are required. Thread-safe.
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
     * The outline of a plain event without building it, some four times as fast. Anything else must be parsed: no events, long ones, and
     * numbers that only a full parse can judge. So a line has an outline only if it is an event.
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
            return id.flatMap(text -> time.map(when -> new Outline(text, when, Optional.empty())));
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

    /** Makes an event of a tree, out of which all that fits is taken; throws {@link EventFormatException} if it is none. */
    public static SecurityEvent event(ObjectNode event) {
        String id = id(event.path("ID"));
        Instant detectTime = detectTime(event.path("DetectTime"));
        event.remove(List.of("ID", "DetectTime"));
        return new SecurityEvent(
                id,
                detectTime,
                taken(event, "Category", IdeaReader::text),
                takenText(event, "Description"),
                taken(event, "Source", IdeaReader::endpoint),
                taken(event, "Target", IdeaReader::endpoint),
                taken(event, "Node", IdeaReader::node),
                rest(event));
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

    /** An entry of {@code Source} or {@code Target}; empty if it is no object. */
    private static Optional<Endpoint> endpoint(JsonNode tree) {
        if (!(tree instanceof ObjectNode endpoint)) {
            return Optional.empty();
        }
        List<AddressRange> addresses = new ArrayList<>(taken(endpoint, "IP4", IdeaReader::address));
        addresses.addAll(taken(endpoint, "IP6", IdeaReader::address));
        return Optional.of(new Endpoint(
                taken(endpoint, "Type", IdeaReader::text),
                addresses,
                taken(endpoint, "Port", IdeaReader::port),
                taken(endpoint, "Proto", IdeaReader::text),
                rest(endpoint)));
    }

    private static Optional<Node> node(JsonNode tree) {
        return tree instanceof ObjectNode node
                ? Optional.of(new Node(
                        takenText(node, "Name"),
                        taken(node, "Type", IdeaReader::text),
                        taken(node, "SW", IdeaReader::text),
                        rest(node)))
                : Optional.empty();
    }

    /** Entries that fit are taken; the others stay under the same key, as a list. */
    private static <T> List<T> taken(ObjectNode from, String key, Function<JsonNode, Optional<T>> convert) {
        JsonNode value = from.get(key);
        if (value == null) {
            return List.of();
        }
        List<T> fitting = new ArrayList<>(2);
        ArrayNode unfit = JsonNodeFactory.instance.arrayNode(0);
        for (JsonNode item : value.isArray() ? value : List.of(value)) {
            convert.apply(item).ifPresentOrElse(fitting::add, () -> unfit.add(item));
        }
        if (unfit.isEmpty()) {
            from.remove(key);
        } else {
            from.set(key, unfit);
        }
        return fitting;
    }

    private static String takenText(ObjectNode from, String key) {
        JsonNode value = from.path(key);
        if (value.isTextual()) {
            from.remove(key);
        }
        return value.isTextual() ? value.textValue() : "";
    }

    private static Map<String, JsonNode> rest(ObjectNode left) {
        Map<String, JsonNode> rest = new LinkedHashMap<>();
        left.properties().forEach(entry -> rest.put(entry.getKey(), entry.getValue()));
        return rest;
    }

    private static Optional<String> text(JsonNode value) {
        return Optional.ofNullable(value.textValue());
    }

    private static Optional<AddressRange> address(JsonNode value) {
        return text(value).flatMap(AddressRange::tryParse);
    }

    /** A port, 0 to 65535, as a number or as text. */
    public static Optional<Integer> port(JsonNode value) {
        return number(value, 5).filter(port -> port <= 65_535).map(Long::intValue);
    }

    /** A whole number, 0 or more, as a number or as text, of at most this many digits. */
    public static Optional<Long> number(JsonNode value, int mostDigits) {
        String digits = value.isIntegralNumber() || value.isTextual() ? value.asText() : "";
        boolean isNumber = !digits.isEmpty()
                && digits.length() <= mostDigits
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return isNumber ? Optional.of(Long.valueOf(digits)) : Optional.empty();
    }
}
