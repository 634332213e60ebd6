package siemload.event;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads IDEA events from JSON. Accepts what detectors really send: a single value where a list belongs, ports as text, addresses as
 * networks or ranges, any offset, missing parts, NUL characters, unknown keys. Values that do not fit a typed field stay in {@code other}
 * under the field's key, so nothing is lost. Only {@code ID} and {@code DetectTime} are required. Thread-safe.
 */
public final class IdeaReader implements EventReader {
    /** Reads one event from UTF-8 bytes; throws {@link EventFormatException} if they are not an event. */
    public SecurityEvent read(byte[] json) {
        return read(json, 0, json.length, 0);
    }

    /** Reads one event from text; throws {@link EventFormatException} if it is not an event. */
    public SecurityEvent read(String json) {
        return read(json.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public SecurityEvent read(byte[] bytes, int offset, int length, long position) {
        return EventJson.OF_DETECTORS.read(bytes, offset, length, IdeaReader::event);
    }

    @Override
    public String identity() {
        return "idea";
    }

    private static SecurityEvent event(JsonParser parser) throws IOException {
        Part part = new Part(parser);
        JsonNode id = MissingNode.getInstance();
        JsonNode detectTime = MissingNode.getInstance();
        String description = "";
        List<String> categories = List.of();
        List<Endpoint> sources = List.of();
        List<Endpoint> targets = List.of();
        List<Node> nodes = List.of();
        for (String key = part.nextKey(); !key.isEmpty(); key = part.nextKey()) {
            switch (key) {
                case "ID" -> id = part.once(1).value();
                case "DetectTime" -> detectTime = part.once(2).value();
                case "Category" -> categories = part.once(4).list(IdeaReader::text);
                case "Description" -> description = part.once(8).text();
                case "Source" -> sources = part.once(16).list(IdeaReader::endpoint);
                case "Target" -> targets = part.once(32).list(IdeaReader::endpoint);
                case "Node" -> nodes = part.once(64).list(IdeaReader::node);
                default -> part.keep(part.value());
            }
        }
        return new SecurityEvent(
                id(id), detectTime(detectTime), categories, description, sources, targets, nodes, part.other);
    }

    private static Optional<Endpoint> endpoint(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            return Optional.empty();
        }
        Part part = new Part(parser);
        List<String> types = List.of();
        List<AddressRange> ip4 = List.of();
        List<AddressRange> ip6 = List.of();
        List<Integer> ports = List.of();
        List<String> protocols = List.of();
        for (String key = part.nextKey(); !key.isEmpty(); key = part.nextKey()) {
            switch (key) {
                case "Type" -> types = part.once(1).list(IdeaReader::text);
                case "IP4" -> ip4 = part.once(2).list(IdeaReader::address);
                case "IP6" -> ip6 = part.once(4).list(IdeaReader::address);
                case "Port" -> ports = part.once(8).list(IdeaReader::port);
                case "Proto" -> protocols = part.once(16).list(IdeaReader::text);
                default -> part.keep(part.value());
            }
        }
        List<AddressRange> addresses = ip4.isEmpty() ? ip6 : ip4;
        if (!ip4.isEmpty() && !ip6.isEmpty()) {
            addresses = new ArrayList<>(ip4);
            addresses.addAll(ip6);
        }
        return Optional.of(new Endpoint(types, addresses, ports, protocols, part.other));
    }

    private static Optional<Node> node(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            return Optional.empty();
        }
        Part part = new Part(parser);
        String name = "";
        List<String> types = List.of();
        List<String> software = List.of();
        for (String key = part.nextKey(); !key.isEmpty(); key = part.nextKey()) {
            switch (key) {
                case "Name" -> name = part.once(1).text();
                case "Type" -> types = part.once(2).list(IdeaReader::text);
                case "SW" -> software = part.once(4).list(IdeaReader::text);
                default -> part.keep(part.value());
            }
        }
        return Optional.of(new Node(name, types, software, part.other));
    }

    /** An object that is being read, with all values that do not fit a typed field. Not thread-safe. */
    private static final class Part {
        private final JsonParser parser;
        private Map<String, JsonNode> other = Map.of();
        private String key = "";
        private int seen;

        Part(JsonParser parser) {
            this.parser = parser;
        }

        /** Returns the next key and moves the parser to its value; empty at the end. Keeps the value of an empty key in {@code other}. */
        String nextKey() throws IOException {
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                key = parser.currentName();
                parser.nextToken();
                if (!key.isEmpty()) {
                    return key;
                }
                keep(value());
            }
            return "";
        }

        /** Refuses a typed key that occurs a second time. */
        Part once(int bit) {
            if ((seen & bit) != 0) {
                throw repeated();
            }
            seen |= bit;
            return this;
        }

        JsonNode value() throws IOException {
            return EventJson.OF_DETECTORS.value(parser);
        }

        void keep(JsonNode value) {
            other = other.isEmpty() ? new LinkedHashMap<>() : other;
            if (other.put(key, value) != null) {
                throw repeated();
            }
        }

        private EventFormatException repeated() {
            return EventJson.broken(parser.currentLocation(), "duplicate field '" + key + "'");
        }

        String text() throws IOException {
            if (parser.currentToken() == JsonToken.VALUE_STRING) {
                return parser.getText();
            }
            keep(value());
            return "";
        }

        /**
         * Returns the entries that fit, and keeps the others as a list. A single value counts as a list of one entry.
         *
         * @param entry reads the entry at the parser's position, up to its end; returns empty, and does not move, if the entry does not fit
         */
        <T> List<T> list(EventJson.Body<Optional<T>> entry) throws IOException {
            boolean isList = parser.currentToken() == JsonToken.START_ARRAY;
            List<T> fitting = new ArrayList<>(2);
            ArrayNode unfit = JsonNodeFactory.instance.arrayNode(0);
            boolean isMore = !isList || parser.nextToken() != JsonToken.END_ARRAY;
            while (isMore) {
                Optional<T> read = entry.read(parser);
                if (read.isPresent()) {
                    fitting.add(read.get());
                } else {
                    unfit.add(value());
                }
                isMore = isList && parser.nextToken() != JsonToken.END_ARRAY;
            }
            if (!unfit.isEmpty()) {
                keep(unfit);
            }
            return fitting;
        }
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
        return Optional.ofNullable(value.textValue())
                .flatMap(IdeaTime::parse)
                .orElseThrow(() -> new EventFormatException(
                        "DetectTime must be a time like \"2016-06-06T12:00:00Z\", was " + value));
    }

    private static Optional<String> text(JsonParser parser) throws IOException {
        return parser.currentToken() == JsonToken.VALUE_STRING ? Optional.of(parser.getText()) : Optional.empty();
    }

    private static Optional<AddressRange> address(JsonParser parser) throws IOException {
        return text(parser).flatMap(AddressRange::tryParse);
    }

    private static Optional<Integer> port(JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        return token == JsonToken.VALUE_NUMBER_FLOAT
                ? port(DecimalNode.valueOf(parser.getDecimalValue()))
                : token.isScalarValue() ? port(TextNode.valueOf(parser.getText())) : Optional.empty();
    }

    /** Reads a port, 0 to 65535, from a number or a text. */
    public static Optional<Integer> port(JsonNode value) {
        return number(value, 5).filter(port -> port <= 65_535).map(Long::intValue);
    }

    /** Reads a whole number, 0 or more, from a number or a text, of at most this many digits; {@code 22.0} and {@code 8e1} are whole. */
    public static Optional<Long> number(JsonNode value, int mostDigits) {
        int scale = value.isBigDecimal() ? value.decimalValue().scale() : 0;
        String text =
                scale < 0 && scale > -20 ? value.decimalValue().setScale(0).toString() : value.asText();
        String digits = value.isNumber() || value.isTextual() ? text : "";
        int end = digits.indexOf('.');
        if (end < 0) {
            end = digits.length();
        } else if (end + 1 == digits.length() || !digits.chars().skip(end + 1L).allMatch(c -> c == '0')) {
            return Optional.empty();
        }
        long number = 0;
        for (int i = 0; i < end; i++) {
            int digit = digits.charAt(i) - '0';
            if (digit < 0 || digit > 9 || end > mostDigits) {
                return Optional.empty();
            }
            number = number * 10 + digit;
        }
        return end == 0 ? Optional.empty() : Optional.of(number);
    }
}
