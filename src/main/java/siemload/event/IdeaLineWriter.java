package siemload.event;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a file of IDEA events, one compact JSON object a line; gzip when the name ends in {@code .gz}. An existing
 * file is replaced. Not thread-safe; methods throw {@link UncheckedIOException} where the disk fails.
 */
public final class IdeaLineWriter implements Closeable {
    private final Path file;
    private final OutputStream out;
    private final IdeaWriter writer = new IdeaWriter();

    private IdeaLineWriter(Path file, OutputStream out) {
        this.file = file;
        this.out = out;
    }

    /** Opens a file. */
    public static IdeaLineWriter open(Path file) {
        try {
            boolean gzip = file.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
            OutputStream raw = Files.newOutputStream(file);
            OutputStream packed = gzip ? new GZIPOutputStream(raw, 65_536) : raw;
            return new IdeaLineWriter(file, new BufferedOutputStream(packed, 65_536));
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be written", e);
        }
    }

    /** Writes one line for each event. */
    public void write(List<SecurityEvent> events) {
        try {
            for (SecurityEvent event : events) {
                writer.write(event, out);
                out.write('\n');
            }
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be written", e);
        }
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be written", e);
        }
    }
}
