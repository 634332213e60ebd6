package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.dataset.DatasetSpec;
import siemload.dataset.RecordingFiles;
import siemload.event.SecurityEvent;

class EventCommandsTest {
    private static final String CEF =
            "<134>1 2016-06-06T12:%02d:00Z fw1 app - - - CEF:0|Example|Firewall|1.0|100|Port scan|5|src=192.0.2.%d"
                    + " spt=99999 dst=198.51.100.1 dpt=22 proto=TCP cs1Label=Rule cs1=r%d%n";

    @TempDir
    private Path directory;

    @Test
    void whatIdeaCannotHoldIsKeptAndCounted() throws Exception {
        Path log = recording();
        Path output = directory.resolve("firewall.idea.gz");

        ChildProcess.Ended converted =
                Siemload.run(directory, "convert", log.toString(), "--format", "cef", "--output", output.toString());

        assertThat(converted.exitCode()).as(converted.output()).isZero();
        assertThat(converted.output())
                .contains(output + ": 200 events", "1 unreadable lines were skipped", log + ":1: ", "read as CEF")
                .contains("200 events have data without a place in IDEA, which are kept under the key _CEF");
        List<SecurityEvent> events = new ArrayList<>();
        RecordingFiles.open(output, 1).read(100, events::addAll);
        assertThat(events).hasSize(200).allSatisfy(event -> {
            assertThat(event.targets().get(0).ports()).containsExactly(22);
            assertThat(event.other().get("_CEF").get("spt").asText()).isEqualTo("99999");
        });
    }

    @Test
    void aRecordingBecomesADatasetWithAProfileAndAPage() throws Exception {
        Path dataset = directory.resolve("learnt.yaml");
        Path page = directory.resolve("fit.html");

        ChildProcess.Ended learnt = Siemload.run(
                directory, "learn", recording().toString(), "--output", dataset.toString(), "--fit", page.toString());

        assertThat(learnt.exitCode()).as(learnt.output()).isZero();
        DatasetSpec spec = DatasetSpec.read(dataset);
        assertThat(spec.events()).isEqualTo(200);
        assertThat(spec.profile().ports().shares())
                .singleElement()
                .satisfies(port -> assertThat(port.port()).isEqualTo(22));
        assertThat(page).content().contains("How ", "Content-Security-Policy");
        assertThat(learnt.output())
                .contains("1 unreadable lines")
                .containsPattern("port +0\\.0000 +0\\.0000 +200 +200");
    }

    private Path recording() throws IOException {
        StringBuilder lines = new StringBuilder("no event\n");
        for (int i = 0; i < 200; i++) {
            lines.append(String.format(Locale.ROOT, CEF, i % 60, i % 50, i));
        }
        return Files.writeString(directory.resolve("firewall.log"), lines);
    }
}
