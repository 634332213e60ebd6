package siemload.dataset.recording;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import siemload.event.EventReader;

/**
 * A file of a recording, as it was when it was opened. Immutable.
 *
 * @param path as the user named it
 * @param reader of its format
 * @param bytes its size, packed where it is
 * @param changed when it was written last
 */
record RecordedFile(Path path, EventReader reader, long bytes, Instant changed) {

    static RecordedFile of(Path path, EventReader reader) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        return new RecordedFile(
                path, reader, attributes.size(), attributes.lastModifiedTime().toInstant());
    }

    /** What it is made of, to tell whether it is still the same. */
    String identity() throws IOException {
        return path.toRealPath() + " " + bytes + " " + changed + " " + reader.identity();
    }

    /** Whether it begins with the magic number of gzip, so that no line can be read before all that stands before it. */
    boolean isPacked() throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return in.read() == 0x1F && in.read() == 0x8B;
        }
    }

    /** Bytes before its first line: those of a byte order mark. */
    int skipped() throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return in.read() == 0xEF && in.read() == 0xBB && in.read() == 0xBF ? 3 : 0;
        }
    }
}
