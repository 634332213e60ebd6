package siemload.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.compare.Experiment.ComparedVariant;
import siemload.config.NamedFile;
import siemload.config.Settings;
import siemload.scenario.ScenarioReader;

class ShippedExperimentsTest {
    private static final Path HOME = Path.of("").toAbsolutePath();

    static Stream<String> names() {
        return NamedFile.files(HOME, "experiments", 2).keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void theScenarioOfEachCellTakesItsSettings(String name) {
        for (Experiment experiment : ExperimentReader.read(HOME, name).experiments()) {
            for (ComparedVariant cell : experiment.variants()) {
                Map<String, String> all = new HashMap<>(experiment.settings());
                all.putAll(cell.settings());
                Settings settings = Settings.of(all, Map.of(), Map.of());
                assertThat(ScenarioReader.read(HOME, settings).name())
                        .as(cell.label())
                        .isEqualTo(all.get("scenario"));
            }
        }
    }

    @Test
    void eachOfTheEightConclusionsOfTheStudyIsTestedAndQuotedInOneWay() {
        Map<Integer, String> says = new TreeMap<>();
        for (Experiment experiment : ExperimentReader.read(HOME, "cesnet").experiments()) {
            for (SourceClaim source : experiment.sources()) {
                assertThat(source.expects()).isNotEmpty();
                assertThat(
                                source.conclusion() == 0
                                        ? source.says()
                                        : says.merge(source.conclusion(), source.says(), (one, other) -> one))
                        .isEqualTo(source.says());
            }
        }
        assertThat(says.keySet()).contains(1, 2, 3, 4, 5, 6, 7, 8);
    }
}
