package siemload.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YamlDocumentTest {
    private static final Map<String, String> REFUSED = Map.of(
            "a:\n\tb: 1\n", "x.yaml:2:1: this is not YAML: a tab character (indent with spaces)",
            "", "x.yaml:1:1: the file is empty (needed: a mapping, key: value)",
            "# only a comment\n", "x.yaml:1:1: the file is empty",
            "---\n", "x.yaml:1:1: the file is empty",
            "{}", "x.yaml:1:1: the file is empty",
            "- 1\n- 2\n", "x.yaml:1:1: found a list (needed at the top: a mapping, key: value)",
            "b: &one 1\na: *one\n", "x.yaml:2:4: aliases (*name) are not supported (write the value out)",
            "a: 1\n---\nc: 1\n", "x.yaml:3:1: a second document begins here (allowed: one a file)");

    @TempDir
    Path directory;

    @Test
    void whatIsNotOneMappingIsToldWithItsPlace() {
        REFUSED.forEach((yaml, message) -> assertThat(problemsOf(yaml, top -> {
                    top.optional("b");
                    return top.optional("a");
                }))
                .startsWith(message)
                .doesNotContain("found nothing"));
    }

    @Test
    void whatStandsUnderAnUnknownKeyIsNotShown() {
        assertThat(problemsOf("{a: 1, token: s3cret}", top -> top.required("a")))
                .doesNotContain("s3cret");
        assertThat(problemsOf(
                        "{a: x, password: s3cret}", top -> top.required("a").as(ValueType.ratio())))
                .doesNotContain("s3cret");
    }

    @Test
    void aFileIsInUtf8AndMayHaveAByteOrderMark() throws IOException {
        Path file = Files.write(directory.resolve("x.yaml"), "a: 1\nb: éé\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> YamlDocument.read(file, Function.identity()))
                .withMessage(file + ":2:4: this is not UTF-8 text");

        Files.writeString(file, "\uFEFFa: 1\n", StandardCharsets.UTF_8);
        assertThat(YamlDocument.<String>read(file, top -> top.required("a").text()))
                .isEqualTo("1");
    }

    private static String problemsOf(String yaml, Function<YamlNode, ?> reader) {
        ConfigException thrown = catchThrowableOfType(
                ConfigException.class, () -> YamlDocument.parse("x.yaml", yaml, new Problems(), reader));
        assertThat(thrown).as("the problems of " + yaml).isNotNull();
        return thrown.getMessage();
    }
}
