package siemload.database.mongodb;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonBinary;
import org.bson.BsonReader;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/** Writes events as documents of the layout {@code idea}; the README beside its pipelines tells what each key is for. */
final class EventCodec implements Codec<MongodbEvent> {

    @Override
    public Class<MongodbEvent> getEncoderClass() {
        return MongodbEvent.class;
    }

    @Override
    public void encode(BsonWriter writer, MongodbEvent stored, EncoderContext context) {
        SecurityEvent event = stored.event();
        writer.writeStartDocument();
        writer.writeString("_id", EventText.clean(event.id()));
        writer.writeInt64("DetectMicros", EventText.micros(event.detectTime()));
        writer.writeBinaryData("Event", new BsonBinary(stored.idea()));
        writer.writeDateTime("DetectTime", event.detectTime().toEpochMilli());
        texts(writer, "Category", event.categories());
        writer.writeString("Description", EventText.searchable(event.description()));
        endpoints(writer, "Source", event.sources());
        endpoints(writer, "Target", event.targets());
        nodes(writer, event.nodes());
        derived(writer, event);
        writer.writeEndDocument();
    }

    @Override
    public MongodbEvent decode(BsonReader reader, DecoderContext context) {
        throw new UnsupportedOperationException("results are read as " + MongodbRow.class);
    }

    private static void endpoints(BsonWriter writer, String name, List<Endpoint> endpoints) {
        writer.writeStartArray(name);
        for (Endpoint endpoint : endpoints) {
            writer.writeStartDocument();
            texts(writer, "Type", endpoint.types());
            addresses(writer, "IP4", endpoint.addresses(), Family.IP4);
            addresses(writer, "IP6", endpoint.addresses(), Family.IP6);
            numbers(writer, "Port", endpoint.ports());
            texts(writer, "Proto", endpoint.protocols());
            writer.writeEndDocument();
        }
        writer.writeEndArray();
    }

    private static void addresses(BsonWriter writer, String name, List<AddressRange> addresses, Family family) {
        writer.writeStartArray(name);
        for (AddressRange range : addresses) {
            if (range.family() == family) {
                writer.writeStartDocument();
                ends(writer, range);
                writer.writeEndDocument();
            }
        }
        writer.writeEndArray();
    }

    private static void nodes(BsonWriter writer, List<Node> nodes) {
        writer.writeStartArray("Node");
        for (Node node : nodes) {
            writer.writeStartDocument();
            writer.writeString("Name", EventText.clean(node.name()));
            texts(writer, "Type", node.types());
            texts(writer, "SW", node.software());
            writer.writeEndDocument();
        }
        writer.writeEndArray();
    }

    /** What no index could hold as it stands in the event: both sides together, and pairs out of two arrays. */
    private static void derived(BsonWriter writer, SecurityEvent event) {
        Set<AddressRange> addresses = new LinkedHashSet<>();
        Set<Integer> ports = new LinkedHashSet<>();
        event.endpoints().forEach(endpoint -> {
            addresses.addAll(endpoint.addresses());
            ports.addAll(endpoint.ports());
        });
        writer.writeStartArray("Address");
        for (AddressRange range : addresses) {
            writer.writeStartDocument();
            writer.writeBoolean("wide", !range.isSingle());
            ends(writer, range);
            writer.writeEndDocument();
        }
        writer.writeEndArray();
        numbers(writer, "Port", new ArrayList<>(ports));
        pairs(writer, event);
    }

    private static void pairs(BsonWriter writer, SecurityEvent event) {
        writer.writeStartArray("CategoryDetector");
        for (String category : new LinkedHashSet<>(event.categories())) {
            for (Node node : event.nodes()) {
                writer.writeStartDocument();
                writer.writeString("category", EventText.clean(category));
                writer.writeString("detector", EventText.clean(node.name()));
                writer.writeEndDocument();
            }
        }
        writer.writeEndArray();
    }

    private static void ends(BsonWriter writer, AddressRange range) {
        writer.writeBinaryData("min", AddressBytes.first(range));
        writer.writeBinaryData("max", AddressBytes.last(range));
    }

    private static void texts(BsonWriter writer, String name, List<String> texts) {
        writer.writeStartArray(name);
        for (String text : texts) {
            writer.writeString(EventText.clean(text));
        }
        writer.writeEndArray();
    }

    private static void numbers(BsonWriter writer, String name, List<Integer> numbers) {
        writer.writeStartArray(name);
        for (int number : numbers) {
            writer.writeInt32(number);
        }
        writer.writeEndArray();
    }
}
