package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.config.ConfigException;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.database.TargetPlugin;

final class TrendOfferTest {

    @Test
    void aRunThatOnlyStoresTrendsWritesAllTheSame() {
        assertThat(plan(Map.of("eps", "0")).writes()).isTrue();
        assertThat(plan(Map.of("eps", "0", "trends", "0")).writes()).isFalse();
    }

    @Test
    void withoutTrendsTheOtherGroupsAreAsTheyWere() {
        RunPlan with = plan(Map.of());
        RunPlan without = plan(Map.of("trends", "0"));

        assertThat(with.searches())
                .containsExactly("CATEGORYTREND", "HAWAT1", "HAWAT3", "MENTAT", "SOURCETREND", "TEXT");
        assertThat(without.searches()).containsExactly("HAWAT1", "HAWAT3", "MENTAT", "TEXT");
        assertThat(without.scenario().analysts())
                .isEqualTo(with.scenario().analysts().subList(0, 3));
    }

    @Test
    void eachTrendHasAConnection() {
        assertThat(plan(Map.of("trends", "6")).workers())
                .isEqualTo(plan(Map.of("trends", "0")).workers() + 6);
    }

    @Test
    void aTargetThatStoresNoTrendsIsRefusedByName() {
        RunPlan plan = plan(Map.of());
        TargetPlugin bare = (TargetPlugin) Proxy.newProxyInstance(
                TargetPlugin.class.getClassLoader(),
                new Class<?>[] {TargetPlugin.class},
                (proxy, method, arguments) -> method.getName().equals("id") ? "bare" : false);
        TargetChoice choice =
                new TargetChoice(bare, plan.variant(), plan.choice().provision());

        assertThatThrownBy(() -> TrendOffer.require(plan.resolved(), choice))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("trends.yaml")
                .hasMessageContaining("target bare stores no trends (allowed: memory, mongodb, oracle, postgresql,"
                        + " scripted; or leave the groups with a trend out)");
        assertThatCode(() -> TrendOffer.require(plan(Map.of("trends", "0")).resolved(), choice))
                .doesNotThrowAnyException();
    }

    private static RunPlan plan(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.put("scenario", "trends");
        return RunPlan.read(Settings.of(new SettingSources(Map.of(), all, Map.of())), Path.of(""));
    }
}
