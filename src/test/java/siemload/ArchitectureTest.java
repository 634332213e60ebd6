package siemload;

import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The structure of the code, as docs/architecture.md tells it. */
@Tag("any-java")
class ArchitectureTest {

    /** The folders of the project, each of which uses only those before it. */
    private static final List<String> FLOORS = List.of(
            "config",
            "event",
            "query",
            "dataset",
            "scenario",
            "database",
            "results",
            "measure",
            "run",
            "load",
            "compare",
            "cli");

    /** A package, and the packages of ours that it may use; a line that is indented goes on with those of the one before. */
    private static final Map<String, Set<String>> MAY_USE = table("""
            config:
            config.directory:
            event:
            query: config event
            dataset: config event query dataset.format dataset.recording
            dataset.format: config event
            dataset.learn: config event dataset dataset.format dataset.recording
            dataset.recording: config config.directory event
            scenario: config event query dataset scenario.rate scenario.replay
            scenario.rate: config dataset
            scenario.replay: event query
            database: config event query
            database.layout: config event query database database.server
            database.memory: event query database
            database.mongodb: config event query database database.layout database.registry database.server
            database.opensearch: config event query database database.layout database.registry database.server
            database.oracle: config event query database database.layout database.registry database.server database.sql
            database.postgresql: config event query database database.layout database.postgresql.connection
                database.postgresql.server database.registry database.server database.sql
            database.postgresql.connection: config config.directory database database.sql
            database.postgresql.server: config.directory database database.postgresql.connection database.sql
            database.provision: config config.directory database database.registry
            database.querylog: event query database database.postgresql
            database.registry: config database
            database.scripted: event query database
            database.server: config event query database database.registry
            database.sql: query database database.layout database.registry database.server
            results: event config query
            results.live: results results.report
            results.report: config query dataset dataset.learn database results results.statistics
            results.statistics: query results
            measure: config query scenario.rate results results.statistics
            measure.environment: config results
            measure.monitor: config database results measure
            run: config config.directory event query dataset scenario scenario.replay database database.provision
                results results.live results.report results.statistics measure measure.environment measure.monitor
                run.answers run.procedure
            run.answers: event query dataset database results
            run.learn: config event query dataset dataset.recording scenario scenario.replay database
                database.querylog results results.report
            run.procedure: config event query dataset scenario database results results.statistics measure.monitor
                run.answers
            run.selftest: config query database results results.statistics run
            run.storage: config config.directory database results measure.environment run
            load: config event query dataset scenario scenario.rate scenario.replay database results measure
                measure.monitor run run.answers
            load.injector: config query dataset scenario database results measure measure.monitor
                run run.answers load
            compare:
            compare.capacity: config config.directory scenario scenario.rate database results run compare.experiment
                compare.statistics
            compare.experiment: config config.directory database results results.statistics measure.environment run
                compare.statistics
            compare.report: results results.report compare.capacity compare.experiment compare.statistics
            compare.statistics: results.statistics
            cli: config config.directory event query dataset dataset.format dataset.learn dataset.recording scenario
                scenario.rate scenario.replay database database.provision results results.report measure.environment
                run run.answers run.learn run.selftest run.storage load load.injector
                compare.capacity compare.experiment compare.report compare.statistics
            """);

    /** The most files and lines that the folders may have: what is added to one of them makes room there first. */
    private static final Map<String, List<Integer>> CEILINGS = Map.ofEntries(
            Map.entry("config", List.of(38, 3_900)),
            Map.entry("event", List.of(18, 2_200)),
            Map.entry("query", List.of(26, 2_300)),
            Map.entry("dataset", List.of(37, 6_800)),
            Map.entry("scenario", List.of(49, 5_300)),
            Map.entry("database", List.of(172, 28_900)),
            Map.entry("results", List.of(66, 8_200)),
            Map.entry("measure", List.of(43, 5_600)),
            Map.entry("run", List.of(93, 17_300)),
            Map.entry("load", List.of(32, 6_400)),
            Map.entry("compare", List.of(55, 9_500)),
            Map.entry("cli", List.of(29, 3_600)));

    private static final int MOST_FILES_OF_A_PACKAGE = 40;
    private static final int MOST_LINES_OF_A_FILE = 800;
    private static final Path MAIN = Path.of("src/main/java/siemload");

    private static Map<String, Set<String>> table(String text) {
        Map<String, Set<String>> table = new TreeMap<>();
        for (String line : text.replaceAll("\\n +", " ").lines().toList()) {
            String[] parts = line.split(":", 2);
            Set<String> used =
                    parts[1].isBlank() ? Set.of() : Set.of(parts[1].strip().split(" "));
            Assertions.assertThat(table.put(parts[0], used)).as(parts[0]).isNull();
        }
        return table;
    }

    @Test
    void everyPackageStandsInTheTable() {
        Assertions.assertThat(ProductionClasses.ALL.stream()
                        .map(type -> type.getPackageName().substring("siemload.".length()))
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(MAY_USE.keySet());
    }

    @Test
    void floorsStandOnThoseBelow() {
        MAY_USE.forEach((user, used) -> Assertions.assertThat(used)
                .as(user)
                .allMatch(other -> FLOORS.indexOf(floor(other)) <= FLOORS.indexOf(floor(user))));
        Assertions.assertThat(
                        MAY_USE.keySet().stream().map(ArchitectureTest::floor).distinct())
                .containsExactlyInAnyOrderElementsOf(FLOORS);
    }

    private static String floor(String name) {
        return name.replaceAll("[.].*", "");
    }

    @Test
    void packagesUseOnlyThePackagesInTheTable() {
        MAY_USE.forEach((user, used) -> {
            List<String> forbidden = new ArrayList<>(MAY_USE.keySet());
            forbidden.removeAll(used);
            forbidden.remove(user);
            noClasses()
                    .that()
                    .resideInAPackage("siemload." + user)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            forbidden.stream().map(other -> "siemload." + other).toArray(String[]::new))
                    .check(ProductionClasses.ALL);
        });
    }

    /** All that the code uses stands in the table, so that its cycles would be the table's. */
    @Test
    void packagesHaveNoCycles() {
        Map<String, Set<String>> left = new TreeMap<>(MAY_USE);
        boolean fewer = true;
        while (fewer) {
            fewer = left.values().removeIf(used -> Collections.disjoint(used, left.keySet()));
        }
        Assertions.assertThat(left).isEmpty();
    }

    @Test
    void foldersStayBelowTheirCeilings() throws IOException {
        Assertions.assertThat(CEILINGS.keySet()).containsExactlyInAnyOrderElementsOf(FLOORS);
        for (String floor : FLOORS) {
            List<Path> files = files(MAIN.resolve(floor), Integer.MAX_VALUE);
            int lines = 0;
            for (Path file : files) {
                lines += lines(file);
            }
            Assertions.assertThat(files.size())
                    .as("files of %s", floor)
                    .isLessThanOrEqualTo(CEILINGS.get(floor).get(0));
            Assertions.assertThat(lines)
                    .as("lines of %s", floor)
                    .isLessThanOrEqualTo(CEILINGS.get(floor).get(1));
        }
    }

    @Test
    void packagesAndFilesCanBeSurveyed() throws IOException {
        try (Stream<Path> folders = Files.walk(MAIN)) {
            for (Path folder : folders.filter(Files::isDirectory).toList()) {
                List<Path> files = files(folder, 1);
                Assertions.assertThat(files.size())
                        .as("files of %s", folder)
                        .isLessThanOrEqualTo(MOST_FILES_OF_A_PACKAGE);
                for (Path file : files) {
                    Assertions.assertThat(lines(file))
                            .as("lines of %s", file)
                            .isLessThanOrEqualTo(MOST_LINES_OF_A_FILE);
                }
            }
        }
    }

    private static List<Path> files(Path folder, int depth) throws IOException {
        try (Stream<Path> files = Files.walk(folder, depth)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static int lines(Path file) throws IOException {
        return Files.readAllLines(file).size();
    }
}
