package siemload.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class YamlNodeTest {
    private static final int NEARLY_THE_LIMIT = 900_000;
    /** Below one on an idle machine; what grew with the square of the length took half a minute and more. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private static final Map<String, String> REFUSED = Map.of(
            "a:\n\tb: 1\n",
            "x.yaml:2:1: this is not YAML: a tab character (indent with spaces)",
            "",
            "x.yaml:1:1: found nothing (allowed: a mapping at the top, key: value)",
            "# only a comment\n",
            "x.yaml:1:1: found nothing",
            "---\n",
            "x.yaml:2:1: found nothing",
            "- 1\n- 2\n",
            "x.yaml:1:1: found a list (allowed: a mapping at the top, key: value)",
            "b: &one 1\na: *one\n",
            "x.yaml:1:4: anchors (&name) and aliases (*name) are not supported",
            "&one a: 1\n",
            "x.yaml:1:1: this is not a key (write a text without an anchor, then a colon)",
            "a: 1\n---\nc: 1\n",
            "x.yaml:3:1: a second document begins here (allowed: one document)",
            "a: " + "[".repeat(300),
            "x.yaml:1:203: is nested too deeply (allowed: 200 levels)");

    @TempDir
    Path directory;

    @Test
    void whatIsNotOneMappingIsToldWithItsPlace() {
        REFUSED.forEach((yaml, message) -> assertThat(problemsOf(yaml, top -> {
                    top.optional("b");
                    return top.optional("a");
                }))
                .startsWith(message));
    }

    @Test
    void whatStandsUnderAnotherKeyOfTheLineIsNotShown() {
        for (String yaml : List.of("{a: x, other: s3cret}", "{token: s3cret, a: x}", "{password: s3cret, a: x}")) {
            assertThat(problemsOf(yaml, top -> top.required("a").as(ValueType.ratio())))
                    .contains("'x' is not a ratio")
                    .doesNotContain("s3cret");
        }
    }

    @Test
    void aFileIsInUtf8AndMayHaveAByteOrderMark() throws IOException {
        Path file = Files.write(directory.resolve("x.yaml"), "a: 1\nb: éé\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(file))
                .withMessage(file + ":2:4: this is not UTF-8 text");

        Files.writeString(file, "\uFEFFa: 1\n", StandardCharsets.UTF_8);
        assertThat(read(file)).isEqualTo("1");
    }

    private static String read(Path file) {
        return YamlNode.read(
                file, file.toString(), new Problems(), top -> top.required("a").text());
    }

    private static String problemsOf(String yaml, Function<YamlNode, ?> reader) {
        ConfigException thrown = catchThrowableOfType(
                ConfigException.class, () -> YamlNode.parse("x.yaml", yaml, new Problems(), reader));
        assertThat(thrown).as("the problems of " + yaml).isNotNull();
        return thrown.getMessage();
    }

    private enum Shape {
        ONE_SCALAR("a: " + "x".repeat(NEARLY_THE_LIMIT)),
        DEEP_LISTS("a: " + "[".repeat(NEARLY_THE_LIMIT / 2) + "]".repeat(NEARLY_THE_LIMIT / 2)),
        DEEP_MAPPINGS_OF_LONG_KEYS("a: " + nested(880)),
        UNKNOWN_KEYS_IN_ONE_LINE("{" + keys() + "}"),
        A_KEY_AGAIN_AND_AGAIN("a: x\n".repeat(NEARLY_THE_LIMIT / 10)),
        BAD_ELEMENTS("a: [" + "a longer word, ".repeat(NEARLY_THE_LIMIT / 15) + "x]");

        private final String yaml;

        Shape(String yaml) {
            this.yaml = yaml;
        }
    }

    @ParameterizedTest
    @EnumSource
    void almostAMegabyteOfAnythingIsRefusedInSecondsAndAFewLines(Shape shape) {
        long before = processorNanos();

        ConfigException thrown = catchThrowableOfType(
                ConfigException.class,
                () -> YamlNode.parse("x.yaml", shape.yaml, new Problems(), YamlNodeTest::numbers));

        assertThat(Duration.ofNanos(processorNanos() - before)).isLessThan(LONGEST);
        assertThat(thrown.getMessage().lines()).hasSizeLessThanOrEqualTo(3 * Problems.MOST_SHOWN + 1);
        assertThat(thrown.getMessage()).hasSizeLessThan(20_000);
    }

    @Test
    void theFirstFiftyProblemsAreShownAndTheOthersCounted() {
        String yaml = IntStream.rangeClosed(1, 60_000)
                .mapToObj(i -> "key" + i + ": 1\n")
                .collect(Collectors.joining());

        ConfigException thrown = catchThrowableOfType(
                ConfigException.class,
                () -> YamlNode.parse("x.yaml", yaml, new Problems(), top -> {
                    top.required("key60000").as(ValueType.wholeNumber(5, 6));
                    return top.optional("known");
                }));

        assertThat(thrown.problems()).hasSize(50);
        assertThat(thrown.getMessage())
                .startsWith("x.yaml:1:1: key1: unknown key")
                .contains("x.yaml:50:1: key50: unknown key")
                .doesNotContain("x.yaml:51:1")
                .endsWith("\nand 59,950 more");
    }

    @Test
    void aFileAboveAMegabyteIsRefusedBeforeItIsRead() throws IOException {
        Path file = directory.resolve("large.yaml");
        Files.writeString(file, "a: " + "x".repeat(YamlNode.MOST_BYTES - 2));

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(file))
                .withMessage(file + ": has 1,000,001 bytes (allowed: at most 1,000,000)");
    }

    private static int numbers(YamlNode top) {
        YamlNode a = top.required("a");
        return a.isList()
                ? a.elements().stream()
                        .mapToInt(one -> one.as(ValueType.wholeNumber(0, 9)))
                        .sum()
                : a.as(ValueType.wholeNumber(0, 9));
    }

    private static String keys() {
        return IntStream.range(0, NEARLY_THE_LIMIT / 15)
                .mapToObj(i -> "key" + i + ": 1")
                .collect(Collectors.joining(", "));
    }

    private static String nested(int depth) {
        return ("{" + "k".repeat(900) + ": ").repeat(depth) + "1" + "}".repeat(depth);
    }

    private static long processorNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
