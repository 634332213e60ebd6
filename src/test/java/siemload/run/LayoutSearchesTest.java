package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.config.ConfigException;
import siemload.config.SettingSources;
import siemload.config.Settings;

/** What a layout lacks for the searches of a run is known before its database is. */
final class LayoutSearchesTest {
    /** It has files for addresses of IPv4 alone. */
    private static final Path FIREWALL = Path.of("src/test/resources/existing/firewall");

    private static final Path ALERTS = Path.of("src/test/resources/existing/alerts");
    private static final Path OF_ORACLE = Path.of("src/test/resources/existing/oracle-alerts");

    @TempDir
    private Path directory;

    @Test
    void aLayoutForAddressesOfOneFamilyIsTaken() throws IOException {
        assertThat(plan("postgresql", "jdbc:postgresql://db.example/soc", FIREWALL, "HAWAT1")
                        .asksExisting())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "postgresql, jdbc:postgresql://db.example/soc, sql",
        "mongodb, mongodb://db.example/soc, json",
        "oracle, jdbc:oracle:thin:@//db.example/soc, sql"
    })
    void aSearchWithoutAFileIsRefusedAtTheLayoutInEachWayInWhichItIsAsked(String target, String url, String ending) {
        Path layout = Map.of("postgresql", FIREWALL, "mongodb", ALERTS, "oracle", OF_ORACLE)
                .getOrDefault(target, FIREWALL);

        assertThatThrownBy(() -> plan(target, url, layout, "TEXT"))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("-Dlayout: TEXT ")
                .hasMessageContaining(" cannot be asked by the layout " + layout.getFileName() + "@")
                .hasMessageContaining(
                        ": it has no file condition-text." + ending + " (write it, or leave the search out)");
    }

    private RunPlan plan(String target, String url, Path layout, String search) throws IOException {
        Path scenario = Files.writeString(directory.resolve("asking.yaml"), """
                description: one search
                analysts:
                  - name: clerks
                    users: 2
                    load: closed
                    actions: {min: 4, max: 11}
                    thinkTime: {distribution: constant, value: 1s}
                    pause: {distribution: constant, value: 1s}
                    window: {7d: 0.5, 24h: 0.5}
                    mix: {%s: 1}
                    page: {size: 20, deeper: 0.3, maximum: 10, lastPage: 0.05}
                phases: {warmup: 0s, measurement: 2s}
                """.formatted(search));
        Map<String, String> settings = Map.of(
                "scenario",
                scenario.toString(),
                "data",
                "existing",
                "target",
                target,
                "url",
                url,
                "layout",
                layout.toString());
        return RunPlan.read(Settings.of(new SettingSources(Map.of(), settings, Map.of())), Path.of(""));
    }
}
