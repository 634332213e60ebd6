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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.config.ConfigException;
import siemload.config.Problem;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.dataset.DatasetReader;
import siemload.experiment.ExperimentReader;
import siemload.scenario.ScenarioReader;

/** The schemas of files that people write say the same as the readers of these files. */
class FileSchemaTest {
    private static final String KNOWN = "known keys here: ";

    /** Together they have every key there is. */
    private static final List<String> SCENARIOS = List.of("""
            description: every key of closed users and pages
            dataset: smoke
            analysts:
              - name: tier-1
                load: closed
                users: 10
                actions: {min: 4, max: 11}
                thinkTime: {distribution: exponential, mean: 4s}
                pause: {distribution: constant, value: 30s}
                window: {7d: 1, all: 0}
                mix: {HAWAT1: 30, OTHER1: 1}
                values: {hot: 1}
                order: {newestFirst: 1}
                listLength: 1_000
                page: {size: 100, deeper: 0.3, maximum: 50, lastPage: 0.1}
                followUp: 0.1
                patience: 10s
                maxRunning: 7
            feeder: {eps: 200, batch: 50, connections: 2, profile: constant}
            phases: {warmup: 15s, measurement: 1m30s}
            objectives: [HAWAT1 responseTime p95 < 2s, feeder achievedRatio >= 0.99]
            """, """
            description: those of open users who read whole results
            analysts:
              - name: exports
                load: open
                arrivals: 2/s
                actions: {min: 1, max: 1}
                thinkTime: {distribution: uniform, min: 1s, max: 2s}
                pause: {distribution: constant, value: 0s}
                window: {24h: 1}
                mix: {MENTAT: 1}
                page: whole
            phases: {warmup: 0s, measurement: 10s}
            """, """
            description: one person who reads whole results
            procedure:
              kind: read
              searches: [HAWAT1, OTHER1]
              order: unsorted
              window: 24h
              popularity: hot
              listLength: 1_000
              page: whole
              count: exact
              passes: 3
              caches: hot
            """, """
            description: one person who turns pages
            procedure: {kind: depth, searches: [MENTAT], page: {size: 10_000}, depths: [1, 10], caches: cold}
            """, """
            description: one person who turns all pages
            procedure: {kind: depth, searches: [MENTAT], page: {size: 10_000}, depths: lastToFirst}
            """, """
            description: one person who loads
            procedure: {kind: load, cycles: 3}
            """, """
            description: one person who inserts
            procedure: {kind: feed, searches: [HAWAT1], page: {size: 100}, events: 10_000, batch: 100, connections: 2}
            """, """
            description: one person who searches for the newest
            procedure: {kind: stale, searches: [HAWAT1], window: 5m, page: {size: 100}, events: 1000, statistics: fresh}
            """, """
            description: some beside one who searches for everything
            procedure: {kind: noisy, searches: [HAWAT1], page: {size: 100}, users: 4, third: 5s}
            """, """
            description: what must not change
            procedure: {kind: certificate, searches: [HAWAT1], page: {size: 100}, draws: 2, events: 500}
            """);

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
              says: It helps.
              expects: [{of: index 1, is: better, atLeast: 2, subjects: [HAWAT1]}]
            """;

    @TempDir
    private Path directory;

    private Schemas schemas;

    @BeforeEach
    void readSchemas() throws IOException {
        schemas = new Schemas();
    }

    static List<Path> shipped() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String place : List.of(
                "scenarios",
                "experiments",
                "datasets",
                "datasets/profiles",
                "benchmarks",
                "src/main/resources/siemload/selftest")) {
            try (Stream<Path> all = Files.list(Path.of(place))) {
                all.filter(file -> file.toString().endsWith(".yaml")).forEach(files::add);
            }
        }
        return files;
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void everyShippedFileIsRightByItsSchema(Path file) throws Exception {
        assertThat(schemas.errors(kind(file) + ".json", Schemas.YAML.readTree(file.toFile())))
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
    void scenariosHaveTheKeysThatTheirReaderKnows() throws Exception {
        int mappings = 0;
        for (String scenario : SCENARIOS) {
            mappings += assertSameKeys("scenario.json", Schemas.YAML.readTree(scenario), this::readScenario);
        }
        assertThat(mappings).as("mappings whose keys were compared").isEqualTo(36);
    }

    @Test
    void dataSetsHaveTheKeysThatTheirReaderKnows() throws Exception {
        ObjectNode dataset = (ObjectNode)
                Schemas.YAML.readTree(Path.of("datasets/smoke.yaml").toFile());
        dataset.set(
                "profile",
                Schemas.YAML.readTree(Path.of("datasets/profiles/cesnet.yaml").toFile()));

        int mappings = assertSameKeys("dataset.json", dataset, DatasetReader::read);

        assertThat(mappings).as("mappings whose keys were compared").isGreaterThan(60);
    }

    @Test
    void experimentsHaveTheKeysThatTheirReaderKnows() throws Exception {
        int mappings =
                assertSameKeys("experiment.json", Schemas.YAML.readTree(EXPERIMENT), FileSchemaTest::readExperiment);

        assertThat(mappings).as("mappings whose keys were compared").isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{kind: best}",
                "{axis: {hnt: [none, index]}}",
                "{axis: {hint: [none]}}",
                "{axis: {}}",
                "{settings: {user: 4}}",
                "{smallest: 5}",
                "{repeats: 2}",
                "{source: {expects: []}}",
                "{source: {says: It helps., expects: [{of: index, is: nicer}]}}"
            })
    void aWrongExperimentIsRefusedByBoth(String wrong) throws Exception {
        ObjectNode experiment = Schemas.YAML.readTree(EXPERIMENT).deepCopy();
        experiment.setAll((ObjectNode) Schemas.YAML.readTree(wrong));

        assertThat(schemas.errors("experiment.json", experiment)).isNotEmpty();
        assertThat(problems(experiment, FileSchemaTest::readExperiment)).isNotEmpty();
    }

    @Test
    void aKeyThatIsMissingIsMissedByBoth() throws Exception {
        JsonNode scenario = Schemas.YAML.readTree(SCENARIOS.get(0));
        for (String key : List.of("description", "analysts", "phases")) {
            ObjectNode without = scenario.deepCopy();
            without.remove(key);
            assertThat(schemas.errors("scenario.json", without)).as(key).isNotEmpty();
            assertThat(problems(without, this::readScenario)).as(key).isNotEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("wrongValues")
    void aWrongValueIsRefusedByBoth(String pointer, String value) throws Exception {
        ObjectNode scenario = Schemas.YAML.readTree(SCENARIOS.get(0)).deepCopy();
        int slash = pointer.lastIndexOf('/');
        ((ObjectNode) scenario.at(pointer.substring(0, slash)))
                .set(pointer.substring(slash + 1), Schemas.YAML.readTree(value));

        assertThat(schemas.errors("scenario.json", scenario)).isNotEmpty();
        assertThat(problems(scenario, this::readScenario)).isNotEmpty();
    }

    static Stream<String[]> wrongValues() {
        return Stream.of(
                new String[] {"/analysts/0/users", "0"},
                new String[] {"/analysts/0/users", "many"},
                new String[] {"/analysts/0/arrivals", "2/s"},
                new String[] {"/analysts/0/load", "half"},
                new String[] {"/analysts/0/patience", "10"},
                new String[] {"/analysts/0/patience", "''"},
                new String[] {"/analysts/0/page", "entire"},
                new String[] {"/analysts/0/page", "{size: 0}"},
                new String[] {"/analysts/0/thinkTime", "{distribution: normal, mean: 4s}"},
                new String[] {"/analysts/0/mix", "{HAWAT9: 1}"},
                new String[] {"/analysts/0/window", "{yesterday: 1}"},
                new String[] {"/analysts/0/followUp", "1.1"},
                new String[] {"/feeder/eps", "-1"},
                new String[] {"/feeder/profile", "bursts"},
                new String[] {"/phases/measurement", "soon"},
                new String[] {"/objectives", "[HAWAT1 responseTime p96 < 2s]"},
                new String[] {"/objectives", "[HAWAT9 errorRatio <= 0.01]"},
                new String[] {"/procedure", "{kind: load}"});
    }

    @ParameterizedTest
    @MethodSource("wrongProcedures")
    void aWrongProcedureIsRefusedByBoth(String procedure) throws Exception {
        JsonNode scenario = Schemas.YAML.readTree("{description: wrong, procedure: " + procedure + "}");

        assertThat(schemas.errors("scenario.json", scenario)).isNotEmpty();
        assertThat(problems(scenario, this::readScenario)).isNotEmpty();
    }

    static Stream<String> wrongProcedures() {
        return Stream.of(
                "{searches: [HAWAT1], page: whole}",
                "{kind: write}",
                "{kind: load, cycles: 0}",
                "{kind: read, searches: [], page: whole}",
                "{kind: read, searches: [HAWAT1, HAWAT1], page: whole}",
                "{kind: read, searches: [HAWAT9], page: whole}",
                "{kind: read, searches: [HAWAT1], page: {size: 0}}",
                "{kind: read, searches: [HAWAT1], page: whole, window: yesterday}",
                "{kind: depth, searches: [HAWAT1], page: {size: 10}, depths: []}",
                "{kind: depth, searches: [HAWAT1], page: {size: 10}, depths: middle}");
    }

    /** Puts a key that nobody knows into each mapping. @return how many mappings have a list of known keys */
    private int assertSameKeys(String schema, JsonNode file, Consumer<Path> reader) throws IOException {
        assertThat(schemas.errors(schema, file)).isEmpty();
        assertThat(problems(file, reader)).isEmpty();
        int compared = 0;
        for (List<String> place : mappings(file, List.of())) {
            JsonNode changed = file.deepCopy();
            ((ObjectNode) changed.at(pointer(place))).put("nobody", 1);
            List<Problem> problems = problems(changed, reader);
            assertThat(schemas.errors(schema, changed).isEmpty())
                    .as("whether the schema allows an unknown key in " + pointer(place))
                    .isEqualTo(problems.isEmpty());
            Optional<Set<String>> known = problems.stream()
                    .filter(problem -> problem.path().endsWith("nobody"))
                    .map(Problem::message)
                    .filter(message -> message.contains(KNOWN))
                    .map(FileSchemaTest::knownKeys)
                    .findFirst();
            assertThat(schemas.keys(schema, file, place)).as(pointer(place)).isEqualTo(known);
            compared += known.isPresent() ? 1 : 0;
        }
        return compared;
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

    private List<Problem> problems(JsonNode content, Consumer<Path> reader) throws IOException {
        Path file = Files.writeString(directory.resolve("file.yaml"), content.toString());
        try {
            reader.accept(file);
            return List.of();
        } catch (ConfigException wrong) {
            return wrong.problems();
        }
    }

    private void readScenario(Path file) {
        Settings settings = Settings.of(new SettingSources(Map.of("scenario", file.toString()), Map.of(), Map.of()));
        ScenarioReader.read(Path.of(""), settings);
    }

    private static void readExperiment(Path file) {
        ExperimentReader.read(Path.of(""), file.toString());
    }

    private static String kind(Path file) {
        if (file.startsWith("datasets/profiles")) {
            return "profile";
        }
        if (file.startsWith("experiments")) {
            return "experiment";
        }
        return file.startsWith("datasets") ? "dataset" : "scenario";
    }
}
