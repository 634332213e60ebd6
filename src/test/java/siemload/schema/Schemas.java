package siemload.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.Error;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The published schemas, and how to walk through them beside a file. */
final class Schemas {
    static final Path DIRECTORY = Path.of("docs/schema");
    static final ObjectMapper JSON = new ObjectMapper();
    static final ObjectMapper YAML = new YAMLMapper();

    private static final String BASE = "https://schemas.invalid/";

    private final SchemaRegistry registry;

    Schemas() throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            var texts = files.collect(Collectors.toMap(file -> BASE + file.getFileName(), Schemas::text));
            registry = SchemaRegistry.withDefaultDialect(
                    SpecificationVersion.DRAFT_2020_12, builder -> builder.schemas(texts));
        }
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is wrong with a file by its schema; empty if nothing is. */
    List<String> errors(String schema, JsonNode file) {
        return registry.getSchema(SchemaLocation.of(BASE + schema)).validate(file).stream()
                .map(Error::toString)
                .toList();
    }

    /** The keys that the schema knows at a place in a file; empty where keys are free. */
    Optional<Set<String>> keys(String schema, JsonNode file, List<String> place) throws IOException {
        JsonNode top = JSON.readTree(DIRECTORY.resolve(schema).toFile());
        JsonNode root = top.has("properties") ? top : top.get("$defs").get("profile");
        JsonNode here = resolved(root, top, file);
        JsonNode value = file;
        for (String step : place) {
            value = value.isArray() ? value.get(Integer.parseInt(step)) : value.get(step);
            JsonNode next = here.has("items")
                    ? here.get("items")
                    : here.path("properties").has(step)
                            ? here.get("properties").get(step)
                            : here.get("additionalProperties");
            here = resolved(next, top, value);
        }
        if (!here.has("properties")) {
            return Optional.empty();
        }
        Set<String> keys = new TreeSet<>();
        here.get("properties").fieldNames().forEachRemaining(keys::add);
        return Optional.of(keys);
    }

    /** Follows references, and of alternatives takes the one that fits the value. */
    private static JsonNode resolved(JsonNode schema, JsonNode top, JsonNode value) {
        if (schema.has("$ref")) {
            return resolved(top.at(schema.get("$ref").asText().substring(1)), top, value);
        }
        if (schema.has("oneOf")) {
            for (Iterator<JsonNode> choices = schema.get("oneOf").elements(); choices.hasNext(); ) {
                JsonNode choice = resolved(choices.next(), top, value);
                JsonNode shape = choice.path("properties").path("distribution").path("const");
                boolean fits = value.isObject() == choice.has("properties")
                        && (shape.isMissingNode() || shape.equals(value.get("distribution")));
                if (fits) {
                    return choice;
                }
            }
        }
        return schema;
    }
}
