package siemload.results;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
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
        try (FileChannel out = FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
