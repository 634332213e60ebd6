package siemload.run.learn;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Executions that come in about the order in which they ended, and are handed over in the order in which they began. They are sorted
 * piece by piece, and the pieces lie in files until they are merged, so that memory does not grow with them. Not thread-safe.
 */
final class SpooledExecutions implements Closeable {
    private static final int MOST_HELD = 100_000;
    private static final long MOST_CHARACTERS = 32_000_000;
    private static final int MOST_FILES = 100;
    private static final Comparator<Spooled> BY_START = Comparator.comparingLong(Spooled::startMicros);

    private final int mostHeld;
    private final int mostFiles;
    private final Path directory;
    private final List<Path> files = new ArrayList<>();
    private final List<Spooled> held = new ArrayList<>();
    private long characters;
    private long made;

    /** @param beside where the files lie for so long, in a directory of their own */
    SpooledExecutions(Path beside) throws IOException {
        this(beside, MOST_HELD, MOST_FILES);
    }

    /**
     * The same with other limits.
     *
     * @param mostHeld how many are held in memory
     * @param mostFiles how many pieces are files of their own, before they are merged; 2 or more
     */
    SpooledExecutions(Path beside, int mostHeld, int mostFiles) throws IOException {
        this.mostHeld = mostHeld;
        this.mostFiles = mostFiles;
        this.directory = Files.createTempDirectory(beside, ".siemload-spool");
    }

    /**
     * An execution on its way.
     *
     * @param startMicros when it began, since 1970
     * @param session from 0
     * @param statement tells its text from others
     */
    record Spooled(long startMicros, int session, long statement, long tookMicros, List<String> values) {
        Spooled {
            values = List.copyOf(values);
        }
    }

    /** Takes executions. */
    @FunctionalInterface
    interface Taker {
        void take(Spooled execution) throws IOException;
    }

    void add(Spooled execution) throws IOException {
        held.add(execution);
        for (String value : execution.values()) {
            characters += value.length();
        }
        if (held.size() >= mostHeld || characters >= MOST_CHARACTERS) {
            flush();
        }
    }

    private void flush() throws IOException {
        held.sort(BY_START);
        Path file = directory.resolve("piece-" + made++);
        try (PieceWriter writer = new PieceWriter(file)) {
            for (Spooled execution : held) {
                writer.write(execution);
            }
        }
        held.clear();
        characters = 0;
        files.add(file);
        if (files.size() == mostFiles) {
            mergeFiles();
        }
    }

    private void mergeFiles() throws IOException {
        Path file = directory.resolve("piece-" + made++);
        try (PieceWriter writer = new PieceWriter(file)) {
            merge(writer::write);
        }
        for (Path merged : files) {
            Files.delete(merged);
        }
        files.clear();
        files.add(file);
    }

    /** Hands over all of them in the order in which they began, those of one instant in the order in which they came; may be repeated. */
    void inOrder(Taker taker) throws IOException {
        if (!held.isEmpty()) {
            flush();
        }
        merge(taker);
    }

    private void merge(Taker taker) throws IOException {
        PriorityQueue<PieceReader> next = new PriorityQueue<>();
        List<PieceReader> open = new ArrayList<>();
        try {
            for (int i = 0; i < files.size(); i++) {
                PieceReader reader = new PieceReader(files.get(i), i);
                open.add(reader);
                if (reader.advance()) {
                    next.add(reader);
                }
            }
            while (!next.isEmpty()) {
                PieceReader first = next.remove();
                taker.take(first.current());
                if (first.advance()) {
                    next.add(first);
                }
            }
        } finally {
            for (PieceReader reader : open) {
                reader.close();
            }
        }
    }

    @Override
    public void close() throws IOException {
        try (DirectoryStream<Path> pieces = Files.newDirectoryStream(directory)) {
            for (Path piece : pieces) {
                Files.delete(piece);
            }
        }
        Files.delete(directory);
    }

    /** Writes a piece. */
    private static final class PieceWriter implements Closeable {
        private final DataOutputStream out;

        PieceWriter(Path file) throws IOException {
            this.out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)));
        }

        void write(Spooled execution) throws IOException {
            out.writeLong(execution.startMicros());
            out.writeInt(execution.session());
            out.writeLong(execution.statement());
            out.writeLong(execution.tookMicros());
            out.writeInt(execution.values().size());
            for (String value : execution.values()) {
                byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
                out.writeInt(bytes.length);
                out.write(bytes);
            }
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }

    /** Reads a piece. Those that came earlier go first where two executions began at once. */
    private static final class PieceReader implements Closeable, Comparable<PieceReader> {
        private final DataInputStream in;
        private final int place;
        private long left;
        private Optional<Spooled> current = Optional.empty();

        PieceReader(Path file, int place) throws IOException {
            this.in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)));
            this.place = place;
            this.left = Files.size(file);
        }

        Spooled current() {
            return current.orElseThrow();
        }

        boolean advance() throws IOException {
            if (left == 0) {
                return false;
            }
            long start = in.readLong();
            int session = in.readInt();
            long statement = in.readLong();
            long took = in.readLong();
            int count = in.readInt();
            left -= 3L * Long.BYTES + 2L * Integer.BYTES;
            List<String> values = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                int length = in.readInt();
                values.add(new String(in.readNBytes(length), StandardCharsets.UTF_8));
                left -= Integer.BYTES + (long) length;
            }
            current = Optional.of(new Spooled(start, session, statement, took, values));
            return true;
        }

        @Override
        public int compareTo(PieceReader other) {
            int byStart = BY_START.compare(current(), other.current());
            return byStart != 0 ? byStart : Integer.compare(place, other.place);
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
