package siemload.results;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import siemload.event.JsonFault;
import siemload.results.ResultText.BrokenFileException;

/**
 * Writes and reads results as JSON. Files are not trusted: reading returns a complete value, or throws an exception that says in one line
 * what is wrong. Stateless and thread-safe.
 */
public final class ResultValue {
    /** The texts that stand for NaN and for infinite numbers in JSON. */
    private static final Set<String> NO_NUMBERS = Set.of("NaN", "Infinity", "-Infinity");

    private static final int LONGEST_STRING = 1_000_000;
    private static final int DEEPEST = 200;
    static final double LARGEST = 1e100;

    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(LONGEST_STRING)
                            .maxNestingDepth(DEEPEST)
                            .build())
                    .build())
            .addModule(new JavaTimeModule())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private ResultValue() {}

    /** Returns a value as the JSON text of a file. */
    public static String text(Object value) throws JsonProcessingException {
        return JSON.writeValueAsString(value) + "\n";
    }

    /** A value as JSON. */
    public static JsonNode tree(Object value) {
        return JSON.valueToTree(value);
    }

    /** Returns the value that {@link #tree(Object)} turned into this JSON. */
    public static <T extends Record> T value(JsonNode tree, Class<T> type) {
        return JSON.convertValue(tree, type);
    }

    /** Returns a record with these values, by the names of its components; all other components are empty or 0. */
    static <T extends Record> T empty(Class<T> type, Map<String, ?> others) {
        ObjectNode object = (ObjectNode) emptyNode(type);
        others.forEach((name, value) -> object.set(name, tree(value)));
        return value(object, type);
    }

    private static JsonNode emptyNode(Class<?> type) {
        if (type.isRecord() || type == Map.class) {
            ObjectNode object = JSON.createObjectNode();
            for (RecordComponent part : type.isRecord() ? type.getRecordComponents() : new RecordComponent[0]) {
                object.set(part.getName(), emptyNode(part.getType()));
            }
            return object;
        }
        return type == List.class ? JSON.createArrayNode() : type == String.class ? tree("") : tree(0);
    }

    /** Returns a copy of a record with some other values, by the names of its components. */
    @SuppressWarnings("unchecked")
    public static <T extends Record> T with(T one, Map<String, ?> others) {
        ObjectNode changed = JSON.valueToTree(one);
        others.forEach((name, value) -> changed.set(name, tree(value)));
        return (T) value(changed, one.getClass());
    }

    /**
     * Parses a text as JSON of any form.
     *
     * @param place of the text in messages: a file, or a line of one
     */
    public static JsonNode tree(String place, String text) throws BrokenFileException {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException broken) {
            JsonLocation at = broken.getLocation();
            throw broken(place + (at == null ? "" : ":" + at.getLineNr() + ":" + at.getColumnNr()), broken);
        }
    }

    /** Parses a record; unknown keys are ignored. @throws BrokenFileException if a value is missing in the text */
    public static <T extends Record> T parse(String place, String text, Class<T> type) throws BrokenFileException {
        return of(place, tree(place, text), type);
    }

    /**
     * Reads a record from a file with a format version; unknown keys are ignored.
     *
     * @throws BrokenFileException if the file is of another version, or does not hold such a record
     * @throws java.nio.file.NoSuchFileException if the file does not exist
     */
    static <T extends Record> T read(Path file, int formatVersion, Class<T> type) throws IOException {
        String name = file.toString();
        JsonNode read = tree(name, ResultText.of(file, name));
        String version = read.path("formatVersion").asText("missing");
        if (!version.equals(String.valueOf(formatVersion))) {
            throw new BrokenFileException(name + ": formatVersion " + BrokenFileException.shown(version)
                    + " is not known here (known: " + formatVersion + ")");
        }
        return of(name, read, type);
    }

    /** Converts a tree that was parsed already. */
    private static <T extends Record> T of(String place, JsonNode tree, Class<T> type) throws BrokenFileException {
        if (!tree.isObject()) {
            throw new BrokenFileException(place + ": not a JSON object");
        }
        try {
            requireSound(place, "", tree);
            return JSON.treeToValue(tree, type);
        } catch (JsonProcessingException broken) {
            throw broken(place, broken);
        }
    }

    private static BrokenFileException broken(String place, JsonProcessingException broken) {
        String path = "";
        if (broken instanceof JsonMappingException mapping) {
            for (JsonMappingException.Reference step : mapping.getPath()) {
                String name = step.getFieldName();
                path += name == null ? "[" + step.getIndex() + "]" : (path.isEmpty() ? "" : ".") + name;
            }
            path = BrokenFileException.shown(path) + (path.isEmpty() ? "" : ": ");
        }
        boolean lacks = broken.getCause() instanceof NullPointerException
                || broken.getOriginalMessage().matches("(?s)(Cannot map `null`|Null value for creator property).*");
        String why = lacks
                ? "a value is missing (another version of siemload wrote the file, or the file is incomplete)"
                : BrokenFileException.shown(JsonFault.words(broken));
        return new BrokenFileException(place + ": not JSON of the expected form: " + path + why, broken);
    }

    /** Refuses null, and numbers too large for a measurement, so that products and sums of a few numbers are never infinite. */
    private static void requireSound(String place, String path, JsonNode node) throws BrokenFileException {
        if (node.isNull()) {
            throw new BrokenFileException(place + ": '" + path + "' is missing");
        }
        if ((node.isNumber() && !(Math.abs(node.asDouble()) <= LARGEST)) || NO_NUMBERS.contains(node.asText())) {
            throw new BrokenFileException(
                    place + ": '" + path + "' is " + node.asText() + ", which cannot be a measurement");
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            requireSound(place, (path.isEmpty() ? "" : path + ".") + field.getKey(), field.getValue());
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            requireSound(place, path + "[" + i + "]", node.get(i));
        }
    }

    /**
     * Resolves a path from a file, which is not trusted: the path must be relative and lead below the directory.
     *
     * @param place of the path in messages: a file, or a line of one
     * @throws BrokenFileException if the path is absolute or leads out of the directory
     */
    public static Path below(Path directory, String path, String place) throws BrokenFileException {
        try {
            Path relative = Path.of(path).normalize();
            if (!relative.isAbsolute()
                    && !relative.startsWith("..")
                    && !relative.toString().isEmpty()) {
                return directory.resolve(relative);
            }
        } catch (InvalidPathException nonsense) {
            throw new BrokenFileException(place + ": not a valid path", nonsense);
        }
        throw new BrokenFileException(place + ": '" + path + "' is not a path below " + directory);
    }
}
