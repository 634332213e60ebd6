package siemload.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes a file whole or not at all: into a neighbouring file first, which is then renamed. Stateless and thread-safe. */
public final class WholeFile {
    private WholeFile() {}

    /** Puts the text, in UTF-8, in the place of whatever the file held. */
    public static void write(Path file, String text) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".tmp");
        // Made anew: what lies there may be a link to somewhere else.
        Files.deleteIfExists(unfinished);
        Files.writeString(unfinished, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
