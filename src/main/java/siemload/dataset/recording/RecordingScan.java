package siemload.dataset.recording;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.PriorityQueue;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Sha256;
import siemload.config.directory.Reason;
import siemload.event.EventLineReader;
import siemload.event.EventOutline;
import siemload.event.LineProblem;
import siemload.event.LineProblem.Severity;
import siemload.event.SecurityEvent;

/**
 * Reads a recording once to learn what is in it. Events whose id occurred before are left out and reported, because stores have
 * the id as their key. Memory is bounded, with files for what does not fit. Not thread-safe.
 */
final class RecordingScan implements Entries {
    private static final int IDS_IN_MEMORY = 1 << 17;

    private final List<RecordedFile> files;
    private final RecordingProblems problems;
    private final SortedEntries entries;
    private final RepeatedIds ids;
    private final List<SecurityEvent> kept = new ArrayList<>();
    private final List<Long> keptPlaces = new ArrayList<>();
    private final MessageDigest digest = Sha256.digest();
    private long keptBytes;
    private long read;
    private long repeatedEvents;
    private long[] repeated = new long[0];

    /** @param scratch for what does not fit into memory */
    RecordingScan(List<RecordedFile> files, ScratchFiles scratch) {
        this(files, scratch, IDS_IN_MEMORY);
    }

    RecordingScan(List<RecordedFile> files, ScratchFiles scratch, int idsInMemory) {
        this.files = List.copyOf(files);
        problems = new RecordingProblems(name(files));
        entries = new SortedEntries(scratch);
        ids = new RepeatedIds(scratch, idsInMemory);
    }

    /** The recording for people. */
    static String name(List<RecordedFile> files) {
        String first = files.get(0).path().toString();
        return files.size() == 1 ? first : first + " and " + (files.size() - 1) + " more";
    }

    /**
     * Reads all files.
     *
     * @param status told how far that is
     * @throws ConfigException if there is no event in them, or the first bad line where these are refused
     */
    void run(ScanStatus status) {
        for (int file = 0; file < files.size(); file++) {
            read(file, status);
        }
        status.end();
        leaveOutRepeated();
        if (count() == 0) {
            List<String> reasons = problems.lines();
            throw new ConfigException(
                    new Origin.WholeFile(name(files)),
                    "there is no event in it"
                            + (reasons.isEmpty() ? " (the file is empty)" : "\n" + String.join("\n", reasons)));
        }
    }

    private void read(int file, ScanStatus status) {
        RecordedFile recorded = files.get(file);
        try (EventLineReader reader =
                EventLineReader.open(recorded.path(), recorded.reader(), problem -> note(file, problem))) {
            while (isKept() ? addNext(file, reader) : addNextOutline(file, reader)) {
                reader.addLineTo(digest);
                status.read(file, reader);
            }
        }
        digest.update(recorded.reader().identity().getBytes(StandardCharsets.UTF_8));
    }

    /** Whether the recording is small as far as it has been read. */
    private boolean isKept() {
        return kept.size() == read && read < KeptEvents.MOST_EVENTS && keptBytes < KeptEvents.MOST_BYTES;
    }

    /** False at the end of the file. */
    private boolean addNext(int file, EventLineReader reader) {
        Optional<SecurityEvent> event = reader.next();
        event.ifPresent(found -> {
            kept.add(found);
            keptPlaces.add(Place.of(file, reader.position()));
            keptBytes += reader.lineBytes();
            add(EventOutline.of(found), file, reader);
        });
        return event.isPresent();
    }

    /** False at the end of the file. */
    private boolean addNextOutline(int file, EventLineReader reader) {
        Optional<EventOutline> event = reader.nextOutline();
        event.ifPresent(found -> add(found, file, reader));
        return event.isPresent();
    }

    private void add(EventOutline event, int file, EventLineReader reader) {
        long place = Place.of(file, reader.position());
        read++;
        entries.add(Recording.micros(event.detectTime()), place);
        ids.add(IdHash.high(event.id()), IdHash.low(event.id()), place, reader.line());
    }

    private void note(int file, LineProblem problem) {
        problems.add(file, problem);
    }

    private void leaveOutRepeated() {
        List<RepeatedIds.Repeated> found = ids.find();
        if (found.size() > RepeatedIds.LIMIT) {
            throw new ConfigException(
                    new Origin.WholeFile(name(files)),
                    "more than " + RepeatedIds.LIMIT
                            + " lines repeat the ID of an earlier line: every event needs its own");
        }
        repeated = found.stream().mapToLong(RepeatedIds.Repeated::place).toArray();
        for (RepeatedIds.Repeated event : found) {
            int file = Place.file(event.place());
            note(
                    file,
                    new LineProblem(
                            files.get(file).path(),
                            event.line(),
                            Severity.UNREADABLE,
                            "the ID occurred on an earlier line"));
        }
        repeatedEvents = found.size();
    }

    /** The number of events without those whose id occurred before. */
    long count() {
        return read - repeatedEvents;
    }

    /** All events in the order of their times, if they are few. */
    Optional<List<SecurityEvent>> few() {
        if (kept.size() < read) {
            return Optional.empty();
        }
        List<SecurityEvent> events = new ArrayList<>();
        for (int i = 0; i < kept.size(); i++) {
            if (!isRepeated(keptPlaces.get(i))) {
                events.add(kept.get(i));
            }
        }
        events.sort(Comparator.comparingLong(event -> Recording.micros(event.detectTime())));
        return Optional.of(events);
    }

    /** Hands over times and places of all events, in the order of their times. */
    @Override
    public void forEach(Entries.Taker taker) {
        entries.forEach((micros, place) -> {
            if (!isRepeated(place)) {
                taker.take(micros, place);
            }
        });
    }

    private boolean isRepeated(long place) {
        return repeated.length > 0 && Arrays.binarySearch(repeated, place) >= 0;
    }

    RecordingProblems problems() {
        return problems;
    }

    /** Made from all lines that are events, and how they are read. Nothing can be added afterwards. */
    String fingerprint() {
        return Sha256.fingerprint(digest.digest());
    }

    /** Counts what is wrong with the lines of a recording and keeps the first of it. Not thread-safe. */
    static final class RecordingProblems {
        static final int KEPT = 10;

        private final String name;
        private final List<Told> unreadable = new ArrayList<>();
        private final List<Told> lacking = new ArrayList<>();
        private long unreadableLines;
        private long lacks;

        /** A problem and where it comes in the order of reading. */
        private record Told(int file, LineProblem problem) {}

        /** @param name of the recording, for people */
        RecordingProblems(String name) {
            this.name = name;
        }

        /** Notes a problem of a file, which has this position among those of the recording. */
        void add(int file, LineProblem problem) {
            if (problem.severity() == Severity.WARNING) {
                lacks++;
                keep(lacking, new Told(file, problem));
            } else {
                unreadableLines++;
                keep(unreadable, new Told(file, problem));
            }
        }

        /** How many lines were left out. */
        long unreadableLines() {
            return unreadableLines;
        }

        /** The first lines that were left out, in the order of reading. */
        List<String> unreadable() {
            return texts(unreadable);
        }

        /** All problems for people, a line each. */
        List<String> lines() {
            List<String> lines = new ArrayList<>();
            describe(unreadable, unreadableLines, "unreadable lines were skipped", lines);
            describe(lacking, lacks, "times a readable event lacks something", lines);
            return List.copyOf(lines);
        }

        private void describe(List<Told> first, long all, String what, List<String> lines) {
            if (all > 0) {
                String shown = all > first.size() ? "; the first " + first.size() : "";
                lines.add(String.format(Locale.ROOT, "%s: %,d %s%s:", name, all, what, shown));
                texts(first).forEach(text -> lines.add("  " + text));
            }
        }

        private static List<String> texts(List<Told> told) {
            return told.stream().map(one -> one.problem().toString()).toList();
        }

        /** Repeated ids are found when all has been read, and may stand before others. */
        private static void keep(List<Told> first, Told problem) {
            first.add(problem);
            first.sort(Comparator.comparingInt(Told::file)
                    .thenComparingLong(told -> told.problem().line()));
            if (first.size() > KEPT) {
                first.remove(KEPT);
            }
        }
    }

    /**
     * Sorts events by their times, those of the same time by their places, in bounded memory: what does not fit is written to a
     * file in sorted runs, which are merged. Not thread-safe; methods throw {@link UncheckedIOException} where the disk fails.
     */
    static final class SortedEntries implements Entries {
        private static final int MOST_IN_MEMORY = 250_000;
        private static final int BYTES = 2 * Long.BYTES;
        private static final Comparator<Entry> ORDER =
                Comparator.comparingLong(Entry::micros).thenComparingLong(Entry::place);

        private final ScratchFiles scratch;
        private final int mostInMemory;
        private final List<Long> runEnds = new ArrayList<>();
        private Optional<Path> spilled = Optional.empty();
        private Entry[] entries = new Entry[1_024];
        private int size;
        private long written;

        private record Entry(long micros, long place) {}

        /** @param scratch for what does not fit into memory */
        SortedEntries(ScratchFiles scratch) {
            this(scratch, MOST_IN_MEMORY);
        }

        SortedEntries(ScratchFiles scratch, int mostInMemory) {
            this.scratch = scratch;
            this.mostInMemory = mostInMemory;
        }

        void add(long micros, long place) {
            if (size == mostInMemory) {
                writeRun();
            }
            if (size == entries.length) {
                entries = Arrays.copyOf(entries, size * 2);
            }
            entries[size++] = new Entry(micros, place);
        }

        @Override
        public void forEach(Taker taker) {
            Arrays.sort(entries, 0, size, ORDER);
            if (runEnds.isEmpty()) {
                for (int i = 0; i < size; i++) {
                    taker.take(entries[i].micros(), entries[i].place());
                }
                return;
            }
            writeRun();
            try (FileChannel file = FileChannel.open(spilled.orElseThrow(), StandardOpenOption.READ)) {
                merge(file, taker);
            } catch (IOException e) {
                throw new UncheckedIOException(spilled.orElseThrow() + " cannot be read: " + Reason.of(e), e);
            }
        }

        private void merge(FileChannel file, Taker taker) throws IOException {
            PriorityQueue<Run> runs = new PriorityQueue<>(Comparator.comparing(Run::first, ORDER));
            long start = 0;
            for (long end : runEnds) {
                runs.add(new Run(file, start, end));
                start = end;
            }
            while (!runs.isEmpty()) {
                Run run = runs.remove();
                taker.take(run.first().micros(), run.first().place());
                if (run.next()) {
                    runs.add(run);
                }
            }
        }

        private void writeRun() {
            Arrays.sort(entries, 0, size, ORDER);
            ByteBuffer buffer = ByteBuffer.allocate(4_096 * BYTES);
            try (FileChannel file = openSpilled()) {
                for (int i = 0; i < size; i++) {
                    buffer.putLong(entries[i].micros()).putLong(entries[i].place());
                    if (!buffer.hasRemaining() || i == size - 1) {
                        buffer.flip();
                        while (buffer.hasRemaining()) {
                            written += file.write(buffer);
                        }
                        buffer.clear();
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "what does not fit into memory cannot be written to disk: " + Reason.of(e), e);
            }
            size = 0;
            runEnds.add(written);
        }

        private FileChannel openSpilled() throws IOException {
            if (spilled.isEmpty()) {
                spilled = Optional.of(scratch.file("entries"));
            }
            return FileChannel.open(
                    spilled.get(), StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        }

        /** A sorted part of the file. */
        private static final class Run {
            private final FileChannel file;
            private final long end;
            private final ByteBuffer buffer = ByteBuffer.allocate(4_096 * BYTES).flip();
            private long position;
            private Entry first;

            Run(FileChannel file, long start, long end) throws IOException {
                this.file = file;
                this.position = start;
                this.end = end;
                fill();
                first = new Entry(buffer.getLong(), buffer.getLong());
            }

            Entry first() {
                return first;
            }

            /** Moves to the next entry; false where there is none. */
            boolean next() throws IOException {
                if (!buffer.hasRemaining() && position == end) {
                    return false;
                }
                if (!buffer.hasRemaining()) {
                    fill();
                }
                first = new Entry(buffer.getLong(), buffer.getLong());
                return true;
            }

            private void fill() throws IOException {
                buffer.clear();
                buffer.limit((int) Math.min(buffer.capacity(), end - position));
                while (buffer.hasRemaining()) {
                    int read = file.read(buffer, position);
                    if (read < 0) {
                        throw new IOException("the file ends at byte " + position);
                    }
                    position += read;
                }
                buffer.flip();
            }
        }
    }

    /**
     * Finds the events whose id occurred before. Exact but for equal 128-bit hashes, and in bounded memory: ids are spread by their
     * hash over many heaps, of which what does not fit is in a file each, and each heap is looked through by itself. Not
     * thread-safe; methods throw {@link UncheckedIOException} where the disk fails.
     */
    private static final class RepeatedIds {
        /** A recording with more of them is broken as a whole. */
        static final int LIMIT = 1_000_000;

        private static final int HEAPS = 256;
        private static final int BYTES = 4 * Long.BYTES;

        private final List<Heap> heaps = new ArrayList<>(HEAPS);

        /**
         * An event whose id occurred before.
         *
         * @param place of its line
         * @param line its number
         */
        record Repeated(long place, long line) {}

        /** @param scratch for what does not fit into memory */
        RepeatedIds(ScratchFiles scratch, int idsInMemory) {
            for (int heap = 0; heap < HEAPS; heap++) {
                heaps.add(new Heap(scratch, "ids-" + heap, Math.max(4, idsInMemory / HEAPS)));
            }
        }

        /** Notes an event; in the order of the recording. */
        void add(long hashHigh, long hashLow, long place, long line) {
            heaps.get((int) (hashHigh & HEAPS - 1)).add(hashHigh, hashLow, place, line);
        }

        /** All events whose id occurred before, in the order of the recording; no more than one above {@link #LIMIT}. */
        List<Repeated> find() {
            List<Repeated> repeated = new ArrayList<>();
            for (Heap heap : heaps) {
                heap.find(repeated);
            }
            repeated.sort(Comparator.comparingLong(Repeated::place));
            return repeated;
        }

        /** Ids that share a part of their hash. */
        private static final class Heap {
            private final ScratchFiles scratch;
            private final String name;
            private final int mostInMemory;
            private Optional<Path> file = Optional.empty();
            private ByteBuffer buffer = ByteBuffer.allocate(4 * BYTES);
            private long count;

            Heap(ScratchFiles scratch, String name, int mostInMemory) {
                this.scratch = scratch;
                this.name = name;
                this.mostInMemory = mostInMemory;
            }

            void add(long hashHigh, long hashLow, long place, long line) {
                if (!buffer.hasRemaining()) {
                    makeRoom();
                }
                buffer.putLong(hashHigh).putLong(hashLow).putLong(place).putLong(line);
                count++;
            }

            private void makeRoom() {
                if (buffer.capacity() < mostInMemory * BYTES) {
                    int capacity = Math.min(2 * buffer.capacity(), mostInMemory * BYTES);
                    buffer = ByteBuffer.allocate(capacity).put(buffer.flip());
                } else {
                    write();
                    buffer.clear();
                }
            }

            private void write() {
                try {
                    if (file.isEmpty()) {
                        file = Optional.of(scratch.file(name));
                    }
                    try (OutputStream out =
                            Files.newOutputStream(file.get(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                        out.write(buffer.array(), 0, buffer.position());
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(
                            "ids that do not fit into memory cannot be written to disk: " + Reason.of(e), e);
                }
            }

            void find(List<Repeated> repeated) {
                IdSet ids = new IdSet();
                try {
                    readWritten(ids, repeated);
                } catch (IOException e) {
                    throw new UncheckedIOException(
                            "ids that did not fit into memory cannot be read from disk: " + Reason.of(e), e);
                }
                ByteBuffer left = buffer.duplicate().flip();
                while (left.hasRemaining()) {
                    look(ids, left.getLong(), left.getLong(), new Repeated(left.getLong(), left.getLong()), repeated);
                }
            }

            private void readWritten(IdSet ids, List<Repeated> repeated) throws IOException {
                long written = count - buffer.position() / BYTES;
                if (file.isEmpty()) {
                    return;
                }
                try (DataInputStream in =
                        new DataInputStream(new BufferedInputStream(Files.newInputStream(file.get()), 1 << 16))) {
                    for (long i = 0; i < written; i++) {
                        look(ids, in.readLong(), in.readLong(), new Repeated(in.readLong(), in.readLong()), repeated);
                    }
                }
            }

            private static void look(IdSet ids, long high, long low, Repeated event, List<Repeated> repeated) {
                if (!ids.add(high, low) && repeated.size() <= LIMIT) {
                    repeated.add(event);
                }
            }
        }

        /**
         * A set of event ids by 128-bit hashes, in two arrays that grow: at most 43 bytes an id, up to 2^29 of them. Two ids among a
         * hundred million share a hash with a probability of 10^-23. Not thread-safe.
         */
        private static final class IdSet {
            private static final int FIRST_CAPACITY = 1_024;

            private long[] high = new long[FIRST_CAPACITY];
            private long[] low = new long[FIRST_CAPACITY];
            private int size;

            /** Adds an id unless it is there; false if it was. */
            boolean add(long idHigh, long idLow) {
                if (size > high.length / 4 * 3) {
                    grow();
                }
                // Two zeros mark a free place.
                long safeLow = idHigh == 0 && idLow == 0 ? 1 : idLow;
                int place = find(idHigh, safeLow);
                if (high[place] != 0 || low[place] != 0) {
                    return false;
                }
                high[place] = idHigh;
                low[place] = safeLow;
                size++;
                return true;
            }

            private int find(long idHigh, long idLow) {
                int mask = high.length - 1;
                int place = (int) idLow & mask;
                while ((high[place] != idHigh || low[place] != idLow) && (high[place] != 0 || low[place] != 0)) {
                    place = (place + 1) & mask;
                }
                return place;
            }

            private void grow() {
                long[] oldHigh = high;
                long[] oldLow = low;
                high = new long[oldHigh.length * 2];
                low = new long[oldLow.length * 2];
                for (int i = 0; i < oldHigh.length; i++) {
                    if (oldHigh[i] != 0 || oldLow[i] != 0) {
                        int place = find(oldHigh[i], oldLow[i]);
                        high[place] = oldHigh[i];
                        low[place] = oldLow[i];
                    }
                }
            }
        }
    }

    /** Hashes of event ids: two of them make 128 bits. Stateless. */
    private static final class IdHash {
        /** This factor and the next are those of the finalizer of SplitMix64, by Steele, Lea and Flood. */
        private static final long FIRST_FACTOR = 0xBF58_476D_1CE4_E5B9L;

        private static final long SECOND_FACTOR = 0x94D0_49BB_1331_11EBL;

        private IdHash() {}

        static long high(String id) {
            return hash(id, 0x9E37_79B9_7F4A_7C15L);
        }

        static long low(String id) {
            return hash(id, 0xD1B5_4A32_D192_ED03L);
        }

        private static long hash(String id, long seed) {
            long hash = seed;
            for (int i = 0; i < id.length(); i++) {
                hash = (hash ^ id.charAt(i)) * FIRST_FACTOR;
                hash ^= hash >>> 32;
            }
            hash = (hash ^ hash >>> 27) * SECOND_FACTOR;
            return hash ^ hash >>> 31;
        }
    }
}
