package siemload;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What all code must do and leave undone, as CONTRIBUTING.md tells it. */
@Tag("any-java")
class CodeRulesTest {
    @Test
    void onlyTheSimulationSeesGatlingAndScala() {
        noClasses()
                .that()
                .resideOutsideOfPackage("siemload.load")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.gatling..", "io.netty..", "scala..", "com.typesafe..")
                .check(ProductionClasses.ALL);
    }

    @Test
    void onlyTheStatisticsSeeTheLibraryOfMathematics() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "siemload.compare.statistics", "siemload.results.statistics", "siemload.dataset.learn")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.hipparchus..")
                .check(ProductionClasses.ALL);
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
                .check(ProductionClasses.ALL);
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
                .check(ProductionClasses.ALL);
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
                .check(ProductionClasses.ALL);
    }

    @Test
    void whatTakesLongRunsNotInThePoolThatAllShare() {
        noClasses()
                .should()
                .callMethod(CompletableFuture.class, "supplyAsync", Supplier.class)
                .orShould()
                .callMethod(CompletableFuture.class, "runAsync", Runnable.class)
                .check(ProductionClasses.ALL);
    }

    @Test
    void noSimpleNameStandsInTwoPackages() {
        Map<String, List<String>> byName = ProductionClasses.ALL.stream()
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
                .check(ProductionClasses.ALL);
        classes()
                .should()
                .haveNameNotMatching(".*(Util|Utils|Helper|Manager|Impl)")
                .check(ProductionClasses.ALL);
    }
}
