package siemload.dataset.recording;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import siemload.config.directory.Reason;
import siemload.event.EventReader;
import siemload.event.SecurityEvent;

/**
 * Reads events of a file by the positions of their lines, through a window that moves along: lines near to each other cost no
 * further reading. Not thread-safe; methods throw {@link UncheckedIOException} where the disk fails.
 */
final class LineWindow implements Closeable {
    private static final int SIZE = 1 << 18;

    private final Path file;
    private final int skipped;
    private final EventReader reader;
    private final FileChannel channel;
    private byte[] window = new byte[SIZE];
    private long start;
    private int length;

    /**
     * Opens a file.
     *
     * @param skipped how many bytes stand before its first line
     */
    LineWindow(Path file, int skipped, EventReader reader) {
        this.file = file;
        this.skipped = skipped;
        this.reader = reader;
        try {
            channel = FileChannel.open(file, StandardOpenOption.READ);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read: " + Reason.of(e), e);
        }
    }

    /** The event of the line that begins at this position. */
    SecurityEvent event(long position) {
        int from = (int) Math.min(Integer.MAX_VALUE, Math.max(-1, position - start));
        int end = from < 0 || from >= length ? -1 : lineEnd(from);
        if (end < 0) {
            moveTo(position);
            from = 0;
            end = lineEnd(0);
            while (end < 0 && grow()) {
                end = lineEnd(0);
            }
            end = end < 0 ? length : end;
        }
        return reader.read(window, from, end - from, position);
    }

    private int lineEnd(int from) {
        for (int i = from; i < length; i++) {
            if (window[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private void moveTo(long position) {
        start = position;
        length = 0;
        fill();
    }

    /** Makes room for a long line; false at the end of the file. */
    private boolean grow() {
        if (length == window.length) {
            window = java.util.Arrays.copyOf(window, window.length * 2);
        }
        int before = length;
        fill();
        return length > before;
    }

    private void fill() {
        try {
            ByteBuffer buffer = ByteBuffer.wrap(window, length, window.length - length);
            for (int read = 0; read >= 0 && buffer.hasRemaining(); length = buffer.position()) {
                read = channel.read(buffer, skipped + start + buffer.position());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read: " + Reason.of(e), e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be closed: " + Reason.of(e), e);
        }
    }
}
