package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDirectoryTest {
    @TempDir
    private Path results = Path.of("");

    @Test
    void aDirectoryInWhichNothingWasMeasuredGoesWithItsRunAndOthersStay() throws IOException {
        for (String file : List.of("plan.txt", "run.json", "timeline.csv")) {
            Path run = Files.createDirectory(results.resolve("hawat-" + file));
            Files.writeString(run.resolve(file), "heading\n1\n");
            new RunDirectory(run, "hawat", Instant.EPOCH).close();
            assertThat(Files.exists(run)).isEqualTo(!file.equals("plan.txt"));
        }
    }
}
