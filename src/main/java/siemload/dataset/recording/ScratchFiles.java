package siemload.dataset.recording;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import siemload.config.directory.Ownership;

/**
 * Files of one pass over a recording, beside those of other processes in the same directory. The directory is made when the
 * first of them is. What is not kept is gone when closed. Not thread-safe.
 */
final class ScratchFiles implements Closeable {
    private final Path directory;
    private final String prefix;
    private final Set<Path> files = new LinkedHashSet<>();

    /**
     * @param directory in the cache
     * @param key what the names of the files begin with
     */
    ScratchFiles(Path directory, String key) {
        this.directory = directory;
        this.prefix = key + "-" + UUID.randomUUID() + "-";
    }

    /** A file of this name. @throws IOException if the directory cannot be made, or is not the user's alone */
    Path file(String name) throws IOException {
        if (files.isEmpty()) {
            Ownership.ofThisUser().makePrivate(directory.toAbsolutePath().resolveSibling(""));
            Ownership.ofThisUser().makePrivate(directory);
        }
        Path file = directory.resolve(prefix + name);
        files.add(file);
        return file;
    }

    /** Whether a file is of this pass. */
    boolean isOwn(Path file) {
        return String.valueOf(file.getFileName()).startsWith(prefix);
    }

    /** Lets all files stay. */
    void keepAll() {
        files.clear();
    }

    @Override
    public void close() throws IOException {
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
