package siemload.database.mongodb.layout;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.bson.BsonValue;
import org.bson.BsonWriter;
import org.bson.Document;
import org.bson.codecs.BsonValueCodec;
import org.bson.codecs.EncoderContext;
import org.jspecify.annotations.Nullable;
import siemload.config.Choices;
import siemload.database.mongodb.layout.DocumentPart.Elements;
import siemload.database.mongodb.layout.JsonTemplate.Each;
import siemload.database.mongodb.layout.JsonTemplate.Value;

/**
 * Which keys the document of an event has, and what is in them: {@code document.json}. It is worked out once, so that writing an
 * event looks up no name. Immutable and thread-safe.
 */
final class DocumentTemplate {
    private static final BsonValueCodec CONSTANTS = new BsonValueCodec();
    private static final EncoderContext CONTEXT = EncoderContext.builder().build();
    private static final String ID = "_id";

    private final BiConsumer<BsonWriter, MongodbEvent> written;

    private DocumentTemplate(BiConsumer<BsonWriter, MongodbEvent> written) {
        this.written = written;
    }

    /** @throws BadTemplateException if an event has nothing of a name, or the document no {@code _id} by which it is one event's */
    static DocumentTemplate of(JsonTemplate template) {
        if (!(template.json() instanceof Document document)) {
            throw new BadTemplateException("is no object (needed: the keys of an event)", 0, 0);
        }
        if (!containsId(document.get(ID))) {
            throw new BadTemplateException(
                    "no {\"$param\": \"id\"} is in _id (needed: the server tells by it that an event is there already)",
                    0,
                    0);
        }
        return new DocumentTemplate(writing(document, DocumentPart.EVENT));
    }

    private static boolean containsId(@Nullable Object json) {
        return json instanceof Document document
                ? document.values().stream().anyMatch(DocumentTemplate::containsId)
                : json instanceof Value value && value.name().equals("id");
    }

    /** Writes an event as a whole document. */
    void write(BsonWriter writer, MongodbEvent event) {
        written.accept(writer, event);
    }

    private static <T> BiConsumer<BsonWriter, T> writing(Object json, DocumentPart<T> part) {
        if (json instanceof Value value) {
            BiConsumer<BsonWriter, T> known = part.values().get(value.name());
            if (known == null) {
                throw unknown("name", value, part.values().keySet());
            }
            return known;
        } else if (json instanceof Each each) {
            Elements<T, ?> elements = part.lists().get(each.each().name());
            if (elements == null) {
                throw unknown("list", each.each(), part.lists().keySet());
            }
            return writingEach(elements, each.element());
        } else if (json instanceof Document document) {
            return writing(document, part);
        } else if (json instanceof List<?> list) {
            return writing(list, part);
        }
        BsonValue constant = Objects.requireNonNull(
                new Document("constant", json).toBsonDocument().get("constant"));
        return (writer, whole) -> CONSTANTS.encode(writer, constant, CONTEXT);
    }

    private static <T> BiConsumer<BsonWriter, T> writing(Document document, DocumentPart<T> part) {
        List<String> keys = List.copyOf(document.keySet());
        keys.stream().filter(key -> key.startsWith("$")).findFirst().ifPresent(operator -> {
            throw new BadTemplateException(
                    "the key " + operator + " begins with $ (allowed: $param, $each, and the types of Extended JSON)",
                    0,
                    0);
        });
        List<BiConsumer<BsonWriter, T>> values = new ArrayList<>();
        document.values().forEach(value -> values.add(writing(value, part)));
        return (writer, whole) -> {
            writer.writeStartDocument();
            for (int i = 0; i < values.size(); i++) {
                writer.writeName(keys.get(i));
                values.get(i).accept(writer, whole);
            }
            writer.writeEndDocument();
        };
    }

    private static <T> BiConsumer<BsonWriter, T> writing(List<?> list, DocumentPart<T> part) {
        List<BiConsumer<BsonWriter, T>> values = new ArrayList<>();
        list.forEach(value -> values.add(writing(value, part)));
        return (writer, whole) -> {
            writer.writeStartArray();
            values.forEach(value -> value.accept(writer, whole));
            writer.writeEndArray();
        };
    }

    private static <T, U> BiConsumer<BsonWriter, T> writingEach(Elements<T, U> elements, Object element) {
        BiConsumer<BsonWriter, U> value = writing(element, elements.part());
        return (writer, whole) -> {
            writer.writeStartArray();
            elements.of().apply(whole).forEach(one -> value.accept(writer, one));
            writer.writeEndArray();
        };
    }

    private static BadTemplateException unknown(String kind, Value value, Collection<String> known) {
        return new BadTemplateException(
                "the " + kind + " '" + value.name() + "' is unknown here ("
                        + (known.isEmpty()
                                ? "allowed: none"
                                : Choices.names(new TreeSet<>(known)).help(value.name()))
                        + ")",
                value.line(),
                value.column());
    }
}
