package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.run.LoadRun.ReadRouting;
import siemload.run.LoadRun.Shard;
import siemload.scenario.AnalystGroup;

class ReadRoutingTest {
    private static final String URL = "jdbc:postgresql://db1/siem";
    private static final String TWO = "jdbc:postgresql://db2/siem,jdbc:postgresql://db3,db4/siem";

    @Test
    void commasPartUrlsButNotTheHostsOfOne() {
        assertThat(plan(Map.of()).readUrls())
                .containsExactly("jdbc:postgresql://db2/siem", "jdbc:postgresql://db3,db4/siem");
    }

    @Test
    void groupsGoOnCounting() {
        ReadRouting routing = plan(Map.of("scenario", "dashboard")).routing();

        long next = 0;
        for (AnalystGroup group : routing.groups()) {
            assertThat(routing.first(group)).isEqualTo(next);
            next += group.load().defaultWorkers();
        }
        assertThat(routing.groups()).hasSize(2);
        assertThat(next).isEqualTo(plan(Map.of("scenario", "dashboard")).workers());
    }

    /** Whatever the number of injectors: a user searches on the same replica, where a worker is kept for that user. */
    @ParameterizedTest
    @CsvSource({"1, 2", "2, 2", "3, 2", "4, 3", "5, 4", "7, 1"})
    void eachInjectorHasAWorkerForEachOfItsUsersOnTheReplicaOfThatUser(int injectors, int replicas) {
        RunPlan plan = plan(Map.of("users", "50"));
        ReadRouting routing = new ReadRouting(plan.scenario().analysts(), replicas);
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
        RunPlan plan = plan(Map.of("workers", "5"));

        assertThat(plan.workers(0)).isEqualTo(3);
        assertThat(plan.workers(1)).isEqualTo(2);
    }

    private static RunPlan plan(Map<String, String> more) {
        Map<String, String> all =
                new HashMap<>(Map.of("dataset", "src/test/resources/datasets/tiny.yaml", "url", URL, "readUrls", TWO));
        all.putAll(more);
        if (more.containsKey("target")) {
            all.put("url", "jdbc:oracle:thin:@//db1:1521/siem");
            all.put("readUrls", "jdbc:oracle:thin:@//db2:1521/siem");
        }
        return RunPlan.read(Settings.of(new SettingSources(Map.of(), all, Map.of())), Path.of(""));
    }
}
