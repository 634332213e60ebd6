package siemload.dataset;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
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
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import siemload.config.directory.Reason;

/**
 * Sorts things in bounded memory: what does not fit is written to a file in sorted pieces, which are merged. Equal ones stay in the
 * order in which they came. Not thread-safe; methods throw {@link UncheckedIOException} where the disk fails.
 */
public final class ExternalSort<T> implements Closeable {
    private static final int BUFFER_SIZE = 1 << 16;

    private final Comparator<T> order;
    private final Form<T> form;
    private final int mostInMemory;
    private final Spill spill;
    private final List<T> held = new ArrayList<>();
    private final List<Run> runs = new ArrayList<>();
    private long end;
    private Optional<Path> spilled = Optional.empty();

    /** A sorted part of the file: from this byte on so many things, one at least. */
    private record Run(long start, int count) {}

    /** How things lie in a file. */
    public interface Form<T> {
        /** Writes one. */
        void write(T thing, DataOutput out) throws IOException;

        /** Reads one. */
        T read(DataInput in) throws IOException;
    }

    /** Gives a place when one is needed. */
    public interface Spill {
        /** A file or a directory that may be written. */
        Path file() throws IOException;
    }

    /** @param mostInMemory how many are held until they are written to the file */
    public ExternalSort(Comparator<T> order, Form<T> form, int mostInMemory, Spill spill) {
        this.order = order;
        this.form = form;
        this.mostInMemory = mostInMemory;
        this.spill = spill;
    }

    /** Takes one. */
    public void add(T thing) {
        if (held.size() >= mostInMemory) {
            spill();
        }
        held.add(thing);
    }

    /** Writes to the file what is held, to make room. */
    public void spill() {
        if (held.isEmpty()) {
            return;
        }
        held.sort(order);
        try {
            if (spilled.isEmpty()) {
                spilled = Optional.of(spill.file());
            }
            try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(
                    Files.newOutputStream(spilled.get(), StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                    BUFFER_SIZE))) {
                for (T thing : held) {
                    form.write(thing, out);
                }
            }
            runs.add(new Run(end, held.size()));
            end = Files.size(spilled.get());
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "what does not fit into memory cannot be written to disk: " + Reason.of(e), e);
        }
        held.clear();
    }

    /** Hands over all of them in their order; may be repeated. */
    public void forEach(Consumer<? super T> taker) {
        if (spilled.isEmpty()) {
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
                    opened.add(new Piece(spilled.get(), run));
                }
                pieces.addAll(opened);
                for (Piece piece = pieces.poll(); piece != null; piece = pieces.poll()) {
                    taker.accept(piece.first);
                    if (--piece.left > 0) {
                        piece.first = form.read(piece.in);
                        pieces.add(piece);
                    }
                }
            } finally {
                for (Piece piece : opened) {
                    piece.in.close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(spilled.get() + " cannot be read: " + Reason.of(e), e);
        }
    }

    /** Removes the file. */
    @Override
    public void close() throws IOException {
        if (spilled.isPresent()) {
            Files.deleteIfExists(spilled.get());
        }
    }

    /** What is left of a sorted part of the file. */
    private final class Piece {
        private final long start;
        private final DataInputStream in;
        private int left;
        private T first;

        Piece(Path file, Run run) throws IOException {
            start = run.start;
            left = run.count;
            FileChannel channel = FileChannel.open(file).position(start);
            in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel), BUFFER_SIZE));
            first = form.read(in);
        }
    }
}
