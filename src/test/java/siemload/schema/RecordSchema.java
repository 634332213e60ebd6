package siemload.schema;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes the schema of a result file from the records that it is written from; what each key means is taken from their
 * documentation. Keys beyond these are allowed: later versions may add some, and readers ignore them.
 */
final class RecordSchema {
    private static final Path SOURCES = Path.of("src/main/java");

    private final ObjectNode definitions = Schemas.JSON.createObjectNode();
    private final Map<String, ObjectNode> made = new TreeMap<>();

    private RecordSchema() {}

    static String of(Class<? extends Record> type, String title) throws IOException {
        RecordSchema schema = new RecordSchema();
        ObjectNode top = Schemas.JSON.createObjectNode();
        top.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        top.put("title", title);
        top.setAll(schema.object(type));
        schema.made.forEach(schema.definitions::set);
        if (!schema.definitions.isEmpty()) {
            top.set("$defs", schema.definitions);
        }
        return Schemas.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(top) + "\n";
    }

    private ObjectNode object(Class<?> type) throws IOException {
        ObjectNode object = Schemas.JSON.createObjectNode();
        sentence(documentation(type)).ifPresent(text -> object.put("description", text));
        object.put("type", "object");
        addKeys(type, object.putArray("required"), object.putObject("properties"));
        return object;
    }

    /** The keys of a part that is unwrapped stand among those of the whole. */
    private void addKeys(Class<?> type, ArrayNode required, ObjectNode properties) throws IOException {
        String documentation = documentation(type);
        for (RecordComponent component : type.getRecordComponents()) {
            if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                addKeys(component.getType(), required, properties);
                continue;
            }
            required.add(component.getName());
            ObjectNode property = schema(component.getGenericType());
            if (component.getName().equals("formatVersion")) {
                property.put("const", 1);
            } else {
                meaning(documentation, component.getName()).ifPresent(text -> property.put("description", text));
            }
            properties.set(component.getName(), property);
        }
    }

    private ObjectNode schema(Type type) throws IOException {
        ObjectNode schema = Schemas.JSON.createObjectNode();
        if (type instanceof ParameterizedType generic) {
            Class<?> raw = (Class<?>) generic.getRawType();
            if (Collection.class.isAssignableFrom(raw)) {
                schema.put("type", "array").set("items", schema(generic.getActualTypeArguments()[0]));
            } else if (Map.class.isAssignableFrom(raw)) {
                schema.put("type", "object").set("additionalProperties", schema(generic.getActualTypeArguments()[1]));
            } else {
                throw new IllegalArgumentException("no schema for " + type);
            }
            return schema;
        }
        Class<?> plain = (Class<?>) type;
        if (plain.isRecord()) {
            String name = plain.getSimpleName();
            if (!made.containsKey(name)) {
                made.put(name, schema);
                made.put(name, object(plain));
            }
            return Schemas.JSON.createObjectNode().put("$ref", "#/$defs/" + name);
        } else if (plain.isEnum()) {
            var values = schema.putArray("enum");
            for (Object constant : plain.getEnumConstants()) {
                values.add(Schemas.JSON.valueToTree(constant));
            }
            return schema;
        } else if (plain == Instant.class) {
            return schema.put("type", "string").put("format", "date-time");
        } else if (plain == String.class) {
            return schema.put("type", "string");
        } else if (plain == boolean.class || plain == Boolean.class) {
            return schema.put("type", "boolean");
        } else if (plain == double.class || plain == Double.class) {
            return schema.put("type", "number");
        } else if (plain == int.class || plain == long.class || plain == Integer.class || plain == Long.class) {
            return schema.put("type", "integer");
        }
        throw new IllegalArgumentException("no schema for " + type);
    }

    /** The comment right before the record's declaration. */
    private static String documentation(Class<?> type) throws IOException {
        Class<?> outermost = type;
        while (outermost.getEnclosingClass() != null) {
            outermost = outermost.getEnclosingClass();
        }
        String source = Files.readString(SOURCES.resolve(outermost.getName().replace('.', '/') + ".java"));
        Matcher declaration = Pattern.compile(
                        "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:public )?record " + type.getSimpleName() + "\\(",
                        Pattern.DOTALL)
                .matcher(source);
        return declaration.find() ? declaration.group(1).replaceAll("(?m)^\\s*\\*", "") : "";
    }

    private static Optional<String> sentence(String documentation) {
        String text = plain(documentation.split("@param", 2)[0].split("\n\\s*(?:\n|<)", 2)[0]);
        return Optional.of(text).filter(some -> !some.isEmpty());
    }

    private static Optional<String> meaning(String documentation, String component) {
        Matcher matcher = Pattern.compile("@param " + component + "\\s+(.*?)(?=@param|$)", Pattern.DOTALL)
                .matcher(documentation);
        return matcher.find() ? Optional.of(plain(matcher.group(1))) : Optional.empty();
    }

    private static String plain(String text) {
        return text.replaceAll("\\{@(?:code|link) ([^}]*)}", "$1")
                .replaceAll("<[^>]+>", "")
                .replaceAll("\\s+", " ")
                .replace(" Immutable.", "")
                .strip();
    }
}
