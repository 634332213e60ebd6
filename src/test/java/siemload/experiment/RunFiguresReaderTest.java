package siemload.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFiguresReaderTest {
    private static final String NEWEST = "{\"name\": \"HAWAT3\", \"page\": \"first\", \"order\": \"newestFirst\","
            + " \"shape\": \"Index Scan Backward\", \"shapeAtEnd\": \"\", \"file\": \"\", \"failure\": \"\"}";
    private static final String OLDEST =
            NEWEST.replace("newestFirst", "oldestFirst").replace("Index Scan Backward", "Index Scan");

    @TempDir
    private Path directory;

    /** So that the plans of runs that differ in their order alone stand side by side. */
    @Test
    void plansOfRunsWithOneOrderHaveTheSameName() throws IOException {
        assertThat(plans(OLDEST)).isEqualTo(Map.of("HAWAT3 first", "Index Scan"));
        assertThat(plans(NEWEST)).isEqualTo(Map.of("HAWAT3 first", "Index Scan Backward"));
    }

    @Test
    void plansOfARunWithBothOrdersAreToldApart() throws IOException {
        assertThat(plans(NEWEST + ", " + OLDEST))
                .isEqualTo(Map.of("HAWAT3 first", "Index Scan Backward", "HAWAT3 first, oldest first", "Index Scan"));
    }

    private Map<String, String> plans(String plans) throws IOException {
        Files.writeString(directory.resolve("run.json"), """
                {"formatVersion": 1, "runId": "r", "scenario": "s", "startedAt": "2026-11-21T10:15:00Z",
                 "target": {"id": "postgresql"}, "dataset": {}, "searches": [], "plans": [%s],
                 "validity": {"valid": true, "warnings": []}}""".formatted(plans));
        Files.writeString(directory.resolve("environment.json"), "{\"formatVersion\": 1, \"sections\": {}}");
        return RunFiguresReader.read(directory).plans();
    }
}
