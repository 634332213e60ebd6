package siemload.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class YamlDocumentTest {

    @TempDir
    Path directory;

    @Test
    void whatStandsUnderAnUnknownKeyIsNotShown() {
        assertThat(problemsOf("{a: 1, token: s3cret}", top -> top.required("a")))
                .doesNotContain("s3cret");
        assertThat(problemsOf(
                        "{a: x, password: s3cret}", top -> top.required("a").as(ValueType.ratio())))
                .doesNotContain("s3cret");
    }

    @Test
    void aTabIsExplained() {
        assertThat(problemsOf("a:\n\tb: 1\n", Function.identity()))
                .startsWith("x.yaml:2:1: this is not YAML: a tab character (indent with spaces)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# only a comment\n", "---\n", "{}"})
    void anEmptyFileIsReported(String yaml) {
        assertThat(problemsOf(yaml, Function.identity()))
                .startsWith("x.yaml:1:1: ")
                .contains("empty");
    }

    @Test
    void aFileWithoutAMappingIsReported() {
        assertThat(problemsOf("- 1\n- 2\n", Function.identity()))
                .startsWith("x.yaml:1:1: found a list (needed at the top: a mapping, key: value)");
    }

    @Test
    void aliasesAndSecondDocumentsAreRefused() {
        assertThat(problemsOf("a: &one 1\nb: *one\n---\nc: 1\n", top -> {
                    top.optional("a");
                    return top.required("b").text();
                }))
                .contains("x.yaml:2:4: aliases (*name) are not supported (write the value out)")
                .contains("a second document begins here (allowed: one a file)")
                .doesNotContain("found nothing");
    }

    @Test
    void aFileThatIsNotUtf8IsReportedWithItsPlace() throws IOException {
        Path file = directory.resolve("latin1.yaml");
        Files.write(file, "a: 1\nb: éé\n".getBytes(StandardCharsets.ISO_8859_1));

        assertRefused(file, ":2:4: this is not UTF-8 text");
    }

    @Test
    void aByteOrderMarkIsSkipped() throws IOException {
        Path file = directory.resolve("bom.yaml");
        Files.writeString(file, "\uFEFFa: 1\n", StandardCharsets.UTF_8);

        int a = YamlDocument.read(file, top -> top.required("a").as(ValueType.wholeNumber(0, 1)));

        assertThat(a).isEqualTo(1);
    }

    private static void assertRefused(Path file, String placeAndReason) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> YamlDocument.read(file, Function.identity()))
                .withMessage(file + placeAndReason);
    }

    private static <T> T parse(String yaml, Function<YamlNode, T> reader) {
        return YamlDocument.parse("x.yaml", yaml, new Problems(), reader);
    }

    private static String problemsOf(String yaml, Function<YamlNode, ?> reader) {
        ConfigException thrown = catchThrowableOfType(ConfigException.class, () -> parse(yaml, reader));
        assertThat(thrown).as("the problems of " + yaml).isNotNull();
        return thrown.getMessage();
    }
}
