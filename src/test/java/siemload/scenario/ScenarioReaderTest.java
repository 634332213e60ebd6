package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Setting;
import siemload.dataset.DatasetReader;
import siemload.dataset.EventGenerator;
import siemload.dataset.EventSource;
import siemload.dataset.Popularity;
import siemload.query.Order;
import siemload.query.SearchName;
import siemload.scenario.rate.ConstantRate;

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
        assertThat(group.reading()).isEqualTo(new ResultReading.Paged(100, 0, 50, 0));
        assertThat(group.followUpRatio()).isZero();
        assertThat(group.patience()).isEqualTo(Duration.ofSeconds(10));
        assertThat(group.maxRunning()).isEqualTo(7);
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
                .containsExactly(new LoadModel.Open(new ConstantRate(25)), new LoadModel.Open(new ConstantRate(75)));
        assertThat(read.values())
                .contains(new Setting("analysts[tier-2].arrivals", "75/s", new Origin.SystemProperty("arrivals")));
    }

    @Test
    void allShapesAreRead() {
        String yaml = ScenarioFiles.SMALL
                .replace("users: 10", "load: open\n    arrivals: 30/m")
                .replace("exponential, mean: 4s", "uniform, min: 1s, max: 3s")
                .replace("{7d: 1}", "{15m: 1, all: 2}")
                .replace("{size: 100}", "whole\n    order: {unsorted: 1}");

        AnalystGroup group = files.read(yaml, Map.of()).scenario().analysts().get(0);

        assertThat(group.load()).isEqualTo(new LoadModel.Open(new ConstantRate(0.5)));
        assertThat(group.investigation().thinkTime())
                .isEqualTo(new Distribution.Uniform(Duration.ofSeconds(1), Duration.ofSeconds(3)));
        assertThat(group.investigation().pause()).isEqualTo(new Distribution.Constant(Duration.ofSeconds(30)));
        assertThat(group.searched().windows().weights())
                .containsExactly(
                        Map.entry(new WindowLength.Last(Duration.ofMinutes(15)), 1.0),
                        Map.entry(new WindowLength.Everything(), 2.0));
        assertThat(group.reading()).isEqualTo(new ResultReading.Whole());
        assertThat(group.searched().orders().weights()).containsOnlyKeys(Order.UNSORTED);
    }

    @Test
    void eventsPerSecondMayChangeWithTime() {
        String ramp = "ramp from 50/s to 500/s in 5m";

        ResolvedScenario written = files.read(ScenarioFiles.SMALL.replace("eps: 200", "eps: " + ramp), Map.of());
        ResolvedScenario set = files.read(ScenarioFiles.SMALL, Map.of("feeder.eps", ramp));
        ResolvedScenario constant = files.read(ScenarioFiles.SMALL, Map.of("eps", "1e2"));

        assertThat(written.scenario().feeder().rate()).hasToString(ramp);
        assertThat(set.scenario().feeder()).isEqualTo(written.scenario().feeder());
        assertThat(set.values()).contains(new Setting("feeder.eps", ramp, new Origin.SystemProperty("feeder.eps")));
        assertThat(constant.scenario().feeder().rate()).isEqualTo(new ConstantRate(100));
    }

    @Test
    void onlyWhatWasCapturedIsFedAsCaptured() {
        ResolvedScenario read = files.read(ScenarioFiles.SMALL, Map.of("feeder.eps", "as captured x 2"));
        EventSource generated = new EventGenerator(DatasetReader.read(Path.of("datasets/smoke.yaml")));

        assertThat(read.scenario().feeder().rate()).hasToString("as captured x 2");
        assertThat(catchThrowableOfType(ConfigException.class, () -> read.on(generated)))
                .hasMessage(
                        "-Dfeeder.eps: the events of smoke are generated, not captured (give a recording as data set, or"
                                + " another rate)");
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
    void settingsMakeAFeederWhereTheFileHasNone() {
        String none = ScenarioFiles.SMALL.replace("feeder: {eps: 200, batch: 50}\n", "");

        ResolvedScenario read = files.read(none, Map.of("eps", "1000", "feeder.batch", "100"));

        assertThat(read.scenario().feeder()).isEqualTo(new Feeder(new ConstantRate(1000), 100, 1));
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
                        new LoadModel.Closed(67), new LoadModel.Closed(33), new LoadModel.Open(new ConstantRate(0.5)));
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

    @Test
    void aValueIsSetByItsPath() {
        ResolvedScenario read = files.read(
                ScenarioFiles.SMALL,
                Map.of("analysts.tier-1.page.size", "7", "analysts.0.listLength", "500", "feeder.batch", "20"));

        AnalystGroup group = read.scenario().analysts().get(0);
        assertThat(group.searched().listLength()).isEqualTo(500);
        assertThat(group.reading())
                .isInstanceOfSatisfying(
                        ResultReading.Paged.class,
                        paged -> assertThat(paged.size()).isEqualTo(7));
        assertThat(read.scenario().feeder().batch()).isEqualTo(20);
        assertThat(read.origin("feeder.batch")).hasToString("-Dfeeder.batch");
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
