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
                "{\"count\": 1 | unexpected end-of-input: expected close marker for Object",
                "{\"count\": \"a | unexpected end-of-input: was expecting closing quote for a string value",
                "{count: 1} | unexpected character 'c': was expecting double-quote to start field name",
                "{\"count\": 1] | unexpected close marker ']': expected '}'",
                "{\"count\": NaN} | non-standard token 'NaN'",
                "{\u0001} | illegal character of the code 1: only regular white space (\\r, \\n, \\t) is allowed between tokens",
                "{\"count\": 1, \"count\": 2} | duplicate field 'count'",
                "{\"count\": 1} {} | trailing token",
                "{\"count\": 99999999999} | numeric value (99999999999) out of range of int (-2147483648 - 2147483647)",
                "{\"count\": \"many\"} | cannot deserialize value of type int from String \"many\"",
                "{\"names\": {}} | is not of the expected form",
            })
    void aFaultHasWordsWithoutTheParsersOwn(String json, String words) {
        JsonProcessingException fault =
                catchThrowableOfType(JsonProcessingException.class, () -> JSON.readValue(json, Kept.class));

        assertThat(JsonFault.words(fault)).isEqualTo(words);
    }
}
