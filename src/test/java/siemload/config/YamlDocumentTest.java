package siemload.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.InEveryLocale;

class YamlDocumentTest {

    @TempDir
    Path directory;

    private enum Colour {
        RED,
        LIGHT_BLUE
    }

    private record Everything(
            String text,
            int whole,
            long large,
            double number,
            double ratio,
            Duration pause,
            Instant at,
            Colour colour) {}

    @Test
    void everyTypeIsRead() {
        String yaml = """
                text: 'žluť: #1'   # a comment
                whole: 7
                large: 8_043_378
                number: 1e3
                ratio: .5
                pause: 1h30m
                at: 2016-06-06T12:00:00+02:00
                colour: lightBlue
                """;

        Everything read = parse(
                yaml,
                top -> new Everything(
                        top.required("text").text(),
                        top.required("whole").wholeNumber(0, 10),
                        top.required("large").wholeNumber(0L, Long.MAX_VALUE),
                        top.required("number").number(0, Double.MAX_VALUE),
                        top.required("ratio").ratio(),
                        top.required("pause").duration(Duration.ZERO, Duration.ofDays(1)),
                        top.required("at").instant(),
                        top.required("colour").choice(Choices.camelCase(Colour.class))));

        assertThat(read)
                .isEqualTo(new Everything(
                        "žluť: #1",
                        7,
                        8_043_378,
                        1000,
                        0.5,
                        Duration.ofMinutes(90),
                        Instant.parse("2016-06-06T10:00:00Z"),
                        Colour.LIGHT_BLUE));
    }

    @Test
    void listsAndFreeKeysKeepTheirOrder() {
        String yaml = "numbers: [3, 1, 2]\nweights: {z: 1, a: 2}\n";

        List<Integer> numbers = parse(yaml, top -> {
            top.optional("weights");
            return top.required("numbers").elements().stream()
                    .map(element -> element.wholeNumber(0, 9))
                    .toList();
        });
        List<String> keys = parse(yaml, top -> {
            top.optional("numbers");
            return List.copyOf(top.required("weights").entries().keySet());
        });

        assertThat(numbers).containsExactly(3, 1, 2);
        assertThat(keys).containsExactly("z", "a");
    }

    @Test
    void unknownKeyIsReportedWithItsPlaceAndTheNearestName() {
        assertThat(problemsOf("feeder: {}\nanalystz: 1\n", top -> {
                    top.optional("analysts");
                    return top.required("feeder");
                }))
                .isEqualTo("""
                        x.yaml:2:1: analystz: unknown key (did you mean analysts? known keys here: analysts, feeder)
                          2 | analystz
                            | ^""");
    }

    @Test
    void whatStandsUnderAnUnknownKeyIsNotShown() {
        assertThat(problemsOf("{a: 1, token: s3cret}", top -> top.required("a")))
                .doesNotContain("s3cret");
        assertThat(problemsOf(
                        "{a: x, password: s3cret}", top -> top.required("a").ratio()))
                .doesNotContain("s3cret");
    }

    @Test
    void allProblemsAreToldAtOnceInTheOrderOfTheFile() {
        String yaml = "b: 5k\na: 11\nd: 1\n";

        assertThat(problemsOf(
                        yaml,
                        top -> top.required("a").wholeNumber(1, 10)
                                + top.required("b").wholeNumber(1, 10)
                                + top.required("c").wholeNumber(1, 10)))
                .isEqualTo("""
                        x.yaml:1:1: c: is missing
                          1 | b: 5k
                            | ^
                        x.yaml:1:4: b: '5k' is not a whole number (allowed: 1 to 10)
                          1 | b: 5k
                            |    ^
                        x.yaml:2:4: a: 11 is too large (allowed: 1 to 10)
                          2 | a: 11
                            |    ^
                        x.yaml:3:1: d: unknown key (did you mean a? known keys here: a, b, c)
                          3 | d
                            | ^""");
    }

    @Test
    void elementsAreCalledByTheirNames() {
        String yaml = """
                groups:
                  - name: tier-1
                    users: many
                  - users: few
                """;

        assertThat(problemsOf(yaml, top -> {
                    top.required("groups").elements().forEach(group -> {
                        group.optional("name");
                        group.required("users").wholeNumber(1, 9);
                    });
                    return top;
                }))
                .contains("x.yaml:3:12: groups[tier-1].users: 'many' is not")
                .contains("x.yaml:4:12: groups[1].users: 'few' is not");
    }

    @Test
    void aKeyThatMustBeAmongChoicesIsReportedWithTheNearest() {
        assertThat(problemsOf(
                        "mix: {lightBleu: 1}",
                        top -> top.required("mix")
                                .entries(Choices.camelCase(Colour.class))
                                .size()))
                .startsWith("x.yaml:1:7: mix.lightBleu: unknown key"
                        + " (did you mean lightBlue? allowed: red, lightBlue)\n");
    }

    @Test
    void aValueOfTheWrongShapeIsToldOnce() {
        assertThat(problemsOf("a: 5\nb:\n", top -> {
                    top.required("a").required("x").text();
                    top.required("a").required("y").text();
                    return top.required("b").elements();
                }))
                .isEqualTo("""
                        x.yaml:1:4: a: found '5' (allowed: a mapping (key: value))
                          1 | a: 5
                            |    ^
                        x.yaml:2:3: b: found nothing (allowed: a list)
                          2 | b:
                            |   ^""");
    }

    @Test
    void aKeyThatOccursTwiceIsAProblem() {
        assertThat(problemsOf("a: 1\nb: 2\na: 3\n", top -> {
                    top.optional("a");
                    return top.optional("b");
                }))
                .startsWith("x.yaml:3:1: a: this key occurs twice (first in line 1)\n");
    }

    @Test
    void aTabIsExplained() {
        assertThat(problemsOf("a:\n\tb: 1\n", Function.identity()))
                .startsWith("x.yaml:2:1: this is not YAML: a tab character (indent with spaces)");
    }

    @Test
    void badSyntaxIsOneMessageWithItsPlace() {
        assertThat(problemsOf("a: 1\nb: [1, 2\nc: 3\n", Function.identity()))
                .startsWith("x.yaml:3:2: this is not YAML: expected ',' or ']', but got ");
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
    void aMissingFileIsReportedByName() {
        Path file = directory.resolve("none.yaml");

        assertRefused(file, ": there is no such file");
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

        int a = YamlDocument.read(file, top -> top.required("a").wholeNumber(0, 1));

        assertThat(a).isEqualTo(1);
    }

    @InEveryLocale
    void numbersAndMessagesDoNotDependOnTheLocale() {
        assertThat(problemsOf(
                        "a: 0.5\nb: 1,5\nc: ٣\n",
                        top -> Map.of(
                                "a", top.required("a").number(0, 0.25),
                                "b", top.required("b").number(0, 1),
                                "c", top.required("c").wholeNumber(0, 9))))
                .contains("x.yaml:1:4: a: 0.5 is too large (allowed: 0 to 0.25)")
                .contains("x.yaml:2:4: b: '1,5' is not a number (allowed: 0 to 1)")
                .contains("x.yaml:3:4: c: '٣' is not a whole number (allowed: 0 to 9)");
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
