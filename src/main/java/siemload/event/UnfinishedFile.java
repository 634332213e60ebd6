package siemload.event;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A file that is written beside its place until it is whole. Pipes and devices are written as they are. Thread-safe, so that a
 * signal may end it at any moment.
 */
final class UnfinishedFile {
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
            Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
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
