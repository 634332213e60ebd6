package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.compare.experiment.Experiment.ComparedVariant;
import siemload.compare.experiment.SourceClaim.Conclusion;
import siemload.config.SettingSources;
import siemload.config.Settings;
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
