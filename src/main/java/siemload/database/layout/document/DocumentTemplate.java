package siemload.database.layout.document;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import siemload.config.Choices;
import siemload.database.layout.document.DocumentPart.Elements;
import siemload.database.layout.document.JsonTemplate.Each;
import siemload.database.layout.document.JsonTemplate.Value;

/**
 * Which keys the document of an event has, and what is in them: {@code document.json}. It is worked out once, so that writing an
 * event looks up no name. Immutable and thread-safe.
 */
public final class DocumentTemplate {
    private final BiConsumer<DocumentWriter, EventWithJson> written;

    private DocumentTemplate(BiConsumer<DocumentWriter, EventWithJson> written) {
        this.written = written;
    }

    /**
     * The one that a file says.
     *
     * @param event what can be put in
     * @throws BadTemplateException if it is no object, or an event has nothing of a name
     */
    public static DocumentTemplate of(JsonTemplate template, DocumentPart<EventWithJson> event) {
        Map<?, ?> keys = keys(template);
        return new DocumentTemplate(new Pieces(template.notation()).writing(keys, event));
    }

    /**
     * The keys of the document with what they hold.
     *
     * @throws BadTemplateException if the file is no object
     */
    public static Map<?, ?> keys(JsonTemplate template) {
        if (template.json() instanceof Map<?, ?> keys) {
            return keys;
        }
        throw new BadTemplateException("is no object (needed: the keys of an event)", 0, 0);
    }

    /** Whether a value of this name is put in somewhere within the objects of this JSON, lists left out. */
    public static boolean contains(@Nullable Object json, String name) {
        return json instanceof Map<?, ?> object
                ? object.values().stream().anyMatch(value -> contains(value, name))
                : json instanceof Value value && value.name().equals(name);
    }

    /** Writes an event as a whole document. */
    public void write(DocumentWriter writer, EventWithJson event) {
        written.accept(writer, event);
    }

    /** How each piece of a file is written. */
    private record Pieces(JsonNotation notation) {
        <T> BiConsumer<DocumentWriter, T> writing(@Nullable Object json, DocumentPart<T> part) {
            if (json instanceof Value value) {
                BiConsumer<DocumentWriter, T> known = part.values().get(value.name());
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
            } else if (json instanceof Map<?, ?> object) {
                return writing(object, part);
            } else if (json instanceof List<?> list) {
                return writing(list, part);
            }
            Object constant = notation.constant(json);
            return (writer, whole) -> writer.constant(constant);
        }

        private <T> BiConsumer<DocumentWriter, T> writing(Map<?, ?> object, DocumentPart<T> part) {
            List<String> keys = new ArrayList<>();
            object.keySet().forEach(key -> keys.add((String) key));
            keys.stream().filter(key -> key.startsWith("$")).findFirst().ifPresent(operator -> {
                throw new BadTemplateException(
                        "the key " + operator + " begins with $ (allowed: " + notation.keysOfDocuments() + ")", 0, 0);
            });
            List<BiConsumer<DocumentWriter, T>> values = new ArrayList<>();
            object.values().forEach(value -> values.add(writing(value, part)));
            return (writer, whole) -> {
                writer.startObject();
                for (int i = 0; i < values.size(); i++) {
                    writer.name(keys.get(i));
                    values.get(i).accept(writer, whole);
                }
                writer.endObject();
            };
        }

        private <T> BiConsumer<DocumentWriter, T> writing(List<?> list, DocumentPart<T> part) {
            List<BiConsumer<DocumentWriter, T>> values = new ArrayList<>();
            list.forEach(value -> values.add(writing(value, part)));
            return (writer, whole) -> {
                writer.startList();
                values.forEach(value -> value.accept(writer, whole));
                writer.endList();
            };
        }

        private <T, U> BiConsumer<DocumentWriter, T> writingEach(Elements<T, U> elements, Object element) {
            BiConsumer<DocumentWriter, U> value = writing(element, elements.part());
            return (writer, whole) -> {
                writer.startList();
                elements.of().apply(whole).forEach(one -> value.accept(writer, one));
                writer.endList();
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
}
