package siemload.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Sha256;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.event.ByteLines;
import siemload.event.EventLineReader;
import siemload.event.EventReader;
import siemload.event.EventReader.Outline;
import siemload.event.IdeaReader;
import siemload.event.IdeaTime;
import siemload.event.IdeaWriter;
import siemload.event.LineProblem;
import siemload.event.SecurityEvent;

/**
 * A data set of recorded events, as they are or repeated: in the order of their detect times, copy after copy, each found by its number
 * alone. The first use copies the events as IDEA into the directory of what is kept between runs, with an index; that is made again when
 * a file has changed. Memory does not grow with the number of events. Lines that are no events, or repeat the id of an earlier one, are
 * left out and reported. Thread-safe; methods throw {@link UncheckedIOException} where the disk fails.
 */
public final class Recording implements EventSource {
    /**
     * The time over which copies are spread, in as many equal slots. A recording longer than a slot is compressed to fit, a shorter one
     * stays as it is at the slot's beginning.
     */
    private static final Duration SPAN = Duration.ofDays(7);

    private static final List<String> TIMESTAMPS =
            List.of("CreateTime", "EventTime", "CeaseTime", "WinStartTime", "WinEndTime");
    private static final long MICROS_PER_SECOND = 1_000_000;
    /** An index has 16 bytes for each, and 2 GiB at most. */
    private static final int MOST_EVENTS = (1 << 27) - 1;
    /** A place in the copy has the length of an event in 24 bits, behind where it begins. A line of a mebibyte becomes six at most. */
    private static final int BITS_OF_LENGTH = 24;

    private static final long MOST_BYTES = Long.MAX_VALUE >> BITS_OF_LENGTH;

    private static final IdeaReader READER = new IdeaReader();

    private final List<RecordedFile> files;
    private final Summary summary;
    /** Time in microseconds since 1970 and place of each event, in the order of their times; mapped into memory. */
    private final LongBuffer index;

    /** Has the events as IDEA. No channel: one that an interrupted thread reads is closed for all others. */
    private final RandomAccessFile lines;

    /** Has index and lines. */
    private final Path directory;

    private final int amplify;

    private Recording(
            List<RecordedFile> files,
            Summary summary,
            LongBuffer index,
            RandomAccessFile lines,
            Path directory,
            int amplify) {
        this.files = List.copyOf(files);
        this.summary = summary;
        this.index = index;
        this.lines = lines;
        this.directory = directory;
        this.amplify = amplify;
    }

    /**
     * Opens a recording, and looks through it unless that has been done before.
     *
     * @param paths in the order in which they were recorded; events of the same time stay in it
     * @param readers the reader of a file's format
     * @param cache the directory of what is kept between runs
     * @param status is told what is being done where that takes long; an empty text clears it
     * @param amplify how often it is repeated, over a week; 1 leaves the events as they are
     * @throws ConfigException if there is no event in it
     * @throws UncheckedIOException if it cannot be read, or its copy not be written
     */
    static Recording open(
            List<Path> paths, Function<Path, EventReader> readers, Path cache, Consumer<String> status, int amplify) {
        List<RecordedFile> files = paths.stream()
                .map(path -> RecordedFile.of(path, readers.apply(path)))
                .toList();
        Path recordings = cache.resolve("recordings");
        try {
            return new Store(files, recordings, status, amplify).open();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the recording " + name(files) + " cannot be indexed in " + recordings
                            + " (choose another place with -Dcache=DIR): " + Reason.of(e),
                    e);
        }
    }

    private static String name(List<RecordedFile> files) {
        return named(files.get(0).path.toString(), files);
    }

    private static String named(String first, List<RecordedFile> files) {
        return first + (files.size() == 1 ? "" : " and " + (files.size() - 1) + " more");
    }

    @Override
    public String name() {
        return named(String.valueOf(files.get(0).path.getFileName()), files) + (amplify > 1 ? " x" + amplify : "");
    }

    @Override
    public long count() {
        return Math.multiplyExact(summary.count, (long) amplify);
    }

    /** From all lines that are events. */
    @Override
    public String fingerprint() {
        return amplify > 1
                ? Sha256.fingerprint(summary.fingerprint + " " + amplify + " " + SPAN + "\n")
                : summary.fingerprint;
    }

    @Override
    public List<String> warnings() {
        return summary.warnings;
    }

    @Override
    public Optional<String> leftOut() {
        return Optional.of(summary.leftOut).filter(left -> !left.isEmpty());
    }

    @Override
    public SecurityEvent event(long number) {
        SecurityEvent event = recorded(number);
        if (amplify == 1) {
            return event;
        }
        long copy = number / summary.count;
        return moved(event, SeededRandom.idOfCopy(event.id(), copy), time(copy, event.detectTime()));
    }

    /** The recorded events again and again, with new ids and times. */
    @Override
    public FeedEvents feed() {
        long seed = SeededRandom.hash(fingerprint(), 0);
        return new FeedEvents(
                number -> SeededRandom.id(seed, number), (number, id, time) -> moved(recorded(number), id, time));
    }

    /** The recorded event that one with this number, from 0, is made from. */
    private SecurityEvent recorded(long number) {
        long place = index.get(2 * (int) (number % summary.count) + 1);
        byte[] json = new byte[(int) place & (1 << BITS_OF_LENGTH) - 1];
        synchronized (lines) {
            try {
                lines.seek(place >> BITS_OF_LENGTH);
                lines.readFully(json);
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "the copy of " + name(files) + " in " + directory + " cannot be read: " + Reason.of(e), e);
            }
        }
        return READER.read(json);
    }

    private Instant recordedTime(long number) {
        return Instant.EPOCH.plus(index.get(2 * (int) number), ChronoUnit.MICROS);
    }

    /** When an event of a copy happens, in whole milliseconds. */
    private Instant time(long copy, Instant recorded) {
        long spanMillis = SPAN.toMillis();
        long firstMillis = recordedTime(0).toEpochMilli();
        long lengthMillis = recordedTime(summary.count - 1).toEpochMilli() - firstMillis;
        long slotMillis = Math.max(0, spanMillis / amplify - 1);
        double scale = lengthMillis <= slotMillis ? 1 : (double) slotMillis / lengthMillis;
        long slotStart = spanMillis / amplify * copy + spanMillis % amplify * copy / amplify;
        long offset = (long) ((recorded.toEpochMilli() - firstMillis) * scale);
        return Instant.ofEpochMilli(firstMillis + slotStart + offset);
    }

    /** A new event from a recorded one: with another id, and all of its timestamps shifted by the same time. */
    private static SecurityEvent moved(SecurityEvent event, String id, Instant detectTime) {
        Duration by = Duration.between(event.detectTime(), detectTime);
        Map<String, JsonNode> other = new LinkedHashMap<>(event.other());
        for (String key : TIMESTAMPS) {
            // What is no time stays as it is.
            other.computeIfPresent(
                    key,
                    (unused, value) -> Optional.ofNullable(value.textValue())
                            .flatMap(IdeaTime::parse)
                            .<JsonNode>map(time -> TextNode.valueOf(IdeaTime.format(time.plus(by))))
                            .orElse(value));
        }
        return event.with(id, detectTime, other);
    }

    /**
     * A file of a recording, as it was when it was opened. Immutable.
     *
     * @param path as the user named it
     * @param real the same file, however it is named
     * @param reader of its format
     * @param identity what it is made of, to tell whether it is still the same
     */
    private record RecordedFile(Path path, Path real, EventReader reader, String identity) {
        static RecordedFile of(Path path, EventReader reader) {
            try {
                Instant changed = Files.getLastModifiedTime(path).toInstant();
                Path real = path.toRealPath();
                String identity = real + " " + Files.size(path) + " " + changed + " " + reader.identity();
                return new RecordedFile(path, real, reader, identity);
            } catch (IOException e) {
                throw new UncheckedIOException(path + " cannot be read: " + Reason.of(e), e);
            }
        }
    }

    /**
     * What is known of a recording beside its events, as it stands in the cache. Immutable.
     *
     * @param identity of its files
     * @param count the number of events
     * @param bytes the length of all lines as IDEA
     * @param fingerprint made from all lines that are events
     * @param leftOut that lines were left out; empty if none was
     * @param warnings what is wrong with it, for people
     */
    record Summary(String identity, long count, long bytes, String fingerprint, String leftOut, List<String> warnings) {
        Summary {
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * Opens recordings: from what the cache knows of them, or by looking through them. The cache has a directory for each list of paths,
     * with the events, an index and, written last, a summary. Of two processes that open the same files one waits for the other. Events
     * whose id occurred before are left out and reported, because stores have the id as their key. Memory is bounded, with files for
     * what does not fit. Used by one thread.
     */
    private static final class Store {
        private static final ObjectMapper JSON = new ObjectMapper();
        /** To be changed by developers with each change of the form of what such a directory holds. */
        private static final String FORMAT_VERSION = "9\n";

        private static final int EVENTS_BETWEEN_SIGNS = 1 << 15;
        private static final int ROWS_IN_MEMORY = 250_000;
        private static final long LOOK_AGAIN_MILLIS = 50;

        private final Path cache;
        private final List<RecordedFile> files;
        private final Consumer<String> status;
        private final int amplify;
        private final Path directory;
        private final String identity;
        private final MessageDigest digest = Sha256.digest();
        private final MessageDigest ofId = Sha256.digest();
        private final IdeaWriter writer = new IdeaWriter();
        private final LineProblems problems;
        private long written;
        private long read;
        private long count;

        Store(List<RecordedFile> files, Path cache, Consumer<String> status, int amplify) {
            this.cache = cache;
            this.files = files;
            this.status = status;
            this.amplify = amplify;
            problems = new LineProblems(files.stream().map(RecordedFile::path).toList());
            directory = cache.resolve(fingerprint(file -> file.real + "\n"));
            identity = fingerprint(file -> FORMAT_VERSION + file.identity + "\n");
        }

        private String fingerprint(Function<RecordedFile, String> part) {
            return Sha256.fingerprint(files.stream().map(part).collect(Collectors.joining()));
        }

        Recording open() throws IOException {
            Optional<Recording> known = known();
            return known.isPresent() ? known.get() : lookedThrough();
        }

        private Recording lookedThrough() throws IOException {
            Ownership user = Ownership.ofThisUser();
            user.makePrivate(cache.toAbsolutePath().resolveSibling(""));
            user.makePrivate(cache);
            user.makePrivate(directory);
            Closeable lock = lock();
            try {
                Optional<Recording> ofAnother = known();
                if (ofAnother.isPresent()) {
                    return ofAnother.get();
                }
                remove();
                try (ExternalSort<long[]> ids = sort("ids");
                        ExternalSort<long[]> entries = sort("entries")) {
                    try (OutputStream lines = output("lines")) {
                        for (int file = 0; file < files.size(); file++) {
                            read(file, ids, lines);
                        }
                    }
                    status.accept("");
                    keepFirstOfEachId(ids, entries);
                    write(entries);
                } catch (IOException | RuntimeException failed) {
                    remove();
                    throw failed;
                }
                return known().orElseThrow(() -> new IOException(directory + " has been removed"));
            } finally {
                lock.close();
            }
        }

        private Closeable lock() throws IOException {
            Optional<FileChannel> lock = DirectoryTree.tryLock(directory);
            while (lock.isEmpty()) {
                status.accept("waiting for another siemload that looks through " + name(files));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_AGAIN_MILLIS));
                lock = DirectoryTree.tryLock(directory);
            }
            status.accept("");
            return lock.get();
        }

        /** What is open stays so until it is closed. */
        private void remove() throws IOException {
            for (String name : List.of("summary", "index", "lines", "ids", "entries")) {
                Files.deleteIfExists(directory.resolve(name));
            }
        }

        /** From the cache; empty where nothing is there, or something of other files, or that cannot be read. */
        private Optional<Recording> known() {
            try {
                Summary summary = JSON.readValue(directory.resolve("summary").toFile(), Summary.class);
                Path indexed = directory.resolve("index");
                Path copied = directory.resolve("lines");
                if (!summary.identity.equals(identity)
                        || Files.size(indexed) != 2 * Long.BYTES * summary.count
                        || Files.size(copied) != summary.bytes) {
                    return Optional.empty();
                }
                try (FileChannel file = FileChannel.open(indexed)) {
                    LongBuffer index = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size())
                            .asLongBuffer();
                    RandomAccessFile lines = new RandomAccessFile(copied.toFile(), "r");
                    return Optional.of(new Recording(files, summary, index, lines, directory, amplify));
                }
            } catch (IOException missingOrBroken) {
                return Optional.empty();
            }
        }

        private ExternalSort<long[]> sort(String name) {
            return new ExternalSort<>(
                    Arrays::compare, Store::bytes, Store::numbers, ROWS_IN_MEMORY, directory.resolve(name));
        }

        private static byte[] bytes(long[] numbers) {
            ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
            bytes.asLongBuffer().put(numbers);
            return bytes.array();
        }

        private static long[] numbers(byte[] bytes) {
            long[] numbers = new long[bytes.length / Long.BYTES];
            ByteBuffer.wrap(bytes).asLongBuffer().get(numbers);
            return numbers;
        }

        private OutputStream output(String name) throws IOException {
            return new BufferedOutputStream(Files.newOutputStream(directory.resolve(name)), 1 << 16);
        }

        /** The hash of the id in 128 bits, place, file, the number of the line, and the detect time in microseconds of each event. */
        private void read(int file, ExternalSort<long[]> ids, OutputStream out) throws IOException {
            RecordedFile recorded = files.get(file);
            try (EventLineReader reader = EventLineReader.open(recorded.path, recorded.reader, problems)) {
                for (Optional<Outline> next = reader.nextOutline(); next.isPresent(); next = reader.nextOutline()) {
                    Outline event = next.get();
                    ByteLines line = reader.lines();
                    byte[] json = event.whole().map(writer::toBytes).orElseGet(line::bytes);
                    ByteBuffer hash = ByteBuffer.wrap(ofId.digest(event.id().getBytes(StandardCharsets.UTF_16BE)));
                    long micros = micros(event.detectTime());
                    if (read == MOST_EVENTS || written > MOST_BYTES) {
                        throw refused("has more than " + MOST_EVENTS + " events, or than " + MOST_BYTES
                                + " bytes of them as IDEA (name fewer files, or split it)");
                    }
                    long place = (written << BITS_OF_LENGTH) + json.length;
                    ids.add(new long[] {hash.getLong(), hash.getLong(), place, file, reader.line(), micros});
                    out.write(json);
                    written += json.length;
                    digest.update(line.buffer(), line.start(), line.length());
                    digest.update((byte) '\n');
                    if (++read % EVENTS_BETWEEN_SIGNS == 0) {
                        status.accept(
                                String.format(Locale.ROOT, "looking through %s: %,d events", recorded.path, read));
                    }
                }
            }
            digest.update(recorded.reader.identity().getBytes(StandardCharsets.UTF_8));
        }

        /** A time of the years 1 to 9999 since 1970, rounded down; Java's own way goes over nanoseconds, which overflow. */
        private static long micros(Instant time) {
            return time.getEpochSecond() * MICROS_PER_SECOND + time.getNano() / 1_000;
        }

        /** Detect times and places; throws {@link ConfigException} if there is no event. */
        private void keepFirstOfEachId(ExternalSort<long[]> ids, ExternalSort<long[]> entries) {
            AtomicReference<long[]> before = new AtomicReference<>(new long[0]);
            ids.forEach(row -> {
                if (Arrays.mismatch(row, before.getAndSet(row)) < 2) {
                    entries.add(new long[] {row[5], row[2]});
                    count++;
                } else {
                    Path file = files.get((int) row[3]).path;
                    problems.accept(new LineProblem(file, row[4], "the ID occurred on an earlier line"));
                }
            });
            if (count == 0) {
                String reasons = String.join("\n", warnings());
                throw refused(
                        "there is no event in it" + (reasons.isEmpty() ? " (the file is empty)" : "\n" + reasons));
            }
        }

        private ConfigException refused(String why) {
            return new ConfigException(new Origin.WholeFile(Recording.name(files)), why);
        }

        private List<String> warnings() {
            return problems.lines(Recording.name(files) + ": ", LineProblem::toString);
        }

        private void write(ExternalSort<long[]> entries) throws IOException {
            try (OutputStream out = output("index")) {
                entries.forEach(entry -> {
                    try {
                        out.write(bytes(entry));
                    } catch (IOException e) {
                        throw new UncheckedIOException(directory + " cannot be written: " + Reason.of(e), e);
                    }
                });
            }
            String leftOut = problems.count() == 0
                    ? ""
                    : String.format(
                            Locale.ROOT,
                            "%,d of %,d lines of the recording could not be read and were left out, first %s",
                            problems.count(),
                            problems.count() + count,
                            problems.first());
            String fingerprint = Sha256.fingerprint(digest.digest());
            Summary summary = new Summary(identity, count, written, fingerprint, leftOut, warnings());
            JSON.writeValue(directory.resolve("summary").toFile(), summary);
        }
    }
}
