package siemload.database.layout.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import siemload.database.layout.document.JsonTemplate.Each;
import siemload.database.layout.document.JsonTemplate.Value;
import siemload.event.JsonFault;

/**
 * Reads the text of a template: JSON in which {@code $param} names values and {@code $each} lists; all else is as the notation of a
 * database has it. Used once for a text.
 */
public final class TemplateText {
    /** What stands for a list whose elements are put in. */
    static final String EACH = "$each";

    private static final String PARAMETER = "$param";
    private static final String ELEMENT = "in";
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** The keys that begin with {@code $}, in their order, with their places. */
    private final List<Value> operators = new ArrayList<>();

    private final Deque<Value> names = new ArrayDeque<>();

    private final JsonNotation notation;

    private TemplateText(JsonNotation notation) {
        this.notation = notation;
    }

    /**
     * What a text is.
     *
     * @param operators its keys that begin with {@code $}, with their places
     * @param values those that are put in, with their places
     */
    public record Read(JsonTemplate template, List<Value> operators, List<Value> values) {
        public Read {
            operators = List.copyOf(operators);
            values = List.copyOf(values);
        }
    }

    /**
     * The template that a text is.
     *
     * @throws BadTemplateException if it is none
     */
    public static Read read(String text, JsonNotation notation) {
        TemplateText read = new TemplateText(notation);
        read.findPlaces(text);
        List<Value> values = new ArrayList<>();
        Object json = read.template(notation.parsed(text), values);
        if (!read.names.isEmpty()) {
            Value first = read.names.getFirst();
            throw new BadTemplateException(
                    "no value can be put into a type of " + notation.label(), first.line(), first.column());
        }
        return new Read(new JsonTemplate(json, notation), read.operators, values);
    }

    /** A notation's own reader may take what is no JSON, and know no lines. */
    private void findPlaces(String text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            int values = 0;
            int depth = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                values += depth == 0 ? 1 : 0;
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (values > 1) {
                    throw bad("has more than one value (needed: one)", parser.currentTokenLocation());
                }
                if (token == JsonToken.FIELD_NAME && parser.currentName().startsWith("$")) {
                    note(parser.currentName(), parser.currentTokenLocation());
                }
            }
            if (values == 0) {
                throw new BadTemplateException("is empty (needed: JSON)", 0, 0);
            }
        } catch (JsonProcessingException wrong) {
            throw bad("is no JSON: " + JsonFault.words(wrong), wrong.getLocation());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static BadTemplateException bad(String message, JsonLocation place) {
        return new BadTemplateException(message, place.getLineNr(), place.getColumnNr());
    }

    private void note(String name, JsonLocation place) {
        Value operator = new Value(name, place.getLineNr(), place.getColumnNr());
        operators.add(operator);
        if (name.equals(PARAMETER) || name.equals(EACH)) {
            names.add(operator);
        }
    }

    private Object template(Object json, List<Value> values) {
        if (json instanceof Map<?, ?> object) {
            if (object.containsKey(PARAMETER)) {
                Value value = value(object, PARAMETER, Set.of(PARAMETER));
                values.add(value);
                return value;
            } else if (object.containsKey(EACH)) {
                Value each = value(object, EACH, Set.of(EACH, ELEMENT));
                return new Each(each, template(Objects.requireNonNull(object.get(ELEMENT)), values));
            }
            Map<String, Object> filled = notation.object();
            object.forEach((key, value) -> filled.put((String) key, template(value, values)));
            return filled;
        } else if (json instanceof List<?> list) {
            List<Object> elements = new ArrayList<>(list.size());
            list.forEach(element -> elements.add(template(element, values)));
            return elements;
        }
        return json;
    }

    /** The keys of one of our own have the same order in the text and in the object. */
    private Value value(Map<?, ?> object, String key, Set<String> keys) {
        Value place = names.removeFirst();
        if (!object.keySet().equals(keys)
                || !(object.get(key) instanceof String name)
                || (keys.contains(ELEMENT) && object.get(ELEMENT) == null)) {
            throw new BadTemplateException(
                    keys.contains(ELEMENT)
                            ? "$each needs the name of a list and what its elements are (needed: {\"$each\": \"name\", \"in\":"
                                    + " {...}} alone)"
                            : "$param stands for a value (needed: {\"$param\": \"name\"} alone)",
                    place.line(),
                    place.column());
        }
        return new Value(name, place.line(), place.column());
    }
}
