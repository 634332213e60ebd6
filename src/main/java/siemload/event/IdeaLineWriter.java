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
 * Writes a file of IDEA events, one compact JSON object a line; gzip when the name ends in {@code .gz}. The file is there only
 * once it is whole: it is written beside its place, and {@link #finish} puts it in the place of whatever was there. Not
 * thread-safe; methods throw {@link UncheckedIOException} where the disk fails.
 */
public final class IdeaLineWriter implements Closeable {
    private final Path file;
    /** Where it is written; the file itself where that is a pipe or a device. */
    private final Path unfinished;

    private final IdeaWriter writer = new IdeaWriter();
    private OutputStream out = OutputStream.nullOutputStream();
    /** So that a signal may end it at any moment. */
    private boolean isDiscarded;

    private IdeaLineWriter(Path file) {
        this.file = file;
        boolean replaceable = !Files.exists(file) || Files.isRegularFile(file);
        // With the number of the process, so that two that write the same file do not share what is unfinished.
        String beside = file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp";
        unfinished = replaceable ? file.resolveSibling(beside) : file;
    }

    /**
     * Opens a file.
     *
     * @param atEnd takes what removes the file while it is unfinished, for the case that a signal ends the process: it can be
     *     neither created nor finished from then on
     */
    public static IdeaLineWriter open(Path file, Consumer<Runnable> atEnd) {
        IdeaLineWriter writer = new IdeaLineWriter(file);
        atEnd.accept(writer::discard);
        try {
            OutputStream raw = writer.unfinished.equals(file) ? Files.newOutputStream(file) : writer.create();
            boolean gzip = file.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
            writer.out = new BufferedOutputStream(gzip ? new GZIPOutputStream(raw, 65_536) : raw, 65_536);
            return writer;
        } catch (IOException e) {
            throw writer.unwritable(e);
        }
    }

    private synchronized OutputStream create() throws IOException {
        if (isDiscarded) {
            throw new IOException("the process ends");
        }
        // Made anew: what lies there may be a link to somewhere else.
        Files.deleteIfExists(unfinished);
        return Files.newOutputStream(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /** Writes one line for each event. */
    public void write(List<SecurityEvent> events) {
        try {
            for (SecurityEvent event : events) {
                writer.write(event, out);
                out.write('\n');
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** Ends the file and puts it in its place. */
    public void finish() {
        try {
            out.close();
            if (!unfinished.equals(file)) {
                Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** Closes the file, and removes it unless it is finished. */
    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw unwritable(e);
        } finally {
            discard();
        }
    }

    private synchronized void discard() {
        isDiscarded = true;
        try {
            if (!unfinished.equals(file)) {
                Files.deleteIfExists(unfinished);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("what was written of " + file + " cannot be removed", e);
        }
    }

    private UncheckedIOException unwritable(IOException why) {
        return new UncheckedIOException(file + " cannot be written", why);
    }
}
