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
import siemload.query.Order;
import siemload.query.SearchName;
import siemload.scenario.rate.ConstantRate;

class ShippedScenariosTest {
    private static final Path HOME = Path.of("").toAbsolutePath();

    static List<String> names() {
        return ScenarioReader.names(HOME);
    }

    @Test
    void theyAreAllThere() {
        assertThat(names()).contains("dashboard", "hawat", "hawat-ui", "hints", "indexes", "load", "mentat");
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
    void hawatIsTheStudysAnalystsAndAFeeder() {
        Scenario hawat = read("hawat", Map.of()).scenario();

        AnalystGroup group = hawat.analysts().get(0);
        assertThat(group.load()).isEqualTo(new LoadModel.Closed(200));
        assertThat(group.investigation().minActions()).isEqualTo(4);
        assertThat(group.investigation().maxActions()).isEqualTo(11);
        assertThat(group.investigation().thinkTime()).isEqualTo(new Distribution.Exponential(Duration.ofSeconds(4)));
        assertThat(group.investigation().pause()).isEqualTo(new Distribution.Exponential(Duration.ofSeconds(30)));
        assertThat(group.searched().windows().weights()).containsEntry(new WindowLength.Last(Duration.ofDays(7)), 0.5);
        assertThat(group.searched().mix().weights())
                .containsEntry(SearchName.HAWAT1, 30.0)
                .hasSize(8);
        assertThat(group.searched().values().weights()).containsEntry(Popularity.ABSENT, 0.1);
        assertThat(group.searched().orders().weights()).containsEntry(Order.NEWEST_FIRST, 0.9);
        assertThat(group.reading()).isEqualTo(new ResultReading.Paged(100, 0.3, 50, 0.02));
        assertThat(group.patience()).isEqualTo(Duration.ofSeconds(10));
        assertThat(group.quota()).isEqualTo(new Quota(7, Quota.NO_CEILING));
        assertThat(hawat.feeder()).isEqualTo(new Feeder(new ConstantRate(200), 50, 2));
        assertThat(hawat.phases()).isEqualTo(new Phases(Duration.ofSeconds(10), Duration.ofMinutes(1)));
        assertThat(hawat.objectives())
                .containsExactly(
                        new Objective(
                                "HAWAT1 responseTime p95 < 2s",
                                "HAWAT1",
                                "responseTime",
                                "p95",
                                Objective.Comparison.BELOW,
                                2_000_000),
                        new Objective(
                                "all errorRatio <= 0.01", "all", "errorRatio", "", Objective.Comparison.AT_MOST, 0.01),
                        new Objective(
                                "feeder achievedRatio >= 0.99",
                                "feeder",
                                "achievedRatio",
                                "",
                                Objective.Comparison.AT_LEAST,
                                0.99));
    }

    @Test
    void thePagesOfHawatHaveFormsSearchesDetailsTimelinesListsAQuotaAndSavedQueries() {
        List<AnalystGroup> groups = read("hawat-ui", Map.of()).scenario().analysts();

        assertThat(groups.get(0).searched().mix().weights())
                .containsKeys(
                        SearchName.TOPCATEGORIES,
                        SearchName.HAWAT1,
                        SearchName.SOURCE,
                        SearchName.TARGETNET,
                        SearchName.DETAIL,
                        SearchName.TIMELINE,
                        SearchName.ADDRESSTIMELINE,
                        SearchName.TOPSOURCES);
        assertThat(groups.get(0).quota()).isEqualTo(new Quota(7, Quota.NO_CEILING));
        assertThat(groups.get(1).load())
                .isInstanceOfSatisfying(
                        LoadModel.Scheduled.class,
                        saved -> assertThat(saved.criteria()).isEqualTo(LoadModel.Scheduled.Criteria.FIXED));
    }

    @Test
    void mentatReadsWholeResults() {
        Scenario mentat = read("mentat", Map.of()).scenario();

        assertThat(mentat.analysts()).extracting(AnalystGroup::reading).containsOnly(new ResultReading.Whole());
        assertThat(mentat.analysts().get(0).searched().windows().weights())
                .containsOnlyKeys(new WindowLength.Everything());
    }

    @Test
    void everyOverrideReachesTheScenarioWithItsOrigin() {
        ResolvedScenario read = read(
                "hawat",
                Map.of(
                        "users", "3",
                        "eps", "1000",
                        "batch", "100",
                        "warmup", "1s",
                        "duration", "5m",
                        "page", "50",
                        "thinkTime", "500ms",
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
                        new Setting("analysts[tier-1].thinkTime.mean", "500ms", new Origin.SystemProperty("thinkTime")),
                        new Setting("analysts[tier-1].page.size", "50", new Origin.SystemProperty("page")),
                        new Setting("feeder.eps", "1000", new Origin.SystemProperty("eps")),
                        new Setting("feeder.batch", "100", new Origin.SystemProperty("batch")),
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
