package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.config.ConfigException;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.query.Window;

final class RetentionOfferTest {

    @Test
    void theFirstDayOfTheDataSetIsTheOldest() {
        RunPlan plan = plan(Map.of());
        Instant midnight = Instant.parse("2016-06-06T00:00:00Z");
        assertThat(plan.oldestDay()).isEqualTo(new Window(midnight, Instant.parse("2016-06-07T00:00:00Z")));
        assertThat(plan.source().first()).isBetween(midnight, midnight.plusSeconds(86_399));
    }

    @Test
    void aRunThatOnlyDropsADayWritesAllTheSame() {
        assertThat(plan(Map.of("eps", "0")).writes()).isTrue();
    }

    @Test
    void aTargetThatRemovesNoDaysIsRefusedByName() {
        assertThatThrownBy(() -> plan(Map.of("target", "memory")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("retention.yaml")
                .hasMessageContaining(
                        "target memory removes no days while others search (allowed: oracle, postgresql; or"
                                + " leave retention out)");
    }

    @Test
    void aDataSetOfOneDayIsRefused() {
        assertThatThrownBy(() -> plan(Map.of("dataset", "cesnet-day")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("the data set cesnet-day has no other day than its first one");
    }

    private static RunPlan plan(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.put("scenario", "retention");
        return RunPlan.read(Settings.of(new SettingSources(Map.of(), all, Map.of())), Path.of(""));
    }
}
