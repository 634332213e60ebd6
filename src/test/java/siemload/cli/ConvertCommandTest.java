package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.event.EventLineReader;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;

/** Events of other formats become IDEA. */
class ConvertCommandTest {
    private static final String CEF =
            "<134>1 2016-06-06T12:00:00Z fw1 app - - - CEF:0|Example|Firewall|1.0|100|Port scan|5|src=192.0.2.%d"
                    + " spt=99999 dst=198.51.100.1 dpt=22 cs1Label=Rule cs1=r%d%n";

    @TempDir
    private Path directory;

    @Test
    void whatIdeaCannotHoldIsKeptAndCounted() throws Exception {
        Path log = log("firewall.log", 20);
        Path output = directory.resolve("firewall.idea.gz");

        ChildProcess.Ended converted =
                siemload("convert", log.toString(), "--format", "cef", "--output", output.toString());

        assertThat(converted.exitCode()).as(converted.output()).isZero();
        assertThat(converted.output())
                .contains("20 events, 1 unreadable lines", log + ":1: ", "read as CEF")
                .contains("20 events keep what has no place in IDEA under the key _CEF");
        assertThat(read(output)).hasSize(20).allSatisfy(event -> {
            assertThat(event.targets().get(0).ports()).containsExactly(22);
            assertThat(event.other().get("_CEF").get("spt").asText()).isEqualTo("99999");
        });
    }

    private Path log(String name, int events) throws IOException {
        StringBuilder lines = new StringBuilder("no event\n");
        for (int i = 0; i < events; i++) {
            lines.append(String.format(java.util.Locale.ROOT, CEF, i, i));
        }
        return Files.writeString(directory.resolve(name), lines);
    }

    private static List<SecurityEvent> read(Path file) {
        List<SecurityEvent> events = new ArrayList<>();
        try (EventLineReader reader = EventLineReader.open(file, new IdeaReader(), problem -> {})) {
            for (Optional<SecurityEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
                events.add(event.get());
            }
        }
        return events;
    }

    private ChildProcess.Ended siemload(String... arguments) throws IOException, InterruptedException {
        return Siemload.run(directory, arguments);
    }
}
