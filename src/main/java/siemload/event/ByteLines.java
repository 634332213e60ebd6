package siemload.event;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/**
 * The lines of a byte stream without their line ends, one at a time in a reused buffer. A line above the limit is cut there, so that a file
 * without line ends does not fill the memory. Not thread-safe.
 */
public final class ByteLines implements Closeable {
    /** The byte order mark of UTF-8 at the start of a stream, which belongs to no line. */
    private static final byte[] UTF_8_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private static final int READ_SIZE = 1 << 18;

    private final int maximumLength;
    private InputStream in;
    /** Whether the kind of stream is known. */
    private boolean isOpened;

    private byte[] buffer;
    /** Position of the buffer's first byte in the stream. */
    private long bufferPosition;

    private long position;
    private int start;
    private int length;
    private int next;
    private int end;
    private boolean tooLong;

    /** Lines of a stream, plain or gzip, which its first bytes tell. */
    ByteLines(InputStream in, int maximumLength) {
        this.in = in;
        this.maximumLength = maximumLength;
        this.buffer = new byte[2 * READ_SIZE];
    }

    /**
     * Opens a file, plain or gzip, which its first bytes tell.
     *
     * @param maximumLength in bytes
     */
    public static ByteLines open(Path file, int maximumLength) throws IOException {
        return new ByteLines(Files.newInputStream(file), maximumLength);
    }

    /** Moves to the next line; false at the end of the stream. If the stream fails, the line in which it failed is lost. */
    public boolean next() throws IOException {
        start = next;
        position = bufferPosition + start;
        tooLong = false;
        int searched = start;
        while (true) {
            for (int i = searched; i < end; i++) {
                if (buffer[i] == '\n') {
                    return found(i, i + 1);
                }
            }
            if (end - start > maximumLength) {
                tooLong = true;
                bufferPosition += end - start;
                end = start;
            }
            int kept = end - start;
            if (!fill()) {
                return found(start + kept, start + kept) && (length > 0 || tooLong);
            }
            searched = start + kept;
        }
    }

    /** The line as text in UTF-8, with U+FFFD for invalid bytes. */
    public String text() {
        return new String(buffer, start, length, StandardCharsets.UTF_8);
    }

    /** The line's bytes. */
    public byte[] bytes() {
        return Arrays.copyOfRange(buffer, start, start + length);
    }

    /** The bytes of the line, from {@link #start} on. */
    public byte[] buffer() {
        return buffer;
    }

    /** Where the line begins in the buffer. */
    public int start() {
        return start;
    }

    /** How many bytes the line has. */
    public int length() {
        return length;
    }

    /** How many bytes of the stream, unpacked, stand before the line. */
    public long position() {
        return position;
    }

    /** Whether the line has a line end; the last one of a file that was cut has none. */
    public boolean isEnded() {
        return next > start + length;
    }

    /** Whether the line was above the limit; its bytes are lost then. */
    public boolean isTooLong() {
        return tooLong;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private boolean found(int lineEnd, int nextStart) {
        tooLong |= lineEnd - start > maximumLength;
        length = tooLong ? 0 : lineEnd - start;
        next = nextStart;
        if (position == 0 && length >= UTF_8_MARK.length && Arrays.equals(buffer, start, start + 3, UTF_8_MARK, 0, 3)) {
            start += UTF_8_MARK.length;
            position += UTF_8_MARK.length;
            length -= UTF_8_MARK.length;
        }
        return true;
    }

    /** Reads more after the current line, which is moved to the front of the buffer first. */
    private boolean fill() throws IOException {
        System.arraycopy(buffer, start, buffer, 0, end - start);
        end -= start;
        bufferPosition += start;
        start = 0;
        if (buffer.length - end < READ_SIZE) {
            buffer = Arrays.copyOf(buffer, buffer.length * 2);
        }
        if (!isOpened) {
            // Here, so that damaged data are reported when lines are read.
            in = new BufferedInputStream(in, READ_SIZE);
            in.mark(2);
            boolean isPacked = in.read() == 0x1F && in.read() == 0x8B;
            in.reset();
            in = isPacked ? new GZIPInputStream(in, READ_SIZE) : in;
            isOpened = true;
        }
        int read = in.read(buffer, end, READ_SIZE);
        end += Math.max(read, 0);
        return read > 0;
    }
}
