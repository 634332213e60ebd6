package siemload.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads the JSON of events: numbers with all their digits, each key once, and nothing after it. Thread-safe. */
public final class EventJson {
    /** As in RFC 8259; for a part of an event, which may be one level less deep than an event. */
    public static final EventJson STRICT = new EventJson(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(StreamReadConstraints.DEFAULT_MAX_DEPTH - 1)
                    .build())
            .build());
    /** As detectors of IDEA events write it: texts may contain control characters. */
    public static final EventJson OF_DETECTORS = new EventJson(JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .build());

    private static final JsonFactory TOKENS = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** The first byte of surrogate halves, which the parser accepts; code points beyond Unicode begin with a higher one. */
    private static final int FIRST_DOUBTFUL = 0xED;

    private final ObjectReader reader;

    private EventJson(JsonFactory factory) {
        this.reader = JsonMapper.builder(factory)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .nodeFactory(new WrittenNumbers())
                .build()
                .readerFor(JsonNode.class);
    }

    /** A parser for JSON as detectors of IDEA events write it, which refuses repeated names; the caller closes it. */
    static JsonParser tokens(byte[] bytes, int offset, int length) throws IOException {
        return TOKENS.createParser(bytes, offset, length);
    }

    /** The object in a part of UTF-8 bytes; throws {@link EventFormatException} if there is none. */
    public ObjectNode object(byte[] bytes, int offset, int length) {
        try {
            requireUtf8(bytes, offset, length);
            if (reader.readTree(bytes, offset, length) instanceof ObjectNode object) {
                return object;
            }
            throw new EventFormatException("not a JSON object");
        } catch (JsonProcessingException notJson) {
            JsonLocation at = notJson.getLocation();
            String column = at == null ? "" : " at column " + at.getColumnNr();
            throw new EventFormatException("not valid JSON" + column + ": " + JsonFault.words(notJson));
        } catch (NumberFormatException tooLarge) {
            throw new EventFormatException("a number in it has too large an exponent");
        } catch (IOException notUtf8) {
            throw new EventFormatException("not valid UTF-8: " + notUtf8.getMessage());
        }
    }

    /** Whether the parser may accept invalid UTF-8: there are bytes that few texts have. */
    static boolean isDoubtful(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (bytes[i] < 0 && (bytes[i] & 0xFF) >= FIRST_DOUBTFUL) {
                return true;
            }
        }
        return false;
    }

    /** Throws if doubtful bytes are not valid UTF-8. */
    private static void requireUtf8(byte[] bytes, int offset, int length) throws CharacterCodingException {
        if (isDoubtful(bytes, offset, length)) {
            var unused = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, offset, length));
        }
    }

    /**
     * Makes the node of a number that is parsed again from its written form: {@code 40e0} is written as {@code 40}, an integer. Stateless.
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
