package siemload.dataset;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Sha256;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.dataset.RecordingScan.Place;
import siemload.dataset.RecordingScan.RecordedFile;
import siemload.event.ByteLines;
import siemload.event.EventFormatException;
import siemload.event.EventLineReader;
import siemload.event.EventReader;
import siemload.event.IdeaTime;
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

    private final List<RecordedFile> files;
    private final Summary summary;
    private final Index index;
    /** Where the lines of each file can be read from any place: in itself, or in its unpacked copy. */
    private final List<Path> paths;

    private final int amplify;
    private final List<ByteLines> opened;

    private Recording(List<RecordedFile> files, Summary summary, Index index, List<Path> paths, int amplify)
            throws IOException {
        this.files = List.copyOf(files);
        this.summary = summary;
        this.index = index;
        this.paths = List.copyOf(paths);
        this.amplify = amplify;
        this.opened = openLines();
    }

    /**
     * How recordings are read. Immutable.
     *
     * @param readers the reader of a file's format
     * @param cache the directory of what is kept between runs, for the index
     * @param status is told what is being done where that takes long; an empty text clears it
     */
    record Reading(Function<Path, EventReader> readers, Path cache, Consumer<String> status) {}

    /**
     * Opens a recording, and looks through it unless that has been done before.
     *
     * @param paths in the order in which they were recorded; events of the same time stay in it
     * @param reading how their lines are read
     * @param amplify how often it is repeated, over a week; 1 leaves the events as they are
     * @throws ConfigException if there is no event in it
     * @throws UncheckedIOException if it cannot be read, or its index not be written
     */
    static Recording open(List<Path> paths, Reading reading, int amplify) {
        List<RecordedFile> files = new ArrayList<>();
        for (Path path : paths) {
            try {
                files.add(RecordedFile.of(path, reading.readers().apply(path)));
            } catch (IOException e) {
                throw unreadable(path.toString(), e);
            }
        }
        if (files.size() > Place.MOST_FILES) {
            throw new ConfigException(
                    new Origin.WholeFile(RecordingScan.name(files)),
                    files.size() + " files are too many (allowed: " + Place.MOST_FILES + "; join some of them)");
        }
        Path cache = reading.cache().resolve("recordings");
        try {
            return new Store(files, cache, reading.status(), amplify).open();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the recording " + RecordingScan.name(files) + " cannot be indexed in " + cache
                            + " (choose another place with -Dcache=DIR): " + Reason.of(e),
                    e);
        }
    }

    @Override
    public String name() {
        String name =
                files.get(0).path().getFileName() + (files.size() == 1 ? "" : " and " + (files.size() - 1) + " more");
        return amplify > 1 ? name + " x" + amplify : name;
    }

    @Override
    public long count() {
        return Math.multiplyExact(summary.count, (long) amplify);
    }

    @Override
    public Instant first() {
        return time(0, recordedTime(0));
    }

    @Override
    public Instant until() {
        return time(amplify - 1, recordedTime(summary.count - 1))
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
        try {
            List<ByteLines> own = openLines();
            try {
                List<SecurityEvent> filled = new ArrayList<>(batch);
                for (long number = 0; number < count(); number++) {
                    SecurityEvent event = recorded(number % summary.count, own);
                    long copy = number / summary.count;
                    filled.add(
                            amplify > 1
                                    ? moved(event, EventIds.copy(event.id(), copy), time(copy, event.detectTime()))
                                    : event);
                    if (filled.size() == batch || number == count() - 1) {
                        batches.accept(List.copyOf(filled));
                        filled.clear();
                    }
                }
            } finally {
                for (ByteLines lines : own) {
                    lines.close();
                }
            }
        } catch (IOException e) {
            throw unreadable(RecordingScan.name(files), e);
        }
    }

    /** The recorded events again and again, with ids and times of their own. */
    @Override
    public FeedEvents feed() {
        return new Feed(this, EventIds.hash(fingerprint(), 0));
    }

    /** The recorded event with this number, from 0. */
    SecurityEvent recorded(long number) {
        synchronized (opened) {
            return recorded(number, opened);
        }
    }

    private List<ByteLines> openLines() throws IOException {
        List<ByteLines> lines = new ArrayList<>();
        for (Path path : paths) {
            lines.add(ByteLines.openPlaces(path, EventLineReader.MAXIMUM_LINE_BYTES));
        }
        return lines;
    }

    private SecurityEvent recorded(long number, List<ByteLines> from) {
        long place = index.place(number);
        RecordedFile file = files.get(Place.file(place));
        ByteLines lines = from.get(Place.file(place));
        try {
            if (!lines.moveTo(Place.position(place))) {
                throw changed(file, "it has become shorter");
            }
            SecurityEvent event =
                    file.reader().read(lines.buffer(), lines.start(), lines.length(), Place.position(place));
            if (micros(event.detectTime()) != index.micros(number)) {
                throw changed(file, "another event is where event " + number + " was");
            }
            return event;
        } catch (EventFormatException none) {
            throw changed(file, String.valueOf(none.getMessage()));
        } catch (IOException e) {
            throw unreadable(file.path().toString(), e);
        }
    }

    private static IllegalStateException changed(RecordedFile file, String found) {
        return new IllegalStateException(file.path() + " has changed since it was looked through: " + found);
    }

    private static UncheckedIOException unreadable(String what, IOException why) {
        return new UncheckedIOException(what + " cannot be read: " + Reason.of(why), why);
    }

    private Instant recordedTime(long number) {
        return Instant.EPOCH.plus(index.micros(number), ChronoUnit.MICROS);
    }

    /** A time of the years 1 to 9999 in microseconds since 1970, rounded down; Java's own way goes over nanoseconds, which overflow. */
    static long micros(Instant time) {
        return time.getEpochSecond() * MICROS_PER_SECOND + time.getNano() / 1_000;
    }

    /** When an event of a copy happens, in whole milliseconds; of a recording that is not repeated, as it was recorded. */
    private Instant time(long copy, Instant recorded) {
        if (amplify == 1) {
            return recorded;
        }
        long spanMillis = SPAN.toMillis();
        long firstMillis = recordedTime(0).toEpochMilli();
        long lengthMillis = recordedTime(summary.count - 1).toEpochMilli() - firstMillis;
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
        return new SecurityEvent(
                id,
                detectTime,
                event.categories(),
                event.description(),
                event.sources(),
                event.targets(),
                event.nodes(),
                other);
    }

    /** A recording that is repeated. Immutable. */
    private record Feed(Recording recording, long seed) implements FeedEvents {
        @Override
        public SecurityEvent event(long number, Instant detectTime) {
            return moved(recording.recorded(number % recording.summary.count), id(number), detectTime);
        }

        @Override
        public String id(long number) {
            return EventIds.id(seed, number);
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
     * look through the same files the second one to finish takes what the first one made. Used by one thread.
     */
    private static final class Store {
        private static final ObjectMapper JSON = JsonMapper.builder()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .enable(
                        DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
                        DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                .build();

        /** Another one with each change of what lies in a directory. */
        private static final String FORMAT_VERSION = "6\n";

        private static final String UNFINISHED = ".tmp";
        private static final Duration ABANDONED_AFTER = Duration.ofDays(1);

        private final Path cache;
        private final List<RecordedFile> files;
        private final Consumer<String> status;
        private final int amplify;
        /** The same for the same paths, whatever the files hold. */
        private final String key;

        private final Path directory;

        Store(List<RecordedFile> files, Path cache, Consumer<String> status, int amplify) throws IOException {
            this.cache = cache;
            this.files = files;
            this.status = status;
            this.amplify = amplify;
            StringBuilder paths = new StringBuilder();
            StringBuilder identity = new StringBuilder(FORMAT_VERSION);
            for (RecordedFile file : files) {
                paths.append(file.path().toRealPath()).append('\n');
                identity.append(file.identity()).append('\n');
            }
            key = Sha256.fingerprint(paths.toString());
            directory = cache.resolve(key + "-" + Sha256.fingerprint(identity.toString()));
        }

        /** From the cache; empty where nothing is there, or something that cannot be read. */
        private Optional<Recording> known() {
            try {
                if (!Files.exists(directory)) {
                    return Optional.empty();
                }
                Summary summary = JSON.readValue(directory.resolve("summary").toFile(), Summary.class);
                Index index = Index.of(directory.resolve("index"));
                List<Path> paths = new ArrayList<>();
                for (int file = 0; file < files.size(); file++) {
                    paths.add(
                            files.get(file).isPacked()
                                    ? unpacked(directory, file)
                                    : files.get(file).path());
                }
                return index.count() == summary.count()
                        ? Optional.of(new Recording(files, summary, index, paths, amplify))
                        : Optional.empty();
            } catch (IOException broken) {
                return Optional.empty();
            }
        }

        private static Path unpacked(Path directory, int file) {
            return directory.resolve("unpacked-" + file);
        }

        Recording open() throws IOException {
            Optional<Recording> kept = known();
            if (kept.isPresent()) {
                return kept.get();
            }
            Path unfinished = cache.resolve(key + "-" + UUID.randomUUID() + UNFINISHED);
            try (RecordingScan scan = new RecordingScan(files, () -> privateDirectory(unfinished), status)) {
                scan.run();
                write(scan, privateDirectory(unfinished));
                scan.close();
                publish(unfinished);
                removeOthers();
                return known().orElseThrow(() -> new IOException(directory + " has been removed"));
            } finally {
                DirectoryTree.delete(unfinished);
            }
        }

        /** What another process has put there meanwhile is as good; what cannot be read makes room. */
        private void publish(Path made) throws IOException {
            try {
                Files.move(made, directory, StandardCopyOption.ATOMIC_MOVE);
            } catch (FileSystemException taken) {
                if (known().isEmpty()) {
                    DirectoryTree.delete(directory);
                    Files.move(made, directory, StandardCopyOption.ATOMIC_MOVE);
                }
            }
        }

        private Path privateDirectory(Path made) throws IOException {
            Ownership user = Ownership.ofThisUser();
            user.makePrivate(cache.toAbsolutePath().resolveSibling(""));
            user.makePrivate(cache);
            user.makePrivate(made);
            return made;
        }

        private void write(RecordingScan scan, Path made) throws IOException {
            Index.write(made.resolve("index"), scan);
            for (int file = 0; file < files.size(); file++) {
                if (files.get(file).isPacked()) {
                    try (OutputStream out =
                            new BufferedOutputStream(Files.newOutputStream(unpacked(made, file)), 1 << 16)) {
                        EventLineReader.unpack(files.get(file).path(), out);
                    }
                }
            }
            JSON.writeValue(made.resolve("summary").toFile(), scan.summary());
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

    /** Times and {@link Place}s of events in the order of their times, two numbers each, in a file that is mapped into memory. Thread-safe. */
    private record Index(long count, List<LongBuffer> parts) {
        private static final int BYTES = 2 * Long.BYTES;
        /** How many events lie in one part of the file: no part may have more than 2 GiB. */
        private static final int EVENTS_OF_PART = 1 << 26;

        static Index of(Path file) throws IOException {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
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

        static void write(Path file, RecordingScan scan) throws IOException {
            try (DataOutputStream out =
                    new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16))) {
                scan.forEach(entry -> {
                    try {
                        out.writeLong(entry[0]);
                        out.writeLong(entry[1]);
                    } catch (IOException e) {
                        throw new UncheckedIOException(file + " cannot be written: " + Reason.of(e), e);
                    }
                });
            }
        }

        long micros(long number) {
            return part(number).get((int) (number % EVENTS_OF_PART) * 2);
        }

        /** The {@link Place} of an event's line. */
        long place(long number) {
            return part(number).get((int) (number % EVENTS_OF_PART) * 2 + 1);
        }

        private LongBuffer part(long number) {
            return parts.get((int) (number / EVENTS_OF_PART));
        }
    }
}
