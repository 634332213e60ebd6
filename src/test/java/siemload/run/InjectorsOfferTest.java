package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.config.ConfigException;
import siemload.config.SettingSources;
import siemload.config.Settings;

final class InjectorsOfferTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "whole-results | is a procedure",
                "detections | the tasks of group",
                "retention | retention drops a day",
                "noisy-analyst | is a procedure"
            })
    void whatSeveralProcessesCannotDoIsRefusedByName(String scenario, String why) {
        assertThatThrownBy(() -> plan(Map.of("scenario", scenario)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("4 injectors cannot make this load: ")
                .hasMessageContaining(why);
    }

    @Test
    void aTargetWithoutStoresForSeveralProcessesIsRefusedByName() {
        assertThatThrownBy(() -> plan(Map.of("target", "memory")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("on target memory only one process can work on the store of a run")
                .hasMessageContaining("allowed: mongodb, opensearch, oracle, postgresql, scripted");
    }

    @Test
    void everyInjectorHasAUserAndAWorker() {
        assertThatThrownBy(() -> plan(Map.of("users", "3")))
                .hasMessageContaining("its largest group has 3 users, so that some would have none");
        assertThatThrownBy(() -> plan(Map.of("workers", "3")))
                .hasMessageContaining("there are 3 -Dworkers, so that some would have none");
        assertThat(plan(Map.of("users", "4")).injectors()).isEqualTo(4);
        assertThat(plan(Map.of("scenario", "arrivals")).injectors()).isEqualTo(4);
    }

    @Test
    void workersAreSharedOutLikeUsersAndTheServerMustHaveConnectionsForAll() {
        RunPlan plan = plan(Map.of("users", "10"));
        assertThat(plan.workers()).isEqualTo(10);
        assertThat(plan.with(new Shard(0, 4)).workers()).isEqualTo(3);
        assertThat(plan.with(new Shard(3, 4)).workers()).isEqualTo(2);
        int ofAll = 0;
        for (int shard = 0; shard < 4; shard++) {
            ofAll += plan.with(new Shard(shard, 4)).sessions();
        }
        assertThat(plan.sessions()).isGreaterThanOrEqualTo(ofAll - 4 * 2 + 4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "provision=embedded | siemload would start it on this machine",
                "provision=container | siemload would start it on this machine",
                "url=jdbc:postgresql:siem | in the url, localhost is the machine itself",
                "url=jdbc:postgresql://localhost:5432/siem | in the url, localhost is the machine itself",
                "url=jdbc:postgresql://127.0.0.53/siem | in the url, 127.0.0.53 is the machine itself",
                "url=jdbc:postgresql://[::1]/siem | in the url, [::1] is the machine itself"
            })
    void aServerThatPodsCouldNotReachIsRefused(String setting, String why) {
        String[] parts = setting.split("=", 2);
        assertThatThrownBy(() -> plan(Map.of("on", "kubernetes", parts[0], parts[1])))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("pods could not reach the database: " + why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:postgresql://db.example/siem", "jdbc:postgresql://10.96.3.4:5432/siem"})
    void aServerThatPodsCanReachIsTaken(String url) {
        assertThat(plan(Map.of("on", "kubernetes", "url", url, "image", "siemload:1"))
                        .isInjected())
                .isTrue();
    }

    @Test
    void eachPodHasAScriptedTargetOfItsOwn() {
        assertThat(plan(Map.of("on", "kubernetes", "target", "scripted")).isInjected())
                .isTrue();
    }

    @Test
    void oneInjectorIsNotStartedInACluster() {
        assertThatThrownBy(() -> plan(Map.of("on", "kubernetes", "target", "scripted", "injectors", "1")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("give -Dinjectors=2 or more");
    }

    private static RunPlan plan(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(Map.of("injectors", "4"));
        all.putAll(properties);
        return RunPlan.read(Settings.of(new SettingSources(Map.of(), all, Map.of())), Path.of(""));
    }
}
