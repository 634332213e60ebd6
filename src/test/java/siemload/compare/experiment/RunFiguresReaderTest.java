package siemload.compare.experiment;

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

    private static final String HEAD = "#[Histogram log format version 1.3]\n";

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

    /** A disk that was full for a while leaves such logs behind. */
    @Test
    void aRunWhoseLogLacksAnswersDoesNotCount() throws IOException {
        run("{\"name\": \"HAWAT1\", \"page\": \"first\", \"order\": \"newestFirst\", \"count\": 3, \"ok\": 3}", "");
        Path log = directory.resolve("response-time.hlog");
        Files.writeString(log, HEAD);
        assertThat(RunFiguresReader.read(directory).invalid())
                .contains("response-time.hlog holds 0 of 3 answered searches");

        Files.writeString(log, HEAD + "Tag=HAWAT1-first-newestFirst,0.0,1.0,nonsense\n");
        assertThat(RunFiguresReader.read(directory).invalid())
                .anyMatch(
                        reason -> reason.startsWith("response-time.hlog cannot be read") && reason.contains(".hlog:2"));

        Files.delete(log);
        assertThat(RunFiguresReader.read(directory).invalid())
                .anyMatch(reason -> reason.startsWith("response-time.hlog cannot be read"));
    }

    private Map<String, String> plans(String plans) throws IOException {
        run("", plans);
        return RunFiguresReader.read(directory).plans();
    }

    private void run(String searches, String plans) throws IOException {
        Files.writeString(directory.resolve("run.json"), """
                {"formatVersion": 1, "runId": "r", "scenario": "s", "startedAt": "2026-11-21T10:15:00Z",
                 "target": {"id": "postgresql"}, "dataset": {}, "searches": [%s], "plans": [%s],
                 "validity": {"valid": true, "warnings": []}}""".formatted(searches, plans));
        Files.writeString(directory.resolve("environment.json"), "{\"formatVersion\": 1, \"sections\": {}}");
    }
}
