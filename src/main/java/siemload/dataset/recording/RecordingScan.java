package siemload.dataset.recording;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Sha256;
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
}
