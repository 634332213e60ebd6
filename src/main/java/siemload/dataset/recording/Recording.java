package siemload.dataset.recording;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import siemload.config.directory.Reason;
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
     * Opens a recording.
     *
     * @param files in the order in which they were recorded; events of the same time stay in it
     * @param reading how their lines are read
     * @throws siemload.config.ConfigException if there is no event in it, or the first bad line where these are refused
     * @throws UncheckedIOException if it cannot be read, or its index not be written
     */
    public static Recording open(List<Path> files, RecordingReading reading) {
        List<RecordedFile> recorded = new ArrayList<>();
        for (Path file : files) {
            try {
                recorded.add(RecordedFile.of(file, reading.readers().apply(file)));
            } catch (IOException e) {
                throw new UncheckedIOException(file + " cannot be read: " + Reason.of(e), e);
            }
        }
        return new RecordingStore(recorded, reading).open();
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
}
