package siemload.event;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The lines of a byte stream without their line ends, one at a time in a reused buffer. The bytes of a line longer than the limit are
 * dropped, so that a file without line ends does not fill the memory. Not thread-safe.
 */
public class ByteLines implements Closeable {
    /** The byte order mark of UTF-8 at the start of a stream, which is not part of the first line. */
    private static final byte[] UTF_8_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private static final int READ_SIZE = 1 << 18;

    private final int maximumLength;
    private InputStream in;
    /** True if the stream was already recognized as plain or gzip. */
    private boolean isOpened;

    /** Holds the line, which begins at {@link #start}. */
    byte[] buffer;
    /** Position of the buffer's first byte in the stream. */
    private long bufferPosition;
    /** The number of unpacked bytes in the stream before the line. */
    long position;

    int start;
    int length;
    boolean tooLong;
    private int next;
    private int end;

    /** Reads a stream, whose first bytes show whether it is plain or gzip. */
    ByteLines(InputStream in, int maximumLength) {
        this.in = in;
        this.maximumLength = maximumLength;
        this.buffer = new byte[2 * READ_SIZE];
    }

    /**
     * Opens a file, whose first bytes show whether it is plain or gzip. Reading throws a {@link ForeignFileException} if the first bytes
     * are those of another format, which has no lines.
     *
     * @param maximumLength the longest allowed line, in bytes
     */
    public static ByteLines open(Path file, int maximumLength) throws IOException {
        return new ByteLines(Files.newInputStream(file), maximumLength);
    }

    /** Moves to the next line; returns false at the end. If the stream fails, the line in which it failed is lost. */
    public boolean next() throws IOException {
        start = next;
        position = bufferPosition + start;
        tooLong = false;
        int searched = start;
        while (true) {
            byte[] bytes = buffer;
            for (int i = searched, until = end; i < until; i++) {
                if (bytes[i] == '\n') {
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

    /** Returns whether the line has a line end; the last line of a truncated file has none. */
    public boolean isEnded() {
        return next > start + length;
    }

    /** Returns whether the line is longer than the limit; then its bytes are lost. */
    public boolean isTooLong() {
        return tooLong;
    }

    /** Returns whether the line has only blanks, or no character. */
    public boolean isBlank() {
        return length == 0 || (" \t\r".indexOf(buffer[start]) >= 0 && text().matches("[ \t\r]*"));
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

    /** Moves the current line to the front of the buffer, then reads more bytes after it. */
    private boolean fill() throws IOException {
        System.arraycopy(buffer, start, buffer, 0, end - start);
        end -= start;
        bufferPosition += start;
        start = 0;
        if (buffer.length - end < READ_SIZE) {
            buffer = Arrays.copyOf(buffer, buffer.length * 2);
        }
        if (!isOpened) {
            // The constructor does not do this, so that damaged data are reported when lines are read.
            in = unpacked(in);
            isOpened = true;
        }
        int read = in.read(buffer, end, READ_SIZE);
        end += Math.max(read, 0);
        return read > 0;
    }

    /** Returns the bytes of a plain stream, or the unpacked bytes of a gzip stream; throws {@link ForeignFileException}. */
    static InputStream unpacked(InputStream in) throws IOException {
        InputStream buffered = new BufferedInputStream(in, READ_SIZE);
        byte[] first = ForeignFileException.first(buffered);
        if (first.length < 2 || first[0] != (byte) 0x1F || first[1] != (byte) 0x8B) {
            return buffered;
        }
        InputStream members = new BufferedInputStream(new GzipMembers(buffered), READ_SIZE);
        ForeignFileException.first(members);
        return members;
    }

    /** Says that the first bytes of a file show another format than lines in UTF-8, and names a command that converts the file. */
    public static final class ForeignFileException extends IOException {
        private static final long serialVersionUID = 1;
        /** The number of first bytes to look at, up to the end of the mark of a tar archive. */
        private static final int LOOKED_AT = 262;
        /** Patterns of first bytes in hexadecimal, the format that they show, and a command that converts this format. */
        private static final List<List<String>> KINDS = List.of(
                List.of("28b52ffd|5.2a4d18", "packed with zstd", "zstd -d FILE"),
                List.of("504b0[357]0[468]", "a zip archive", "unzip FILE"),
                List.of("425a683[1-9](?:314159|[0189a-f].)", "packed with bzip2", "bunzip2 FILE"),
                List.of("fd377a585a00", "packed with xz", "unxz FILE"),
                List.of("5d0000", "packed with lzma", "unlzma FILE"),
                List.of("04224d18|02214c18", "packed with lz4", "lz4 -d FILE"),
                List.of("78(?:01|9c|da)", "packed with zlib", "pigz -dc < FILE > events.txt"),
                List.of("377abcaf271c", "a 7z archive", "7z x FILE"),
                List.of("50415231[0189a-f]", "a Parquet file", "parquet cat FILE > events.json"),
                List.of("4f626a01", "an Avro file", "avro-tools tojson FILE > events.json"),
                List.of("456c6646696c6500", "a Windows event log", "evtx_dump -o jsonl FILE > events.json"),
                List.of("(?:..)*?00.*7573746172$", "a tar archive", "tar -xf FILE"),
                List.of("fffe0000|0000feff", "in UTF-32", "iconv -f UTF-32 -t UTF-8 FILE > events.txt"),
                List.of("fffe|feff", "in UTF-16", "iconv -f UTF-16 -t UTF-8 FILE > events.txt"),
                // UTF-16 without a mark: every second byte of ASCII text is 0.
                List.of("00(?!00)..00(?!00)", "in UTF-16", "iconv -f UTF-16BE -t UTF-8 FILE > events.txt"),
                List.of("(?!00)..00(?!00)..00", "in UTF-16", "iconv -f UTF-16LE -t UTF-8 FILE > events.txt"));

        private ForeignFileException(String is, String command) {
            super("is " + is + " (convert it to lines: " + command + ")");
        }

        /** Returns the first bytes of the stream without changing the stream's position. */
        private static byte[] first(InputStream in) throws IOException {
            in.mark(LOOKED_AT);
            byte[] first = new byte[LOOKED_AT];
            // This reads only once, so that damage after these bytes is reported when lines are read.
            first = Arrays.copyOf(first, Math.max(0, in.read(first)));
            in.reset();
            String hex = HexFormat.of().formatHex(first);
            for (List<String> kind : KINDS) {
                if (Pattern.compile(kind.get(0)).matcher(hex).lookingAt()) {
                    throw new ForeignFileException(kind.get(1), kind.get(2));
                }
            }
            return first;
        }

        /** Returns the message with the path of this file. */
        public String about(Path file) {
            return String.valueOf(getMessage()).replace("FILE", file.toString());
        }
    }

    /**
     * The unpacked bytes of all members of gzip data. Only zeros may follow the last member; other data, which Java's own stream ignores,
     * are reported as damage. Not thread-safe.
     */
    private static final class GzipMembers extends GZIPInputStream {
        private static final int PACKED_SIZE = 1 << 16;
        private static final int TRAILER_SIZE = 8;

        private boolean isInside;
        private boolean isChecked;

        /** @param in supports marks and has a buffer of {@link #READ_SIZE} */
        GzipMembers(InputStream in) throws IOException {
            super(in, PACKED_SIZE);
        }

        @Override
        protected void fill() throws IOException {
            in.mark(READ_SIZE); // for requireZeros
            super.fill();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (isInside) {
                return 0; // Java's stream calls itself for the next member; many empty members would overflow the
                // stack.
            }
            isInside = true;
            int read = 0;
            while (read == 0 && length > 0) {
                read = super.read(bytes, offset, length);
            }
            isInside = false;
            if (read < 0 && !isChecked) {
                isChecked = true;
                requireZeros();
            }
            return read;
        }

        /** Says that no more bytes are known, so that a buffer hands over what it has before the next read, which may fail. */
        @Override
        public int available() {
            return 0;
        }

        /** Returns to the end of the last member, behind which Java's stream looked for another member. */
        private void requireZeros() throws IOException {
            try {
                in.reset();
            } catch (IOException tooFar) {
                throw new ZipException("a header has no end");
            }
            in.skipNBytes(len - inf.getRemaining() + TRAILER_SIZE);
            int next = in.read();
            while (next == 0) {
                next = in.read();
            }
            if (next > 0) {
                throw new ZipException("other data follow a gzip member");
            }
        }
    }
}
