package siemload.event;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The bytes of gzip data, which may not be many times as many as the packed ones: a small file made on purpose could
 * otherwise be read for hours. Damaged data is told when bytes are asked for. Not thread-safe.
 */
final class UnpackedBytes extends InputStream {
    /** Events grow to ten times, 2,000 bytes that differ in their id alone to a hundred, zeros to a thousand. */
    private static final int MOST_TIMES = 200;

    /** As many are allowed whatever the ratio, since packed bytes are read ahead. */
    private static final long ALWAYS_ALLOWED = 8 << 20;

    private static final int READ_SIZE = 65_536;

    private final InputStream packed;
    private InputStream unpacked = nullInputStream();
    private boolean isOpen;
    private long packedBytes;
    private long count;

    private UnpackedBytes(InputStream in) {
        packed = new FilterInputStream(in) {
            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                int read = super.read(bytes, offset, length);
                packedBytes += Math.max(read, 0);
                return read;
            }
        };
    }

    /** The bytes of a file: unpacked where its first two are those of gzip, without the mark that says UTF-8. */
    static InputStream of(InputStream raw) throws IOException {
        InputStream in = new BufferedInputStream(raw, READ_SIZE);
        try {
            in.mark(3);
            byte[] magic = in.readNBytes(3);
            if (Arrays.equals(magic, ByteLines.MARK)) {
                return in;
            }
            in.reset();
            return magic.length >= 2 && magic[0] == 0x1F && magic[1] == (byte) 0x8B ? new UnpackedBytes(in) : in;
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    /** The data would grow too much; the message says so. */
    static final class TooManyException extends ZipException {
        private static final long serialVersionUID = 1;

        TooManyException() {
            super("the gzip data grows to more than " + MOST_TIMES
                    + " times its size, as no recording does (unpack it if it is one); the lines before it were read");
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (!isOpen) {
            unpacked = new GZIPInputStream(packed, READ_SIZE);
            isOpen = true;
        }
        int read = unpacked.read(bytes, offset, length);
        count += Math.max(read, 0);
        if (count > ALWAYS_ALLOWED + MOST_TIMES * packedBytes) {
            throw new TooManyException();
        }
        return read;
    }

    @Override
    public void close() throws IOException {
        try (packed) {
            unpacked.close();
        }
    }
}
