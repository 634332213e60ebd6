package siemload.event;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a file of IDEA events, one compact JSON object a line; gzip if the name ends in {@code .gz}. The file is written under another
 * name; {@link #finish} moves it to its place and replaces an existing file. An unfinished file is removed when the process ends. Not
 * thread-safe; methods throw {@link UncheckedIOException} if the disk fails.
 */
public final class IdeaLineWriter implements Closeable {
    private final Path file;
    /** The path that is written to; the file itself if the file is a pipe or a device. */
    private final Path unfinished;

    private final IdeaWriter writer = new IdeaWriter();
    private final OutputStream out;

    private IdeaLineWriter(Path file, Consumer<Runnable> atEnd) throws IOException {
        this.file = file;
        boolean isFile = !Files.exists(file) || Files.isRegularFile(file);
        // The process id in the name keeps apart the unfinished files of two processes that write the same file.
        String beside = file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp";
        unfinished = isFile ? file.resolveSibling(beside) : file;
        if (isFile) {
            // The file is created anew, because an existing file may be a link to another place.
            Files.deleteIfExists(unfinished);
            atEnd.accept(() -> unfinished.toFile().delete());
        }
        OutputStream raw = isFile
                ? Files.newOutputStream(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)
                : Files.newOutputStream(file);
        boolean gzip = file.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
        out = new BufferedOutputStream(gzip ? new GZIPOutputStream(raw, 65_536) : raw, 65_536);
    }

    /**
     * Opens a file.
     *
     * @param atEnd receives an action to be run when the process ends, also by a signal
     */
    public static IdeaLineWriter open(Path file, Consumer<Runnable> atEnd) {
        try {
            return new IdeaLineWriter(file, atEnd);
        } catch (IOException e) {
            throw unwritable(file, e);
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
            throw unwritable(file, e);
        }
    }

    /** Completes the file and moves it to its place. */
    public void finish() {
        try {
            out.close();
            if (!unfinished.equals(file)) {
                Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    /** Closes the file, and removes it unless it is finished. */
    @Override
    public void close() {
        try (out) {
            if (!unfinished.equals(file)) {
                Files.deleteIfExists(unfinished);
            }
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    private static UncheckedIOException unwritable(Path file, IOException why) {
        return new UncheckedIOException(file + " cannot be written", why);
    }
}
