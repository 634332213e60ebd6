package siemload.load.injector;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Keeps the end of what is written to it: some kilobytes of text in UTF-8. Thread-safe. */
public final class LastWords extends OutputStream {
    private static final int KEPT = 16_384;

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @Override
    public synchronized void write(int one) {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
        written.write(bytes, offset, length);
        if (written.size() > 2 * KEPT) {
            byte[] all = written.toByteArray();
            written.reset();
            written.write(all, all.length - KEPT, KEPT);
        }
    }

    /** What was written last; empty where nothing was. */
    public synchronized String text() {
        byte[] all = written.toByteArray();
        int length = Math.min(KEPT, all.length);
        return new String(all, all.length - length, length, StandardCharsets.UTF_8);
    }
}
