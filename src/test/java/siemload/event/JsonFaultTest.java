package siemload.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Broken JSON is told in words of JSON. */
class JsonFaultTest {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** A record of a file. */
    record Kept(int count, List<String> names) {}

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"count\": 1 | ends within an object, which is not closed",
                "{\"names\": [\"a\", | ends within an array",
                "{\"count\": \"a | ends within a string",
                "{\"coun | ends within a name",
                "`` | ends early",
                "{count: 1} | unexpected character 'c': was expecting double-quote to start field name",
                "{\"count\": 1] | ']' stands where '}' was expected",
                "{\"count\": yes} | 'yes' is no value (needed: a string in quotes, a number, an object, an array, true, false or null)",
                "{\"count\": NaN} | 'NaN' is no value",
                "{\"count\": 01} | invalid numeric value: Leading zeroes not allowed",
                "{\"count\": 1, \"count\": 2} | the name 'count' stands twice",
                "{\"count\": 1} {} | something stands behind the end of the value",
                "{\"count\": 99999999999} | the number 99999999999 is too large",
                "{\"count\": \"many\"} | 'many' is a text of the wrong kind",
                "{\"names\": {}} | holds an object where something else was expected",
                "[1] | holds an array where something else was expected",
            })
    void aFaultHasWordsWithoutTheParsersOwn(String json, String words) {
        JsonProcessingException fault =
                catchThrowableOfType(JsonProcessingException.class, () -> JSON.readValue(json, Kept.class));

        assertThat(JsonFault.words(fault)).isEqualTo(words);
    }
}
