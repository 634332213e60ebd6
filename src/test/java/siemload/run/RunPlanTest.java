package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.database.Partitions;
import siemload.database.Provision;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.memory.MemoryPlugin;
import siemload.run.LoadRun.ReadRouting;
import siemload.run.LoadRun.Shard;
import siemload.scenario.AnalystGroup;

/** What follows from settings that go together; {@link RefusedRunsTest} has those that do not. */
final class RunPlanTest {
    private static final String SERVER = "jdbc:postgresql://db.example/bench";
    private static final Map<String, String> REPLICAS = Map.of(
            "url",
            "jdbc:postgresql://db1/siem",
            "readUrls",
            "jdbc:postgresql://db2/siem,jdbc:postgresql://db3,db4/siem");

    @Test
    void statementsOnAServerOfOnesOwnNameOnlySettingsThatMeanSomethingToThem() {
        RunPlan plan = plan("pgbench-accounts", Map.of("data", "existing", "url", SERVER));

        assertThat(plan.asksStatements()).isTrue();
        assertThat(names(plan))
                .contains("data", "url", "timeout", "checks")
                .doesNotContain("layout", "partitions", "indexes", "hint", "paging", "reload");
        assertThat(plan.settings().list()).extracting(Setting::name).contains("indexes", "hint", "paging");
        assertThat(names(plan("hawat", Map.of()))).contains("indexes", "hint", "paging", "reload");
        assertThat(plan.sessions()).isEqualTo(plan.workers() + 3);
    }

    @ParameterizedTest
    @CsvSource({"jit=off, JIT=on, true", "jit=off, work_mem=8MB, true", "work_mem=8MB, shared_buffers=256MB, false"})
    void sidesThatDifferInParametersOfTheirSessionsShareAServer(String one, String other, boolean together) {
        List<RunPlan> sides =
                List.of(plan("hawat", Map.of("parameters", one)), plan("hawat", Map.of("parameters", other)));
        assertThat(Slices.canTakeTurns(sides)).isEqualTo(together);
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
    void provisionAndPartitionsAreTheTargetsOwnUnlessGiven() {
        RunPlan container = plan("hawat", Map.of("target", "mongodb"));
        RunPlan external = plan("hawat", Map.of("target", "oracle", "url", "jdbc:oracle:thin:@//db/x"));
        assertThat(container.choice().provision()).isEqualTo(Provision.CONTAINER);
        assertThat(external.choice().provision()).isEqualTo(Provision.EXTERNAL);
        assertThat(external.variant().partitions()).isEqualTo(Partitions.DAY);
        assertThat(plan("hawat", Map.of()).variant().partitions()).isEqualTo(Partitions.NONE);
        assertThat(plan("hawat", Map.of("partitions", "day")).variant().partitions())
                .isEqualTo(Partitions.DAY);
    }

    private static RunPlan onReplicas(String scenario, String name, String value) {
        Map<String, String> all = new HashMap<>(REPLICAS);
        all.put(name, value);
        return plan(scenario, all);
    }

    @Test
    void commasPartUrlsButNotTheHostsOfOneAndGroupsGoOnCounting() {
        RunPlan plan = onReplicas("dashboard", "seed", "1");
        ReadRouting routing = plan.routing();

        assertThat(plan.readUrls()).containsExactly("jdbc:postgresql://db2/siem", "jdbc:postgresql://db3,db4/siem");
        long next = 0;
        for (AnalystGroup group : routing.groups()) {
            assertThat(routing.first(group)).isEqualTo(next);
            next += group.load().defaultWorkers();
        }
        assertThat(routing.groups()).hasSize(2);
        assertThat(next).isEqualTo(plan.workers());
    }

    /** Whatever the number of injectors: a user searches on the same replica, where a worker is kept for that user. */
    @ParameterizedTest
    @CsvSource({"1, 2", "2, 2", "3, 2", "4, 3", "5, 4", "7, 1"})
    void eachInjectorHasAWorkerForEachOfItsUsersOnTheReplicaOfThatUser(int injectors, int replicas) {
        ReadRouting routing =
                new ReadRouting(onReplicas("hawat", "users", "50").scenario().analysts(), replicas);
        for (int index = 0; index < injectors; index++) {
            Shard shard = new Shard(index, injectors);
            int[] users = new int[replicas];
            IntStream.range(0, 50).filter(shard::has).forEach(user -> users[routing.replica(user)]++);
            for (int replica = 0; replica < replicas; replica++) {
                assertThat(routing.workers(shard, replica, 0)).isEqualTo(Math.max(1, users[replica]));
            }
        }
    }

    @Test
    void workersThatAreAskedForAreSharedOut() {
        RunPlan plan = onReplicas("hawat", "workers", "5");

        assertThat(plan.workers(0)).isEqualTo(3);
        assertThat(plan.workers(1)).isEqualTo(2);
    }

    private static List<String> names(RunPlan plan) {
        return plan.meaningfulSettings().stream().map(Setting::name).toList();
    }

    @Test
    void valuesToSearchForAreKeptForLaterRunsUntilAReloadCountsThemAnew(@TempDir Path cache) throws IOException {
        Map<String, String> given = new HashMap<>(
                Map.of("target", "memory", "dataset", "src/test/resources/datasets/tiny.yaml", "cache", "" + cache));
        Opening opening = new Opening(new QuietHost(new ArrayList<>()), plan("hawat", given), new Resources());
        given.put("reload", "true");
        Opening reloading = new Opening(opening.host(), plan("hawat", given), opening.resources());
        Target target = new MemoryPlugin().connect(new ServerAddress("", "", ""), Opening.options(opening.plan(), 1));

        String counted = opening.load(target).toJson();
        Path file = cache.resolve("values/" + opening.plan().source().fingerprint() + ".json");
        String known = counted.replace("Recon.Scanning", "Known.Before");
        Files.writeString(file, known);
        assertThat(opening.load(target).toJson()).isEqualTo(known);
        assertThat(reloading.load(target).toJson()).isEqualTo(counted).isNotEqualTo(known);
        Files.writeString(file, "{");
        assertThat(opening.load(target).toJson()).isEqualTo(counted);
        assertThat(file).hasContent(counted);
    }

    private static RunPlan plan(String scenario, Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.put("scenario", scenario);
        return RunPlan.read(Settings.of(Map.of(), all, Map.of()), Path.of(""), text -> {});
    }
}
