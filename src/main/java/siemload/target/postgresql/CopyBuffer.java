package siemload.target.postgresql;

import java.sql.SQLException;
import java.util.Arrays;
import org.postgresql.copy.CopyIn;

/** Collects rows for COPY and sends them in large pieces. Used by one thread. */
final class CopyBuffer {
    private static final int PIECE = 1 << 18;
    private static final int LONGEST_UTF8 = 3;

    private final CopyIn copy;
    private byte[] bytes = new byte[2 * PIECE];
    private int length;
    private long sent;

    CopyBuffer(CopyIn copy) {
        this.copy = copy;
    }

    void raw(byte[] data) {
        reserve(data.length);
        System.arraycopy(data, 0, bytes, length, data.length);
        length += data.length;
    }

    void raw(char ascii) {
        reserve(1);
        bytes[length++] = (byte) ascii;
    }

    void bigEndian(int number, int size) {
        reserve(size);
        for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) {
            bytes[length++] = (byte) (number >>> shift);
        }
    }

    /** A value of COPY's text format in UTF-8: backslash and control characters escaped. The text is clean. */
    void escaped(String text) {
        reserve(text.length() * LONGEST_UTF8);
        byte[] target = bytes;
        int at = length;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                length = at;
                i = other(text, i);
                at = length;
            } else {
                if (c == '\\' || c < ' ') {
                    at = escape(target, at, c);
                } else {
                    target[at++] = (byte) c;
                }
            }
        }
        length = at;
    }

    /** At the end of a row: sends what is there if it is enough. */
    void endRow() throws SQLException {
        if (length >= PIECE) {
            flush();
        }
    }

    void flush() throws SQLException {
        copy.writeToCopy(bytes, 0, length);
        sent += length;
        length = 0;
    }

    /** The bytes sent so far. */
    long sent() {
        return sent;
    }

    private static int escape(byte[] target, int at, char c) {
        int end = at;
        byte letter = switch (c) {
            case '\\' -> '\\';
            case '\t' -> 't';
            case '\n' -> 'n';
            case '\r' -> 'r';
            default -> 0;
        };
        if (letter == 0) {
            target[end++] = (byte) c;
        } else {
            target[end++] = '\\';
            target[end++] = letter;
        }
        return end;
    }

    /** Appends the character at {@code i}, which is not ASCII, and answers the index of its last part. */
    private int other(String text, int i) {
        int c = text.codePointAt(i);
        if (c < 0x800) {
            bytes[length++] = (byte) (0xC0 | (c >> 6));
        } else if (c < 0x10000) {
            bytes[length++] = (byte) (0xE0 | (c >> 12));
            bytes[length++] = continuation(c >> 6);
        } else {
            bytes[length++] = (byte) (0xF0 | (c >> 18));
            bytes[length++] = continuation(c >> 12);
            bytes[length++] = continuation(c >> 6);
        }
        bytes[length++] = continuation(c);
        return i + Character.charCount(c) - 1;
    }

    private static byte continuation(int bits) {
        return (byte) (0x80 | (bits & 0x3F));
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
