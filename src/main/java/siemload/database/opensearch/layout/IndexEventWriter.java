package siemload.database.opensearch.layout;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import siemload.database.layout.document.DocumentWriter;
import siemload.event.AddressRange;

/**
 * Writes documents as JSON, in which addresses, times and the JSON of an event are texts. Used by one thread. What the generator
 * cannot write is thrown as an {@link UncheckedIOException}.
 *
 * @param json one that writes bytes in UTF-8
 */
record IndexEventWriter(JsonGenerator json) implements DocumentWriter {

    @Override
    public void startObject() {
        writing(json::writeStartObject);
    }

    @Override
    public void name(String key) {
        writing(() -> json.writeFieldName(key));
    }

    @Override
    public void endObject() {
        writing(json::writeEndObject);
    }

    @Override
    public void startList() {
        writing(json::writeStartArray);
    }

    @Override
    public void endList() {
        writing(json::writeEndArray);
    }

    @Override
    public void text(String text) {
        writing(() -> json.writeString(text));
    }

    @Override
    public void number(long number) {
        writing(() -> json.writeNumber(number));
    }

    @Override
    public void smallNumber(int number) {
        writing(() -> json.writeNumber(number));
    }

    @Override
    public void flag(boolean flag) {
        writing(() -> json.writeBoolean(flag));
    }

    @Override
    public void time(Instant time) {
        text(time.toString());
    }

    @Override
    public void firstAddress(AddressRange range) {
        text(range.first().toString());
    }

    @Override
    public void lastAddress(AddressRange range) {
        text(range.last().toString());
    }

    @Override
    public void json(byte[] utf8) {
        writing(() -> json.writeUTF8String(utf8, 0, utf8.length));
    }

    @Override
    public void constant(@Nullable Object constant) {
        if (constant instanceof String text) {
            text(text);
        } else if (constant instanceof Boolean flag) {
            flag(flag);
        } else if (constant instanceof Integer || constant instanceof Long) {
            number(((Number) constant).longValue());
        } else if (constant instanceof BigInteger number) {
            writing(() -> json.writeNumber(number));
        } else if (constant instanceof BigDecimal number) {
            writing(() -> json.writeNumber(number));
        } else if (constant == null) {
            writing(json::writeNull);
        } else {
            throw new IllegalArgumentException("no constant of JSON: " + constant.getClass());
        }
    }

    /** A step of writing. */
    private interface Step {
        void run() throws IOException;
    }

    private static void writing(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
