package siemload.monitor;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import siemload.measure.RunClock;

/** A file with a line for each second, counted from the start of the measured phase. Used by one thread at a time. */
final class CsvFile implements AutoCloseable {
    private final Path path;
    private final PrintStream file;

    /** @param columns the names behind {@code second} */
    CsvFile(Path path, String columns) throws IOException {
        this.path = path;
        this.file = new PrintStream(Files.newOutputStream(path), false, StandardCharsets.UTF_8);
        file.print("second," + columns + "\n");
    }

    /** A line about the second that ends at this instant of the monotonic clock; texts must hold no comma. */
    void line(RunClock clock, long nanos, Object... values) {
        StringBuilder line = new StringBuilder();
        line.append(String.format(Locale.ROOT, "%.3f", (nanos - clock.measureNanos()) / 1e9));
        for (Object value : values) {
            line.append(',')
                    .append(value instanceof Double number ? String.format(Locale.ROOT, "%.4f", number) : value);
        }
        file.print(line.append('\n'));
    }

    /** Hands the lines to the system, for those who read along. */
    void flush() {
        file.flush();
    }

    /** Closes the file. @throws IOException if something could not be written */
    @Override
    public void close() throws IOException {
        boolean failed = file.checkError();
        file.close();
        if (failed) {
            throw new IOException(path.getFileName() + " is not complete: no space left, or no right to write");
        }
    }
}
