package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.config.Origin;
import siemload.config.Setting;
import siemload.query.Order;
import siemload.query.SearchName;

/** Groups of tasks that search by the clock, and of trends that they store. */
class ScenarioTasksTest extends ScenarioReading {
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
    void tasksAreReadWithTheirDefaultsAndOverriddenByTheirNumber() {
        ResolvedScenario read = files.read(SCHEDULED, Map.of("analysts.all.tasks", "7"));

        AnalystGroup rules = read.scenario().analysts().get(0);
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
                files.read(TREND, Map.of("searches", "HAWAT1")).scenario().analysts();

        assertThat(groups).extracting(AnalystGroup::storesTrend).containsExactly(false, true);
        AnalystGroup.Searched hourly = groups.get(1).searched();
        assertThat(hourly.mix().possible()).containsExactly(SearchName.SOURCETREND);
        assertThat(hourly.windows().possible()).containsExactly(WindowLength.last(Duration.ofHours(1)));
        assertThat(hourly.orders().possible()).containsExactly(Order.NEWEST_FIRST);
    }

    @Test
    void trendsCanBeLeftOutWhereSomethingElseIsLeft() {
        ResolvedScenario without = files.read(TREND, Map.of("analysts.hourly.tasks", "0"));

        assertThat(without.scenario().analysts()).extracting(AnalystGroup::name).containsExactly("rules");
        assertThat(without.values())
                .contains(
                        new Setting("analysts[hourly].tasks", "0", new Origin.SystemProperty("analysts.hourly.tasks")));
        assertThat(files.problemsOf(SCHEDULED, Map.of("analysts.rules.tasks", "0")))
                .endsWith("analysts[rules].tasks: nothing is left to do without this group (allowed: 1 or more)");
    }
}
