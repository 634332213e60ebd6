package siemload.dataset.recording;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import siemload.config.directory.Reason;

/**
 * Finds the events whose id occurred before. Exact but for equal 128-bit hashes, and in bounded memory: ids are spread by their
 * hash over many heaps, of which what does not fit is in a file each, and each heap is looked through by itself. Not
 * thread-safe; methods throw {@link UncheckedIOException} where the disk fails.
 */
final class RepeatedIds {
    /** A recording with more of them is broken as a whole. */
    static final int LIMIT = 1_000_000;

    private static final int HEAPS = 256;
    private static final int BYTES = 4 * Long.BYTES;

    private final List<Heap> heaps = new ArrayList<>(HEAPS);

    /**
     * An event whose id occurred before.
     *
     * @param place of its line
     * @param line its number
     */
    record Repeated(long place, long line) {}

    /** @param scratch for what does not fit into memory */
    RepeatedIds(ScratchFiles scratch, int idsInMemory) {
        for (int heap = 0; heap < HEAPS; heap++) {
            heaps.add(new Heap(scratch, "ids-" + heap, Math.max(4, idsInMemory / HEAPS)));
        }
    }

    /** Notes an event; in the order of the recording. */
    void add(long hashHigh, long hashLow, long place, long line) {
        heaps.get((int) (hashHigh & HEAPS - 1)).add(hashHigh, hashLow, place, line);
    }

    /** All events whose id occurred before, in the order of the recording; no more than one above {@link #LIMIT}. */
    List<Repeated> find() {
        List<Repeated> repeated = new ArrayList<>();
        for (Heap heap : heaps) {
            heap.find(repeated);
        }
        repeated.sort(Comparator.comparingLong(Repeated::place));
        return repeated;
    }

    /** Ids that share a part of their hash. */
    private static final class Heap {
        private final ScratchFiles scratch;
        private final String name;
        private final int mostInMemory;
        private Optional<Path> file = Optional.empty();
        private ByteBuffer buffer = ByteBuffer.allocate(4 * BYTES);
        private long count;

        Heap(ScratchFiles scratch, String name, int mostInMemory) {
            this.scratch = scratch;
            this.name = name;
            this.mostInMemory = mostInMemory;
        }

        void add(long hashHigh, long hashLow, long place, long line) {
            if (!buffer.hasRemaining()) {
                makeRoom();
            }
            buffer.putLong(hashHigh).putLong(hashLow).putLong(place).putLong(line);
            count++;
        }

        private void makeRoom() {
            if (buffer.capacity() < mostInMemory * BYTES) {
                int capacity = Math.min(2 * buffer.capacity(), mostInMemory * BYTES);
                buffer = ByteBuffer.allocate(capacity).put(buffer.flip());
            } else {
                write();
                buffer.clear();
            }
        }

        private void write() {
            try {
                if (file.isEmpty()) {
                    file = Optional.of(scratch.file(name));
                }
                try (OutputStream out =
                        Files.newOutputStream(file.get(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                    out.write(buffer.array(), 0, buffer.position());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "ids that do not fit into memory cannot be written to disk: " + Reason.of(e), e);
            }
        }

        void find(List<Repeated> repeated) {
            IdSet ids = new IdSet();
            try {
                readWritten(ids, repeated);
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "ids that did not fit into memory cannot be read from disk: " + Reason.of(e), e);
            }
            ByteBuffer left = buffer.duplicate().flip();
            while (left.hasRemaining()) {
                look(ids, left.getLong(), left.getLong(), new Repeated(left.getLong(), left.getLong()), repeated);
            }
        }

        private void readWritten(IdSet ids, List<Repeated> repeated) throws IOException {
            long written = count - buffer.position() / BYTES;
            if (file.isEmpty()) {
                return;
            }
            try (DataInputStream in =
                    new DataInputStream(new BufferedInputStream(Files.newInputStream(file.get()), 1 << 16))) {
                for (long i = 0; i < written; i++) {
                    look(ids, in.readLong(), in.readLong(), new Repeated(in.readLong(), in.readLong()), repeated);
                }
            }
        }

        private static void look(IdSet ids, long high, long low, Repeated event, List<Repeated> repeated) {
            if (!ids.add(high, low) && repeated.size() <= LIMIT) {
                repeated.add(event);
            }
        }
    }
}
