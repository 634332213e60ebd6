package siemload.dataset;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.dataset.RecordingOptions.BadLines;
import siemload.event.EventLineReader;
import siemload.event.IdeaReader;
import siemload.event.LineProblem;
import siemload.event.LineProblem.Severity;
import siemload.event.SecurityEvent;

/**
 * Reads a recording once to learn what is in it. Events whose id occurred before are left out and reported, because
 * stores have the id as their key. The check is exact and its memory bounded: ids are remembered up to an eighth of the
 * heap; a file with more is read several times, each time for another share of the ids. Not thread-safe.
 */
final class RecordingScan {
    private static final int SAMPLE_EVENTS = 10_000;
    private static final long SAMPLE_BYTES = 32 << 20;
    private static final int BYTES_PER_ID = 43;
    private static final int MOST_IDS = 1 << 29;

    private final Path file;
    private final BadLines badLines;
    private final int idLimit;
    private RecordingProblems problems;
    private RepeatedLines repeated = new RepeatedLines();

    RecordingScan(Path file, BadLines badLines) {
        this(file, badLines, (int) Math.min(MOST_IDS, Runtime.getRuntime().maxMemory() / 8 / BYTES_PER_ID));
    }

    RecordingScan(Path file, BadLines badLines, int idLimit) {
        this.file = file;
        this.badLines = badLines;
        this.idLimit = idLimit;
        problems = new RecordingProblems(file, badLines);
    }

    /**
     * Scans the file.
     *
     * @throws ConfigException if there is no event in it, or the first bad line where these are refused
     */
    Recording scan() {
        IdSet ids = new IdSet(idLimit);
        Summary summary = new Summary();
        pass(problems, (line, event) -> {
            if (ids.isFull() || isNew(ids, event)) {
                summary.add(event);
            } else {
                note(line, event);
            }
        });
        return (ids.isFull() ? scanInShares(summary.count) : summary).recording();
    }

    /** Looks for repeated ids in one share of all ids after the other, then reads again without the repeated lines. */
    private Summary scanInShares(long atMost) {
        problems = new RecordingProblems(file, badLines);
        repeated = new RepeatedLines();
        // Twice as many shares as needed on average, so that none of them overflows.
        int shares = Math.toIntExact(2 * atMost / idLimit + 1);
        for (int share = 0; share < shares; share++) {
            int wanted = share;
            IdSet ids = new IdSet(idLimit);
            pass(problem -> {}, (line, event) -> {
                if (Math.floorMod(EventIds.hash(event.id(), 1), shares) == wanted && !isNew(ids, event)) {
                    note(line, event);
                }
            });
        }
        repeated.sort();
        Summary summary = new Summary();
        pass(problems, (line, event) -> {
            if (!repeated.contains(line)) {
                summary.add(event);
            }
        });
        return summary;
    }

    private static boolean isNew(IdSet ids, SecurityEvent event) {
        return ids.add(EventIds.hash(event.id(), 1), EventIds.hash(event.id(), 2));
    }

    private void note(long line, SecurityEvent event) {
        if (repeated.isFull()) {
            throw new ConfigException(
                    new Origin.WholeFile(file.toString()),
                    "more than " + RepeatedLines.LIMIT
                            + " lines repeat the ID of an earlier line: every event needs its own");
        }
        repeated.add(line);
        problems.accept(new LineProblem(
                file, line, Severity.UNREADABLE, "the ID " + event.id() + " occurred on an earlier line"));
    }

    private interface Line {
        void read(long number, SecurityEvent event);
    }

    private void pass(Consumer<LineProblem> listener, Line line) {
        try (EventLineReader reader = EventLineReader.open(file, new IdeaReader(), listener)) {
            for (Optional<SecurityEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
                line.read(reader.line(), event.get());
            }
        }
    }

    /** What is learnt from the events one after the other. */
    private final class Summary {
        private final Fingerprint fingerprint = new Fingerprint();
        private final List<SecurityEvent> sample = new ArrayList<>();
        private long sampleBytes;
        private long count;
        private Instant first = Instant.MAX;
        private Instant last = Instant.MIN;

        void add(SecurityEvent event) {
            count++;
            first = event.detectTime().isBefore(first) ? event.detectTime() : first;
            last = event.detectTime().isAfter(last) ? event.detectTime() : last;
            int bytes = fingerprint.add(event);
            if (sample.size() == count - 1 && sample.size() < SAMPLE_EVENTS && sampleBytes + bytes <= SAMPLE_BYTES) {
                sampleBytes += bytes;
                sample.add(event);
            }
        }

        Recording recording() {
            if (count == 0) {
                List<String> reasons = problems.lines();
                throw new ConfigException(
                        new Origin.WholeFile(file.toString()),
                        "there is no event in it"
                                + (reasons.isEmpty() ? " (the file is empty)" : "\n" + String.join("\n", reasons)));
            }
            return new Recording(file, repeated, count, first, last, fingerprint.value(), sample, problems.lines());
        }
    }
}
