package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.results.RunResult;
import siemload.results.RunResultFile;

class GoldenReportsTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden");

    private final Locale locale = Locale.getDefault();

    @AfterEach
    void restoreLocale() {
        Locale.setDefault(locale);
    }

    @ParameterizedTest
    @ValueSource(strings = {"en-US", "de-DE", "ar-EG"})
    void theMarkdownIsTheSameInEveryLocale(String tag) throws Exception {
        Locale.setDefault(Locale.forLanguageTag(tag));
        assertGolden("summary.md", MarkdownSummary.of(result()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"en-US", "de-DE", "ar-EG"})
    void theJunitXmlIsTheSameInEveryLocale(String tag) throws Exception {
        Locale.setDefault(Locale.forLanguageTag(tag));
        assertGolden("junit.xml", JunitReport.of(result()));
    }

    private static RunResult result() throws Exception {
        return RunResultFile.read(GOLDEN.resolve("run.json"));
    }

    private static void assertGolden(String name, String text) throws Exception {
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(GOLDEN.resolve(name), text);
        }
        assertThat(text).isEqualTo(Files.readString(GOLDEN.resolve(name)));
    }
}
