package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import siemload.config.Origin;
import siemload.config.Setting;
import siemload.dataset.Popularity;
import siemload.query.Order;
import siemload.query.SearchName;
import siemload.scenario.rate.Rate;

class ScenarioReaderTest extends ScenarioReading {
    private static final String TWO_GROUPS = ScenarioFiles.SMALL.replace(
            "feeder:", group("tier-2", "users: 5") + group("open", "{load: open, arrivals: 30/m}") + "feeder:");

    @Test
    void whatIsLeftOutHasItsDefault() {
        ResolvedScenario read = files.read(ScenarioFiles.SMALL, Map.of());

        AnalystGroup group = read.scenario().analysts().get(0);
        assertThat(read.scenario().dataset()).isEqualTo("smoke");
        assertThat(read.scenario().objectives()).isEmpty();
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
    void arrivalsAreSpreadOverTheOpenGroupsInProportion() {
        String group = ScenarioFiles.SMALL.lines().skip(2).limit(8).collect(Collectors.joining("\n", "", "\n"));
        String yaml = ScenarioFiles.SMALL
                .replace(
                        group,
                        group + group.replace("tier-1", "tier-2").replace("users: 10", "load: open\n    arrivals: 3/s"))
                .replace("users: 10", "load: open\n    arrivals: 1/s");

        ResolvedScenario read = files.read(yaml, Map.of("arrivals", "100"));

        assertThat(read.scenario().analysts())
                .extracting(AnalystGroup::load)
                .containsExactly(new LoadModel.Open(Rate.constant(25)), new LoadModel.Open(Rate.constant(75)));
        assertThat(read.values())
                .contains(new Setting("analysts[tier-2].arrivals", "75/s", new Origin.SystemProperty("arrivals")));
    }

    @Test
    void allShapesAreRead() {
        String yaml = ScenarioFiles.SMALL
                .replace("users: 10", "load: open\n    arrivals: 30/m")
                .replace("exponential, mean: 4s", "constant, value: 3s")
                .replace("{7d: 1}", "{15m: 1, all: 2}")
                .replace("{size: 100}", "whole\n    order: {unsorted: 1}");

        AnalystGroup group = files.read(yaml, Map.of()).scenario().analysts().get(0);

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
    void aFeederThatASettingTurnsOffIsNotHeldToItsObjective() {
        String yaml = ScenarioFiles.SMALL + "objectives: [feeder achievedRatio >= 0.99, all errorRatio <= 0]\n";

        ResolvedScenario read = files.read(yaml, Map.of("eps", "0"));

        assertThat(read.scenario().objectives()).extracting(Objective::subject).containsExactly("all");
        assertThat(read.values())
                .contains(new Setting(
                        "objectives[0]",
                        "feeder achievedRatio >= 0.99 (not applied: there is no feeder)",
                        new Origin.SystemProperty("eps")));
    }

    @Test
    void settingsByTheirPathMakeAFeederWhereTheFileHasNone() {
        String none = ScenarioFiles.SMALL.replace("feeder: {eps: 200, batch: 50}\n", "");

        String ramp = "ramp from 50/s to 500/s in 5m";
        ResolvedScenario read = files.read(
                none,
                Map.of(
                        "feeder.eps",
                        ramp,
                        "feeder.batch",
                        "100",
                        "analysts.tier-1.page.size",
                        "7",
                        "analysts.0.listLength",
                        "9"));

        assertThat(read.scenario().feeder()).isEqualTo(new Feeder(Rate.type(500).parse(ramp), 100, 1));
        assertThat(read.origin("feeder.batch")).hasToString("-Dfeeder.batch");
        AnalystGroup.Searched searched = read.scenario().analysts().get(0).searched();
        assertThat(searched.listLength()).isEqualTo(9);
        assertThat(searched.reading()).isEqualTo(new ResultReading.Paged(7, 0, 50, 0));
        assertThat(files.problemsOf(none, Map.of("eps", "0.1")))
                .isEqualTo("-Deps: feeder.eps: 50 events a batch are never filled while measuring (0.1/s for 1m allow"
                        + " at most 6)");
    }

    @Test
    void usersAreSpreadOverTheClosedGroups() {
        ResolvedScenario read = files.read(TWO_GROUPS, Map.of("users", "100"));

        assertThat(read.scenario().analysts())
                .extracting(AnalystGroup::load)
                .containsExactly(
                        new LoadModel.Closed(67), new LoadModel.Closed(33), new LoadModel.Open(Rate.constant(0.5)));
        assertThat(read.values())
                .contains(
                        new Setting("analysts[tier-1].users", "67", new Origin.SystemProperty("users")),
                        new Setting("analysts[tier-2].users", "33", new Origin.SystemProperty("users")),
                        new Setting("analysts[open].arrivals", "30/m", new Origin.InFile("scenarios/x.yaml", 21, 15)));
    }

    @Test
    void onlyTheGivenSearchesAreKept() {
        String two = ScenarioFiles.SMALL.replace("{HAWAT1: 30}", "{HAWAT1: 30, HAWAT3: 20}")
                + "objectives: [HAWAT1 responseTime p95 < 2s, HAWAT3 responseTime p95 < 2s]\n";

        Scenario kept = files.read(two, Map.of("searches", "HAWAT3")).scenario();

        assertThat(kept.analysts().get(0).searched().mix().possible()).containsExactly(SearchName.HAWAT3);
        assertThat(kept.objectives()).extracting(Objective::text).containsExactly("HAWAT3 responseTime p95 < 2s");
    }

    private static String group(String name, String load) {
        String lines =
                load.startsWith("{") ? load.substring(1, load.length() - 1).replace(", ", "\n    ") : load;
        return ScenarioFiles.SMALL
                .substring(ScenarioFiles.SMALL.indexOf("  - name"), ScenarioFiles.SMALL.indexOf("feeder:"))
                .replace("tier-1", name)
                .replace("users: 10", lines);
    }
}
