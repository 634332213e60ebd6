package siemload.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.BufferedOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Sha256;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.event.ByteLines;
import siemload.event.EventFormatException;
import siemload.event.EventLineReader;
import siemload.event.EventReader;
import siemload.event.EventReader.Outline;
import siemload.event.IdeaTime;
import siemload.event.LineProblem;
import siemload.event.SecurityEvent;

/**
 * A data set of recorded events, as they are or repeated: in the order of their detect times, copy after copy, each found by its number
 * alone. An index of the lines lies in the directory of what is kept between runs, which is made once and again when a file has
 * changed; memory does not grow with the number of events. Lines that are no events, or repeat the id of an earlier one, are left out
 * and reported. Thread-safe; methods throw {@link UncheckedIOException} where the disk fails.
 */
public final class Recording implements EventSource {
    /**
     * The time over which copies are laid out, in as many equal slots. A recording that is longer than a slot is squeezed into it, a
     * shorter one stays as it is at the slot's beginning.
     */
    private static final Duration SPAN = Duration.ofDays(7);

    private static final List<String> TIMESTAMPS =
            List.of("CreateTime", "EventTime", "CeaseTime", "WinStartTime", "WinEndTime");
    private static final long MICROS_PER_SECOND = 1_000_000;
    /** A place has 16 bits for the file and 48 for the byte, enough for 32,768 files of 256 terabytes. */
    private static final int BITS_OF_POSITION = 48;

    private static final int MOST_FILES = 1 << 15;

    private final List<RecordedFile> files;
    private final Summary summary;
    private final Index index;
    /** The lines of each file, in itself or in its unpacked copy, each used by one thread at a time. */
    private final List<ByteLines> opened;

    private final int amplify;

    private Recording(List<RecordedFile> files, Summary summary, Index index, List<ByteLines> opened, int amplify) {
        this.files = List.copyOf(files);
        this.summary = summary;
        this.index = index;
        this.opened = List.copyOf(opened);
        this.amplify = amplify;
    }

    /**
     * Opens a recording, and looks through it unless that has been done before.
     *
     * @param paths in the order in which they were recorded; events of the same time stay in it
     * @param readers the reader of a file's format
     * @param cache the directory of what is kept between runs, for the index
     * @param status is told what is being done where that takes long; an empty text clears it
     * @param amplify how often it is repeated, over a week; 1 leaves the events as they are
     * @throws ConfigException if there is no event in it
     * @throws UncheckedIOException if it cannot be read, or its index not be written
     */
    static Recording open(
            List<Path> paths, Function<Path, EventReader> readers, Path cache, Consumer<String> status, int amplify) {
        List<RecordedFile> files = new ArrayList<>();
        for (Path path : paths) {
            try {
                files.add(RecordedFile.of(path, readers.apply(path)));
            } catch (IOException e) {
                throw unreadable(path.toString(), e);
            }
        }
        if (files.size() > MOST_FILES) {
            throw new ConfigException(
                    new Origin.WholeFile(name(files)),
                    files.size() + " files are too many (allowed: " + MOST_FILES + "; join some of them)");
        }
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
        return Math.multiplyExact(index.count, (long) amplify);
    }

    @Override
    public Instant first() {
        return time(0, recordedTime(0));
    }

    @Override
    public Instant until() {
        return time(amplify - 1, recordedTime(index.count - 1))
                .truncatedTo(ChronoUnit.SECONDS)
                .plusSeconds(1);
    }

    /** Made from all lines that are events. */
    @Override
    public String fingerprint() {
        return amplify > 1
                ? Sha256.fingerprint(summary.fingerprint + " " + amplify + " " + SPAN + "\n")
                : summary.fingerprint;
    }

    @Override
    public long seed() {
        return 0;
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
    public void read(int batch, Consumer<List<SecurityEvent>> batches) {
        List<SecurityEvent> filled = new ArrayList<>(batch);
        for (long number = 0; number < count(); number++) {
            SecurityEvent event = recorded(number % index.count);
            long copy = number / index.count;
            filled.add(
                    amplify > 1
                            ? moved(event, EventIds.copy(event.id(), copy), time(copy, event.detectTime()))
                            : event);
            if (filled.size() == batch || number == count() - 1) {
                batches.accept(List.copyOf(filled));
                filled.clear();
            }
        }
    }

    /** The recorded events again and again, with ids and times of their own. */
    @Override
    public FeedEvents feed() {
        return new Feed(this, EventIds.hash(fingerprint(), 0));
    }

    /** The recorded event with this number, from 0. */
    SecurityEvent recorded(long number) {
        long place = index.place(number);
        RecordedFile file = files.get(file(place));
        ByteLines lines = opened.get(file(place));
        synchronized (lines) {
            try {
                if (!lines.moveTo(position(place))) {
                    throw changed(file, "it has become shorter");
                }
                SecurityEvent event = file.reader.read(lines.buffer(), lines.start(), lines.length(), position(place));
                if (micros(event.detectTime()) != index.micros(number)) {
                    throw changed(file, "another event is where event " + number + " was");
                }
                return event;
            } catch (EventFormatException none) {
                throw changed(file, String.valueOf(none.getMessage()));
            } catch (IOException e) {
                throw unreadable(file.path.toString(), e);
            }
        }
    }

    /** Where a line begins: file and byte in one number, in the order in which the files are read. */
    private static long place(int file, long position) {
        return (long) file << BITS_OF_POSITION | position;
    }

    private static int file(long place) {
        return (int) (place >>> BITS_OF_POSITION);
    }

    /** How many bytes of the file, unpacked, stand before the line. */
    private static long position(long place) {
        return place & (1L << BITS_OF_POSITION) - 1;
    }

    private static IllegalStateException changed(RecordedFile file, String found) {
        return new IllegalStateException(file.path + " has changed since it was looked through: " + found);
    }

    private static UncheckedIOException unreadable(String what, IOException why) {
        return new UncheckedIOException(what + " cannot be read: " + Reason.of(why), why);
    }

    private Instant recordedTime(long number) {
        return Instant.EPOCH.plus(index.micros(number), ChronoUnit.MICROS);
    }

    /** A time of the years 1 to 9999 in microseconds since 1970, rounded down; Java's own way goes over nanoseconds, which overflow. */
    private static long micros(Instant time) {
        return time.getEpochSecond() * MICROS_PER_SECOND + time.getNano() / 1_000;
    }

    /** When an event of a copy happens, in whole milliseconds; of a recording that is not repeated, as it was recorded. */
    private Instant time(long copy, Instant recorded) {
        if (amplify == 1) {
            return recorded;
        }
        long spanMillis = SPAN.toMillis();
        long firstMillis = recordedTime(0).toEpochMilli();
        long lengthMillis = recordedTime(index.count - 1).toEpochMilli() - firstMillis;
        long slotMillis = Math.max(0, spanMillis / amplify - 1);
        double scale = lengthMillis <= slotMillis ? 1 : (double) slotMillis / lengthMillis;
        long slotStart = spanMillis / amplify * copy + spanMillis % amplify * copy / amplify;
        long offset = (long) ((recorded.toEpochMilli() - firstMillis) * scale);
        return Instant.ofEpochMilli(firstMillis + slotStart + offset);
    }

    /** An event of its own from a recorded one: another id, and all of its timestamps moved by the same time. */
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

    /** A recording that is repeated. Immutable. */
    private record Feed(Recording recording, long seed) implements FeedEvents {
        @Override
        public SecurityEvent event(long number, Instant detectTime) {
            return moved(recording.recorded(number % recording.index.count), id(number), detectTime);
        }

        @Override
        public String id(long number) {
            return EventIds.id(seed, number);
        }
    }

    /**
     * A file of a recording, as it was when it was opened. Immutable.
     *
     * @param path as the user named it
     * @param reader of its format
     * @param isPacked whether it begins with the magic number of gzip, so that no line can be read before all that stands before it
     * @param identity what it is made of, to tell whether it is still the same
     */
    private record RecordedFile(Path path, EventReader reader, boolean isPacked, String identity) {
        static RecordedFile of(Path path, EventReader reader) throws IOException {
            try (InputStream in = Files.newInputStream(path)) {
                Instant changed = Files.getLastModifiedTime(path).toInstant();
                String identity = path.toRealPath() + " " + Files.size(path) + " " + changed + " " + reader.identity();
                return new RecordedFile(path, reader, ByteLines.isPacked(in), identity);
            }
        }
    }

    /**
     * What is known of a recording beside its events, as it stands in the cache. Immutable.
     *
     * @param count the number of events
     * @param fingerprint made from all lines that are events
     * @param leftOut that lines were left out; empty if none was
     * @param warnings what is wrong with it, for people
     */
    record Summary(long count, String fingerprint, String leftOut, List<String> warnings) {
        Summary {
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * Opens recordings: from what the cache knows of them, or by looking through them. The cache has a directory for each list of files as
     * they are, with an index, unpacked copies and a summary, which is made beside its place and moved there whole. Of two processes that
     * look through the same files the second one to finish takes what the first one made. Events whose id occurred before are left out and
     * reported, because stores have the id as their key. Memory is bounded, with files for what does not fit. Used by one thread.
     */
    private static final class Store {
        private static final ObjectMapper JSON = new ObjectMapper();
        /** Another one with each change of what lies in a directory. */
        private static final String FORMAT_VERSION = "7\n";

        private static final String UNFINISHED = ".tmp";
        private static final Duration ABANDONED_AFTER = Duration.ofDays(1);
        private static final int EVENTS_BETWEEN_SIGNS = 1 << 15;
        private static final int ROWS_IN_MEMORY = 250_000;

        private final Path cache;
        private final List<RecordedFile> files;
        private final Consumer<String> status;
        private final int amplify;
        /** The same for the same paths, whatever the files hold. */
        private final String key;

        private final Path directory;
        private final Path unfinished;
        private final MessageDigest digest = Sha256.digest();
        private final MessageDigest ofId = Sha256.digest();
        private final LineProblems problems;
        private long read;
        private long count;

        Store(List<RecordedFile> files, Path cache, Consumer<String> status, int amplify) throws IOException {
            this.cache = cache;
            this.files = files;
            this.status = status;
            this.amplify = amplify;
            problems = new LineProblems(files.stream().map(RecordedFile::path).toList());
            StringBuilder paths = new StringBuilder();
            StringBuilder identity = new StringBuilder(FORMAT_VERSION);
            for (RecordedFile file : files) {
                paths.append(file.path.toRealPath()).append('\n');
                identity.append(file.identity).append('\n');
            }
            key = Sha256.fingerprint(paths.toString());
            directory = cache.resolve(key + "-" + Sha256.fingerprint(identity.toString()));
            unfinished = cache.resolve(key + "-" + UUID.randomUUID() + UNFINISHED);
        }

        Recording open() throws IOException {
            Optional<Recording> kept = known();
            if (kept.isPresent()) {
                return kept.get();
            }
            try {
                try (ExternalSort<long[]> ids = sort("ids", 5);
                        ExternalSort<long[]> entries = sort("entries", 2)) {
                    for (int file = 0; file < files.size(); file++) {
                        read(file, ids);
                    }
                    status.accept("");
                    keepFirstOfEachId(ids, entries);
                    write(entries);
                }
                publish();
                removeOthers();
                return known().orElseThrow(() -> new IOException(directory + " has been removed"));
            } finally {
                DirectoryTree.delete(unfinished);
            }
        }

        /** From the cache; empty where nothing is there, or something that cannot be read. */
        private Optional<Recording> known() {
            try {
                Summary summary = JSON.readValue(directory.resolve("summary").toFile(), Summary.class);
                Index index = Index.of(directory.resolve("index"));
                if (index.count != summary.count) {
                    return Optional.empty();
                }
                List<ByteLines> opened = new ArrayList<>();
                for (int file = 0; file < files.size(); file++) {
                    RecordedFile one = files.get(file);
                    opened.add(ByteLines.openPlaces(
                            one.isPacked ? directory.resolve("unpacked-" + file) : one.path,
                            EventLineReader.MAXIMUM_LINE_BYTES));
                }
                return Optional.of(new Recording(files, summary, index, opened, amplify));
            } catch (IOException missingOrBroken) {
                return Optional.empty();
            }
        }

        private ExternalSort<long[]> sort(String name, int width) {
            return new ExternalSort<>(
                    Arrays::compare,
                    new Row(width),
                    ROWS_IN_MEMORY,
                    () -> privateDirectory().resolve(name));
        }

        private Path privateDirectory() throws IOException {
            Ownership user = Ownership.ofThisUser();
            user.makePrivate(cache.toAbsolutePath().resolveSibling(""));
            user.makePrivate(cache);
            user.makePrivate(unfinished);
            return unfinished;
        }

        /** The hash of the id in 128 bits, place, the number of the line, and the detect time in microseconds of each event. */
        private void read(int file, ExternalSort<long[]> ids) {
            RecordedFile recorded = files.get(file);
            try (EventLineReader reader = EventLineReader.open(recorded.path, recorded.reader, problems)) {
                for (Optional<Outline> event = reader.nextOutline(); event.isPresent(); event = reader.nextOutline()) {
                    ByteBuffer hash =
                            ByteBuffer.wrap(ofId.digest(event.get().id().getBytes(StandardCharsets.UTF_16BE)));
                    ids.add(new long[] {
                        hash.getLong(),
                        hash.getLong(),
                        place(file, reader.lines().position()),
                        reader.line(),
                        micros(event.get().detectTime())
                    });
                    digest.update(
                            reader.lines().buffer(),
                            reader.lines().start(),
                            reader.lines().length());
                    digest.update((byte) '\n');
                    if (++read % EVENTS_BETWEEN_SIGNS == 0) {
                        status.accept(
                                String.format(Locale.ROOT, "looking through %s: %,d events", recorded.path, read));
                    }
                }
            }
            digest.update(recorded.reader.identity().getBytes(StandardCharsets.UTF_8));
        }

        /** Detect times and places; throws {@link ConfigException} where there is no event. */
        private void keepFirstOfEachId(ExternalSort<long[]> ids, ExternalSort<long[]> entries) {
            AtomicReference<long[]> before = new AtomicReference<>(new long[0]);
            ids.forEach(row -> {
                if (Arrays.mismatch(row, before.getAndSet(row)) < 2) {
                    entries.add(new long[] {row[4], row[2]});
                    count++;
                } else {
                    Path file = files.get(file(row[2])).path;
                    problems.accept(new LineProblem(file, row[3], "the ID occurred on an earlier line"));
                }
            });
            if (count == 0) {
                String reasons = String.join("\n", warnings());
                throw new ConfigException(
                        new Origin.WholeFile(Recording.name(files)),
                        "there is no event in it" + (reasons.isEmpty() ? " (the file is empty)" : "\n" + reasons));
            }
        }

        private List<String> warnings() {
            return problems.lines(Recording.name(files) + ": ", LineProblem::toString);
        }

        private void write(ExternalSort<long[]> entries) throws IOException {
            Path made = privateDirectory();
            try (DataOutputStream out = new DataOutputStream(buffered(made.resolve("index")))) {
                entries.forEach(entry -> {
                    try {
                        new Row(2).write(entry, out);
                    } catch (IOException e) {
                        throw new UncheckedIOException(made + " cannot be written: " + Reason.of(e), e);
                    }
                });
            }
            for (int file = 0; file < files.size(); file++) {
                if (files.get(file).isPacked) {
                    try (OutputStream out = buffered(made.resolve("unpacked-" + file))) {
                        EventLineReader.unpack(files.get(file).path, out);
                    }
                }
            }
            String leftOut = problems.count() == 0
                    ? ""
                    : String.format(
                            Locale.ROOT,
                            "%,d of %,d lines of the recording could not be read and were left out, first %s",
                            problems.count(),
                            problems.count() + count,
                            problems.first());
            Summary summary = new Summary(count, Sha256.fingerprint(digest.digest()), leftOut, warnings());
            JSON.writeValue(made.resolve("summary").toFile(), summary);
        }

        private static OutputStream buffered(Path file) throws IOException {
            return new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
        }

        /** What another process has put there meanwhile is as good; what cannot be read makes room. */
        private void publish() throws IOException {
            try {
                Files.move(unfinished, directory, StandardCopyOption.ATOMIC_MOVE);
            } catch (FileSystemException taken) {
                if (known().isEmpty()) {
                    DirectoryTree.delete(directory);
                    Files.move(unfinished, directory, StandardCopyOption.ATOMIC_MOVE);
                }
            }
        }

        /** What the same paths had before goes, and what a process left that was killed; another one may be at work on younger files. */
        private void removeOthers() throws IOException {
            Instant young = Files.getLastModifiedTime(directory.resolve("summary"))
                    .toInstant()
                    .minus(ABANDONED_AFTER);
            try (DirectoryStream<Path> all = Files.newDirectoryStream(cache, key + "-*")) {
                for (Path other : all) {
                    boolean isAtWork = other.toString().endsWith(UNFINISHED)
                            && Files.getLastModifiedTime(other).toInstant().isAfter(young);
                    if (!isAtWork && !other.equals(directory)) {
                        DirectoryTree.delete(other);
                    }
                }
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

    /** Times and places of events in the order of their times, two numbers each, in a file that is mapped into memory. Thread-safe. */
    private record Index(long count, List<LongBuffer> parts) {
        private static final int BYTES = 2 * Long.BYTES;
        /** How many events lie in one part of the file: no part may have more than 2 GiB. */
        private static final int EVENTS_OF_PART = 1 << 26;

        static Index of(Path file) throws IOException {
            try (FileChannel channel = FileChannel.open(file)) {
                long count = channel.size() / BYTES;
                List<LongBuffer> parts = new ArrayList<>();
                for (long first = 0; first < count; first += EVENTS_OF_PART) {
                    long bytes = Math.min(EVENTS_OF_PART, count - first) * BYTES;
                    parts.add(channel.map(FileChannel.MapMode.READ_ONLY, first * BYTES, bytes)
                            .asLongBuffer());
                }
                return new Index(count, parts);
            }
        }

        long micros(long number) {
            return part(number).get((int) (number % EVENTS_OF_PART) * 2);
        }

        /** The place of an event's line. */
        long place(long number) {
            return part(number).get((int) (number % EVENTS_OF_PART) * 2 + 1);
        }

        private LongBuffer part(long number) {
            return parts.get((int) (number / EVENTS_OF_PART));
        }
    }
}
