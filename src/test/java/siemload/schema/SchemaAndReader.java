package siemload.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import siemload.config.ConfigException;
import siemload.config.Problem;

/**
 * The schema of files that people write, held against the reader of these files.
 *
 * @param schema the name of its file
 * @param reader throws a {@link ConfigException} where a file is wrong
 * @param directory for files that are written to be read
 */
record SchemaAndReader(Schemas schemas, String schema, Consumer<Path> reader, Path directory) {
    private static final String KNOWN = "known keys here: ";

    SchemaAndReader(String schema, Consumer<Path> reader, Path directory) throws IOException {
        this(new Schemas(), schema, reader, directory);
    }

    /** Puts a key that nobody knows into each mapping. @return how many mappings have a list of known keys */
    int assertSameKeys(JsonNode file) throws IOException {
        assertThat(schemas.errors(schema, file)).isEmpty();
        assertThat(problems(file)).isEmpty();
        int compared = 0;
        for (List<String> place : mappings(file, List.of())) {
            JsonNode changed = file.deepCopy();
            ((ObjectNode) changed.at(pointer(place))).put("nobody", 1);
            List<Problem> problems = problems(changed);
            assertThat(schemas.errors(schema, changed).isEmpty())
                    .as("whether the schema allows an unknown key in " + pointer(place))
                    .isEqualTo(problems.isEmpty());
            Optional<Set<String>> known = problems.stream()
                    .filter(problem -> problem.path().endsWith("nobody"))
                    .map(Problem::message)
                    .filter(message -> message.contains(KNOWN))
                    .map(SchemaAndReader::knownKeys)
                    .findFirst();
            assertThat(schemas.keys(schema, file, place)).as(pointer(place)).isEqualTo(known);
            compared += known.isPresent() ? 1 : 0;
        }
        return compared;
    }

    /** Neither the schema nor the reader takes the content. */
    void assertBothRefuse(JsonNode content) throws IOException {
        assertThat(schemas.errors(schema, content)).as(content.toString()).isNotEmpty();
        assertThat(problems(content)).as(content.toString()).isNotEmpty();
    }

    private static Set<String> knownKeys(String message) {
        String list = message.substring(message.indexOf(KNOWN) + KNOWN.length(), message.lastIndexOf(')'));
        return new TreeSet<>(Arrays.asList(list.split(", ")));
    }

    private static List<List<String>> mappings(JsonNode node, List<String> place) {
        List<List<String>> places = new ArrayList<>();
        if (node.isObject()) {
            places.add(place);
            node.fields()
                    .forEachRemaining(entry -> places.addAll(mappings(entry.getValue(), with(place, entry.getKey()))));
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                places.addAll(mappings(node.get(i), with(place, Integer.toString(i))));
            }
        }
        return places;
    }

    private static List<String> with(List<String> place, String step) {
        List<String> longer = new ArrayList<>(place);
        longer.add(step);
        return longer;
    }

    private static String pointer(List<String> place) {
        return place.isEmpty() ? "" : "/" + String.join("/", place);
    }

    private List<Problem> problems(JsonNode content) throws IOException {
        Path file = Files.writeString(directory.resolve("file.yaml"), content.toString());
        try {
            reader.accept(file);
            return List.of();
        } catch (ConfigException wrong) {
            return wrong.problems();
        }
    }
}
