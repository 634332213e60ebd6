package siemload;

import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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

    /** Package -> packages of ours that it may use. */
    private static final Map<String, Set<String>> MAY_USE = new TreeMap<>(Map.ofEntries(
            Map.entry("event", Set.of()),
            Map.entry("results", Set.of("config", "query")),
            Map.entry("results.statistics", Set.of("results", "query")),
            Map.entry("compare", Set.of()),
            Map.entry("config", Set.of()),
            Map.entry("config.directory", Set.of()),
            Map.entry("query", Set.of("event", "config")),
            Map.entry("dataset", Set.of("dataset.format", "dataset.recording", "query", "event", "config")),
            Map.entry("dataset.recording", Set.of("event", "config", "config.directory")),
            Map.entry("dataset.statistics", Set.of()),
            Map.entry("dataset.learn", Set.of("dataset", "dataset.format", "dataset.statistics", "event", "config")),
            Map.entry("dataset.format", Set.of("event", "config")),
            Map.entry("database", Set.of("event", "query", "config")),
            Map.entry("database.memory", Set.of("database", "query", "event")),
            Map.entry("database.scripted", Set.of("database", "query", "event")),
            Map.entry("database.registry", Set.of("database", "config")),
            Map.entry("database.server", Set.of("database", "database.registry", "query", "event", "config")),
            Map.entry("database.layout", Set.of("database", "query", "config")),
            Map.entry("database.layout.document", Set.of("database", "database.layout", "event", "config")),
            Map.entry("database.sql", Set.of("database", "database.registry", "query")),
            Map.entry("database.sql.layout", Set.of("database", "database.layout", "database.sql", "query", "config")),
            Map.entry(
                    "database.mongodb",
                    Set.of(
                            "database.mongodb.querylog",
                            "database.mongodb.command",
                            "database.mongodb.layout",
                            "database",
                            "database.layout",
                            "database.layout.document",
                            "database.server",
                            "database.registry",
                            "query",
                            "event",
                            "config")),
            Map.entry(
                    "database.opensearch",
                    Set.of(
                            "database.opensearch.layout",
                            "database",
                            "database.layout",
                            "database.layout.document",
                            "database.server",
                            "database.registry",
                            "query",
                            "event",
                            "config")),
            Map.entry(
                    "database.opensearch.layout",
                    Set.of("database", "database.layout", "database.layout.document", "query", "event", "config")),
            Map.entry("database.mongodb.querylog", Set.of("database.mongodb.command", "database", "query", "event")),
            Map.entry("database.mongodb.command", Set.of("query")),
            Map.entry(
                    "database.mongodb.layout",
                    Set.of("database", "database.layout", "database.layout.document", "query", "event", "config")),
            Map.entry(
                    "database.oracle",
                    Set.of(
                            "database",
                            "database.layout",
                            "database.server",
                            "database.sql",
                            "database.sql.layout",
                            "database.registry",
                            "query",
                            "event",
                            "config")),
            Map.entry(
                    "database.postgresql",
                    Set.of(
                            "database.postgresql.accounts",
                            "database.postgresql.server",
                            "database.postgresql.querylog",
                            "database.postgresql.load",
                            "database.postgresql.search",
                            "database.postgresql.layout",
                            "database.postgresql.connection",
                            "database",
                            "database.layout",
                            "database.server",
                            "database.sql",
                            "database.sql.layout",
                            "database.registry",
                            "query",
                            "config")),
            Map.entry(
                    "database.postgresql.accounts",
                    Set.of("database.postgresql.connection", "database", "database.sql")),
            Map.entry(
                    "database.postgresql.server",
                    Set.of("database.postgresql.connection", "database", "database.sql", "config.directory")),
            Map.entry(
                    "database.postgresql.querylog", Set.of("database", "database.postgresql.search", "query", "event")),
            Map.entry(
                    "database.postgresql.load",
                    Set.of(
                            "database.postgresql.layout",
                            "database.postgresql.connection",
                            "database",
                            "database.sql",
                            "database.sql.layout",
                            "query",
                            "event")),
            Map.entry(
                    "database.postgresql.search",
                    Set.of(
                            "database.postgresql.layout",
                            "database.postgresql.connection",
                            "database",
                            "database.layout",
                            "database.server",
                            "database.sql",
                            "database.sql.layout",
                            "query",
                            "event")),
            Map.entry(
                    "database.postgresql.layout",
                    Set.of(
                            "database.postgresql.connection",
                            "database",
                            "database.layout",
                            "database.sql",
                            "database.sql.layout",
                            "query",
                            "event",
                            "config")),
            Map.entry("database.postgresql.connection", Set.of("database", "database.sql", "config.directory")),
            Map.entry("database.provision", Set.of("database", "database.registry", "config", "config.directory")),
            Map.entry("scenario", Set.of("scenario.rate", "scenario.replay", "config", "query", "dataset", "event")),
            Map.entry("scenario.replay", Set.of("query", "event")),
            Map.entry("scenario.rate", Set.of("dataset", "config")),
            Map.entry("measure", Set.of("scenario.rate", "results", "results.statistics", "query", "config")),
            Map.entry("measure.monitor", Set.of("config", "database", "measure", "results")),
            Map.entry(
                    "results.report",
                    Set.of(
                            "results",
                            "results.statistics",
                            "database",
                            "config",
                            "dataset",
                            "dataset.learn",
                            "dataset.statistics")),
            Map.entry("results.live", Set.of("results.report", "results")),
            Map.entry(
                    "compare.experiment",
                    Set.of(
                            "run",
                            "database",
                            "config",
                            "results",
                            "measure.environment",
                            "compare.statistics",
                            "config.directory")),
            Map.entry(
                    "compare.capacity",
                    Set.of(
                            "compare.experiment",
                            "compare.statistics",
                            "run",
                            "scenario",
                            "scenario.rate",
                            "database",
                            "config",
                            "config.directory",
                            "results")),
            Map.entry(
                    "compare.report",
                    Set.of(
                            "compare.capacity",
                            "compare.experiment",
                            "compare.statistics",
                            "results.report",
                            "results")),
            Map.entry("measure.environment", Set.of("config", "results")),
            Map.entry("measure.storage", Set.of("config", "config.directory", "database", "results")),
            Map.entry(
                    "run.storage",
                    Set.of(
                            "run",
                            "config",
                            "config.directory",
                            "database",
                            "measure.environment",
                            "measure.storage",
                            "results")),
            Map.entry(
                    "run.learn",
                    Set.of(
                            "config",
                            "database",
                            "dataset",
                            "query",
                            "results",
                            "results.report",
                            "scenario",
                            "scenario.replay")),
            Map.entry("run.selftest", Set.of("run", "database", "config", "query", "results", "results.statistics")),
            Map.entry("compare.statistics", Set.of()),
            Map.entry("run.answers", Set.of("event", "query", "dataset", "database", "results")),
            Map.entry("run.layout", Set.of("event", "query", "database")),
            Map.entry(
                    "run.procedure",
                    Set.of(
                            "run.answers",
                            "scenario",
                            "dataset",
                            "query",
                            "database",
                            "measure.monitor",
                            "results",
                            "results.statistics",
                            "event",
                            "config")),
            Map.entry(
                    "run",
                    Set.of(
                            "run.layout",
                            "run.procedure",
                            "config",
                            "scenario",
                            "scenario.replay",
                            "dataset",
                            "query",
                            "database",
                            "database.provision",
                            "measure",
                            "measure.monitor",
                            "results",
                            "results.statistics",
                            "results.report",
                            "results.live",
                            "run.answers",
                            "measure.environment",
                            "measure.storage",
                            "config.directory",
                            "event")),
            Map.entry(
                    "load",
                    Set.of(
                            "run",
                            "config",
                            "scenario",
                            "scenario.rate",
                            "scenario.replay",
                            "dataset",
                            "query",
                            "database",
                            "measure",
                            "measure.monitor",
                            "results",
                            "run.answers",
                            "event")),
            Map.entry(
                    "load.injector",
                    Set.of(
                            "load",
                            "run",
                            "config",
                            "database",
                            "database.registry",
                            "measure",
                            "measure.monitor",
                            "query",
                            "results",
                            "run.answers",
                            "scenario",
                            "dataset")),
            Map.entry("load.kubernetes", Set.of("load.injector", "run", "config")),
            Map.entry(
                    "cli",
                    Set.of(
                            "load",
                            "load.injector",
                            "load.kubernetes",
                            "config.directory",
                            "run",
                            "config",
                            "scenario",
                            "scenario.rate",
                            "scenario.replay",
                            "dataset",
                            "dataset.learn",
                            "dataset.format",
                            "dataset.recording",
                            "query",
                            "database",
                            "database.provision",
                            "results",
                            "results.report",
                            "run.answers",
                            "measure.environment",
                            "measure.storage",
                            "run.learn",
                            "run.selftest",
                            "run.storage",
                            "compare.capacity",
                            "compare.experiment",
                            "compare.report",
                            "event"))));

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
}
