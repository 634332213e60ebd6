package siemload;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The structure of the code, as the README's table of packages tells it. */
class ArchitectureTest {

    /** Package -> packages of ours that it may use. */
    private static final Map<String, Set<String>> MAY_USE = new TreeMap<>(Map.ofEntries(
            Map.entry("event", Set.of()),
            Map.entry("config", Set.of()),
            Map.entry("query", Set.of("event")),
            Map.entry("dataset", Set.of("event", "config")),
            Map.entry("target", Set.of("event", "query")),
            Map.entry("target.memory", Set.of("target", "query", "event")),
            Map.entry("target.scripted", Set.of("target", "query", "event")),
            Map.entry("target.sql", Set.of()),
            Map.entry("target.mongodb", Set.of("target", "query", "event")),
            Map.entry("target.oracle", Set.of("target", "target.sql", "query", "event")),
            Map.entry("target.postgresql", Set.of("target", "target.sql", "query", "event")),
            Map.entry("provision", Set.of("target", "config")),
            Map.entry("scenario", Set.of("config", "query", "dataset", "event")),
            Map.entry("measure", Set.of("query")),
            Map.entry("monitor", Set.of("target", "measure")),
            Map.entry("report", Set.of("measure")),
            Map.entry("live", Set.of("report", "measure")),
            Map.entry("experiment", Set.of("config", "measure", "environment", "statistics")),
            Map.entry("comparison", Set.of("experiment", "statistics", "report", "measure")),
            Map.entry("environment", Set.of()),
            Map.entry("selftest", Set.of("measure")),
            Map.entry("statistics", Set.of()),
            Map.entry("check", Set.of("event", "query", "dataset", "measure")),
            Map.entry("procedure", Set.of("scenario", "dataset", "query", "target", "measure", "event", "config")),
            Map.entry(
                    "run",
                    Set.of(
                            "procedure",
                            "config",
                            "scenario",
                            "dataset",
                            "query",
                            "target",
                            "provision",
                            "measure",
                            "monitor",
                            "report",
                            "live",
                            "check",
                            "environment",
                            "event")),
            Map.entry(
                    "simulation",
                    Set.of(
                            "run",
                            "config",
                            "scenario",
                            "dataset",
                            "query",
                            "target",
                            "measure",
                            "monitor",
                            "check",
                            "event")),
            Map.entry(
                    "cli",
                    Set.of(
                            "simulation",
                            "run",
                            "config",
                            "scenario",
                            "dataset",
                            "query",
                            "target",
                            "provision",
                            "measure",
                            "report",
                            "check",
                            "environment",
                            "selftest",
                            "experiment",
                            "comparison",
                            "event"))));

    private static JavaClasses code;

    @BeforeAll
    static void readClasses() {
        code = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("siemload");
    }

    @Test
    void everyPackageStandsInTheTable() {
        Assertions.assertThat(code.stream()
                        .map(type -> type.getPackageName().substring("siemload.".length()))
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(MAY_USE.keySet());
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
                    .check(code);
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
    void onlyTheSimulationSeesGatlingAndScala() {
        noClasses()
                .that()
                .resideOutsideOfPackage("siemload.simulation")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.gatling..", "io.netty..", "scala..", "com.typesafe..")
                .check(code);
    }

    @Test
    void aDriverIsSeenOnlyByItsTarget() {
        assertOnlySeenBy(Set.of("postgresql"), "org.postgresql..", "io.zonky..");
        assertOnlySeenBy(Set.of("mongodb"), "com.mongodb..", "org.bson..");
        assertOnlySeenBy(Set.of("oracle"), "oracle..");
        assertOnlySeenBy(Set.of("postgresql", "oracle"), "java.sql..");
    }

    private static void assertOnlySeenBy(Set<String> targets, String... driver) {
        noClasses()
                .that()
                .resideOutsideOfPackages(targets.stream()
                        .map(target -> "siemload.target." + target)
                        .toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(driver)
                .check(code);
    }

    @Test
    void onlyProvisioningSeesContainers() {
        noClasses()
                .that()
                .resideOutsideOfPackage("siemload.provision")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.testcontainers..", "com.github.dockerjava..")
                .check(code);
    }

    @Test
    void onlyTheMonitorSeesOshi() {
        noClasses()
                .that()
                .resideOutsideOfPackage("siemload.monitor")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("oshi..")
                .check(code);
    }

    @Test
    void onlyTheStatisticsSeeTheLibraryOfMathematics() {
        noClasses()
                .that()
                .resideOutsideOfPackage("siemload.statistics")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.hipparchus..")
                .check(code);
    }

    @Test
    void onlyTheCommandLinePrintsReadsTheEnvironmentAndExits() {
        noClasses()
                .that()
                .resideOutsideOfPackage("siemload.cli")
                .should()
                .callMethodWhere(target(owner(nameMatching("java\\.lang\\.(System|Runtime)")))
                        .and(target(nameMatching("exit|halt|getenv|getProperty|getProperties|setProperty"))))
                .orShould()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(code);
    }

    @Test
    void dataSetsSearchesAndStatisticsKnowNoClockAndNoOtherRandomness() {
        noClasses()
                .that()
                .resideInAnyPackage("siemload.dataset", "siemload.query", "siemload.statistics")
                .should()
                .dependOnClassesThat(resideInAPackage("java.util")
                        .and(nameMatching(".*\\.(Random|SplittableRandom)"))
                        .or(nameMatching("java\\.util\\.concurrent\\.ThreadLocalRandom")))
                .orShould()
                .callMethodWhere(target(name("now")).and(target(owner(nameMatching("java\\.time\\..*")))))
                .orShould()
                .callMethodWhere(target(nameMatching("currentTimeMillis|nanoTime")))
                .check(code);
    }

    @Test
    void filesWorkInAnyLocaleAndCharacterSet() {
        noClasses()
                .should()
                .callMethod(String.class, "toLowerCase")
                .orShould()
                .callMethod(String.class, "toUpperCase")
                .orShould()
                .callMethod(String.class, "format", String.class, Object[].class)
                .orShould()
                .callMethod(String.class, "formatted", Object[].class)
                .orShould()
                .callMethod(String.class, "getBytes")
                .check(code);
    }

    @Test
    void packagesHaveSpeakingNames() {
        noClasses()
                .should()
                .resideInAnyPackage("..util..", "..common..", "..core..", "..impl..", "..manager..", "..helper..")
                .check(code);
        classes()
                .should()
                .haveNameNotMatching(".*(Util|Utils|Helper|Manager|Impl)")
                .check(code);
    }
}
