package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.config.Origin;
import siemload.config.Setting;
import siemload.scenario.rate.ConstantRate;

class ShippedScenariosTest {
    private static final Path HOME = Path.of("").toAbsolutePath();

    static List<String> names() {
        return ScenarioReader.names(HOME);
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyScenarioIsReadWithoutProblems(String name) {
        ResolvedScenario read = read(name, Map.of());

        assertThat(read.scenario().name()).isEqualTo(name);
        assertThat(read.scenario().analysts().isEmpty())
                .isEqualTo(read.scenario().procedure().isPresent());
        assertThat(read.values()).extracting(Setting::value).doesNotContain("");
    }

    @Test
    void everyOverrideReachesTheScenarioWithItsOrigin() {
        ResolvedScenario read = read(
                "hawat",
                Map.of(
                        "users", "3",
                        "eps", "1000",
                        "warmup", "1s",
                        "duration", "5m",
                        "feeder.batch", "100",
                        "analysts.all.page.size", "50",
                        "analysts.all.thinkTime.mean", "500ms",
                        "dataset", "cesnet-day"));

        Scenario scenario = read.scenario();
        AnalystGroup group = scenario.analysts().get(0);
        assertThat(scenario.dataset()).isEqualTo("cesnet-day");
        assertThat(scenario.feeder()).isEqualTo(new Feeder(new ConstantRate(1000), 100, 2));
        assertThat(scenario.phases()).isEqualTo(new Phases(Duration.ofSeconds(1), Duration.ofMinutes(5)));
        assertThat(group.load()).isEqualTo(new LoadModel.Closed(3));
        assertThat(group.reading()).isEqualTo(new ResultReading.Paged(50, 0.3, 50, 0.02));
        assertThat(group.investigation().thinkTime()).isEqualTo(new Distribution.Exponential(Duration.ofMillis(500)));
        assertThat(read.values())
                .contains(
                        new Setting("dataset", "cesnet-day", new Origin.SystemProperty("dataset")),
                        new Setting("analysts[tier-1].users", "3", new Origin.SystemProperty("users")),
                        new Setting(
                                "analysts[tier-1].thinkTime.mean",
                                "500ms",
                                new Origin.SystemProperty("analysts.all.thinkTime.mean")),
                        new Setting(
                                "analysts[tier-1].page.size",
                                "50",
                                new Origin.SystemProperty("analysts.all.page.size")),
                        new Setting("feeder.eps", "1000", new Origin.SystemProperty("eps")),
                        new Setting("feeder.batch", "100", new Origin.SystemProperty("feeder.batch")),
                        new Setting("phases.warmup", "1s", new Origin.SystemProperty("warmup")),
                        new Setting("phases.measurement", "5m", new Origin.SystemProperty("duration")),
                        new Setting("analysts[tier-1].listLength", "10", new Origin.Default()));
        assertThat(read.values())
                .filteredOn(value -> value.name().equals("analysts[tier-1].actions.max"))
                .singleElement()
                .satisfies(value -> assertThat(value.origin().toString()).matches("scenarios/hawat\\.yaml:\\d+:28"));
    }

    private static ResolvedScenario read(String name, Map<String, String> properties) {
        return ScenarioReader.read(HOME, ScenarioFiles.settings(name, properties));
    }
}
