package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.dataset.DatasetReader;
import siemload.dataset.DatasetSpec;

/** A recording becomes a data set. */
class LearnCommandTest {
    private static final String EVENT =
            "{\"Format\":\"IDEA0\",\"ID\":\"%d\",\"DetectTime\":\"2016-06-06T%02d:10:00Z\",\"Category\":[\"Recon.Scanning\"],"
                    + "\"Source\":[{\"IP4\":[\"192.0.2.%d\"]}],\"Target\":[{\"Port\":[\"22\"],\"Proto\":\"tcp\"}]}%n";

    @TempDir
    private Path directory;

    @Test
    void aRecordingBecomesADatasetWithAProfileAndAPage() throws Exception {
        Path recording = recording(200);
        Path dataset = directory.resolve("learnt.yaml");
        Path page = directory.resolve("fit.html");

        ChildProcess.Ended learnt =
                siemload("learn", recording.toString(), "--output", dataset.toString(), "--fit", page.toString());

        assertThat(learnt.exitCode()).as(learnt.output()).isZero();
        DatasetSpec spec = DatasetReader.read(dataset);
        assertThat(spec.events()).isEqualTo(200);
        assertThat(spec.profile().ports().shares())
                .singleElement()
                .satisfies(port -> assertThat(port.port()).isEqualTo(22));
        assertThat(page).content().contains("How ", "Content-Security-Policy");
        assertThat(learnt.output()).contains("1 unreadable lines").containsPattern("named nodes of an event +1\\.0000");
    }

    private Path recording(int events) throws IOException {
        StringBuilder lines = new StringBuilder("no event\n");
        for (int i = 0; i < events; i++) {
            lines.append(String.format(java.util.Locale.ROOT, EVENT, i, i % 24, i % 50));
        }
        return Files.writeString(directory.resolve("recording.idea"), lines);
    }

    private ChildProcess.Ended siemload(String... arguments) throws IOException, InterruptedException {
        return Siemload.run(directory, arguments);
    }
}
