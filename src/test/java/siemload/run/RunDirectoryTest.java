package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.run.RunSetup.RunDirectory;

class RunDirectoryTest {
    @TempDir
    private Path results = Path.of("");

    @Test
    void aDirectoryInWhichNothingWasMeasuredGoesWithItsRun() throws IOException {
        Path run = Files.createDirectory(results.resolve("hawat"));
        Files.createDirectories(run.resolve("plans"));
        new RunDirectory(run, "hawat", Instant.EPOCH).close();
        assertThat(run).doesNotExist();
    }

    @Test
    void resultsStayAndSoDoesWhatWasMeasuredBeforeABreakdown() throws IOException {
        for (String file : new String[] {"run.json", "timeline.csv"}) {
            Path run = Files.createDirectory(results.resolve("hawat-" + file));
            Files.writeString(run.resolve(file), "heading\n1\n");
            new RunDirectory(run, "hawat", Instant.EPOCH).close();
            assertThat(run).isDirectoryContaining("glob:**" + file);
        }
    }
}
