package siemload.live;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A text file that somebody else appends lines to. Used by one thread at a time. */
final class GrowingFile {
    private static final int BUFFER = 64 * 1024;

    private final Path path;
    private final ByteArrayOutputStream unfinished = new ByteArrayOutputStream();
    private long position;

    GrowingFile(Path path) {
        this.path = path;
    }

    /** The lines that were finished since the last call; none as long as there is no such file. */
    List<String> newLines() throws IOException {
        List<String> lines = new ArrayList<>();
        if (!Files.exists(path)) {
            return lines;
        }
        try (SeekableByteChannel channel = Files.newByteChannel(path)) {
            channel.position(position);
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
            while (channel.read(buffer) > 0) {
                buffer.flip();
                take(buffer, lines);
                buffer.clear();
            }
            position = channel.position();
        }
        return lines;
    }

    private void take(ByteBuffer bytes, List<String> lines) {
        while (bytes.hasRemaining()) {
            byte next = bytes.get();
            if (next == '\n') {
                lines.add(unfinished.toString(StandardCharsets.UTF_8));
                unfinished.reset();
            } else {
                unfinished.write(next);
            }
        }
    }
}
