package siemload.database.mongodb;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.bson.BsonBinary;
import org.bson.BsonReader;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import siemload.database.RowReader.DetachedRow;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;
import siemload.event.WholeText;

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
        writer.writeString("_id", WholeText.of(event.id()));
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
        throw new UnsupportedOperationException("results are read as " + DetachedRow.class);
    }

    private static void endpoints(BsonWriter writer, String name, List<Endpoint> endpoints) {
        documents(writer, name, endpoints, endpoint -> {
            texts(writer, "Type", endpoint.types());
            addresses(writer, "IP4", endpoint.addresses(), Family.IP4);
            addresses(writer, "IP6", endpoint.addresses(), Family.IP6);
            array(writer, "Port", endpoint.ports(), writer::writeInt32);
            texts(writer, "Proto", endpoint.protocols());
        });
    }

    private static void addresses(BsonWriter writer, String name, List<AddressRange> addresses, Family family) {
        List<AddressRange> own =
                addresses.stream().filter(range -> range.family() == family).toList();
        documents(writer, name, own, range -> ends(writer, range));
    }

    private static void nodes(BsonWriter writer, List<Node> nodes) {
        documents(writer, "Node", nodes, node -> {
            writer.writeString("Name", WholeText.of(node.name()));
            texts(writer, "Type", node.types());
            texts(writer, "SW", node.software());
        });
    }

    /** What no index could hold as it stands in the event: both sides together, and pairs out of two arrays. */
    private static void derived(BsonWriter writer, SecurityEvent event) {
        Set<AddressRange> addresses = new LinkedHashSet<>();
        Set<Integer> ports = new LinkedHashSet<>();
        event.endpoints().forEach(endpoint -> {
            addresses.addAll(endpoint.addresses());
            ports.addAll(endpoint.ports());
        });
        documents(writer, "Address", addresses, range -> {
            writer.writeBoolean("wide", !range.isSingle());
            ends(writer, range);
        });
        array(writer, "Port", ports, writer::writeInt32);
        array(writer, "CategoryDetector", new LinkedHashSet<>(event.categories()), category -> {
            for (Node node : event.nodes()) {
                writer.writeStartDocument();
                writer.writeString("category", WholeText.of(category));
                writer.writeString("detector", WholeText.of(node.name()));
                writer.writeEndDocument();
            }
        });
    }

    private static void ends(BsonWriter writer, AddressRange range) {
        writer.writeBinaryData("min", new BsonBinary(range.firstBytes()));
        writer.writeBinaryData("max", new BsonBinary(range.lastBytes()));
    }

    private static void texts(BsonWriter writer, String name, List<String> texts) {
        array(writer, name, texts, text -> writer.writeString(WholeText.of(text)));
    }

    private static <T> void documents(BsonWriter writer, String name, Collection<T> items, Consumer<T> keys) {
        array(writer, name, items, item -> {
            writer.writeStartDocument();
            keys.accept(item);
            writer.writeEndDocument();
        });
    }

    private static <T> void array(BsonWriter writer, String name, Collection<T> items, Consumer<T> value) {
        writer.writeStartArray(name);
        items.forEach(value);
        writer.writeEndArray();
    }
}
