package siemload.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.compare.experiment.ExperimentReader;
import siemload.config.Property;

/** The schema of experiments says the same as their reader. */
class ExperimentSchemaTest {
    /** Every key of an experiment. */
    private static final String EXPERIMENT = """
            question: Does the hint help?
            kind: regret
            scenario: hawat
            axis: {hint: [none, index], users: [1, 10]}
            factorial: true
            settings: {dataset: smoke}
            baseline: none 1
            metric: p50
            alsoShow: [p95]
            smallest: 7%
            subjects: [HAWAT1]
            repeats: 12
            seed: 5
            source:
              study: CESNET
              conclusion: 3
              says: It helps.
              expects:
                - {of: index 1, is: better, atLeast: 2, subjects: [HAWAT1], than: none 10, against: {of: index 10, than: none 10, subject: HAWAT2}}
                - {of: index 1, is: notWorse, atMost: 2}
            """;

    private static final String BY_NAME = """
            question: Is theirs as fast?
            scenario: hawat
            variants: {ours: {target: postgresql}, theirs: {target: mongodb, eps: 0}}
            baseline: ours
            """;

    @TempDir
    private Path directory;

    private SchemaAndReader experiments() throws IOException {
        return new SchemaAndReader(
                "experiment.json", file -> ExperimentReader.read(Path.of(""), file.toString()), directory);
    }

    @Test
    void theSchemaOfExperimentsKnowsAllPropertiesAndWhichOfThemAFileMaySet() throws Exception {
        JsonNode definitions = Schemas.JSON
                .readTree(Schemas.DIRECTORY.resolve("experiment.json").toFile())
                .get("$defs");
        JsonNode axis = Schemas.JSON
                .readTree(Schemas.DIRECTORY.resolve("experiment.json").toFile())
                .at("/properties/axis/patternProperties");
        assertThat(axis.fieldNames().next())
                .isEqualTo(Property.all().stream()
                        .filter(Property::isOnlyForUsers)
                        .map(Property::name)
                        .collect(Collectors.joining("|", "^(", ")$")));
        assertThat(definitions.get("property").get("enum"))
                .map(JsonNode::textValue)
                .containsExactlyElementsOf(Property.all().stream()
                        .filter(property -> !property.isOnlyForUsers())
                        .map(Property::name)
                        .toList());
        assertThat(definitions.get("givenProperty").get("enum"))
                .map(JsonNode::textValue)
                .containsExactlyElementsOf(Property.all().stream()
                        .filter(Property::isOnlyForUsers)
                        .map(Property::name)
                        .toList());
    }

    @Test
    void experimentsHaveTheKeysThatTheirReaderKnows() throws Exception {
        int mappings = experiments().assertSameKeys(Schemas.YAML.readTree(EXPERIMENT));

        assertThat(mappings).as("mappings whose keys were compared").isEqualTo(5);
    }

    @Test
    void variantsByNameHaveTheKeysThatTheirReaderKnows() throws Exception {
        int mappings = experiments().assertSameKeys(Schemas.YAML.readTree(BY_NAME));

        assertThat(mappings).as("mappings whose keys were compared").isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{variants: {ours: {}}}",
                "{variants: {ours: {}, 'the irs': {}}}",
                "{variants: {ours: {}, file: {}}}",
                "{variants: {ours: {url: 'jdbc:postgresql://db/x'}, theirs: {}}}",
                "{variants: {ours: {password: secret}, theirs: {}}}",
                "{variants: {ours: {trget: mongodb}, theirs: {}}}",
                "{variants: [ours, theirs]}",
                "{axis: {hint: [none, index]}}",
                "{factorial: true}"
            })
    void wrongVariantsByNameAreRefusedByBoth(String wrong) throws Exception {
        assertBothRefuse(BY_NAME, wrong);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{kind: best}",
                "{axis: {hnt: [none, index]}}",
                "{axis: {hint: [none]}}",
                "{axis: {}}",
                "{settings: {user: 4}}",
                "{settings: {url: 'jdbc:postgresql://db/x'}}",
                "{axis: {image: [a, b]}}",
                "{smallest: 5}",
                "{repeats: 2}",
                "{source: {expects: []}}",
                "{source: []}",
                "{source: {says: It helps., expects: [{of: index 1, is: same, atLeast: 2}]}}",
                "{source: {says: It helps., expects: [{of: index 1, is: better, atMost: 2}]}}",
                "{source: {conclusion: 1, says: It helps.}}",
                "{source: {study: CESNET, conclusion: 0, says: It helps.}}",
                "{source: {says: It helps., expects: [{of: index 1, is: better, against: {}}]}}",
                "{source: [{says: It helps.}, {says: ''}]}",
                "{source: {says: It helps., expects: [{of: index, is: nicer}]}}"
            })
    void aWrongExperimentIsRefusedByBoth(String wrong) throws Exception {
        assertBothRefuse(EXPERIMENT, wrong);
    }

    private void assertBothRefuse(String right, String wrong) throws Exception {
        ObjectNode experiment = Schemas.YAML.readTree(right).deepCopy();
        experiment.setAll((ObjectNode) Schemas.YAML.readTree(wrong));

        experiments().assertBothRefuse(experiment);
    }
}
