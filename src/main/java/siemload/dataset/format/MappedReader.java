package siemload.dataset.format;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import siemload.event.EventFormatException;
import siemload.event.EventJson;
import siemload.event.EventReader;
import siemload.event.SecurityEvent;

/** Reads events of another format by a mapping. Thread-safe. */
record MappedReader(EventFormat format, FormatMapping mapping, EventTimes times, String identity)
        implements EventReader {
    @Override
    public SecurityEvent read(byte[] bytes, int offset, int length, long position) {
        ObjectNode fields = format == EventFormat.CEF
                ? CefLine.fields(text(bytes, offset, length))
                : EventJson.STRICT.object(bytes, offset, length);
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
}
