package siemload.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.config.ConfigException;
import siemload.config.Settings;
import siemload.event.SecurityEvent;

final class DatasetsTest {
    private static final Path HOME = Path.of("");
    private static final String EVENT =
            "{\"ID\":\"a\",\"DetectTime\":\"2016-06-06T00:00:00Z\",\"Format\":\"IDEA0\",\"Category\":[\"Test\"]}\n";

    @TempDir
    private Path directory;

    @Test
    void aNameIsAFileInDatasetsWhoseSeedMayBeAnother() {
        EventSource smoke = open("smoke", Map.of());
        EventSource other = open("smoke", Map.of("seed", "2"));

        assertThat(smoke.name()).isEqualTo("smoke");
        assertThat(smoke.count()).isEqualTo(200_000);
        assertThat(smoke.fingerprint()).isEqualTo(new EventGenerator(ShippedDatasets.smoke()).fingerprint());
        assertThat(other.fingerprint())
                .isEqualTo(new EventGenerator(ShippedDatasets.smoke().withSeed(2)).fingerprint());
    }

    @Test
    void recordingsOfSeveralFormatsAreOneDataSet() throws IOException {
        Path idea = Files.writeString(directory.resolve("events.idea"), EVENT);
        Path cef = Files.writeString(
                directory.resolve("firewall.log"),
                "<134>1 2016-06-05T12:00:00Z fw1 app - - - CEF:0|Example|Firewall|1.0|100|Port scan|5|src=192.0.2.1\n");

        EventSource both = open(idea + "," + cef, Map.of());
        EventSource again = open(idea + "," + cef, Map.of("amplify", "3"));

        List<SecurityEvent> events = new ArrayList<>();
        both.read(10, events::addAll);
        assertThat(events)
                .extracting(event -> event.detectTime().toString())
                .containsExactly("2016-06-05T12:00:00Z", "2016-06-06T00:00:00Z");
        assertThat(both.name()).isEqualTo("events.idea and 1 more");
        assertThat(again.name()).isEqualTo("events.idea and 1 more x3");
        assertThat(again.count()).isEqualTo(6);
    }

    @Test
    void whatIsNoDataSetIsToldWithWhatIs() throws Exception {
        Files.writeString(directory.resolve("events.idea"), EVENT);
        String missing = directory.resolve("event.idea").toString();
        assertThatThrownBy(() -> open(missing, Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("there is no file " + missing)
                .hasMessageContaining("did you mean events.idea?");
        assertThatThrownBy(() -> open("smoke", Map.of("amplify", "2")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--amplify: only recordings can be repeated");
        String pipe = directory.resolve("pipe.idea").toString();
        assumeTrue(new ProcessBuilder("mkfifo", pipe).start().waitFor() == 0, "there is no mkfifo");
        assertThatThrownBy(() -> open(pipe, Map.of("dataset", pipe)))
                .hasMessageStartingWith("--dataset: " + pipe + " is a pipe, a socket or a device (needed: a file");
    }

    private static EventSource open(String name, Map<String, String> options) {
        Map<String, String> environment = Map.of("SIEMLOAD_CACHE", "target/recording-cache");
        Settings settings = Settings.of(options, Map.of(), environment);
        return Datasets.open(HOME, name, settings, text -> {});
    }
}
