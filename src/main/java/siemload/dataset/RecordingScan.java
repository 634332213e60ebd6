package siemload.dataset;

import java.io.Closeable;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Sha256;
import siemload.event.EventLineReader;
import siemload.event.EventReader;
import siemload.event.EventReader.Outline;
import siemload.event.LineProblem;

/**
 * Reads a recording once to learn what is in it. Events whose id occurred before are left out and reported, because stores have
 * the id as their key. Memory is bounded, with files for what does not fit. Not thread-safe.
 */
final class RecordingScan implements Closeable {
    private static final int ROWS_IN_MEMORY = 250_000;
    private static final int EVENTS_BETWEEN_SIGNS = 1 << 15;
    /** Two hashes of an id make 128 bits. */
    private static final long FIRST_SEED = 0x9E37_79B9_7F4A_7C15L;

    private static final long SECOND_SEED = 0xD1B5_4A32_D192_ED03L;

    private final List<RecordedFile> files;
    private final Consumer<String> status;
    private final LineProblems problems;
    /** Two hashes of the id, {@link Place}, the number of the line, and the detect time in microseconds. */
    private final ExternalSort<long[]> ids;
    /** Detect time and {@link Place} of each event whose id did not occur before. */
    private final ExternalSort<long[]> entries;

    private final MessageDigest digest = Sha256.digest();
    private long read;
    private long count;

    /**
     * @param directory for what does not fit into memory
     * @param status told how far that is
     */
    RecordingScan(List<RecordedFile> files, ExternalSort.Spill directory, Consumer<String> status) {
        this(files, directory, status, ROWS_IN_MEMORY);
    }

    RecordingScan(List<RecordedFile> files, ExternalSort.Spill directory, Consumer<String> status, int rowsInMemory) {
        this.files = List.copyOf(files);
        this.status = status;
        problems = new LineProblems(files.stream().map(RecordedFile::path).toList());
        entries = new ExternalSort<>(
                Arrays::compare,
                new Row(2),
                rowsInMemory,
                () -> directory.file().resolve("entries"));
        ids = new ExternalSort<>(
                Arrays::compare,
                new Row(5),
                rowsInMemory,
                () -> directory.file().resolve("ids"));
    }

    /**
     * A file of a recording, as it was when it was opened. Immutable.
     *
     * @param path as the user named it
     * @param reader of its format
     * @param bytes its size, packed where it is
     * @param changed when it was written last
     */
    record RecordedFile(Path path, EventReader reader, long bytes, Instant changed) {
        static RecordedFile of(Path path, EventReader reader) throws IOException {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return new RecordedFile(
                    path,
                    reader,
                    attributes.size(),
                    attributes.lastModifiedTime().toInstant());
        }

        /** What it is made of, to tell whether it is still the same. */
        String identity() throws IOException {
            return path.toRealPath() + " " + bytes + " " + changed + " " + reader.identity();
        }

        /** Whether it begins with the magic number of gzip, so that no line can be read before all that stands before it. */
        boolean isPacked() throws IOException {
            try (InputStream in = Files.newInputStream(path)) {
                return in.read() == 0x1F && in.read() == 0x8B;
            }
        }
    }

    /** So many numbers. */
    private record Row(int width) implements ExternalSort.Form<long[]> {
        @Override
        public void write(long[] row, DataOutput out) throws IOException {
            for (long number : row) {
                out.writeLong(number);
            }
        }

        @Override
        public long[] read(DataInput in) throws IOException {
            long[] row = new long[width];
            for (int i = 0; i < width; i++) {
                row[i] = in.readLong();
            }
            return row;
        }
    }

    /** The recording for people. */
    static String name(List<RecordedFile> files) {
        String first = files.get(0).path().toString();
        return files.size() == 1 ? first : first + " and " + (files.size() - 1) + " more";
    }

    /**
     * Reads all files.
     *
     * @throws ConfigException if there is no event in them
     */
    void run() {
        for (int file = 0; file < files.size(); file++) {
            read(file);
        }
        status.accept("");
        AtomicReference<long[]> before = new AtomicReference<>(new long[0]);
        ids.forEach(row -> {
            if (Arrays.mismatch(row, before.getAndSet(row)) < 2) {
                entries.add(new long[] {row[4], row[2]});
                count++;
            } else {
                Path file = files.get(Place.file(row[2])).path();
                problems.accept(new LineProblem(file, row[3], "the ID occurred on an earlier line"));
            }
        });
        if (count == 0) {
            List<String> reasons = warnings();
            throw new ConfigException(
                    new Origin.WholeFile(name(files)),
                    "there is no event in it"
                            + (reasons.isEmpty() ? " (the file is empty)" : "\n" + String.join("\n", reasons)));
        }
    }

    private void read(int file) {
        RecordedFile recorded = files.get(file);
        try (EventLineReader reader = EventLineReader.open(recorded.path(), recorded.reader(), problems)) {
            for (Optional<Outline> event = reader.nextOutline(); event.isPresent(); event = reader.nextOutline()) {
                String id = event.get().id();
                ids.add(new long[] {
                    hash(id, FIRST_SEED),
                    hash(id, SECOND_SEED),
                    Place.of(file, reader.position()),
                    reader.line(),
                    Recording.micros(event.get().detectTime())
                });
                reader.addLineTo(digest);
                if (++read % EVENTS_BETWEEN_SIGNS == 0) {
                    tell(file, reader);
                }
            }
        }
        digest.update(recorded.reader().identity().getBytes(StandardCharsets.UTF_8));
    }

    /** By the factors of the finalizer of SplitMix64, by Steele, Lea and Flood. */
    private static long hash(String id, long seed) {
        long hash = seed;
        for (int i = 0; i < id.length(); i++) {
            hash = (hash ^ id.charAt(i)) * 0xBF58_476D_1CE4_E5B9L;
            hash ^= hash >>> 32;
        }
        hash = (hash ^ hash >>> 27) * 0x94D0_49BB_1331_11EBL;
        return hash ^ hash >>> 31;
    }

    private void tell(int file, EventLineReader reader) {
        long all = files.stream().mapToLong(RecordedFile::bytes).sum();
        long before = files.stream().limit(file).mapToLong(RecordedFile::bytes).sum();
        status.accept(String.format(
                Locale.ROOT,
                "looking through %s: %.0f %% of %,d MB, %,d events",
                name(files),
                Math.min(100, 100.0 * (before + reader.bytesRead()) / Math.max(1, all)),
                all / 1_000_000,
                read));
    }

    /** Hands over times and places of all events, in the order of their times. */
    void forEach(Consumer<long[]> taker) {
        entries.forEach(taker);
    }

    /** What is wrong with it, for people, a line each. */
    List<String> warnings() {
        return problems.lines(name(files) + ": ", LineProblem::toString);
    }

    /** Nothing can be added afterwards. */
    Recording.Summary summary() {
        String leftOut = problems.count() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%,d of %,d lines of the recording could not be read and were left out, first %s",
                        problems.count(),
                        problems.count() + count,
                        problems.first());
        return new Recording.Summary(count, Sha256.fingerprint(digest.digest()), leftOut, warnings());
    }

    @Override
    public void close() throws IOException {
        try (entries) {
            ids.close();
        }
    }

    /**
     * Where a line begins: file and byte in one number, in the order in which the files are read. 16 bits for the file and 48 for
     * the byte, enough for 32,768 files of 256 terabytes. Stateless.
     */
    static final class Place {
        static final int MOST_FILES = 1 << 15;
        private static final int BITS_OF_POSITION = 48;

        private Place() {}

        static long of(int file, long position) {
            return (long) file << BITS_OF_POSITION | position;
        }

        static int file(long place) {
            return (int) (place >>> BITS_OF_POSITION);
        }

        /** How many bytes of the file, unpacked, stand before the line. */
        static long position(long place) {
            return place & (1L << BITS_OF_POSITION) - 1;
        }
    }
}
