package siemload.query;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A parameter is a string of a command as a whole, and nothing else. */
class CommandTextTest {

    @Test
    void eachPlaceOfAParameterIsFoundAndTheRestStaysAsItIs() {
        String written = "{\"find\": \"t\", \"filter\": {\"a\": {\"$gte\": \":a\", \"$in\": [\":b_2\", \":a\"]}}}";
        StatementText text = text(written);

        assertThat(text.language()).isEqualTo(StatementText.Language.COMMAND);
        assertThat(text.places()).containsExactly("a", "b_2", "a");
        assertThat(text.parameters()).containsExactly("a", "b_2");
        assertThat(text.written()).isEqualTo(written);
        assertThat(text.written(code -> code, name -> "<" + name + ">"))
                .isEqualTo(
                        "{\"find\": \"t\", \"filter\": {\"a\": {\"$gte\": \"<a>\", \"$in\": [\"<b_2>\", \"<a>\"]}}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"^:no", ":no ", "12:30", "::no", ":", ":1", "::", ":no:no"})
    void whatIsLongerOrNoNameIsAText(String string) {
        assertThat(text("{\"find\": \"" + string + "\"}").places()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"plain, plain", "':a', '::a'", "'::a', ':::a'", "': a', ': a'", "'::', '::'"})
    void aTextThatLooksLikeAParameterIsSaidWithOneMoreColon(String meant, String said) {
        assertThat(CommandText.said(meant)).isEqualTo(said);
        assertThat(CommandText.meant(said)).isEqualTo(meant);
        assertThat(CommandText.parameter(said)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"find": "t"          | 12 | is no JSON:
            {"find": "t"} x       | 14 | is no JSON:
            {"find": "t"} {"a":1} | 14 | another command follows
            {"find": 1, "find": 2}| 18 | is no JSON: the name 'find' stands twice
            {"a": 1, ":name": 2}  | 10 | the name of a field cannot be a parameter
            {"a": "\\u003aname"}  | 7  | a parameter is written without escapes
            ["find"]              | 0  | holds no command
            {}                    | 0  | holds no command
            "find"                | 0  | holds no command
            """)
    void whatIsNoCommandIsToldWithItsPlace(String written, int offset, String message) {
        StatementText.Flaw flaw = CommandText.scan(written).flaw().orElseThrow();

        assertThat(flaw.message()).startsWith(message);
        assertThat(flaw.offset()).isBetween(Math.max(0, offset - 2), offset + 4);
    }

    @Test
    void deeperDocumentsThanDatabasesTakeAreNoCommands() {
        assertThat(CommandText.scan("{\"a\":".repeat(200) + "1" + "}".repeat(200))
                        .flaw())
                .isPresent();
    }

    private static StatementText text(String written) {
        StatementText.Scanned scanned = StatementText.scan(StatementText.Language.COMMAND, written);
        assertThat(scanned.flaw()).isEmpty();
        return scanned.statement();
    }
}
