package siemload.run;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.config.ConfigException;
import siemload.config.SettingSources;
import siemload.config.Settings;

class AccountsOfferTest {

    @Test
    void aTargetWithoutAccountsIsRefusedByNameBeforeAnyServerIsTouched() {
        assertThatThrownBy(() -> plan(Map.of("target", "scripted")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "-Dtarget: target scripted has no accounts, which a procedure of kind transactions"
                                + " needs (allowed: ")
                .hasMessageContaining("postgresql");
    }

    @Test
    void aServerThatSomebodyElseHasStartedIsNotKilled() {
        assertThatThrownBy(() -> plan(Map.of("crash", "2s", "url", "jdbc:postgresql://db/postgres")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("-Dcrash: is for provision=embedded, whose server siemload may kill, but it is"
                        + " external (leave one out)");
    }

    private static RunPlan plan(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.put("scenario", "atm");
        return RunPlan.read(Settings.of(new SettingSources(Map.of(), all, Map.of())), Path.of(""));
    }
}
