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
import java.util.function.Consumer;
import siemload.config.directory.Reason;

/**
 * Sorts rows of as many numbers each by the first of them, those of the same first by the second, and so on, in bounded memory:
 * what does not fit is written to a file in sorted runs, which are merged. Not thread-safe; methods throw
 * {@link UncheckedIOException} where the disk fails.
 */
final class SortedRows {
    private static final int ROWS_AT_ONCE = 4_096;
    private static final Comparator<long[]> ORDER = Arrays::compare;

    /** Gives a place for the file when one is needed. */
    interface Spill {
        Path file() throws IOException;
    }

    private final int width;
    private final int mostInMemory;
    private final Spill spill;
    private final List<Long> runEnds = new ArrayList<>();
    private Optional<Path> spilled = Optional.empty();
    /** One row after the other. */
    private long[] rows = new long[1_024];

    private int size;
    private long written;

    /** @param width how many numbers a row has */
    SortedRows(int width, int mostInMemory, Spill spill) {
        this.width = width;
        this.mostInMemory = mostInMemory;
        this.spill = spill;
    }

    void add(long... row) {
        if (size == mostInMemory) {
            writeRun();
        }
        if ((size + 1) * width > rows.length) {
            rows = Arrays.copyOf(rows, rows.length * 2);
        }
        System.arraycopy(row, 0, rows, size * width, width);
        size++;
    }

    /** Hands over all rows in their order. */
    void forEach(Consumer<long[]> taker) {
        if (runEnds.isEmpty()) {
            sort(0, size - 1);
            for (int i = 0; i < size; i++) {
                taker.accept(row(i));
            }
            return;
        }
        if (size > 0) {
            writeRun();
        }
        try (FileChannel file = FileChannel.open(spilled.orElseThrow(), StandardOpenOption.READ)) {
            PriorityQueue<Run> runs = new PriorityQueue<>(Comparator.comparing(Run::first, ORDER));
            long start = 0;
            for (long end : runEnds) {
                runs.add(new Run(file, start, end));
                start = end;
            }
            while (!runs.isEmpty()) {
                Run run = runs.remove();
                taker.accept(run.first());
                if (run.next()) {
                    runs.add(run);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(spilled.orElseThrow() + " cannot be read: " + Reason.of(e), e);
        }
    }

    private long[] row(int number) {
        return Arrays.copyOfRange(rows, number * width, (number + 1) * width);
    }

    /** By Hoare's quicksort, where they lie: rows as objects of their own would cost twice the memory and more time. */
    private void sort(int first, int last) {
        int low = first;
        int high = last;
        while (low < high) {
            long[] pivot = row((low + high) >>> 1);
            int left = low;
            int right = high;
            while (left <= right) {
                while (isBefore(left, pivot)) {
                    left++;
                }
                while (isAfter(right, pivot)) {
                    right--;
                }
                if (left <= right) {
                    swap(left++, right--);
                }
            }
            if (right - low < high - left) {
                sort(low, right);
                low = left;
            } else {
                sort(left, high);
                high = right;
            }
        }
    }

    private boolean isBefore(int number, long[] other) {
        int at = differs(number, other);
        return at < width && rows[number * width + at] < other[at];
    }

    private boolean isAfter(int number, long[] other) {
        int at = differs(number, other);
        return at < width && rows[number * width + at] > other[at];
    }

    private int differs(int number, long[] other) {
        int at = 0;
        while (at < width && rows[number * width + at] == other[at]) {
            at++;
        }
        return at;
    }

    private void swap(int number, int other) {
        for (int i = 0; i < width; i++) {
            long moved = rows[number * width + i];
            rows[number * width + i] = rows[other * width + i];
            rows[other * width + i] = moved;
        }
    }

    private void writeRun() {
        sort(0, size - 1);
        ByteBuffer buffer = ByteBuffer.allocate(ROWS_AT_ONCE * width * Long.BYTES);
        try {
            if (spilled.isEmpty()) {
                spilled = Optional.of(spill.file());
            }
            try (FileChannel file = FileChannel.open(
                    spilled.get(), StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
                for (int i = 0; i < size; i++) {
                    for (int number = i * width; number < (i + 1) * width; number++) {
                        buffer.putLong(rows[number]);
                    }
                    if (!buffer.hasRemaining() || i == size - 1) {
                        buffer.flip();
                        while (buffer.hasRemaining()) {
                            written += file.write(buffer);
                        }
                        buffer.clear();
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "what does not fit into memory cannot be written to disk: " + Reason.of(e), e);
        }
        size = 0;
        runEnds.add(written);
    }

    /** A sorted part of the file. */
    private final class Run {
        private final FileChannel file;
        private final long end;
        private final ByteBuffer buffer =
                ByteBuffer.allocate(ROWS_AT_ONCE * width * Long.BYTES).flip();
        private long position;
        private long[] first = {};

        Run(FileChannel file, long start, long end) throws IOException {
            this.file = file;
            this.position = start;
            this.end = end;
            next();
        }

        long[] first() {
            return first;
        }

        /** Moves to the next row; false where there is none. */
        boolean next() throws IOException {
            if (!buffer.hasRemaining()) {
                if (position == end) {
                    return false;
                }
                buffer.clear().limit((int) Math.min(buffer.capacity(), end - position));
                while (buffer.hasRemaining()) {
                    int read = file.read(buffer, position);
                    if (read < 0) {
                        throw new IOException("the file ends at byte " + position);
                    }
                    position += read;
                }
                buffer.flip();
            }
            first = new long[width];
            for (int i = 0; i < width; i++) {
                first[i] = buffer.getLong();
            }
            return true;
        }
    }
}
