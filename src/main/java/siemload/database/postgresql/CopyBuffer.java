package siemload.database.postgresql;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.postgresql.copy.CopyIn;
import org.postgresql.util.ByteConverter;
import siemload.database.layout.EventField;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * Collects rows in COPY's binary format. A row begins with {@link #beginRow}; each of its values has its length before it and the binary
 * form of its type: the same values as in {@link SqlText}, but nobody has to write digits and read them again. Used by one thread at a
 * time.
 */
final class CopyBuffer {
    private static final byte[] SIGNATURE = "PGCOPY\n\u00FF\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
    private static final int NO_FLAGS = 0;
    private static final int NO_EXTENSION = 0;
    private static final int NO_MORE_ROWS = -1;
    private static final int INT4 = 23;
    private static final int TEXT = 25;
    private static final int EMPTY_RANGE = 1;
    private static final int BOTH_ENDS_INCLUDED = 2 | 4;
    private static final int INET_IP4 = 2;
    private static final int INET_IP6 = 3;

    private final OutputStream stream = new Stream();
    private ByteBuffer rows;

    /** @param size the bytes that it has room for before it must grow */
    CopyBuffer(int size) {
        rows = ByteBuffer.allocate(size);
    }

    /** What stands before all rows. */
    static CopyBuffer beforeRows() {
        CopyBuffer before = new CopyBuffer(SIGNATURE.length + 2 * Integer.BYTES);
        before.raw(SIGNATURE);
        before.int32(NO_FLAGS);
        before.int32(NO_EXTENSION);
        return before;
    }

    /** What stands after them. */
    static CopyBuffer afterRows() {
        CopyBuffer after = new CopyBuffer(Short.BYTES);
        after.int16(NO_MORE_ROWS);
        return after;
    }

    /** Begins a row. */
    void beginRow(int columns) {
        int16(columns);
    }

    /** Begins a value, or a part of one that has its length before it; answers its place, for {@link #endValue}. */
    private int beginValue() {
        int32(0);
        return rows.position();
    }

    /** Ends it. @return its size in bytes */
    private int endValue(int place) {
        int size = rows.position() - place;
        rows.putInt(place - Integer.BYTES, size);
        return size;
    }

    /** Appends what an event has of a field. @throws IllegalArgumentException if it is not a field of an event alone */
    @SuppressWarnings("unchecked") // The kind of a field says what its lists hold.
    void value(EventField field, SecurityEvent event) {
        Object value = field.of(event);
        switch (field.kind()) {
            case TEXT -> text((String) value);
            case TIME -> bigint(SqlText.micros((Instant) value));
            case TEXTS -> texts((List<String>) value);
            case NUMBERS -> numbers((List<Integer>) value);
            case RANGES -> ranges((List<AddressRange>) value);
            case HULL -> hull((List<AddressRange>) value);
            case WHOLE_EVENT, OF_ADDRESS -> throw new IllegalArgumentException("no field of an event alone: " + field);
        }
    }

    private void text(String text) {
        int column = beginValue();
        utf8(text);
        endValue(column);
    }

    private void texts(List<String> texts) {
        int column = beginArray(TEXT, texts.size());
        for (int i = 0; i < texts.size(); i++) {
            text(texts.get(i));
        }
        endValue(column);
    }

    private void numbers(List<Integer> numbers) {
        int column = beginArray(INT4, numbers.size());
        for (int i = 0; i < numbers.size(); i++) {
            int32(Integer.BYTES);
            int32(numbers.get(i));
        }
        endValue(column);
    }

    private void ranges(List<AddressRange> ranges) {
        int column = beginValue();
        int32(ranges.size());
        for (int i = 0; i < ranges.size(); i++) {
            range(ranges.get(i));
        }
        endValue(column);
    }

    private void hull(List<AddressRange> ranges) {
        if (ranges.isEmpty()) {
            int32(1);
            int8(EMPTY_RANGE);
        } else {
            range(AddressRange.hull(ranges));
        }
    }

    private int beginArray(int type, int size) {
        int column = beginValue();
        int32(size == 0 ? 0 : 1); // dimensions
        int32(0); // no element is null
        int32(type);
        if (size > 0) {
            int32(size);
            int32(1); // the first index
        }
        return column;
    }

    private void range(AddressRange range) {
        int place = beginValue();
        int8(BOTH_ENDS_INCLUDED);
        switch (range.family()) {
            case IP4 -> {
                bigint(range.firstLow());
                bigint(range.lastLow());
            }
            case IP6 -> {
                numeric(range.firstBytes());
                numeric(range.lastBytes());
            }
        }
        endValue(place);
    }

    private void bigint(long number) {
        int32(Long.BYTES);
        int64(number);
    }

    /** @param number big-endian and without a sign */
    private void numeric(byte[] number) {
        byte[] sent = ByteConverter.numeric(new BigDecimal(new BigInteger(1, number)));
        int32(sent.length);
        raw(sent);
    }

    /** A network as the type {@code inet} has it. */
    void inet(AddressRange network) {
        int place = beginValue();
        boolean ip4 = network.family() == Family.IP4;
        int8(ip4 ? INET_IP4 : INET_IP6);
        int8(network.sharedBits());
        int8(0); // inet, not cidr
        int8(network.family().bits() / Byte.SIZE);
        if (ip4) {
            int32((int) network.firstLow());
        } else {
            int64(network.firstHigh());
            int64(network.firstLow());
        }
        endValue(place);
    }

    /** The type {@code "char"}. */
    void character(char one) {
        int32(1);
        int8(one);
    }

    private void int8(int number) {
        room(1).put((byte) number);
    }

    private void int16(int number) {
        room(Short.BYTES).putShort((short) number);
    }

    private void int32(int number) {
        room(Integer.BYTES).putInt(number);
    }

    private void int64(long number) {
        room(Long.BYTES).putLong(number);
    }

    /** The text in UTF-8, without what PostgreSQL cannot hold, see {@link SqlText#clean}. */
    private void utf8(String text) {
        int size = text.length();
        byte[] target = room(size).array();
        int at = rows.position();
        for (int i = 0; i < size; i++) {
            char c = text.charAt(i);
            if (c == 0 || c >= 0x80) {
                byte[] encoded = SqlText.clean(text).getBytes(StandardCharsets.UTF_8);
                raw(encoded);
                return;
            }
            target[at++] = (byte) c;
        }
        rows.position(at);
    }

    private void raw(byte[] data) {
        room(data.length).put(data);
    }

    /** The event as IDEA JSON, in UTF-8. @return its size in bytes */
    int json(SecurityEvent event, IdeaWriter writer) {
        int place = beginValue();
        try {
            writer.write(event, stream);
        } catch (IOException e) {
            throw new UncheckedIOException("a buffer in memory cannot fail", e);
        }
        return endValue(place);
    }

    /** Sends everything. @return how many bytes that were */
    int send(CopyIn copy) throws SQLException {
        copy.writeToCopy(rows.array(), 0, rows.position());
        return rows.position();
    }

    /** The rows, with room for so many bytes more. */
    private ByteBuffer room(int more) {
        if (rows.remaining() < more) {
            int size = Math.max(2 * rows.capacity(), rows.position() + more);
            rows = ByteBuffer.allocate(size).put(rows.flip());
        }
        return rows;
    }

    private final class Stream extends OutputStream {
        @Override
        public void write(int octet) {
            int8(octet);
        }

        @Override
        public void write(byte[] data, int from, int size) {
            room(size).put(data, from, size);
        }
    }
}
