package siemload.dataset.recording;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import siemload.config.directory.Reason;

/**
 * Times and {@link Place}s of events in the order of their times, 16 bytes each, in a file. Thread-safe; methods throw
 * {@link UncheckedIOException} where the disk fails.
 */
final class IndexFile implements Closeable {
    private static final int BYTES = 2 * Long.BYTES;
    private static final int AT_ONCE = 4_096;

    private final Path file;
    private final FileChannel channel;
    private final long count;
    private long cachedFrom;
    private ByteBuffer cached = ByteBuffer.allocate(0);

    /** Opens a file. @throws IOException if it cannot be read */
    IndexFile(Path file) throws IOException {
        this.file = file;
        channel = FileChannel.open(file, StandardOpenOption.READ);
        count = channel.size() / BYTES;
    }

    /** The size of a file of so many events. */
    static long bytes(long count) {
        return count * BYTES;
    }

    /** Writes a file. @throws IOException if it cannot be written */
    static void write(Path file, Entries entries) throws IOException {
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16))) {
            entries.forEach((micros, place) -> {
                try {
                    out.writeLong(micros);
                    out.writeLong(place);
                } catch (IOException e) {
                    throw new UncheckedIOException(file + " cannot be written: " + Reason.of(e), e);
                }
            });
        }
    }

    long count() {
        return count;
    }

    /** The detect time of an event in microseconds since 1970. */
    synchronized long micros(long number) {
        return entry(number, 0);
    }

    /** The {@link Place} of an event's line. */
    synchronized long place(long number) {
        return entry(number, Long.BYTES);
    }

    private long entry(long number, int offset) {
        long index = (number - cachedFrom) * BYTES;
        if (index < 0 || index >= cached.limit()) {
            fill(number);
            index = (number - cachedFrom) * BYTES;
        }
        return cached.getLong((int) index + offset);
    }

    private void fill(long number) {
        cachedFrom = number / AT_ONCE * AT_ONCE;
        ByteBuffer read = ByteBuffer.allocate((int) Math.min(AT_ONCE, count - cachedFrom) * BYTES);
        try {
            while (read.hasRemaining()) {
                if (channel.read(read, cachedFrom * BYTES + read.position()) < 0) {
                    throw new IOException("it ends too early");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read: " + Reason.of(e), e);
        }
        cached = read.flip();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
