package siemload.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Reads siemload's own text files, such as statements, which are resources of a package. Stateless. */
public final class ResourceFile {
    private ResourceFile() {}

    /**
     * Returns the text of a resource file in UTF-8.
     *
     * @param owner a class of the package in which a relative file name is looked up
     */
    public static String text(Class<?> owner, String file) {
        try (InputStream stream =
                Objects.requireNonNull(owner.getResourceAsStream(file), () -> "no resource " + file)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
