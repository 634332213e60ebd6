package siemload.dataset;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import siemload.config.RegularFile;

/**
 * A file of entries of any length, each found by its number in the order of times; entries of the same time stay in the order in which they
 * were added. An index file has the time, place and length of each entry. This index is mapped into memory, so the heap does not grow with
 * it. Thread-safe.
 */
public final class TimedFile implements Closeable {
    private final Path file;
    private final Rows rows;
    /** The file is not a channel, since an interrupted thread that reads a channel closes it for all threads. */
    private final RandomAccessFile things;

    /** Opens a file that has been sorted. */
    public TimedFile(Path file) throws IOException {
        this.file = file;
        rows = new Rows(index(file), MapMode.READ_ONLY);
        things = new RandomAccessFile(file.toFile(), "r");
    }

    /**
     * Sorts a file that has been written.
     *
     * @param without numbers of entries to leave out, in the order in which they were added
     */
    public static void sort(Path file, BitSet without) throws IOException {
        Rows rows = new Rows(index(file), MapMode.READ_WRITE);
        without.stream().forEach(number -> rows.put(number, 0, Long.MAX_VALUE));
        rows.sort(0, rows.count());
        try (FileChannel channel = FileChannel.open(index(file), StandardOpenOption.WRITE)) {
            channel.truncate((long) Rows.BYTES * (rows.count() - without.cardinality()));
        }
    }

    /** Deletes a file, if it exists, and its index. A reader that has the file open can still read it. */
    public static void delete(Path file) throws IOException {
        Files.deleteIfExists(index(file));
        Files.deleteIfExists(file);
    }

    private static Path index(Path file) {
        return file.resolveSibling(file.getFileName() + ".index");
    }

    /** Returns the number of entries. */
    public int count() {
        return rows.count();
    }

    /** The time of an entry in microseconds since 1970. */
    long micros(int number) {
        return rows.get(number, 0);
    }

    /** Reads an entry. @throws UncheckedIOException if the disk fails */
    public byte[] get(int number) {
        byte[] thing = new byte[(int) rows.get(number, 2)];
        synchronized (things) {
            try {
                things.seek(rows.get(number, 1));
                things.readFully(thing);
            } catch (IOException e) {
                throw new UncheckedIOException(file + " cannot be read: " + RegularFile.reason(e), e);
            }
        }
        return thing;
    }

    @Override
    public void close() throws IOException {
        things.close();
    }

    /** Writes a file, which must be sorted once it is closed; an existing file is replaced. Not thread-safe. */
    public static final class Writer implements Closeable {
        private final DataOutputStream things;
        private final DataOutputStream rows;
        private long bytes;
        private int count;

        /** Begins a file. */
        public Writer(Path file) throws IOException {
            things = Rows.output(file);
            try {
                rows = Rows.output(index(file));
            } catch (IOException e) {
                things.close();
                throw e;
            }
        }

        /**
         * Adds an entry.
         *
         * @param micros the entry's time in microseconds since 1970
         * @throws IOException if the disk fails, or there are too many entries
         */
        public void add(long micros, byte[] thing) throws IOException {
            if (count == Rows.MOST) {
                throw new IOException("there are more than " + count + " (name fewer files, or split one)");
            }
            rows.writeLong(micros);
            rows.writeLong(bytes);
            rows.writeLong(thing.length);
            things.write(thing);
            bytes += thing.length;
            count++;
        }

        int count() {
            return count;
        }

        long bytes() {
            return bytes;
        }

        @Override
        public void close() throws IOException {
            try (rows) {
                things.close();
            }
        }
    }

    /** Rows of three numbers in a file that is mapped into memory. Thread-safe, except for sorting. */
    static final class Rows {
        private static final int WIDTH = 3;
        private static final int BYTES = WIDTH * Long.BYTES;
        /** The largest number of rows: a memory mapping has 2 GiB at most. */
        static final int MOST = Integer.MAX_VALUE / BYTES;

        private final LongBuffer numbers;
        private final SeededRandom random = new SeededRandom(1);

        Rows(Path file, MapMode mode) throws IOException {
            String access = mode == MapMode.READ_ONLY ? "r" : "rw";
            try (RandomAccessFile mapped = new RandomAccessFile(file.toFile(), access)) {
                numbers = mapped.getChannel().map(mode, 0, mapped.length()).asLongBuffer();
            }
        }

        static DataOutputStream output(Path file) throws IOException {
            return new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16));
        }

        int count() {
            return numbers.limit() / WIDTH;
        }

        long get(int row, int column) {
            return numbers.get(WIDTH * row + column);
        }

        void put(int row, int column, long number) {
            numbers.put(WIDTH * row + column, number);
        }

        /**
         * Sorts rows in place by quicksort; no two rows are equal. Pivots are random, because recordings written one after the other form
         * several sorted parts.
         */
        void sort(int from, int until) {
            int first = from;
            int end = until;
            while (end - first > 1) {
                swap(first, first + random.nextInt(end - first));
                int pivot = first;
                for (int row = first + 1; row < end; row++) {
                    if (compare(row, first) < 0) {
                        swap(++pivot, row);
                    }
                }
                swap(first, pivot);
                // Only the shorter part is sorted by a nested call, so that few calls are open at once.
                if (pivot - first < end - pivot) {
                    sort(first, pivot);
                    first = pivot + 1;
                } else {
                    sort(pivot + 1, end);
                    end = pivot;
                }
            }
        }

        private int compare(int row, int other) {
            int order = Long.compare(get(row, 0), get(other, 0));
            order = order == 0 ? Long.compare(get(row, 1), get(other, 1)) : order;
            return order == 0 ? Long.compare(get(row, 2), get(other, 2)) : order;
        }

        private void swap(int row, int other) {
            for (int column = 0; column < WIDTH; column++) {
                long number = get(row, column);
                put(row, column, get(other, column));
                put(other, column, number);
            }
        }
    }
}
