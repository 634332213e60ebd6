package siemload.event;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerationException;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import siemload.event.AddressRange.Family;

/**
 * Writes events as compact IDEA JSON in UTF-8, one object without a line end. Reusable; not thread-safe. {@link IdeaReader} reads back an
 * equal event. Empty lists and texts of typed fields are left out.
 */
public final class IdeaWriter {
    private static final JsonNode NONE = MissingNode.getInstance();
    private static final JsonFactory FACTORY = JsonMapper.builder()
            .disable(SerializationFeature.FLUSH_AFTER_WRITE_VALUE)
            .build()
            .getFactory();

    private static final Set<String> EVENT_LISTS = Set.of("Category", "Source", "Target", "Node");
    private static final Set<String> ENDPOINT_LISTS = Set.of("Type", "IP4", "IP6", "Port", "Proto");
    private static final Set<String> NODE_LISTS = Set.of("Type", "SW");

    private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(2_048);
    private JsonGenerator generator = open();

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
            buffer.reset();
            event(event);
            generator.flush();
        } catch (JsonGenerationException halfSurrogate) {
            // Half a surrogate pair has no UTF-8 form, and can only be written as an escape.
            generator = open().setHighestNonEscapedChar(127);
            fill(event);
            generator = open();
        } catch (IOException e) {
            throw new UncheckedIOException("event " + event.id() + " cannot be written as JSON", e);
        }
    }

    private void event(SecurityEvent event) throws IOException {
        generator.writeStartObject();
        generator.writeStringField("ID", event.id());
        generator.writeStringField("DetectTime", IdeaTime.format(event.detectTime()));
        texts("Category", event.categories(), event.other());
        text("Description", event.description());
        list("Source", event.sources(), event.other(), this::endpoint);
        list("Target", event.targets(), event.other(), this::endpoint);
        list("Node", event.nodes(), event.other(), this::node);
        rest(event.other(), EVENT_LISTS);
        generator.writeEndObject();
    }

    private void endpoint(Endpoint endpoint) throws IOException {
        generator.writeStartObject();
        texts("Type", endpoint.types(), endpoint.other());
        addresses(Family.IP4, endpoint);
        addresses(Family.IP6, endpoint);
        list("Port", endpoint.ports(), endpoint.other(), generator::writeNumber);
        texts("Proto", endpoint.protocols(), endpoint.other());
        rest(endpoint.other(), ENDPOINT_LISTS);
        generator.writeEndObject();
    }

    private void addresses(Family family, Endpoint endpoint) throws IOException {
        List<AddressRange> addresses = new ArrayList<>(endpoint.addresses().size());
        for (AddressRange address : endpoint.addresses()) {
            if (address.family() == family) {
                addresses.add(address);
            }
        }
        list(family.name(), addresses, endpoint.other(), address -> generator.writeString(address.toString()));
    }

    private void node(Node node) throws IOException {
        generator.writeStartObject();
        text("Name", node.name());
        texts("Type", node.types(), node.other());
        texts("SW", node.software(), node.other());
        rest(node.other(), NODE_LISTS);
        generator.writeEndObject();
    }

    private void text(String key, String value) throws IOException {
        if (!value.isEmpty()) {
            generator.writeStringField(key, value);
        }
    }

    private void texts(String key, List<String> values, Map<String, JsonNode> other) throws IOException {
        list(key, values, other, generator::writeString);
    }

    private interface Item<T> {
        void write(T value) throws IOException;
    }

    /** Writes a list, followed by the entries that did not fit its type, see {@link IdeaReader}. */
    private <T> void list(String key, List<T> values, Map<String, JsonNode> other, Item<T> item) throws IOException {
        JsonNode unfit = other.isEmpty() ? NONE : other.getOrDefault(key, NONE);
        if (values.isEmpty() && !unfit.isArray()) {
            return;
        }
        generator.writeArrayFieldStart(key);
        for (int i = 0; i < values.size(); i++) {
            item.write(values.get(i));
        }
        if (unfit.isArray()) {
            for (JsonNode value : unfit) {
                json(value);
            }
        }
        generator.writeEndArray();
    }

    /** Writes all keys except for the lists that have been written. */
    private void rest(Map<String, JsonNode> other, Set<String> lists) throws IOException {
        for (Map.Entry<String, JsonNode> entry : other.entrySet()) {
            if (!entry.getValue().isArray() || !lists.contains(entry.getKey())) {
                generator.writeFieldName(entry.getKey());
                json(entry.getValue());
            }
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

    private JsonGenerator open() {
        try {
            return FACTORY.createGenerator(buffer, JsonEncoding.UTF8).setRootValueSeparator(null);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory cannot fail", e);
        }
    }
}
