package siemload.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.dataset.DatasetReader;

/** Shipped files are right by their schemas, and the schema of data sets says the same as their reader. */
class FileSchemaTest {
    @TempDir
    private Path directory;

    static List<Path> shipped() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String place : List.of(
                "scenarios",
                "scenarios/searches",
                "experiments",
                "datasets",
                "datasets/profiles",
                "datasets/formats",
                "benchmarks",
                "src/main/resources/siemload/query/searches",
                "src/main/resources/siemload/run/selftest",
                "src/main/resources/siemload/run/storage")) {
            try (Stream<Path> all = Files.list(Path.of(place))) {
                all.filter(file -> file.toString().endsWith(".yaml")).forEach(files::add);
            }
        }
        return files;
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void everyShippedFileIsRightByItsSchema(Path file) throws Exception {
        assertThat(new Schemas().errors(kind(file) + ".json", Schemas.YAML.readTree(file.toFile())))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void everyFileThatPeopleEditNamesItsSchemaForTheirEditor(Path file) throws Exception {
        if (file.startsWith("src")) {
            return;
        }
        String first = Files.readAllLines(file).get(0);

        assertThat(first).startsWith("# yaml-language-server: $schema=");
        assertThat(file.resolveSibling(first.substring(first.indexOf('=') + 1)).normalize())
                .exists()
                .hasParent(Schemas.DIRECTORY);
    }

    @Test
    void dataSetsHaveTheKeysThatTheirReaderKnows() throws Exception {
        ObjectNode dataset = (ObjectNode)
                Schemas.YAML.readTree(Path.of("datasets/smoke.yaml").toFile());
        dataset.set(
                "profile",
                Schemas.YAML.readTree(Path.of("datasets/profiles/cesnet.yaml").toFile()));

        int mappings = new SchemaAndReader("dataset.json", DatasetReader::read, directory).assertSameKeys(dataset);

        assertThat(mappings).as("mappings whose keys were compared").isGreaterThan(60);
    }

    private static String kind(Path file) {
        if (file.getParent().endsWith("searches")) {
            return "search";
        }
        if (file.startsWith("datasets/formats")) {
            return "format";
        }
        if (file.startsWith("datasets/profiles")) {
            return "profile";
        }
        if (file.startsWith("experiments")) {
            return "experiment";
        }
        return file.startsWith("datasets") ? "dataset" : "scenario";
    }
}
