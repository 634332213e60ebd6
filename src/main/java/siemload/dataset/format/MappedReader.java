package siemload.dataset.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import siemload.event.EventFormatException;
import siemload.event.EventReader;
import siemload.event.SecurityEvent;

/** Reads events of another format by a mapping. Thread-safe. */
final class MappedReader implements EventReader {
    private static final ObjectReader JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build()
            .readerFor(JsonNode.class);

    private final EventFormat format;
    private final FormatMapping mapping;
    private final EventTimes times;
    private final String identity;

    MappedReader(EventFormat format, FormatMapping mapping, EventTimes times, String identity) {
        this.identity = identity;
        this.format = format;
        this.mapping = mapping;
        this.times = times;
    }

    @Override
    public String identity() {
        return identity;
    }

    @Override
    public SecurityEvent read(byte[] bytes, int offset, int length, long position) {
        ObjectNode fields =
                format == EventFormat.CEF ? CefLine.fields(text(bytes, offset, length)) : json(bytes, offset, length);
        return new MappedEvent(format, mapping, times, fields).event(LineId.of(bytes, offset, length, position));
    }

    private static String text(byte[] bytes, int offset, int length) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, offset, length))
                    .toString();
            return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
        } catch (CharacterCodingException notUtf8) {
            throw new EventFormatException("not valid UTF-8");
        }
    }

    private static ObjectNode json(byte[] bytes, int offset, int length) {
        try {
            if (JSON.readTree(bytes, offset, length) instanceof ObjectNode object) {
                return object;
            }
            throw new EventFormatException("not a JSON object");
        } catch (JsonProcessingException notJson) {
            throw new EventFormatException("not valid JSON: " + notJson.getOriginalMessage());
        } catch (NumberFormatException tooLarge) {
            throw new EventFormatException("a number in it has too large an exponent");
        } catch (IOException notUtf8) {
            throw new EventFormatException("not valid UTF-8: " + notUtf8.getMessage());
        }
    }
}
