package siemload.dataset.recording;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import siemload.config.directory.Reason;

/**
 * Sorts events by their times, those of the same time by their places, in bounded memory: what does not fit is written to a
 * file in sorted runs, which are merged. Not thread-safe; methods throw {@link UncheckedIOException} where the disk fails.
 */
final class SortedEntries implements Entries {
    private static final int MOST_IN_MEMORY = 250_000;
    private static final int BYTES = 2 * Long.BYTES;
    private static final Comparator<Entry> ORDER =
            Comparator.comparingLong(Entry::micros).thenComparingLong(Entry::place);

    private final ScratchFiles scratch;
    private final int mostInMemory;
    private final List<Long> runEnds = new ArrayList<>();
    private Optional<Path> spilled = Optional.empty();
    private Entry[] entries = new Entry[1_024];
    private int size;
    private long written;

    private record Entry(long micros, long place) {}

    /** @param scratch for what does not fit into memory */
    SortedEntries(ScratchFiles scratch) {
        this(scratch, MOST_IN_MEMORY);
    }

    SortedEntries(ScratchFiles scratch, int mostInMemory) {
        this.scratch = scratch;
        this.mostInMemory = mostInMemory;
    }

    void add(long micros, long place) {
        if (size == mostInMemory) {
            writeRun();
        }
        if (size == entries.length) {
            entries = Arrays.copyOf(entries, size * 2);
        }
        entries[size++] = new Entry(micros, place);
    }

    @Override
    public void forEach(Taker taker) {
        Arrays.sort(entries, 0, size, ORDER);
        if (runEnds.isEmpty()) {
            for (int i = 0; i < size; i++) {
                taker.take(entries[i].micros(), entries[i].place());
            }
            return;
        }
        writeRun();
        try (FileChannel file = FileChannel.open(spilled.orElseThrow(), StandardOpenOption.READ)) {
            merge(file, taker);
        } catch (IOException e) {
            throw new UncheckedIOException(spilled.orElseThrow() + " cannot be read: " + Reason.of(e), e);
        }
    }

    private void merge(FileChannel file, Taker taker) throws IOException {
        PriorityQueue<Run> runs = new PriorityQueue<>(Comparator.comparing(Run::first, ORDER));
        long start = 0;
        for (long end : runEnds) {
            runs.add(new Run(file, start, end));
            start = end;
        }
        while (!runs.isEmpty()) {
            Run run = runs.remove();
            taker.take(run.first().micros(), run.first().place());
            if (run.next()) {
                runs.add(run);
            }
        }
    }

    private void writeRun() {
        Arrays.sort(entries, 0, size, ORDER);
        ByteBuffer buffer = ByteBuffer.allocate(4_096 * BYTES);
        try (FileChannel file = openSpilled()) {
            for (int i = 0; i < size; i++) {
                buffer.putLong(entries[i].micros()).putLong(entries[i].place());
                if (!buffer.hasRemaining() || i == size - 1) {
                    buffer.flip();
                    while (buffer.hasRemaining()) {
                        written += file.write(buffer);
                    }
                    buffer.clear();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "what does not fit into memory cannot be written to disk: " + Reason.of(e), e);
        }
        size = 0;
        runEnds.add(written);
    }

    private FileChannel openSpilled() throws IOException {
        if (spilled.isEmpty()) {
            spilled = Optional.of(scratch.file("entries"));
        }
        return FileChannel.open(
                spilled.get(), StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    /** A sorted part of the file. */
    private static final class Run {
        private final FileChannel file;
        private final long end;
        private final ByteBuffer buffer = ByteBuffer.allocate(4_096 * BYTES).flip();
        private long position;
        private Entry first;

        Run(FileChannel file, long start, long end) throws IOException {
            this.file = file;
            this.position = start;
            this.end = end;
            fill();
            first = new Entry(buffer.getLong(), buffer.getLong());
        }

        Entry first() {
            return first;
        }

        /** Moves to the next entry; false where there is none. */
        boolean next() throws IOException {
            if (!buffer.hasRemaining() && position == end) {
                return false;
            }
            if (!buffer.hasRemaining()) {
                fill();
            }
            first = new Entry(buffer.getLong(), buffer.getLong());
            return true;
        }

        private void fill() throws IOException {
            buffer.clear();
            buffer.limit((int) Math.min(buffer.capacity(), end - position));
            while (buffer.hasRemaining()) {
                int read = file.read(buffer, position);
                if (read < 0) {
                    throw new IOException("the file ends at byte " + position);
                }
                position += read;
            }
            buffer.flip();
        }
    }
}
