package siemload.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.ZipException;

/**
 * Reads a file of events (see {@link Records}) as a stream. The reader reports and skips records that are not events, are longer than a
 * mebibyte, or have texts that some database cannot index; blank lines are skipped. Damaged gzip data or JSON are read up to the damage,
 * which is reported. Events with implausible times are reported, but not skipped. Not thread-safe.
 */
public final class EventLineReader implements Closeable {
    private static final int SHOWN_CHARACTERS = 300;
    /** The limit in bytes of the narrowest indexed column of all databases; see the types of columns in their packages. */
    private static final int MOST_INDEXED_BYTES = 2_000;

    private static final int SHOWN_ID_CHARACTERS = 60;
    /** The first plausible time; an earlier time comes from a clock that was not set, or is in another unit. */
    private static final Instant FIRST_TIME = Instant.parse("1990-01-01T00:00:00Z");

    private final Path file;
    private final Consumer<LineProblem> problems;
    private final EventReader reader;
    private final Records records;
    private final Instant lastTime;
    private boolean broken;

    private EventLineReader(Path file, EventReader reader, Records records, Consumer<LineProblem> problems)
            throws IOException {
        this.file = file;
        this.reader = reader;
        this.records = records;
        this.problems = problems;
        this.lastTime = lastTime(Files.getLastModifiedTime(file).toInstant());
    }

    /**
     * Opens a file.
     *
     * @param reader a reader for the format of the file's records
     * @param problems receives each bad or doubtful record when it is reached
     * @throws UncheckedIOException if the file cannot be opened
     */
    public static EventLineReader open(Path file, EventReader reader, Consumer<LineProblem> problems) {
        try {
            return new EventLineReader(file, reader, Records.open(file), problems);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }

    /** Returns whether an event may have this time: from 1990 to {@code lastTime}, see {@link #lastTime}. */
    public static boolean isPlausible(Instant time, Instant lastTime) {
        return !time.isBefore(FIRST_TIME) && !time.isAfter(lastTime);
    }

    /** The last plausible time in a file: 366 days from now, or from the file's last change if that is later than now. */
    public static Instant lastTime(Instant modified) {
        Instant now = Instant.now();
        return (modified.isAfter(now) ? modified : now).plus(Duration.ofDays(366));
    }

    /** Returns the next event; empty at the end. Throws {@link UncheckedIOException} if the disk fails. */
    public Optional<SecurityEvent> next() {
        while (nextRecord()) {
            if (records.isTooLong()) {
                report("the record is longer than 1 MiB (does each line have one event?)", true);
            } else if (!records.isBlank()) {
                Optional<SecurityEvent> event = event();
                if (event.isPresent()) {
                    return event;
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the records; the current record is the one of the event that was read last. */
    public Records records() {
        return records;
    }

    @Override
    public void close() {
        try {
            records.close();
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be closed", e);
        }
    }

    private Optional<SecurityEvent> event() {
        try {
            SecurityEvent event = reader.read(records.buffer, records.start, records.length, records.position);
            requireStorable(event);
            if (!isPlausible(event.detectTime(), lastTime)) {
                report("the time " + event.detectTime() + " is before 1990 or over a year in the future", false);
            }
            return Optional.of(event);
        } catch (EventFormatException unreadable) {
            report(String.valueOf(unreadable.getMessage()), true);
            return Optional.empty();
        }
    }

    private boolean nextRecord() {
        try {
            return !broken && records.next();
        } catch (EOFException | ZipException damaged) {
            broken = true;
            report("the gzip data is damaged or ends early here; all events before the damage were read", true);
            return false;
        } catch (JsonProcessingException damaged) {
            broken = true;
            report("the JSON is damaged here, and the rest was not read: " + JsonFault.words(damaged), true);
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(file + ":" + records.line() + ": cannot be read", e);
        }
    }

    private void report(String reason, boolean isLeftOut) {
        String shown = shown(reason, SHOWN_CHARACTERS).replaceAll("\\p{Cntrl}", " ");
        problems.accept(new LineProblem(file, records.line(), shown, isLeftOut));
    }

    private static String shown(String text, int most) {
        return text.length() > most ? text.substring(0, most) + "..." : text;
    }

    /** Throws if some database could not store an event. */
    private static void requireStorable(SecurityEvent event) {
        requireShort(event, "the ID", List.of(event.id()));
        requireShort(event, "a Category", event.categories());
        for (Node node : event.nodes()) {
            requireShort(event, "the Name or a Type of a Node", List.of(node.name()));
            requireShort(event, "the Name or a Type of a Node", node.types());
        }
        for (List<Endpoint> side : List.of(event.sources(), event.targets())) {
            for (Endpoint endpoint : side) {
                requireShort(event, "a Type or Proto of a Source or Target", endpoint.types());
                requireShort(event, "a Type or Proto of a Source or Target", endpoint.protocols());
            }
        }
    }

    private static void requireShort(SecurityEvent event, String what, List<String> texts) {
        for (String text : texts) {
            int bytes = text.length() <= MOST_INDEXED_BYTES / 3 ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MOST_INDEXED_BYTES) {
                throw new EventFormatException(String.format(
                        Locale.ROOT,
                        "%s of event %s has %,d bytes (allowed: at most %,d, which every database can keep in an index)",
                        what,
                        shown(event.id(), SHOWN_ID_CHARACTERS),
                        bytes,
                        MOST_INDEXED_BYTES));
            }
        }
    }
}
