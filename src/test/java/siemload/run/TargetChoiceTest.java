package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.database.Hint;
import siemload.database.Partitions;
import siemload.database.Provision;

final class TargetChoiceTest {

    @Test
    void aTargetWithoutAServerOfItsOwnRunsInAContainerUnlessThereIsAUrl() {
        assertThat(choice(Map.of("target", "mongodb")).provision()).isEqualTo(Provision.CONTAINER);
        assertThat(choice(Map.of("target", "mongodb", "url", "mongodb://db")).provision())
                .isEqualTo(Provision.EXTERNAL);
    }

    @Test
    void anExternalServerNeedsAUrl() {
        assertThatThrownBy(() -> choice(Map.of("target", "mongodb", "provision", "external")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("-Dprovision")
                .hasMessageContaining("url");
    }

    @Test
    void aHintWithoutAnIndexToUseIsRefusedWithTheSetsThatHaveOne() {
        assertThatThrownBy(() -> choice(Map.of("hint", "index", "indexes", "time")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("-Dhint: target postgresql: hint 'index' needs indexes of fields, not indexes 'time'"
                        + " (allowed: fields, compound, native)");
        assertThatThrownBy(() -> choice(Map.of("hint", "time-index", "indexes", "none")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("(allowed: time, fields, compound, native)");
    }

    @Test
    void partitionsAreTheTargetsOwnUnlessGiven() {
        assertThat(choice(Map.of()).variant().partitions()).isEqualTo(Partitions.NONE);
        assertThat(choice(Map.of("partitions", "day")).variant().partitions()).isEqualTo(Partitions.DAY);
        assertThat(choice(Map.of("target", "oracle", "url", "jdbc:oracle:thin:@//db/x"))
                        .variant()
                        .partitions())
                .isEqualTo(Partitions.DAY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongodb", "memory"})
    void aTargetWithoutPartitionsRefusesThemByName(String target) {
        assertThatThrownBy(() -> choice(Map.of("target", target, "url", "mongodb://db", "partitions", "day")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("-Dpartitions: target " + target + " does not offer 'day' (allowed: none)");
    }

    @Test
    void aWayOfPagingThatCannotGoWithTheHintIsRefused() {
        assertThatThrownBy(() -> choice(Map.of("hint", "full-scan-parallel", "paging", "cursor")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("cursor");
    }

    @ParameterizedTest
    @EnumSource(Hint.class)
    void whateverHintThereIsCanBeAskedFor(Hint hint) {
        assertThat(Property.HINT.type().parse(hint.label())).isEqualTo(hint.label());
    }

    private static TargetChoice choice(Map<String, String> properties) {
        return TargetChoice.of(Settings.of(new SettingSources(Map.of(), properties, Map.of())));
    }
}
