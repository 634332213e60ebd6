package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.prefs.BackingStoreException;
import java.util.prefs.Preferences;
import org.junit.jupiter.api.Test;

class PreferencesInMemoryTest {
    @Test
    void gatlingFindsThatItNeedNotAskTheInternetForItsNewestVersion() {
        Preferences asked = Preferences.userRoot().node("/io/gatling/latestVersion");
        assertThat(asked.getLong("lastCheckTimestamp", 0))
                .isGreaterThan(System.currentTimeMillis() + Duration.ofDays(1).toMillis());
        assertThat(asked.getBoolean("lastCheckSuccess", true)).isFalse();
    }

    @Test
    void whatOthersPutIsThereAndGoesWithTheirNode() throws BackingStoreException {
        Preferences node = Preferences.userRoot().node("/somebody/else");
        node.put("key", "value");
        assertThat(Preferences.userRoot().node("/somebody/else").get("key", "")).isEqualTo("value");
        node.removeNode();
        assertThat(Preferences.userRoot().node("/somebody/else").get("key", "")).isEmpty();
    }
}
