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
    private final UnfinishedFile unfinished;
    private final OutputStream out;
    private final IdeaWriter writer = new IdeaWriter();

    private IdeaLineWriter(Path file, UnfinishedFile unfinished, OutputStream out) {
        this.file = file;
        this.unfinished = unfinished;
        this.out = out;
    }

    /**
     * Opens a file.
     *
     * @param atEnd takes what removes the file while it is unfinished, for the case that a signal ends the process; before
     *     there is a file
     */
    public static IdeaLineWriter open(Path file, Consumer<Runnable> atEnd) {
        UnfinishedFile unfinished = new UnfinishedFile(file);
        atEnd.accept(() -> discard(unfinished, file));
        try {
            boolean gzip = file.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
            OutputStream raw = unfinished.create();
            OutputStream packed = gzip ? new GZIPOutputStream(raw, 65_536) : raw;
            return new IdeaLineWriter(file, unfinished, new BufferedOutputStream(packed, 65_536));
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

    /** Ends the file and puts it in its place. */
    public void finish() {
        try {
            out.close();
            unfinished.finish();
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be written", e);
        }
    }

    /** Closes the file, and removes it unless it is finished. */
    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be written", e);
        } finally {
            discard(unfinished, file);
        }
    }

    private static void discard(UnfinishedFile unfinished, Path file) {
        try {
            unfinished.discard();
        } catch (IOException e) {
            throw new UncheckedIOException("what was written of " + file + " cannot be removed", e);
        }
    }

    /**
     * A file that is written beside its place until it is whole. Pipes and devices are written as they are. Thread-safe, so that a
     * signal may end it at any moment.
     */
    private static final class UnfinishedFile {
        private final Path file;
        /** The file itself where that is a pipe or a device. */
        private final Path unfinished;

        private boolean isDiscarded;

        UnfinishedFile(Path file) {
            this.file = file;
            boolean replaceable = !Files.exists(file) || Files.isRegularFile(file);
            // With the number of the process, so that two that write the same file do not share what is unfinished.
            String beside = file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp";
            this.unfinished = replaceable ? file.resolveSibling(beside) : file;
        }

        synchronized OutputStream create() throws IOException {
            requireWanted();
            if (unfinished.equals(file)) {
                return Files.newOutputStream(file);
            }
            // Made anew: what lies there may be a link to somewhere else.
            Files.deleteIfExists(unfinished);
            return Files.newOutputStream(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        }

        /** Puts it in its place; it must have been closed. */
        synchronized void finish() throws IOException {
            requireWanted();
            if (!unfinished.equals(file)) {
                Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
            }
        }

        /** Removes it unless it is finished; it can be neither created nor finished from then on. */
        synchronized void discard() throws IOException {
            isDiscarded = true;
            if (!unfinished.equals(file)) {
                Files.deleteIfExists(unfinished);
            }
        }

        private void requireWanted() throws IOException {
            if (isDiscarded) {
                throw new IOException("the process ends");
            }
        }
    }
}
