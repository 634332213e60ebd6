package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.config.Origin;
import siemload.config.Setting;
import siemload.dataset.Popularity;
import siemload.query.Order;
import siemload.query.SearchName;
import siemload.scenario.rate.Rate;

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
        assertThat(hourly.mix().possible()).containsExactly(SearchName.SOURCETREND);
        assertThat(hourly.windows().possible()).containsExactly(WindowLength.last(Duration.ofHours(1)));
        assertThat(hourly.orders().possible()).containsExactly(Order.NEWEST_FIRST);
    }
}
