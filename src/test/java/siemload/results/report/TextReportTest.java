package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.results.RunResult;
import siemload.results.RunResultFile;

class TextReportTest {
    private static final Path RESULT = Path.of("src/test/resources/golden/run.json");
    private static final Path GOLDEN = Path.of("src/test/resources/golden/report.txt");

    @TempDir
    private Path directory;

    private final Locale locale = Locale.getDefault();

    @AfterEach
    void restoreLocale() {
        Locale.setDefault(locale);
    }

    @ParameterizedTest
    @ValueSource(strings = {"en-US", "de-DE", "ar-EG"})
    void theTextIsTheSameInEveryLocale(String tag) throws Exception {
        Locale.setDefault(Locale.forLanguageTag(tag));
        RunResult result = RunResultFile.read(RESULT);
        String text = TextReport.of(result);

        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(GOLDEN, text);
        }
        assertThat(text).isEqualTo(Files.readString(GOLDEN));
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
