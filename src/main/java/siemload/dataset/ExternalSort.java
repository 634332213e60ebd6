package siemload.dataset;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import siemload.config.directory.Reason;

/**
 * Sorts things in bounded memory: what does not fit is written to a file in sorted pieces, which are merged. The sort is stable. Not
 * thread-safe; methods throw {@link UncheckedIOException} if the disk fails.
 */
public final class ExternalSort<T> implements Closeable {
    private static final int BUFFER_SIZE = 1 << 16;

    private final Comparator<T> order;
    private final Form<T, byte[]> written;
    private final Form<byte[], T> read;
    private final int mostInMemory;
    private final Path spilled;
    private final List<T> held = new ArrayList<>();
    /** Sorted parts of the file. */
    private final List<Run> runs = new ArrayList<>();

    private long end;

    /** From this byte on so many things, one at least. */
    private record Run(long start, int count) {}

    /** How things lie in a file, or are made of that. */
    public interface Form<A, B> {
        /** In the other form. */
        B of(A thing) throws IOException;
    }

    /**
     * Nothing yet.
     *
     * @param mostInMemory how many are held until they are written to the file
     * @param spilled the file, which is made when it is needed
     */
    public ExternalSort(
            Comparator<T> order, Form<T, byte[]> written, Form<byte[], T> read, int mostInMemory, Path spilled) {
        this.order = order;
        this.written = written;
        this.read = read;
        this.mostInMemory = mostInMemory;
        this.spilled = spilled;
    }

    /** Takes one. */
    public void add(T thing) {
        if (held.size() >= mostInMemory) {
            spill();
        }
        held.add(thing);
    }

    /** Writes the things in memory to the file, to make room. */
    public void spill() {
        if (held.isEmpty()) {
            return;
        }
        held.sort(order);
        try {
            try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(
                    Files.newOutputStream(
                            spilled,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE,
                            // What a killed process left there is none of ours.
                            runs.isEmpty() ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.APPEND),
                    BUFFER_SIZE))) {
                for (T thing : held) {
                    byte[] bytes = written.of(thing);
                    out.writeInt(bytes.length);
                    out.write(bytes);
                }
            }
            runs.add(new Run(end, held.size()));
            end = Files.size(spilled);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "what does not fit into memory cannot be written to disk: " + Reason.of(e), e);
        }
        held.clear();
    }

    /** Passes on all of them in order; may be repeated. */
    public void forEach(Consumer<? super T> taker) {
        if (runs.isEmpty()) {
            held.sort(order);
            held.forEach(taker);
            return;
        }
        spill();
        PriorityQueue<Piece> pieces = new PriorityQueue<>(
                Comparator.comparing((Piece piece) -> piece.first, order).thenComparingLong(piece -> piece.start));
        List<Piece> opened = new ArrayList<>();
        try {
            try {
                for (Run run : runs) {
                    opened.add(new Piece(run));
                }
                pieces.addAll(opened);
                for (Piece piece = pieces.poll(); piece != null; piece = pieces.poll()) {
                    taker.accept(piece.first);
                    if (--piece.left > 0) {
                        piece.first = piece.next();
                        pieces.add(piece);
                    }
                }
            } finally {
                for (Piece piece : opened) {
                    piece.in.close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(spilled + " cannot be read: " + Reason.of(e), e);
        }
    }

    /** Removes the file. */
    @Override
    public void close() throws IOException {
        Files.deleteIfExists(spilled);
    }

    /** The rest of a sorted piece of the file. */
    private final class Piece {
        private final long start;
        private final DataInputStream in;
        private int left;
        private T first;

        Piece(Run run) throws IOException {
            start = run.start;
            left = run.count;
            FileChannel channel = FileChannel.open(spilled).position(start);
            in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel), BUFFER_SIZE));
            first = next();
        }

        private T next() throws IOException {
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            return read.of(bytes);
        }
    }
}
