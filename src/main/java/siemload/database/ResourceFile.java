package siemload.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A file of statements, of JSON or of settings among the program's resources. Stateless. */
public final class ResourceFile {
    private ResourceFile() {}

    /** The text of a file in UTF-8, by its path from the root. */
    public static String text(String path) {
        return find(path).orElseThrow(() -> new IllegalStateException("no resource " + path));
    }

    /** The same; empty where there is no such file. */
    public static Optional<String> find(String path) {
        try (InputStream stream = ResourceFile.class.getResourceAsStream(path)) {
            return stream == null
                    ? Optional.empty()
                    : Optional.of(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
