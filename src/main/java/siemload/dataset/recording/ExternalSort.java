package siemload.dataset.recording;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
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
    private final List<Long> pieceEnds = new ArrayList<>();
    private Optional<Path> spilled = Optional.empty();

    /** How things lie in a file. */
    public interface Form<T> {
        /** Writes one. */
        void write(T thing, DataOutput out) throws IOException;

        /** Reads one. */
        T read(DataInput in) throws IOException;
    }

    /** Gives a place for the file when one is needed. */
    public interface Spill {
        /** A file that may be written. */
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
            pieceEnds.add(Files.size(spilled.get()));
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
        try (FileChannel file = FileChannel.open(spilled.get(), StandardOpenOption.READ)) {
            PriorityQueue<Piece> pieces = new PriorityQueue<>();
            for (int i = 0; i < pieceEnds.size(); i++) {
                pieces.add(new Piece(file, i));
            }
            while (!pieces.isEmpty()) {
                Piece piece = pieces.remove();
                taker.accept(piece.first);
                if (piece.advance()) {
                    pieces.add(piece);
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

    /** A sorted part of the file, with one thing at least. */
    private final class Piece extends InputStream implements Comparable<Piece> {
        private final FileChannel file;
        private final int number;
        private final long end;
        private final DataInputStream in = new DataInputStream(new BufferedInputStream(this, BUFFER_SIZE));
        private long position;
        private T first;

        Piece(FileChannel file, int number) throws IOException {
            this.file = file;
            this.number = number;
            position = number == 0 ? 0 : pieceEnds.get(number - 1);
            end = pieceEnds.get(number);
            first = form.read(in);
        }

        /** Moves to the next one; false where there is none. */
        boolean advance() throws IOException {
            if (position == end && in.available() == 0) {
                return false;
            }
            first = form.read(in);
            return true;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int most = (int) Math.min(length, end - position);
            int read = most == 0 ? -1 : file.read(ByteBuffer.wrap(bytes, offset, most), position);
            position += Math.max(read, 0);
            return read;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int compareTo(Piece other) {
            int byFirst = order.compare(first, other.first);
            return byFirst == 0 ? Integer.compare(number, other.number) : byFirst;
        }
    }
}
