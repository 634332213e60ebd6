package siemload.database.postgresql.load;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import org.postgresql.copy.CopyIn;
import siemload.database.postgresql.layout.SqlText;

/**
 * Collects rows in COPY's binary format and sends them in large pieces. A row begins with {@link #beginRow}, and each of
 * its values stands between {@link #beginValue} and {@link #endValue}. Numbers are big-endian. Used by one thread.
 */
final class CopyBuffer {
    private static final int PIECE = 1 << 18;
    private static final byte[] SIGNATURE = "PGCOPY\n\u00FF\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
    private static final int NO_FLAGS = 0;
    private static final int NO_EXTENSION = 0;
    private static final int NO_MORE_ROWS = -1;

    private final CopyIn copy;
    private final BinaryColumn column = new BinaryColumn(this);
    private final OutputStream stream = new Stream();
    private byte[] bytes = new byte[2 * PIECE];
    private int length;
    private long sent;

    /** @param copy a COPY that has just begun */
    CopyBuffer(CopyIn copy) {
        this.copy = copy;
        raw(SIGNATURE, 0, SIGNATURE.length);
        int32(NO_FLAGS);
        int32(NO_EXTENSION);
    }

    /** Begins a row, before which all rows are sent if they are enough. */
    void beginRow(int columns) throws SQLException {
        if (length >= PIECE) {
            flush();
        }
        int16(columns);
    }

    /** Appends a column of the row. */
    BinaryColumn column() {
        return column;
    }

    /** Begins a value, or a part of one that has its length before it; answers its place, for {@link #endValue}. */
    int beginValue() {
        int32(0);
        return length;
    }

    /** Ends it. @return its size in bytes */
    int endValue(int place) {
        int size = length - place;
        putInt32(place - Integer.BYTES, size);
        return size;
    }

    void int8(int number) {
        reserve(1);
        bytes[length++] = (byte) number;
    }

    void int16(int number) {
        reserve(Short.BYTES);
        bytes[length++] = (byte) (number >>> 8);
        bytes[length++] = (byte) number;
    }

    void int32(int number) {
        reserve(Integer.BYTES);
        putInt32(length, number);
        length += Integer.BYTES;
    }

    void int64(long number) {
        reserve(Long.BYTES);
        putInt32(length, (int) (number >>> 32));
        putInt32(length + Integer.BYTES, (int) number);
        length += Long.BYTES;
    }

    /** The text in UTF-8, without what PostgreSQL cannot hold, see {@link SqlText#clean}. */
    void utf8(String text) {
        int size = text.length();
        reserve(size);
        byte[] target = bytes;
        int at = length;
        for (int i = 0; i < size; i++) {
            char c = text.charAt(i);
            if (c == 0 || c >= 0x80) {
                byte[] encoded = SqlText.clean(text).getBytes(StandardCharsets.UTF_8);
                raw(encoded, 0, encoded.length);
                return;
            }
            target[at++] = (byte) c;
        }
        length = at;
    }

    /** Appends whatever is written to it; never fails. */
    OutputStream stream() {
        return stream;
    }

    /** Sends the rest, with the sign that there are no more rows. */
    void end() throws SQLException {
        int16(NO_MORE_ROWS);
        flush();
    }

    /** The bytes sent so far. */
    long sent() {
        return sent;
    }

    private void putInt32(int place, int number) {
        bytes[place] = (byte) (number >>> 24);
        bytes[place + 1] = (byte) (number >>> 16);
        bytes[place + 2] = (byte) (number >>> 8);
        bytes[place + 3] = (byte) number;
    }

    private void flush() throws SQLException {
        copy.writeToCopy(bytes, 0, length);
        sent += length;
        length = 0;
    }

    private void raw(byte[] data, int from, int size) {
        reserve(size);
        System.arraycopy(data, from, bytes, length, size);
        length += size;
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }

    private final class Stream extends OutputStream {
        @Override
        public void write(int octet) {
            int8(octet);
        }

        @Override
        public void write(byte[] data, int from, int size) {
            raw(data, from, size);
        }
    }
}
