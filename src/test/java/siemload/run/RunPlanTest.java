package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.config.Setting;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.database.Partitions;
import siemload.database.Provision;
import siemload.query.Window;
import siemload.run.LoadRun.Shard;

/** What follows from settings that go together; {@link RefusedRunsTest} has those that do not. */
final class RunPlanTest {
    private static final String SERVER = "jdbc:postgresql://db.example/bench";

    @Test
    void statementsOnAServerOfOnesOwnNameOnlySettingsThatMeanSomethingToThem() {
        RunPlan plan = plan("pgbench-accounts", Map.of("data", "existing", "url", SERVER));

        assertThat(plan.asksStatements()).isTrue();
        assertThat(names(plan))
                .contains("data", "url", "timeout", "checks")
                .doesNotContain("layout", "partitions", "indexes", "hint", "paging", "reload");
        assertThat(plan.settings().list()).extracting(Setting::name).contains("indexes", "hint", "paging");
        assertThat(names(plan("hawat", Map.of()))).contains("indexes", "hint", "paging", "reload");
    }

    @Test
    void aLayoutWithoutLoadingSearchesExistingData() {
        RunPlan plan = plan("pgbench-history", Map.of("data", "existing", "layout", "layouts/pgbench", "url", SERVER));

        assertThat(plan.asksExisting()).isTrue();
        assertThat(plan.asksStatements()).isFalse();
        assertThat(plan.variant().layout()).startsWith("pgbench@");
    }

    @Test
    void workersAreSharedOutLikeUsersAndTheServerMustHaveConnectionsForAll() {
        RunPlan plan = plan("hawat", Map.of("users", "10", "injectors", "4"));

        assertThat(plan.workers()).isEqualTo(10);
        assertThat(plan.with(new Shard(0, 4)).workers()).isEqualTo(3);
        assertThat(plan.with(new Shard(3, 4)).workers()).isEqualTo(2);
        int ofAll = 0;
        for (int shard = 0; shard < 4; shard++) {
            ofAll += plan.with(new Shard(shard, 4)).sessions();
        }
        assertThat(plan.sessions()).isGreaterThanOrEqualTo(ofAll - 4 * 2 + 4);
    }

    @Test
    void theFirstDayOfTheDataSetIsTheOldestAndDroppingItIsWriting() {
        RunPlan plan = plan("retention", Map.of("eps", "0"));
        Instant midnight = Instant.parse("2016-06-06T00:00:00Z");

        assertThat(plan.oldestDay()).isEqualTo(new Window(midnight, Instant.parse("2016-06-07T00:00:00Z")));
        assertThat(plan.source().first()).isBetween(midnight, midnight.plusSeconds(86_399));
        assertThat(plan.writes()).isTrue();
    }

    @Test
    void aTargetWithoutAServerOfItsOwnRunsInAContainerUnlessThereIsAUrl() {
        assertThat(plan("hawat", Map.of("target", "mongodb")).choice().provision())
                .isEqualTo(Provision.CONTAINER);
        assertThat(plan("hawat", Map.of("target", "mongodb", "url", "mongodb://db"))
                        .choice()
                        .provision())
                .isEqualTo(Provision.EXTERNAL);
    }

    @Test
    void partitionsAreTheTargetsOwnUnlessGiven() {
        assertThat(plan("hawat", Map.of()).variant().partitions()).isEqualTo(Partitions.NONE);
        assertThat(plan("hawat", Map.of("partitions", "day")).variant().partitions())
                .isEqualTo(Partitions.DAY);
        assertThat(plan("hawat", Map.of("target", "oracle", "url", "jdbc:oracle:thin:@//db/x"))
                        .variant()
                        .partitions())
                .isEqualTo(Partitions.DAY);
    }

    @Test
    void withoutTrendsTheOtherGroupsAreAsTheyWere() {
        RunPlan with = plan("trends", Map.of("eps", "0"));
        RunPlan without =
                plan("trends", Map.of("eps", "0", "analysts.by-category.tasks", "0", "analysts.by-source.tasks", "0"));

        assertThat(with.searches())
                .containsExactly("CATEGORYTREND", "HAWAT1", "HAWAT3", "MENTAT", "SOURCETREND", "TEXT");
        assertThat(without.searches()).containsExactly("HAWAT1", "HAWAT3", "MENTAT", "TEXT");
        assertThat(without.scenario().analysts())
                .isEqualTo(with.scenario().analysts().subList(0, 3));
        assertThat(with.writes()).as("trends are stored").isTrue();
        assertThat(without.writes()).isFalse();
    }

    private static List<String> names(RunPlan plan) {
        return plan.meaningfulSettings().stream().map(Setting::name).toList();
    }

    private static RunPlan plan(String scenario, Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.put("scenario", scenario);
        return RunPlan.read(Settings.of(new SettingSources(Map.of(), all, Map.of())), Path.of(""));
    }
}
