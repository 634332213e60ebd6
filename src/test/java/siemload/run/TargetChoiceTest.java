package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.config.ConfigException;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.target.Provision;

final class TargetChoiceTest {

    @Test
    void aTargetThatOnlyExistsElsewhereNeedsItsUrl() {
        assertThatThrownBy(() -> choice(Map.of("target", "mongodb")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("-Dtarget: target mongodb needs a server of yours (give its url: -Durl)");
        assertThat(choice(Map.of("target", "mongodb", "url", "mongodb://db")).provision())
                .isEqualTo(Provision.EXTERNAL);
    }

    private static TargetChoice choice(Map<String, String> properties) {
        return TargetChoice.of(Settings.of(new SettingSources(Map.of(), properties, Map.of())));
    }
}
