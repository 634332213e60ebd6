package siemload.dataset.recording;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
import siemload.dataset.recording.RecordingScan.Place;
import siemload.event.EventFormatException;
import siemload.event.EventLineReader;
import siemload.event.EventReader;
import siemload.event.SecurityEvent;

/**
 * Recorded events in the order of their detect times, each found by its number alone. A small recording is kept in memory; of
 * a large one an index of the lines is, in the directory of what is kept between runs, made once and again when a file has
 * changed. Memory does not grow with the number of events. Thread-safe; methods throw {@link UncheckedIOException} where the
 * disk fails.
 */
public final class Recording {
    private static final long MICROS_PER_SECOND = 1_000_000;

    private final RecordingSummary summary;
    private final NumberedEvents events;

    Recording(RecordingSummary summary, NumberedEvents events) {
        this.summary = summary;
        this.events = events;
    }

    /**
     * How the files of a recording are read. Immutable.
     *
     * @param readers the reader of a file's format
     * @param cache the directory of what is kept between runs, for the index of a large recording
     * @param status is told what is being done where that takes long; an empty text clears it
     */
    public record Reading(Function<Path, EventReader> readers, Path cache, Consumer<String> status) {}

    /**
     * Opens a recording.
     *
     * @param paths in the order in which they were recorded; events of the same time stay in it
     * @param reading how their lines are read
     * @throws siemload.config.ConfigException if there is no event in it
     * @throws UncheckedIOException if it cannot be read, or its index not be written
     */
    public static Recording open(List<Path> paths, Reading reading) {
        List<RecordedFile> files = new ArrayList<>();
        for (Path path : paths) {
            try {
                files.add(RecordedFile.of(path, reading.readers().apply(path)));
            } catch (IOException e) {
                throw new UncheckedIOException(path + " cannot be read: " + Reason.of(e), e);
            }
        }
        if (files.size() > Place.MOST_FILES) {
            throw new ConfigException(
                    new Origin.WholeFile(RecordingScan.name(files)),
                    files.size() + " files are too many (allowed: " + Place.MOST_FILES + "; join some of them)");
        }
        Path cache = reading.cache().resolve("recordings");
        try {
            return new RecordingStore(files, cache, reading.status()).open();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the recording " + RecordingScan.name(files) + " cannot be indexed in " + cache
                            + " (choose another place with -Dcache=DIR): " + Reason.of(e),
                    e);
        }
    }

    /** The number of events. */
    public long count() {
        return summary.count();
    }

    /** The earliest detect time, to the microsecond. */
    public Instant first() {
        return time(summary.firstMicros());
    }

    /** The latest detect time, to the microsecond. */
    public Instant last() {
        return time(summary.lastMicros());
    }

    /** 16 lower-case hexadecimal digits, made from all lines that are events. */
    public String fingerprint() {
        return summary.fingerprint();
    }

    /** What is wrong with it, for people, a line each. */
    public List<String> warnings() {
        return summary.warnings();
    }

    /** That lines were left out, in one sentence; empty where all are events. */
    public Optional<String> leftOut() {
        long left = summary.unreadableLines();
        return left == 0
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%,d of %,d lines of the recording could not be read and were left out, first %s",
                        left,
                        left + summary.count(),
                        summary.unreadable().get(0)));
    }

    /** The detect time of an event in microseconds since 1970; it never falls from one number to the next. */
    public long micros(long number) {
        return events.micros(number);
    }

    /** The event with this number, from 0. */
    public SecurityEvent event(long number) {
        return events.event(number);
    }

    /** Hands over all events in their order. */
    public void forEach(Consumer<SecurityEvent> consumer) {
        events.forEach(consumer);
    }

    private static Instant time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** A time of the years 1 to 9999 in microseconds since 1970, rounded down; Java's own way goes over nanoseconds, which overflow. */
    static long micros(Instant time) {
        return time.getEpochSecond() * MICROS_PER_SECOND + time.getNano() / 1_000;
    }

    /**
     * What is known of a recording beside its events, as it stands in the cache. Immutable.
     *
     * @param formatVersion of the file it stands in
     * @param identity of the files, see {@link RecordedFile#identity}
     * @param directory with the index, and with copies of packed files
     * @param files where the lines of each file can be read from any position
     * @param count the number of events
     * @param firstMicros the earliest detect time in microseconds since 1970
     * @param lastMicros the latest detect time
     * @param fingerprint made from all lines that are events
     * @param unreadableLines how many lines were left out
     * @param unreadable the first of them
     * @param warnings what is wrong with it, for people
     */
    private record RecordingSummary(
            int formatVersion,
            List<String> identity,
            String directory,
            List<Lines> files,
            long count,
            long firstMicros,
            long lastMicros,
            String fingerprint,
            long unreadableLines,
            List<String> unreadable,
            List<String> warnings) {
        static final int FORMAT_VERSION = 3;

        RecordingSummary {
            identity = List.copyOf(identity);
            files = List.copyOf(files);
            unreadable = List.copyOf(unreadable);
            warnings = List.copyOf(warnings);
        }

        /**
         * A file whose lines can be read from any position.
         *
         * @param path the recording itself, or its unpacked copy
         * @param skipped how many bytes stand before its first line
         */
        record Lines(String path, int skipped) {}
    }

    /**
     * Opens recordings: from what the cache knows of them, or by looking through them. In the cache are, for each list of files, a
     * summary, and a directory with an index and unpacked copies. Of two processes that look through the same files the second one to
     * finish takes what the first one made. Used by one thread.
     */
    private static final class RecordingStore {
        private static final ObjectMapper JSON = JsonMapper.builder()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .enable(
                        DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
                        DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                .build();

        private static final Duration ABANDONED_AFTER = Duration.ofDays(1);

        private final Path cache;
        private final List<RecordedFile> files;
        private final Consumer<String> status;
        private final String key;
        private final List<String> identity = new ArrayList<>();

        RecordingStore(List<RecordedFile> files, Path cache, Consumer<String> status) throws IOException {
            this.cache = cache;
            this.files = files;
            this.status = status;
            StringBuilder paths = new StringBuilder();
            for (RecordedFile file : files) {
                paths.append(file.path().toRealPath()).append('\n');
                identity.add(file.identity());
            }
            // The same paths always have the same name, whatever the files hold.
            key = Sha256.fingerprint(paths.toString());
        }

        Recording open() throws IOException {
            Optional<Recording> known = known();
            return known.isPresent() ? known.get() : lookedThrough();
        }

        private Optional<Recording> known() throws IOException {
            Optional<RecordingSummary> found = summary();
            boolean same = found.isPresent()
                    && found.get().formatVersion() == RecordingSummary.FORMAT_VERSION
                    && found.get().identity().equals(identity)
                    && isComplete(found.get());
            return same ? Optional.of(indexed(found.get())) : Optional.empty();
        }

        private boolean isComplete(RecordingSummary summary) throws IOException {
            Path index = index(summary);
            return Files.exists(index)
                    && Files.size(index) == IndexFile.bytes(summary.count())
                    && summary.files().stream().allMatch(lines -> Files.exists(Path.of(lines.path())));
        }

        private Path index(RecordingSummary summary) {
            return cache.resolve(summary.directory()).resolve("index");
        }

        private Recording indexed(RecordingSummary summary) throws IOException {
            List<EventReader> readers = files.stream().map(RecordedFile::reader).toList();
            return new Recording(summary, new IndexedLines(new IndexFile(index(summary)), summary.files(), readers));
        }

        private Recording lookedThrough() throws IOException {
            Path own = cache.resolve(key + "-" + UUID.randomUUID());
            Path scratch = own.resolveSibling(own.getFileName() + "-scratch");
            boolean keep = false;
            try {
                RecordingScan scan = new RecordingScan(
                        files, name -> privateDirectory(scratch).resolve(name), status);
                scan.run();
                Optional<List<SecurityEvent>> few = scan.few();
                if (few.isPresent()) {
                    KeptEvents kept = new KeptEvents(few.get());
                    return new Recording(summary(scan, "", List.of(), kept), kept);
                }
                RecordingSummary written = written(scan, privateDirectory(own));
                // Another process may have looked through it meanwhile: what it has made is not taken from under it.
                Optional<Recording> known = known();
                keep = known.isEmpty();
                return keep ? indexed(published(written)) : known.get();
            } finally {
                DirectoryTree.delete(scratch);
                if (!keep) {
                    DirectoryTree.delete(own);
                }
            }
        }

        private Path privateDirectory(Path directory) throws IOException {
            Ownership user = Ownership.ofThisUser();
            user.makePrivate(cache.toAbsolutePath().resolveSibling(""));
            user.makePrivate(cache);
            user.makePrivate(directory);
            return directory;
        }

        private RecordingSummary written(RecordingScan scan, Path directory) throws IOException {
            Path index = directory.resolve("index");
            IndexFile.write(index, scan);
            List<RecordingSummary.Lines> lines = new ArrayList<>();
            for (RecordedFile file : files) {
                if (file.isPacked()) {
                    Path unpacked = directory.resolve("unpacked-" + lines.size());
                    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(unpacked), 1 << 16)) {
                        EventLineReader.unpack(file.path(), out);
                    }
                    lines.add(new RecordingSummary.Lines(unpacked.toString(), 0));
                } else {
                    lines.add(
                            new RecordingSummary.Lines(file.path().toRealPath().toString(), file.skipped()));
                }
            }
            try (IndexFile read = new IndexFile(index)) {
                return summary(scan, String.valueOf(directory.getFileName()), lines, read);
            }
        }

        private RecordingSummary summary(
                RecordingScan scan, String directory, List<RecordingSummary.Lines> lines, EventTimes times) {
            return new RecordingSummary(
                    RecordingSummary.FORMAT_VERSION,
                    identity,
                    directory,
                    lines,
                    scan.count(),
                    times.micros(0),
                    times.micros(scan.count() - 1),
                    scan.fingerprint(),
                    scan.problems().unreadableLines(),
                    scan.problems().unreadable(),
                    scan.warnings());
        }

        /** The summary is what makes the other files valid, so that it comes last and at once; those of before go. */
        private RecordingSummary published(RecordingSummary summary) throws IOException {
            Optional<RecordingSummary> before = summary();
            Path written = cache.resolve(summary.directory()).resolve("summary");
            JSON.writeValue(written.toFile(), summary);
            Files.move(written, summaryFile(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            if (before.isPresent() && before.get().directory().startsWith(key + "-")) {
                DirectoryTree.delete(cache.resolve(before.get().directory()));
            }
            // What a process left that was killed goes as well; another one may be at work on younger files.
            Instant young = Files.getLastModifiedTime(summaryFile()).toInstant().minus(ABANDONED_AFTER);
            try (DirectoryStream<Path> all = Files.newDirectoryStream(cache, key + "-*")) {
                for (Path other : all) {
                    boolean isOwn = other.endsWith(summary.directory());
                    if (!isOwn && Files.getLastModifiedTime(other).toInstant().isBefore(young)) {
                        DirectoryTree.delete(other);
                    }
                }
            }
            return summary;
        }

        private Path summaryFile() {
            return cache.resolve(key + ".json");
        }

        /** What stands in the cache; empty where nothing does, or nothing that can be read. */
        private Optional<RecordingSummary> summary() {
            try {
                return Files.exists(summaryFile())
                        ? Optional.of(JSON.readValue(summaryFile().toFile(), RecordingSummary.class))
                        : Optional.empty();
            } catch (IOException broken) {
                return Optional.empty();
            }
        }
    }

    /** The detect times of events in microseconds since 1970; they never fall from one number to the next. */
    private interface EventTimes {
        long micros(long number);
    }

    /** Events in the order of their times, each found by its number from 0. Thread-safe. */
    private interface NumberedEvents extends EventTimes {
        SecurityEvent event(long number);

        /** Hands over all events in their order. */
        void forEach(Consumer<SecurityEvent> consumer);
    }

    /** The events of a small recording, in memory. Immutable. */
    private record KeptEvents(List<SecurityEvent> events) implements NumberedEvents {
        @Override
        public long micros(long number) {
            return Recording.micros(event(number).detectTime());
        }

        @Override
        public SecurityEvent event(long number) {
            return events.get(Math.toIntExact(number));
        }

        @Override
        public void forEach(Consumer<SecurityEvent> consumer) {
            events.forEach(consumer);
        }
    }

    /**
     * Times and {@link Place}s of events in the order of their times, 16 bytes each, in a file. Thread-safe; methods throw
     * {@link UncheckedIOException} where the disk fails.
     */
    private static final class IndexFile implements EventTimes, Closeable {
        private static final int BYTES = 2 * Long.BYTES;
        private static final int AT_ONCE = 4_096;

        private final Path file;
        private final FileChannel channel;
        private final long count;
        private long cachedFrom;
        private ByteBuffer cached = ByteBuffer.allocate(0);

        /** Opens a file. @throws IOException if it cannot be read */
        IndexFile(Path file) throws IOException {
            this.file = file;
            channel = FileChannel.open(file, StandardOpenOption.READ);
            count = channel.size() / BYTES;
        }

        /** The size of a file of so many events. */
        static long bytes(long count) {
            return count * BYTES;
        }

        /** Writes a file. @throws IOException if it cannot be written */
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

        long count() {
            return count;
        }

        @Override
        public synchronized long micros(long number) {
            return entry(number, 0);
        }

        /** The {@link Place} of an event's line. */
        synchronized long place(long number) {
            return entry(number, Long.BYTES);
        }

        private long entry(long number, int offset) {
            long index = (number - cachedFrom) * BYTES;
            if (index < 0 || index >= cached.limit()) {
                fill(number);
                index = (number - cachedFrom) * BYTES;
            }
            return cached.getLong((int) index + offset);
        }

        private void fill(long number) {
            cachedFrom = number / AT_ONCE * AT_ONCE;
            ByteBuffer read = ByteBuffer.allocate((int) Math.min(AT_ONCE, count - cachedFrom) * BYTES);
            try {
                while (read.hasRemaining()) {
                    if (channel.read(read, cachedFrom * BYTES + read.position()) < 0) {
                        throw new IOException("it ends too early");
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(file + " cannot be read: " + Reason.of(e), e);
            }
            cached = read.flip();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** The events of a large recording, read from its files by an index. Thread-safe. */
    private static final class IndexedLines implements NumberedEvents {
        private final IndexFile index;
        private final List<RecordingSummary.Lines> files;
        private final List<EventReader> readers;
        private final List<LineWindow> windows;

        /** @param readers of the files' formats */
        IndexedLines(IndexFile index, List<RecordingSummary.Lines> files, List<EventReader> readers) {
            this.index = index;
            this.files = List.copyOf(files);
            this.readers = List.copyOf(readers);
            this.windows = windows();
        }

        @Override
        public long micros(long number) {
            return index.micros(number);
        }

        @Override
        public SecurityEvent event(long number) {
            synchronized (windows) {
                return event(number, windows);
            }
        }

        @Override
        public void forEach(Consumer<SecurityEvent> consumer) {
            List<LineWindow> own = windows();
            try {
                for (long number = 0; number < index.count(); number++) {
                    consumer.accept(event(number, own));
                }
            } finally {
                own.forEach(LineWindow::close);
            }
        }

        private SecurityEvent event(long number, List<LineWindow> from) {
            long place = index.place(number);
            int file = Place.file(place);
            SecurityEvent event;
            try {
                event = from.get(file).event(Place.position(place));
            } catch (EventFormatException none) {
                throw changed(file, String.valueOf(none.getMessage()));
            }
            if (Recording.micros(event.detectTime()) != index.micros(number)) {
                throw changed(file, "another event is where event " + number + " was");
            }
            return event;
        }

        private IllegalStateException changed(int file, String found) {
            return new IllegalStateException(
                    files.get(file).path() + " has changed since it was looked through: " + found);
        }

        private List<LineWindow> windows() {
            List<LineWindow> opened = new ArrayList<>();
            for (int file = 0; file < files.size(); file++) {
                RecordingSummary.Lines lines = files.get(file);
                opened.add(new LineWindow(Path.of(lines.path()), lines.skipped(), readers.get(file)));
            }
            return opened;
        }

        /**
         * Reads events of a file by the positions of their lines, through a window that moves along: lines near to each other cost no
         * further reading. Not thread-safe; methods throw {@link UncheckedIOException} where the disk fails.
         */
        private static final class LineWindow implements Closeable {
            private static final int SIZE = 1 << 18;

            private final Path file;
            private final int skipped;
            private final EventReader reader;
            private final FileChannel channel;
            private byte[] window = new byte[SIZE];
            private long start;
            private int length;

            /**
             * Opens a file.
             *
             * @param skipped how many bytes stand before its first line
             */
            LineWindow(Path file, int skipped, EventReader reader) {
                this.file = file;
                this.skipped = skipped;
                this.reader = reader;
                try {
                    channel = FileChannel.open(file, StandardOpenOption.READ);
                } catch (IOException e) {
                    throw new UncheckedIOException(file + " cannot be read: " + Reason.of(e), e);
                }
            }

            /** The event of the line that begins at this position. */
            SecurityEvent event(long position) {
                int from = (int) Math.min(Integer.MAX_VALUE, Math.max(-1, position - start));
                int end = from < 0 || from >= length ? -1 : lineEnd(from);
                if (end < 0) {
                    moveTo(position);
                    from = 0;
                    end = lineEnd(0);
                    while (end < 0 && grow()) {
                        end = lineEnd(0);
                    }
                    end = end < 0 ? length : end;
                }
                return reader.read(window, from, end - from, position);
            }

            private int lineEnd(int from) {
                for (int i = from; i < length; i++) {
                    if (window[i] == '\n') {
                        return i;
                    }
                }
                return -1;
            }

            private void moveTo(long position) {
                start = position;
                length = 0;
                fill();
            }

            /** Makes room for a long line; false at the end of the file. */
            private boolean grow() {
                if (length == window.length) {
                    window = java.util.Arrays.copyOf(window, window.length * 2);
                }
                int before = length;
                fill();
                return length > before;
            }

            private void fill() {
                try {
                    ByteBuffer buffer = ByteBuffer.wrap(window, length, window.length - length);
                    for (int read = 0; read >= 0 && buffer.hasRemaining(); length = buffer.position()) {
                        read = channel.read(buffer, skipped + start + buffer.position());
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(file + " cannot be read: " + Reason.of(e), e);
                }
            }

            @Override
            public void close() {
                try {
                    channel.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(file + " cannot be closed: " + Reason.of(e), e);
                }
            }
        }
    }
}
