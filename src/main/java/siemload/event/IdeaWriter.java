package siemload.event;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerationException;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes events as compact IDEA JSON in UTF-8, one object without a line end. Reusable; not thread-safe. What
 * {@link IdeaReader} reads back is equal to what was written. Empty lists and texts of typed fields are left out.
 */
public final class IdeaWriter {
    private static final JsonFactory PLAIN = factory(false);
    /** For text with half a surrogate pair, which has no UTF-8 form and can only be written as an escape. */
    private static final JsonFactory ESCAPING = factory(true);

    private static final SerializableString ID = new SerializedString("ID");
    private static final SerializableString DETECT_TIME = new SerializedString("DetectTime");
    private static final SerializableString CATEGORY = new SerializedString("Category");
    private static final SerializableString DESCRIPTION = new SerializedString("Description");
    private static final SerializableString SOURCE = new SerializedString("Source");
    private static final SerializableString TARGET = new SerializedString("Target");
    private static final SerializableString NODE = new SerializedString("Node");
    private static final SerializableString TYPE = new SerializedString("Type");
    private static final SerializableString IP4 = new SerializedString("IP4");
    private static final SerializableString IP6 = new SerializedString("IP6");
    private static final SerializableString PORT = new SerializedString("Port");
    private static final SerializableString PROTO = new SerializedString("Proto");
    private static final SerializableString NAME = new SerializedString("Name");
    private static final SerializableString SW = new SerializedString("SW");

    private static final Set<String> EVENT_LISTS = Set.of("Category", "Source", "Target", "Node");
    private static final Set<String> ENDPOINT_LISTS = Set.of("Type", "IP4", "IP6", "Port", "Proto");
    private static final Set<String> NODE_LISTS = Set.of("Type", "SW");

    /** Keys without a typed field that many events have, ready to be written. */
    private static final Map<String, SerializableString> FREQUENT_KEYS = Stream.of(
                    "Format",
                    "CreateTime",
                    "EventTime",
                    "CeaseTime",
                    "WinStartTime",
                    "WinEndTime",
                    "ConnCount",
                    "FlowCount",
                    "PacketCount",
                    "ByteCount",
                    "Note",
                    "AggrWin")
            .collect(Collectors.toUnmodifiableMap(key -> key, SerializedString::new));

    private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(2_048);
    private JsonGenerator generator = open(PLAIN);

    /** The event as JSON. */
    public byte[] toBytes(SecurityEvent event) {
        fill(event);
        return buffer.toByteArray();
    }

    /** Writes the event as JSON to the stream, which is neither flushed nor closed. */
    public void write(SecurityEvent event, OutputStream out) throws IOException {
        fill(event);
        buffer.writeTo(out);
    }

    private void fill(SecurityEvent event) {
        try {
            fillWith(event);
        } catch (JsonGenerationException halfSurrogate) {
            generator = open(ESCAPING);
            try {
                fillWith(event);
            } catch (IOException e) {
                throw new UncheckedIOException("event " + event.id() + " cannot be written as JSON", e);
            }
            generator = open(PLAIN);
        } catch (IOException e) {
            throw new UncheckedIOException("event " + event.id() + " cannot be written as JSON", e);
        }
    }

    private void fillWith(SecurityEvent event) throws IOException {
        buffer.reset();
        event(event);
        generator.flush();
    }

    private void event(SecurityEvent event) throws IOException {
        Map<String, JsonNode> unfit = unfit(event.other(), EVENT_LISTS);
        generator.writeStartObject();
        generator.writeFieldName(ID);
        generator.writeString(event.id());
        generator.writeFieldName(DETECT_TIME);
        generator.writeString(IdeaTime.format(event.detectTime()));
        texts(CATEGORY, event.categories(), unfit);
        text(DESCRIPTION, event.description());
        endpoints(SOURCE, event.sources(), unfit);
        endpoints(TARGET, event.targets(), unfit);
        nodes(event.nodes(), unfit);
        rest(event.other(), unfit);
        generator.writeEndObject();
    }

    private void endpoints(SerializableString key, List<Endpoint> endpoints, Map<String, JsonNode> unfit)
            throws IOException {
        if (startList(key, endpoints, unfit)) {
            for (int i = 0; i < endpoints.size(); i++) {
                endpoint(endpoints.get(i));
            }
            endList(key, unfit);
        }
    }

    private void endpoint(Endpoint endpoint) throws IOException {
        Map<String, JsonNode> unfit = unfit(endpoint.other(), ENDPOINT_LISTS);
        generator.writeStartObject();
        texts(TYPE, endpoint.types(), unfit);
        List<AddressRange> addresses = endpoint.addresses();
        boolean ip6First = !addresses.isEmpty() && addresses.get(0).family() == AddressRange.Family.IP6;
        if (ip6First) {
            addresses(IP6, AddressRange.Family.IP6, addresses, unfit);
        }
        addresses(IP4, AddressRange.Family.IP4, addresses, unfit);
        if (!ip6First) {
            addresses(IP6, AddressRange.Family.IP6, addresses, unfit);
        }
        if (startList(PORT, endpoint.ports(), unfit)) {
            for (int i = 0; i < endpoint.ports().size(); i++) {
                generator.writeNumber(endpoint.ports().get(i));
            }
            endList(PORT, unfit);
        }
        texts(PROTO, endpoint.protocols(), unfit);
        rest(endpoint.other(), unfit);
        generator.writeEndObject();
    }

    private void addresses(
            SerializableString key,
            AddressRange.Family family,
            List<AddressRange> addresses,
            Map<String, JsonNode> unfit)
            throws IOException {
        boolean open = false;
        for (int i = 0; i < addresses.size(); i++) {
            AddressRange address = addresses.get(i);
            if (address.family() == family) {
                if (!open) {
                    generator.writeFieldName(key);
                    generator.writeStartArray();
                    open = true;
                }
                generator.writeString(address.toString());
            }
        }
        if (open) {
            endList(key, unfit);
        } else if (startList(key, List.of(), unfit)) {
            endList(key, unfit);
        }
    }

    private void nodes(List<Node> nodes, Map<String, JsonNode> unfit) throws IOException {
        if (startList(NODE, nodes, unfit)) {
            for (int i = 0; i < nodes.size(); i++) {
                node(nodes.get(i));
            }
            endList(NODE, unfit);
        }
    }

    private void node(Node node) throws IOException {
        generator.writeStartObject();
        Map<String, JsonNode> unfit = unfit(node.other(), NODE_LISTS);
        text(NAME, node.name());
        texts(TYPE, node.types(), unfit);
        texts(SW, node.software(), unfit);
        rest(node.other(), unfit);
        generator.writeEndObject();
    }

    private void text(SerializableString key, String value) throws IOException {
        if (!value.isEmpty()) {
            generator.writeFieldName(key);
            generator.writeString(value);
        }
    }

    private void texts(SerializableString key, List<String> values, Map<String, JsonNode> unfit) throws IOException {
        if (startList(key, values, unfit)) {
            for (int i = 0; i < values.size(); i++) {
                generator.writeString(values.get(i));
            }
            endList(key, unfit);
        }
    }

    private boolean startList(SerializableString key, List<?> values, Map<String, JsonNode> unfit) throws IOException {
        if (values.isEmpty() && !unfit.containsKey(key.getValue())) {
            return false;
        }
        generator.writeFieldName(key);
        generator.writeStartArray();
        return true;
    }

    /** Ends a list with the entries that did not fit its type, see {@link IdeaReader}. */
    private void endList(SerializableString key, Map<String, JsonNode> unfit) throws IOException {
        if (!unfit.isEmpty()) {
            JsonNode items = unfit.get(key.getValue());
            if (items != null) {
                for (JsonNode item : items) {
                    json(item);
                }
            }
        }
        generator.writeEndArray();
    }

    /** The entries that did not fit the type of their list, see {@link IdeaReader}; hardly an event has one. */
    private static Map<String, JsonNode> unfit(Map<String, JsonNode> other, Set<String> lists) {
        Map<String, JsonNode> unfit = Map.of();
        if (!other.isEmpty()) {
            for (Map.Entry<String, JsonNode> entry : other.entrySet()) {
                if (entry.getValue() instanceof ArrayNode && lists.contains(entry.getKey())) {
                    unfit = unfit.isEmpty() ? new HashMap<>() : unfit;
                    unfit.put(entry.getKey(), entry.getValue());
                }
            }
        }
        return unfit;
    }

    private void rest(Map<String, JsonNode> other, Map<String, JsonNode> unfit) throws IOException {
        if (other.isEmpty()) {
            return;
        }
        for (Map.Entry<String, JsonNode> entry : other.entrySet()) {
            if (unfit.isEmpty() || !unfit.containsKey(entry.getKey())) {
                fieldName(entry.getKey());
                json(entry.getValue());
            }
        }
    }

    private void fieldName(String key) throws IOException {
        SerializableString frequent = FREQUENT_KEYS.get(key);
        if (frequent != null) {
            generator.writeFieldName(frequent);
        } else {
            generator.writeFieldName(key);
        }
    }

    private void json(JsonNode value) throws IOException {
        if (value instanceof TextNode text) {
            generator.writeString(text.textValue());
        } else if (value.isInt() || value.isLong()) {
            generator.writeNumber(value.longValue());
        } else {
            generator.writeTree(value);
        }
    }

    private JsonGenerator open(JsonFactory factory) {
        try {
            JsonGenerator opened = factory.createGenerator(buffer, JsonEncoding.UTF8);
            opened.setRootValueSeparator(null);
            return opened;
        } catch (IOException e) {
            throw new UncheckedIOException("a generator over memory cannot fail", e);
        }
    }

    private static JsonFactory factory(boolean asciiOnly) {
        JsonFactory factory = JsonFactory.builder()
                .configure(JsonWriteFeature.ESCAPE_NON_ASCII, asciiOnly)
                .build();
        JsonMapper.builder(factory)
                .disable(SerializationFeature.FLUSH_AFTER_WRITE_VALUE)
                .build();
        return factory;
    }
}
