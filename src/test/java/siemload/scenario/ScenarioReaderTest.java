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
import siemload.dataset.Popularity;
import siemload.query.Criterion.PortUsed;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.SearchDefinition;
import siemload.query.SearchName;
import siemload.scenario.AnalystGroup.Distribution;
import siemload.scenario.AnalystGroup.ResultReading;
import siemload.scenario.AnalystGroup.Weights;
import siemload.scenario.AnalystGroup.WindowLength;

class ScenarioReaderTest extends ScenarioReading {
    private static final String SCHEDULED = """
            description: rules
            analysts:
              - name: rules
                load: scheduled
                tasks: 500
                every: 5m
                window: {6m: 1}
                mix: {HAWAT1: 30}
                page: {size: 100}
            phases: {warmup: 15s, measurement: 60s}
            """;

    private static final String TREND = SCHEDULED.replace("phases:", """
              - name: hourly
                load: scheduled
                tasks: 2
                every: 10s
                trend: source
            phases:""");

    @Test
    void whatIsLeftOutHasItsDefault() {
        Scenario read = files.read(ScenarioFiles.SMALL, Map.of());

        AnalystGroup group = read.analysts().get(0);
        assertThat(read.dataset()).isEqualTo("smoke");
        assertThat(read.objectives()).isEmpty();
        assertThat(group.load()).isEqualTo(new LoadModel.Closed(10));
        assertThat(group.searched().values()).isEqualTo(new Weights<>(Map.of(Popularity.TYPICAL, 1.0)));
        assertThat(group.searched().orders()).isEqualTo(new Weights<>(Map.of(Order.NEWEST_FIRST, 1.0)));
        assertThat(group.searched().listLength()).isEqualTo(10);
        assertThat(group.searched().reading()).isEqualTo(new ResultReading.Paged(100, 0, 50, 0));
        assertThat(group.searched().followUpRatio()).isZero();
        assertThat(group.investigation().patience()).isEqualTo(Duration.ofSeconds(10));
        assertThat(group.investigation().maxRunning()).isEqualTo(7);
        assertThat(read.values())
                .contains(
                        new Setting("dataset", "smoke", new Origin.Default()),
                        new Setting("analysts[tier-1].patience", "10s", new Origin.Default()),
                        new Setting("analysts[tier-1].users", "10", new Origin.InFile("scenarios/x.yaml", 4, 12)));
    }

    @Test
    void allShapesAreRead() {
        String yaml = ScenarioFiles.SMALL
                .replace("users: 10", "load: open\n    arrivals: 30/m")
                .replace("exponential, mean: 4s", "constant, value: 3s")
                .replace("{7d: 1}", "{15m: 1, all: 2}")
                .replace("{size: 100}", "whole\n    order: {unsorted: 1}");

        AnalystGroup group = files.read(yaml, Map.of()).analysts().get(0);

        assertThat(group.load()).isEqualTo(new LoadModel.Open(Rate.constant(0.5)));
        assertThat(group.investigation().thinkTime()).isEqualTo(new Distribution.Constant(Duration.ofSeconds(3)));
        assertThat(group.investigation().pause()).isEqualTo(new Distribution.Constant(Duration.ofSeconds(30)));
        assertThat(group.searched().windows().weights())
                .containsExactly(
                        Map.entry(WindowLength.last(Duration.ofMinutes(15)), 1.0), Map.entry(WindowLength.ALL, 2.0));
        assertThat(group.searched().reading()).isEqualTo(new ResultReading.Whole());
        assertThat(group.searched().orders().weights()).containsOnlyKeys(Order.UNSORTED);
    }

    @Test
    void tasksAreReadWithTheirDefaultsAndOverriddenByTheirNumber() {
        Scenario read = files.read(SCHEDULED, Map.of("analysts.all.tasks", "7"));

        AnalystGroup rules = read.analysts().get(0);
        assertThat(rules.load())
                .isEqualTo(new LoadModel.Scheduled(
                        7,
                        Duration.ofMinutes(5),
                        Duration.ZERO,
                        LoadModel.Scheduled.Spread.TOGETHER,
                        LoadModel.Scheduled.Criteria.FIXED));
        assertThat(read.values())
                .contains(
                        new Setting("analysts[rules].every", "5m", new Origin.InFile("scenarios/x.yaml", 6, 12)),
                        new Setting("analysts[rules].spread", "together", new Origin.Default()))
                .noneMatch(value -> value.name().startsWith("analysts[rules].thinkTime"));
    }

    @Test
    void aTrendIsASumOfTheHourUnlessAWindowIsGivenAndNotOneOfTheSearches() {
        List<AnalystGroup> groups =
                files.read(TREND, Map.of("searches", "HAWAT1")).analysts();

        assertThat(groups).extracting(AnalystGroup::storesTrend).containsExactly(false, true);
        AnalystGroup.Searched hourly = groups.get(1).searched();
        assertThat(hourly.mix().possible()).containsExactly(new SearchName("SOURCETREND"));
        assertThat(hourly.windows().possible()).containsExactly(WindowLength.last(Duration.ofHours(1)));
        assertThat(hourly.orders().possible()).containsExactly(Order.NEWEST_FIRST);
    }

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
        assertThat(read.catalog().get(ssh).criteria()).containsExactly(new PortUsed(22, EventSide.EITHER));
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
