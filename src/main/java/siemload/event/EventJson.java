package siemload.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads the JSON of events. Numbers keep all their digits; repeated keys and text after the object are refused. Thread-safe. */
public final class EventJson {
    /** Reads JSON as in RFC 8259, for a part of an event, which may be nested one level less deeply than an event. */
    public static final EventJson STRICT = new EventJson(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(StreamReadConstraints.DEFAULT_MAX_DEPTH - 1)
                    .build())
            .build());
    /** Reads JSON as detectors of IDEA events write it: texts may contain control characters. */
    static final EventJson OF_DETECTORS = new EventJson(JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .build());

    /** The first byte of surrogate halves, which the parser wrongly accepts; code points beyond Unicode begin with a higher byte. */
    private static final int FIRST_DOUBTFUL = 0xED;

    private final JsonFactory factory;
    private final ObjectReader reader;

    private EventJson(JsonFactory factory) {
        this.factory = factory;
        this.reader = JsonMapper.builder(factory)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .nodeFactory(new WrittenNumbers())
                .build()
                .readerFor(JsonNode.class);
    }

    /** Reads the value that begins at the parser's position, and leaves the parser at the end of the value. */
    interface Body<T> {
        T read(JsonParser parser) throws IOException;
    }

    /** Reads the object in a part of UTF-8 bytes; throws {@link EventFormatException} if there is none. */
    public ObjectNode object(byte[] bytes, int offset, int length) {
        return read(bytes, offset, length, parser -> (ObjectNode) value(parser));
    }

    /** Makes a value from the object in a part of UTF-8 bytes; throws {@link EventFormatException} if there is none. */
    <T> T read(byte[] bytes, int offset, int length, Body<T> body) {
        try {
            requireUtf8(bytes, offset, length);
            try (JsonParser parser = factory.createParser(bytes, offset, length)) {
                if (parser.nextToken() != JsonToken.START_OBJECT) {
                    throw new EventFormatException("not a JSON object");
                }
                T made = body.read(parser);
                if (parser.nextToken() != null) {
                    throw broken(parser.currentTokenLocation(), "text follows the object");
                }
                return made;
            }
        } catch (JsonProcessingException notJson) {
            throw broken(notJson.getLocation(), JsonFault.words(notJson));
        } catch (NumberFormatException tooLarge) {
            throw new EventFormatException("a number has too large an exponent");
        } catch (IOException notUtf8) {
            throw new EventFormatException("not valid UTF-8: " + notUtf8.getMessage());
        }
    }

    /** Reads the value at the parser's position, and leaves the parser at the end of the value. */
    JsonNode value(JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.VALUE_STRING) {
            return TextNode.valueOf(parser.getText());
        }
        return token == JsonToken.VALUE_NUMBER_INT && parser.getNumberType() == JsonParser.NumberType.INT
                ? IntNode.valueOf(parser.getIntValue())
                : reader.readTree(parser);
    }

    static EventFormatException broken(JsonLocation at, String how) {
        String column = at == null ? "" : " at column " + at.getColumnNr();
        return new EventFormatException("not valid JSON" + column + ": " + how);
    }

    /** Throws for invalid UTF-8 that the parser may accept. Only texts with a byte that is rare in texts are decoded. */
    private static void requireUtf8(byte[] bytes, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            if (bytes[i] < 0 && (bytes[i] & 0xFF) >= FIRST_DOUBTFUL) {
                var unused = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, offset, length));
                return;
            }
        }
    }

    /**
     * Makes the node that a number becomes when it is written and read again: {@code 40e0} is written as {@code 40}, an integer. Stateless.
     */
    private static final class WrittenNumbers extends JsonNodeFactory {
        private static final long serialVersionUID = 1;

        @Override
        public ValueNode numberNode(BigDecimal number) {
            if (number == null || number.scale() != 0) {
                return super.numberNode(number);
            }
            BigInteger whole = number.unscaledValue();
            if (whole.bitLength() < Integer.SIZE) {
                return numberNode(whole.intValue());
            }
            return whole.bitLength() < Long.SIZE ? numberNode(whole.longValue()) : numberNode(whole);
        }
    }
}
