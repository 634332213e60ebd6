package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.compare.experiment.Comparer.Measured;
import siemload.compare.experiment.Experiment.Axis;
import siemload.compare.experiment.Experiment.ComparedVariant;
import siemload.compare.experiment.ExperimentReader.Content;
import siemload.compare.experiment.SourceClaim.Conclusion;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.run.RunPlan;
import siemload.scenario.ScenarioReader;

/** Every experiment that comes along can be run: its scenario takes what all of its cells set. */
class ShippedExperimentsTest {
    private static final Path HOME = Path.of("").toAbsolutePath();

    static Stream<String> names() {
        return ExperimentReader.names(HOME).stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void theScenarioOfEachCellTakesItsSettings(String name) {
        for (Experiment experiment : ExperimentReader.read(HOME, name).experiments()) {
            for (ComparedVariant cell : experiment.variants()) {
                Map<String, String> all = new HashMap<>(experiment.settings());
                all.putAll(cell.settings());
                Settings settings = Settings.of(new SettingSources(all, Map.of(), Map.of()));
                assertThat(ScenarioReader.read(HOME, settings).scenario().name())
                        .as(cell.label())
                        .isEqualTo(all.get("scenario"));
            }
        }
    }

    /** Else there would be no verdict, however many runs were made. Servers of named variants are named at the run. */
    @ParameterizedTest
    @MethodSource("names")
    void whatFollowsFromWhatIsVariedIsNoOtherDifference(String name) {
        Content content = ExperimentReader.read(HOME, name);
        Experiment experiment = content.experiments().get(0);
        if (!content.isSuite() && !experiment.isOfNamed()) {
            List<ComparedVariant> all = experiment.variants();
            List<ComparedVariant> farthest = all.isEmpty() ? all : List.of(all.get(0), all.get(all.size() - 1));
            assertThat(Difference.between(runs(experiment.settings(), farthest), experiment.varied(), Set.of()))
                    .isEmpty();
        }
    }

    /** What users are likely to vary in experiments of their own. */
    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource(delimiter = '|', textBlock = """
        users        | hawat         | 10             | 20
        workers      | hawat         | 4              | 8
        thinkTime    | hawat         | 1s             | 2s
        page         | hawat         | 50             | 100
        searches     | hawat         | HAWAT1         | HAWAT3
        analysts.tier-1.values | hawat | {hot: 1} | {rare: 1}
        analysts.tier-1.order | hawat | {newestFirst: 1} | {oldestFirst: 1}
        eps          | hawat         | 0              | 100
        feeder.eps   | hawat         | 50/s           | ramp from 10/s to 100/s in 30s
        batch        | hawat         | 10             | 50
        hint         | hawat         | none           | full-scan
        indexes      | hawat         | native         | time
        layout       | hawat         | mentat         | address
        partitions   | hawat         | none           | day
        paging       | hawat         | offset         | keyset
        duration     | hawat         | 30s            | 60s
        warmup       | hawat         | 5s             | 15s
        timeout      | hawat         | 5s             | 15s
        caches       | first-pages   | lukewarm       | hot
        parameters   | hawat         | work_mem=4MB   | work_mem=64MB
        seed         | hawat         | 1              | 2
        arrivals     | arrivals      | 1              | 2
        procedure.listLength | address-lists | 5              | 10
        tasks        | reports       | 2              | 4
        analysts.by-category.tasks | trends        | 0              | 2
        procedure.scale | atm           | 1              | 2
        users        | atm           | 10             | 20
        procedure.classes | atm | {writeLight: 1} | {readLight: 1}
        procedure.levels | audit         | 1              | 2
        procedure.inFlight | audit         | 1              | 5
        procedure.itemSearches | audit         | 1              | 5
        """)
    void whatFollowsFromAPropertyIsNoOtherDifference(String property, String scenario, String one, String other) {
        List<Axis> axes = List.of(new Axis(property, List.of(one, other)));
        assertThat(Difference.between(
                        runs(Map.of("scenario", scenario, "dataset", "smoke"), ComparedVariant.of(axes)),
                        axes,
                        Set.of()))
                .isEmpty();
    }

    private static List<Measured> runs(Map<String, String> settings, List<ComparedVariant> cells) {
        List<Measured> runs = new ArrayList<>();
        for (ComparedVariant cell : cells) {
            Map<String, String> all = new HashMap<>(settings);
            all.putAll(cell.settings());
            RunPlan plan = RunPlan.read(Settings.of(new SettingSources(all, Map.of(), Map.of())), HOME);
            RunFigures figures =
                    Examples.figures(Map.of(), Map.of("scenario", plan.described()), List.of());
            runs.add(new Measured(runs.size() + 1, 0, cell.label(), "runs", 1, figures));
        }
        return runs;
    }

    @Test
    void eachOfTheEightConclusionsOfTheStudyIsTestedBySomething() {
        List<Conclusion> conclusions = Conclusion.of(cesnet(), List.of());

        assertThat(conclusions).extracting(Conclusion::study).containsOnly("CESNET");
        assertThat(conclusions).extracting(Conclusion::number).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(cesnet().stream().flatMap(experiment -> experiment.sources().stream()))
                .allSatisfy(source -> assertThat(source.expects()).isNotEmpty());
        for (Conclusion conclusion : conclusions) {
            assertThat(cesnet().stream()
                            .flatMap(experiment -> experiment.sources().stream())
                            .filter(source -> source.conclusion() == conclusion.number())
                            .map(SourceClaim::says))
                    .as("one conclusion is quoted in one way")
                    .containsOnly(conclusion.says());
        }
    }

    private static List<Experiment> cesnet() {
        return ExperimentReader.read(HOME, "cesnet").experiments();
    }
}
