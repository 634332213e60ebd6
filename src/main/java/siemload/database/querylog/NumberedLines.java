package siemload.database.querylog;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.ZipException;
import siemload.event.ByteLines;

/**
 * The lines of a query log, plain or gzip, with their numbers. Too long ones, and the end of damaged gzip data, are told to the
 * listener, and read past. Not thread-safe.
 */
public final class NumberedLines implements Closeable {
    /** In bytes. A statement with all its values stands in one record; servers' own limits for a text are higher. */
    public static final int LONGEST = 16 << 20;

    private final ByteLines lines;
    private final QueryLogListener listener;
    private long number;
    private boolean broken;

    private NumberedLines(ByteLines lines, QueryLogListener listener) {
        this.lines = lines;
        this.listener = listener;
    }

    /**
     * One of them.
     *
     * @param number from 1
     */
    public record Line(long number, String text) {}

    /** Opens a file. */
    public static NumberedLines open(Path file, QueryLogListener listener) throws IOException {
        return new NumberedLines(ByteLines.open(file, LONGEST), listener);
    }

    /** The next line; empty at the end. */
    public Optional<Line> next() throws IOException {
        while (advance()) {
            number++;
            if (lines.isTooLong()) {
                listener.unreadable(number, "the line is longer than 16 MiB");
            } else {
                return Optional.of(new Line(number, lines.text()));
            }
        }
        return Optional.empty();
    }

    private boolean advance() throws IOException {
        if (broken) {
            return false;
        }
        try {
            return lines.next();
        } catch (EOFException | ZipException damaged) {
            broken = true;
            listener.unreadable(number + 1, "the gzip data is damaged or ends early here");
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
