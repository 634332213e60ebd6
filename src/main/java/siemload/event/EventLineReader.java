package siemload.event;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.zip.ZipException;
import siemload.event.EventReader.Outline;

/**
 * Reads a file of events, one a line, plain or gzip (told by its first bytes, not by its name), as a stream. A line that
 * is no event, longer than a mebibyte or has texts that some database cannot index is reported and skipped, blank lines
 * are skipped, and of a gzip file that ends early everything before the break is read and the break is reported. Not
 * thread-safe.
 */
public final class EventLineReader implements Closeable {
    /** A thousand times an event; as a tree it takes some 50 MB. */
    public static final int MAXIMUM_LINE_BYTES = 1 << 20;

    private static final int SHOWN_CHARACTERS = 300;
    /** The limit of the narrowest indexed column of all databases; see the types of columns in their packages. */
    static final int MOST_INDEXED_BYTES = 2_000;

    private static final int SHOWN_ID_CHARACTERS = 60;

    private final Path file;
    private final Consumer<LineProblem> problems;
    private final EventReader reader;
    private final ByteLines lines;
    private long line;
    private boolean broken;

    private EventLineReader(Path file, EventReader reader, ByteLines lines, Consumer<LineProblem> problems) {
        this.file = file;
        this.reader = reader;
        this.lines = lines;
        this.problems = problems;
    }

    /**
     * Opens a file.
     *
     * @param reader of the format of its lines
     * @param problems is told each bad line as it is reached
     * @throws UncheckedIOException if the file cannot be opened
     */
    public static EventLineReader open(Path file, EventReader reader, Consumer<LineProblem> problems) {
        try {
            return new EventLineReader(file, reader, ByteLines.open(file, MAXIMUM_LINE_BYTES), problems);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }

    /** The next event; empty at the end. Throws {@link UncheckedIOException} where the disk fails. */
    public Optional<SecurityEvent> next() {
        return next(this::event);
    }

    /** What an index needs from the next event, with the same lines left out and reported as by {@link #next()}. */
    public Optional<Outline> nextOutline() {
        return next(() ->
                reader.outline(lines.buffer(), lines.start(), lines.length()).or(() -> event().map(Outline::of)));
    }

    private <T> Optional<T> next(Supplier<Optional<T>> found) {
        while (nextLine()) {
            if (lines.isTooLong()) {
                report("the line is longer than 1 MiB (is this one event a line?)");
            } else if (!isBlank()) {
                Optional<T> event = found.get();
                if (event.isPresent()) {
                    return event;
                }
            }
        }
        return Optional.empty();
    }

    /** The number of the line of the event that was read last, from 1. */
    public long line() {
        return line;
    }

    /** Holds the line of the event that was read last. */
    public ByteLines lines() {
        return lines;
    }

    @Override
    public void close() {
        try {
            lines.close();
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be closed", e);
        }
    }

    private Optional<SecurityEvent> event() {
        try {
            SecurityEvent event = reader.read(lines.buffer(), lines.start(), lines.length(), lines.position());
            requireStorable(event);
            return Optional.of(event);
        } catch (EventFormatException unreadable) {
            report(String.valueOf(unreadable.getMessage()));
            return Optional.empty();
        }
    }

    private boolean nextLine() {
        if (broken) {
            return false;
        }
        line++;
        try {
            return lines.next();
        } catch (EOFException | ZipException damaged) {
            broken = true;
            report("the gzip data is damaged or ends early here; the lines before it were read");
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(file + ":" + line + ": cannot be read", e);
        }
    }

    private boolean isBlank() {
        for (int i = lines.start(); i < lines.start() + lines.length(); i++) {
            if (lines.buffer()[i] != ' ' && lines.buffer()[i] != '\t' && lines.buffer()[i] != '\r') {
                return false;
            }
        }
        return true;
    }

    private void report(String reason) {
        problems.accept(
                new LineProblem(file, line, shown(reason, SHOWN_CHARACTERS).replaceAll("\\p{Cntrl}", " ")));
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
        event.endpoints().forEach(endpoint -> {
            requireShort(event, "a Type or Proto of a Source or Target", endpoint.types());
            requireShort(event, "a Type or Proto of a Source or Target", endpoint.protocols());
        });
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
