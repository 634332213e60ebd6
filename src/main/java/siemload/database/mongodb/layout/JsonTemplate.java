package siemload.database.mongodb.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.bson.Document;
import siemload.database.ResourceFile;

/**
 * A filter, an expression or a pipeline from a file. Wherever the file has {@code {"$param": "name"}} a value is put in, as a value
 * and never as text. What has no values is the same object in all that is made of it: nobody changes the JSON; thread-safe under
 * that condition.
 */
public final class JsonTemplate {
    /** Where the files of siemload for this database are. */
    static final String FOLDER = "/siemload/database/mongodb/";

    private static final Map<String, JsonTemplate> READ = new ConcurrentHashMap<>();

    private final Object json;
    private final Part whole;

    /** @param json a {@link Document}, a list or a value, with a {@link Value} for each that is put in */
    JsonTemplate(Object json) {
        this.json = json;
        this.whole = part(json);
    }

    /**
     * A value that is put in.
     *
     * @param line where it stands in the file, from 1
     * @param column where in the line, from 1
     */
    record Value(String name, int line, int column) {}

    /**
     * A list whose elements are put in, one after the other; in documents alone.
     *
     * @param each what of an event has one of them
     * @param element of which kind each is; its values are those of the element
     */
    record Each(Value each, Object element) {}

    /** A piece of the file that becomes a piece of what is made of it. */
    private interface Part {
        Object with(Function<String, ?> values);
    }

    /** One that has no values. */
    private record Constant(Object json) implements Part {
        @Override
        public Object with(Function<String, ?> values) {
            return json;
        }
    }

    /** One of siemload's own files for this database, which is read once. */
    public static JsonTemplate read(String file) {
        return READ.computeIfAbsent(
                file,
                name -> TemplateText.read(ResourceFile.text(JsonTemplate.class, FOLDER + name))
                        .template());
    }

    private static Part part(Object json) {
        if (json instanceof Value value) {
            return values -> Objects.requireNonNull(values.apply(value.name()), () -> "no value " + value.name());
        } else if (json instanceof Document document) {
            Part[] parts = parts(document.values());
            return isConstant(parts) ? new Constant(document) : filling(document.keySet(), parts);
        } else if (json instanceof List<?> list) {
            Part[] parts = parts(list);
            return isConstant(parts) ? new Constant(list) : filling(parts);
        }
        return new Constant(json);
    }

    private static Part[] parts(Iterable<?> pieces) {
        List<Part> parts = new ArrayList<>();
        pieces.forEach(piece -> parts.add(part(piece)));
        return parts.toArray(Part[]::new);
    }

    private static boolean isConstant(Part[] parts) {
        return Arrays.stream(parts).allMatch(Constant.class::isInstance);
    }

    private static Part filling(Iterable<String> names, Part[] parts) {
        List<String> keys = new ArrayList<>();
        names.forEach(keys::add);
        String[] inOrder = keys.toArray(String[]::new);
        return values -> {
            Document filled = new Document();
            for (int i = 0; i < parts.length; i++) {
                filled.put(inOrder[i], parts[i].with(values));
            }
            return filled;
        };
    }

    private static Part filling(Part[] parts) {
        return values -> {
            List<Object> filled = new ArrayList<>(parts.length);
            for (Part part : parts) {
                filled.add(part.with(values));
            }
            return filled;
        };
    }

    /** A {@link Document}, a list or a value, with a {@link Value} for each that is put in. */
    Object json() {
        return json;
    }

    /** The filter with its values. */
    public Document document(Map<String, ?> values) {
        return document(values::get);
    }

    /**
     * The same.
     *
     * @param values gives the value of a name, and is asked for those alone that stand in the file
     */
    public Document document(Function<String, ?> values) {
        return (Document) whole.with(values);
    }

    /** The pipeline with its values. */
    public List<Document> pipeline(Map<String, ?> values) {
        List<Document> stages = new ArrayList<>();
        for (Object stage : (List<?>) whole.with(values::get)) {
            stages.add((Document) stage);
        }
        return stages;
    }

    /** Whatever it is, with its values. */
    public Object value(Map<String, ?> values) {
        return whole.with(values::get);
    }
}
