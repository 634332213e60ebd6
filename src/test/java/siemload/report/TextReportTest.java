package siemload.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.measure.RunResult;
import siemload.measure.RunResultFile;

class TextReportTest {
    private static final Path RESULT = Path.of("src/test/resources/golden/run.json");
    private static final Path GOLDEN = Path.of("src/test/resources/golden/report.txt");

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
}
