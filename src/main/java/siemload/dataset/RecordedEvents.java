package siemload.dataset;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import siemload.dataset.recording.Recording;
import siemload.dataset.recording.RecordingReading;
import siemload.event.SecurityEvent;

/**
 * A data set from a recording, as it is or repeated: events in the order of their times, copy after copy. Lines that are no
 * events, or repeat the id of an earlier one, are left out and reported. Thread-safe.
 */
public final class RecordedEvents implements EventSource {
    private final String name;
    private final Recording recording;
    private final RecordingOptions options;
    private final CopyTimes times;

    /**
     * Opens a recording and looks through it unless that has been done before.
     *
     * @param files in the order in which they were recorded
     * @param reading how its lines are read
     * @throws siemload.config.ConfigException if there is no event in it, or the first bad line where these are refused
     * @throws java.io.UncheckedIOException if it cannot be read, or its index not be written
     */
    public static RecordedEvents open(List<Path> files, RecordingReading reading, RecordingOptions options) {
        String first = String.valueOf(files.get(0).getFileName());
        String name = files.size() == 1 ? first : first + " and " + (files.size() - 1) + " more";
        return new RecordedEvents(name, Recording.open(files, reading), options);
    }

    private RecordedEvents(String name, Recording recording, RecordingOptions options) {
        this.name = name;
        this.recording = recording;
        this.options = options;
        times = new CopyTimes(recording.first(), recording.last(), RecordingOptions.SPAN, options.amplify());
    }

    @Override
    public String name() {
        return isAmplified() ? name + " x" + options.amplify() : name;
    }

    @Override
    public long count() {
        return Math.multiplyExact(recording.count(), (long) options.amplify());
    }

    @Override
    public Instant first() {
        return isAmplified() ? times.time(0, recording.first()) : recording.first();
    }

    @Override
    public Instant until() {
        Instant last = isAmplified() ? times.time(options.amplify() - 1, recording.last()) : recording.last();
        return last.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    }

    @Override
    public String fingerprint() {
        if (!isAmplified()) {
            return recording.fingerprint();
        }
        Fingerprint fingerprint = new Fingerprint();
        fingerprint.add(recording.fingerprint() + " " + options.amplify() + " " + RecordingOptions.SPAN);
        return fingerprint.value();
    }

    @Override
    public long seed() {
        return 0;
    }

    @Override
    public void read(int batch, Consumer<List<SecurityEvent>> batches) {
        Batches filled = new Batches(batch, batches);
        for (int copy = 0; copy < options.amplify(); copy++) {
            int number = copy;
            recording.forEach(event -> filled.add(isAmplified() ? copy(event, number) : event));
        }
        filled.handOver();
    }

    @Override
    public List<String> warnings() {
        return recording.warnings();
    }

    @Override
    public Optional<String> leftOut() {
        return recording.leftOut();
    }

    /** The recorded events again and again, with ids and times of their own. */
    @Override
    public FeedEvents feed() {
        return new RecordedFeed(recording, EventIds.hash(fingerprint(), 0));
    }

    private boolean isAmplified() {
        return options.amplify() > 1;
    }

    private SecurityEvent copy(SecurityEvent event, int number) {
        return TimeShift.to(times.time(number, event.detectTime()), EventIds.copy(event.id(), number), event);
    }

    private record RecordedFeed(Recording recording, long seed) implements FeedEvents {
        @Override
        public SecurityEvent event(long number, Instant detectTime) {
            return TimeShift.to(detectTime, id(number), recording.event(number % recording.count()));
        }

        @Override
        public Optional<CapturedTimes> captured() {
            return Optional.of(new RecordedTimes(recording));
        }

        @Override
        public String id(long number) {
            return EventIds.id(seed, number);
        }
    }

    /** Events on their way into lists. */
    private static final class Batches {
        private final int size;
        private final Consumer<List<SecurityEvent>> taker;
        private List<SecurityEvent> batch = new ArrayList<>();

        Batches(int size, Consumer<List<SecurityEvent>> taker) {
            this.size = size;
            this.taker = taker;
        }

        void add(SecurityEvent event) {
            batch.add(event);
            if (batch.size() == size) {
                handOver();
            }
        }

        void handOver() {
            if (!batch.isEmpty()) {
                taker.accept(batch);
                batch = new ArrayList<>(size);
            }
        }
    }
}
