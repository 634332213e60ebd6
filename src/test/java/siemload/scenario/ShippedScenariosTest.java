package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.config.Setting;

class ShippedScenariosTest {
    private static final Path HOME = Path.of("").toAbsolutePath();

    static List<String> names() {
        return List.copyOf(ScenarioReader.files(HOME).keySet());
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyScenarioIsReadWithoutProblems(String name) {
        Scenario read = ScenarioReader.read(HOME, ScenarioFiles.settings(name, Map.of()));

        assertThat(read.name()).isEqualTo(name);
        assertThat(read.analysts().isEmpty()).isEqualTo(read.procedure().isPresent());
        assertThat(read.values()).extracting(Setting::value).doesNotContain("");
    }
}
