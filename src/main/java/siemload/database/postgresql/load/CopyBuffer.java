package siemload.database.postgresql.load;

import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import org.postgresql.copy.CopyIn;
import siemload.database.postgresql.layout.SqlText;

/**
 * Collects rows in COPY's binary format. A row begins with {@link #beginRow}, and each of its values stands between
 * {@link #beginValue} and {@link #endValue}. Numbers are big-endian. Used by one thread at a time.
 */
final class CopyBuffer {
    private static final byte[] SIGNATURE = "PGCOPY\n\u00FF\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
    private static final int NO_FLAGS = 0;
    private static final int NO_EXTENSION = 0;
    private static final int NO_MORE_ROWS = -1;

    private final BinaryColumn column = new BinaryColumn(this);
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

    /** Appends a column of the row. */
    BinaryColumn column() {
        return column;
    }

    /** Begins a value, or a part of one that has its length before it; answers its place, for {@link #endValue}. */
    int beginValue() {
        int32(0);
        return rows.position();
    }

    /** Ends it. @return its size in bytes */
    int endValue(int place) {
        int size = rows.position() - place;
        rows.putInt(place - Integer.BYTES, size);
        return size;
    }

    void int8(int number) {
        room(1).put((byte) number);
    }

    void int16(int number) {
        room(Short.BYTES).putShort((short) number);
    }

    void int32(int number) {
        room(Integer.BYTES).putInt(number);
    }

    void int64(long number) {
        room(Long.BYTES).putLong(number);
    }

    /** The text in UTF-8, without what PostgreSQL cannot hold, see {@link SqlText#clean}. */
    void utf8(String text) {
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

    void raw(byte[] data) {
        room(data.length).put(data);
    }

    /** Appends whatever is written to it; never fails. */
    OutputStream stream() {
        return stream;
    }

    /** How many bytes of memory it takes. */
    int memoryBytes() {
        return rows.capacity();
    }

    /** How many bytes there are. */
    int size() {
        return rows.position();
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
