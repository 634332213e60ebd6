package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.run.RunDirectory.RunMarker;

class RunMarkerTest {
    @TempDir
    private Path results = Path.of("");

    @Test
    void aDirectoryInWhichNothingWasMeasuredGoesWithItsRun() throws IOException {
        Path run = directory("hawat-memory-20261121-101500");
        RunMarker marker = RunMarker.set(run);
        Files.createDirectories(run.resolve("plans"));
        Files.writeString(run.resolve("timeline.csv"), "second,searches\n");
        marker.close();
        assertThat(run).doesNotExist();
    }

    @Test
    void resultsStayAndSoDoesWhatWasMeasuredBeforeABreakdown() throws IOException {
        for (String file : new String[] {"run.json", "timeline.csv"}) {
            Path run = directory("hawat-memory-20261121-10150" + file.length() % 10);
            try (RunMarker marker = RunMarker.set(run)) {
                assertThat(marker).isNotNull();
                Files.writeString(run.resolve(file), "heading\n1\n");
            }
            assertThat(run).isDirectoryContaining("glob:**" + file).isDirectoryNotContaining("glob:**running");
        }
    }

    @Test
    void whatAKilledRunLeftGoesWithTheNextOneAndNothingElseDoes() throws IOException {
        Path killed = directory("hawat-postgresql-20261121-101500-2");
        Files.createFile(killed.resolve("running"));
        Path going = directory("hawat-postgresql-20261121-101501");
        Path mine = directory("my results");
        Files.createFile(mine.resolve("running"));
        Path linked = Files.createSymbolicLink(results.resolve("hawat-memory-20261121-101502"), mine);
        try (RunMarker marker = RunMarker.set(going)) {
            assertThat(marker).isNotNull();
            RunMarker.sweep(results);
            assertThat(killed).doesNotExist();
            assertThat(going.resolve("running")).exists();
            assertThat(mine.resolve("running")).exists();
            assertThat(linked).exists();
        }
    }

    private Path directory(String name) throws IOException {
        return Files.createDirectory(results.resolve(name));
    }
}
