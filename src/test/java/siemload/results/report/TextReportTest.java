package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.GoldenFile;
import siemload.InEveryLocale;
import siemload.results.RunResultFile;

class TextReportTest {
    private static final Path RESULT = Path.of("src/test/resources/golden/run.json");

    @TempDir
    private Path directory;

    @InEveryLocale
    void theTextIsTheSameInEveryLocale() throws Exception {
        GoldenFile.of("report.txt").assertHolds(TextReport.of(RunResultFile.read(RESULT)));
    }

    @ParameterizedTest
    @CsvSource({"embedded, false", "container, false", "external, true"})
    void thatThereIsNoTlsIsSaidOfServersOfOthersAlone(String provision, boolean said) throws Exception {
        String json = Files.readString(RESULT)
                .replace("\"embedded\"", '"' + provision + '"')
                .replace("\"security\" : \"hostName\"", "\"security\" : \"none\"");
        Path file = Files.writeString(directory.resolve("run.json"), json);

        assertThat(TextReport.of(RunResultFile.read(file)).contains("connection:"))
                .isEqualTo(said);
    }
}
