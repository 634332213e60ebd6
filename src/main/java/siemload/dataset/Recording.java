package siemload.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.RegularFile;
import siemload.config.Sha256;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.Ownership;
import siemload.dataset.format.EventFile;
import siemload.event.EventLineReader;
import siemload.event.IdeaReader;
import siemload.event.IdeaTime;
import siemload.event.IdeaWriter;
import siemload.event.LineProblem;
import siemload.event.SecurityEvent;

/**
 * A data set of recorded events in the order of their detect times, once or in several copies, one after the other. The first use copies
 * the events as IDEA into the cache directory, with an index; a changed file is copied and indexed again. Memory use does not grow with the
 * number of events. Lines that are not events, or that repeat the id of an earlier event, are left out and reported. Thread-safe; methods
 * throw {@link UncheckedIOException} if the disk fails.
 *
 * @param name the name of the first file, with the number of other files and of copies
 * @param summary what the cache keeps about the recording
 * @param events the recorded events as IDEA
 * @param amplify the number of copies of the recording over a week; 1 leaves the events unchanged
 */
public record Recording(String name, Summary summary, TimedFile events, int amplify) implements EventSource {
    /**
     * The time over which copies are spread, with an equal slot for each copy. A recording longer than a slot is compressed to fit; a
     * shorter recording stays unchanged at the slot's beginning.
     */
    private static final Duration SPAN = Duration.ofDays(7);

    private static final List<String> TIMESTAMPS =
            List.of("CreateTime", "EventTime", "CeaseTime", "WinStartTime", "WinEndTime");

    private static final IdeaReader READER = new IdeaReader();

    /**
     * Opens a recording from the cache, or looks through its files if the cache lacks it.
     *
     * @param files in the order in which they were recorded; events of the same time stay in this order
     * @param cache the directory for files that are kept between runs
     * @param status receives the current step of a long task, and an empty text at its end
     * @throws ConfigException if the files have no event
     * @throws UncheckedIOException if a file cannot be read, or the copy cannot be written
     */
    static Recording open(List<EventFile> files, Path cache, Consumer<String> status, int amplify) {
        Path first = files.get(0).path();
        String more = files.size() == 1 ? "" : " and " + (files.size() - 1) + " more";
        Path recordings = cache.resolve("recordings");
        try {
            Recording opened = new Store(files, first + more, recordings, status).open();
            String name = first.getFileName() + more + (amplify > 1 ? " x" + amplify : "");
            return new Recording(name, opened.summary, opened.events, amplify);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the recording " + first + more + " cannot be indexed in " + recordings
                            + " (choose another place with -Dcache=DIR): " + RegularFile.reason(e),
                    e);
        }
    }

    @Override
    public long count() {
        return (long) events.count() * amplify;
    }

    /** Returns a hash of all lines that are events. */
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
        long copy = number / events.count();
        return moved(event, SeededRandom.idOfCopy(event.id(), copy), time(copy, event.detectTime()));
    }

    /** Supplies the recorded events again and again, with new ids and times. */
    @Override
    public FeedEvents feed() {
        long seed = SeededRandom.hash(fingerprint(), 0);
        return new FeedEvents(
                number -> SeededRandom.id(seed, number), (number, id, time) -> moved(recorded(number), id, time));
    }

    /** Returns the recorded event from which the event with this number, from 0, is made. */
    private SecurityEvent recorded(long number) {
        return READER.read(events.get((int) (number % events.count())));
    }

    /** Returns the detect time of an event of a copy, in whole milliseconds. */
    private Instant time(long copy, Instant recorded) {
        long spanMillis = SPAN.toMillis();
        long firstMillis = Math.floorDiv(events.micros(0), 1_000L);
        long lengthMillis = Math.floorDiv(events.micros(events.count() - 1), 1_000L) - firstMillis;
        long slotMillis = Math.max(0, spanMillis / amplify - 1);
        double scale = lengthMillis <= slotMillis ? 1 : (double) slotMillis / lengthMillis;
        long slotStart = spanMillis / amplify * copy + spanMillis % amplify * copy / amplify;
        long offset = (long) ((recorded.toEpochMilli() - firstMillis) * scale);
        return Instant.ofEpochMilli(firstMillis + slotStart + offset);
    }

    /** Returns a recorded event with another id, and with all its timestamps shifted by the same time. */
    private static SecurityEvent moved(SecurityEvent event, String id, Instant detectTime) {
        Duration by = Duration.between(event.detectTime(), detectTime);
        Map<String, JsonNode> other = new LinkedHashMap<>(event.other());
        for (String key : TIMESTAMPS) {
            // A timestamp that cannot be read as a time stays unchanged.
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
     * The facts about a recording that the cache keeps in addition to its events. Immutable.
     *
     * @param bytes the length in bytes of all copied events as IDEA
     * @param fingerprint a hash of all lines that are events
     * @param leftOut a sentence about the lines that were left out; empty if no line was left out
     */
    record Summary(
            String identity, long count, long bytes, String fingerprint, String leftOut, List<String> warnings) {}

    /**
     * Opens recordings from the cache, or by looking through their files. The cache has a directory for each list of paths, with the
     * events, their index and, written last, a summary. If two processes open the same files, one waits for the other. Events that repeat
     * an id are left out and reported, because the id is the key in databases. Used by one thread.
     */
    private static final class Store {
        private static final ObjectMapper JSON = new ObjectMapper();
        /** The version of the cached files, which developers must raise with each change of their format. */
        private static final String FORMAT_VERSION = "12\n";

        private static final int EVENTS_BETWEEN_SIGNS = 1 << 15;
        private static final long LOOK_AGAIN_MILLIS = 50;
        /** The number of lowest bits that hold the line of an event; the bits above hold the event's number. */
        private static final int BITS_OF_LINE = 36;

        private final List<EventFile> files;
        private final String name;
        private final Consumer<String> status;
        private final Path cache;
        private final Path directory;
        private final Path copy;
        /** The file with each event's 128-bit hash of the id, its number, and the number of its line. */
        private final Path ids;

        private final String identity;
        private final MessageDigest digest = Sha256.digest();
        private final LineProblems problems = new LineProblems();
        /** The files by the numbers of their first events. */
        private final NavigableMap<Integer, Path> byFirst = new TreeMap<>();

        Store(List<EventFile> files, String name, Path cache, Consumer<String> status) throws IOException {
            this.files = files;
            this.name = name;
            this.cache = cache;
            this.status = status;
            StringBuilder paths = new StringBuilder();
            StringBuilder contents = new StringBuilder(FORMAT_VERSION);
            for (EventFile file : files) {
                // The real path of a file is always the same, however the user names the file.
                Path real = file.path().toRealPath();
                Instant changed = Files.getLastModifiedTime(real).toInstant();
                paths.append(real + "\n");
                contents.append(real + " " + Files.size(real) + " " + changed + " "
                        + file.reader().identity() + "\n");
            }
            directory = cache.resolve(Sha256.fingerprint(paths.toString()));
            copy = directory.resolve("lines");
            ids = directory.resolve("ids");
            identity = Sha256.fingerprint(contents.toString());
        }

        Recording open() throws IOException {
            Optional<Recording> known = known();
            if (known.isPresent()) {
                return known.get();
            }
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
                lookThrough();
                return known().orElseThrow(() -> new IOException(directory + " has been removed"));
            } finally {
                lock.close();
            }
        }

        /** Opens the recording from the cache; empty if the cached one is missing, unreadable, or made from other files. */
        private Optional<Recording> known() {
            try {
                // The events are opened before the summary is read, which is written last and removed first.
                TimedFile events = new TimedFile(copy);
                boolean isKnown = false;
                try {
                    Summary summary =
                            JSON.readValue(directory.resolve("summary").toFile(), Summary.class);
                    boolean isWhole = events.count() == summary.count && Files.size(copy) == summary.bytes;
                    isKnown = isWhole && summary.identity.equals(identity);
                    return isKnown ? Optional.of(new Recording(name, summary, events, 1)) : Optional.empty();
                } finally {
                    if (!isKnown) {
                        events.close();
                    }
                }
            } catch (IOException missingOrBroken) {
                return Optional.empty();
            }
        }

        private Closeable lock() throws IOException {
            Optional<FileChannel> lock = DirectoryTree.tryLock(directory);
            while (lock.isEmpty()) {
                status.accept("waiting for another process that looks through " + name);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_AGAIN_MILLIS));
                lock = DirectoryTree.tryLock(directory);
            }
            status.accept("");
            return lock.get();
        }

        private void lookThrough() throws IOException {
            remove();
            try {
                TimedFile.Writer events = new TimedFile.Writer(copy);
                try (events;
                        DataOutputStream idsOut = TimedFile.Rows.output(ids)) {
                    for (EventFile file : files) {
                        read(file, events, idsOut);
                    }
                }
                status.accept("");
                BitSet repeated = repeated();
                List<String> warnings = problems.lines(name + ": ", LineProblem::toString);
                int count = events.count() - repeated.cardinality();
                if (count == 0) {
                    String why = warnings.isEmpty() ? " (the file is empty)" : "\n" + String.join("\n", warnings);
                    throw new ConfigException(new Origin.WholeFile(name), "there is no event in it" + why);
                }
                TimedFile.sort(copy, repeated);
                Files.delete(ids);
                String fingerprint = Sha256.fingerprint(digest.digest());
                Summary summary =
                        new Summary(identity, count, events.bytes(), fingerprint, problems.leftOut(count), warnings);
                JSON.writeValue(directory.resolve("summary").toFile(), summary);
            } catch (IOException | RuntimeException failed) {
                remove();
                throw failed;
            }
        }

        /** Removes the cached files; a process can read a file that it has opened until it closes the file. */
        private void remove() throws IOException {
            Files.deleteIfExists(directory.resolve("summary"));
            TimedFile.delete(copy);
            Files.deleteIfExists(ids);
        }

        private void read(EventFile file, TimedFile.Writer events, DataOutputStream idsOut) throws IOException {
            IdeaWriter writer = new IdeaWriter();
            MessageDigest ofId = Sha256.digest();
            byFirst.put(events.count(), file.path());
            boolean isIdea = file.reader() instanceof IdeaReader;
            try (EventLineReader reader = EventLineReader.open(file.path(), file.reader(), problems)) {
                for (Optional<SecurityEvent> next = reader.next(); next.isPresent(); next = reader.next()) {
                    if (events.count() == TimedFile.Rows.MOST) {
                        throw new ConfigException(
                                new Origin.WholeFile(name),
                                "has more than " + events.count() + " events (name fewer files, or split one)");
                    }
                    SecurityEvent event = next.get();
                    ByteBuffer hash = ByteBuffer.wrap(ofId.digest(event.id().getBytes(StandardCharsets.UTF_16BE)));
                    idsOut.writeLong(hash.getLong());
                    idsOut.writeLong(hash.getLong());
                    idsOut.writeLong(((long) events.count() << BITS_OF_LINE)
                            + reader.records().line());
                    byte[] line = reader.records().bytes();
                    events.add(micros(event.detectTime()), isIdea ? line : writer.toBytes(event));
                    digest.update(line);
                    digest.update((byte) '\n');
                    if (events.count() % EVENTS_BETWEEN_SIGNS == 0) {
                        status.accept(String.format(
                                Locale.ROOT, "looking through %s: %,d events", file.path(), events.count()));
                    }
                }
            }
            digest.update(file.reader().identity().getBytes(StandardCharsets.UTF_8));
        }

        /** Microseconds from 1970 to a time of the years 1 to 9999, rounded down; the nanoseconds of Java's own method would overflow. */
        private static long micros(Instant time) {
            return time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
        }

        /** The numbers of events whose ids occurred in earlier events. */
        private BitSet repeated() throws IOException {
            BitSet repeated = new BitSet();
            TimedFile.Rows rows = new TimedFile.Rows(ids, MapMode.READ_WRITE);
            rows.sort(0, rows.count());
            int found = 0;
            for (int row = 1; row < rows.count(); row++) {
                if (rows.get(row, 0) == rows.get(row - 1, 0) && rows.get(row, 1) == rows.get(row - 1, 1)) {
                    // The rows before this row are no longer needed.
                    rows.put(found++, 0, rows.get(row, 2));
                }
            }
            // Sorts the repeated events, so that they are reported in the order of the lines.
            rows.sort(0, found);
            for (int row = 0; row < found; row++) {
                int number = (int) (rows.get(row, 0) >>> BITS_OF_LINE);
                long line = rows.get(row, 0) & (1L << BITS_OF_LINE) - 1;
                repeated.set(number);
                Path file = Objects.requireNonNull(byFirst.floorEntry(number)).getValue();
                problems.accept(new LineProblem(file, line, "the ID occurred on an earlier line", true));
            }
            return repeated;
        }
    }
}
