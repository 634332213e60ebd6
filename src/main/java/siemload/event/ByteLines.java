package siemload.event;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The lines of a byte stream without their line ends, one at a time in a buffer that is used again. A line above the
 * limit is cut there, so that a file without line ends does not fill the memory. Not thread-safe.
 */
public final class ByteLines implements Closeable {
    private static final int READ_SIZE = 65_536;

    private final InputStream in;
    private final int maximumLength;
    private byte[] buffer = new byte[2 * READ_SIZE];
    /** Position of the buffer's first byte in the stream. */
    private long bufferPosition;

    private long position;
    private int start;
    private int length;
    private int next;
    private int end;
    private boolean tooLong;

    ByteLines(InputStream in, int maximumLength) {
        this.in = in;
        this.maximumLength = maximumLength;
    }

    /**
     * Opens a file, plain or gzip, which is told by its first bytes.
     *
     * @param maximumLength in bytes
     */
    public static ByteLines open(Path file, int maximumLength) throws IOException {
        return new ByteLines(UnpackedBytes.of(Files.newInputStream(file)), maximumLength);
    }

    /** Moves to the next line; false at the end of the stream. A failing stream loses the line it failed in. */
    public boolean next() throws IOException {
        start = next;
        position = bufferPosition + start;
        tooLong = false;
        int searched = start;
        while (true) {
            int lineEnd = indexOfLineEnd(searched);
            if (lineEnd >= 0) {
                return found(lineEnd, lineEnd + 1);
            }
            if (end - start > maximumLength) {
                tooLong = true;
                bufferPosition += end - start;
                end = start;
            }
            searched = end;
            int kept = end - start;
            if (!fill()) {
                return found(start + kept, start + kept) && (length > 0 || tooLong);
            }
            searched = start + kept;
        }
    }

    /** The line as text in UTF-8, in which U+FFFD stands for what is none. */
    public String text() {
        return new String(buffer, start, length, StandardCharsets.UTF_8);
    }

    byte[] buffer() {
        return buffer;
    }

    int start() {
        return start;
    }

    int length() {
        return length;
    }

    /** How many bytes of the stream stand before the line. */
    long position() {
        return position;
    }

    /** Whether the line was above the limit; its bytes are gone then. */
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
        return true;
    }

    private int indexOfLineEnd(int from) {
        for (int i = from; i < end; i++) {
            if (buffer[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    /** Reads more behind the current line, which moves to the front of the buffer first. */
    private boolean fill() throws IOException {
        System.arraycopy(buffer, start, buffer, 0, end - start);
        end -= start;
        bufferPosition += start;
        start = 0;
        if (buffer.length - end < READ_SIZE) {
            buffer = Arrays.copyOf(buffer, buffer.length * 2);
        }
        int read = in.read(buffer, end, READ_SIZE);
        end += Math.max(read, 0);
        return read > 0;
    }
}
