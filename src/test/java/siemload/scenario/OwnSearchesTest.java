package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.config.Setting;
import siemload.query.Criterion.PortUsed;
import siemload.query.SearchDefinition;
import siemload.query.SearchName;

class OwnSearchesTest extends ScenarioReading {
    private static final String SSH = "ssh: {description: on SSH, criteria: [{port: 22}]}";
    private static final String SCENARIO = with(SSH)
            .replace("{HAWAT1: 30}", "{HAWAT1: 30, ssh: 1}")
            .concat("objectives: [ssh responseTime p95 < 2s]\n");

    private static String with(String... searches) {
        return ScenarioFiles.SMALL.replace(
                "description: small\n", "description: small\nownSearches:\n  " + String.join("\n  ", searches) + "\n");
    }

    @Test
    void namesInMixesAndObjectivesMayBeThoseOfTheScenario() {
        Scenario read = files.read(SCENARIO, Map.of());

        SearchName ssh = new SearchName("ssh");
        assertThat(read.catalog().own()).extracting(SearchDefinition::name).containsExactly(ssh);
        assertThat(read.catalog().get(ssh).criteria()).containsExactly(new PortUsed(22));
        assertThat(read.analysts().get(0).searched().mix().possible()).containsExactly(SearchName.HAWAT1, ssh);
        assertThat(read.objectives()).hasSize(1);
        assertThat(files.read(SCENARIO.replace("[ssh", "[all"), Map.of("searches", "ssh"))
                        .analysts()
                        .get(0)
                        .searched()
                        .mix()
                        .possible())
                .containsExactly(ssh);
    }

    @Test
    void anotherSearchOfTheSameNameIsToldApartAndAnotherCommentIsNot() {
        Setting before = contents(SCENARIO);

        assertThat(before.origin()).hasToString("scenarios/x.yaml:3:8");
        assertThat(contents(SCENARIO.replace("[{port: 22}]}", "[{port: 22}]} # SSH")))
                .isEqualTo(before);
        assertThat(contents(SCENARIO.replace("port: 22", "port: 23")).value()).isNotEqualTo(before.value());
    }

    private Setting contents(String scenario) {
        return files.read(scenario, Map.of()).values().stream()
                .filter(value -> value.name().equals("ownSearches.ssh"))
                .findFirst()
                .orElseThrow();
    }
}
