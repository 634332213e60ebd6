package siemload.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** A statement or a filter of a database, as it stands in a file beside its package. Stateless. */
public final class ResourceFile {
    private ResourceFile() {}

    /**
     * The text of a file in UTF-8.
     *
     * @param owner a class of the package that the file is a resource of
     */
    public static String text(Class<?> owner, String file) {
        try (InputStream stream =
                Objects.requireNonNull(owner.getResourceAsStream(file), () -> "no resource " + file)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The names of the files in the folder that a file lies in, sorted, be they in a jar or in a directory.
     *
     * @param owner a class of the package that the file is a resource of
     */
    public static List<String> beside(Class<?> owner, String file) {
        URL place = Objects.requireNonNull(owner.getResource(file), () -> "no resource " + file);
        try {
            if (!(place.openConnection() instanceof JarURLConnection jar)) {
                return names(Path.of(place.toURI()));
            }
            // A file system of its own, since the one of the jar's address is there but once in a process.
            Path archive = Path.of(jar.getJarFileURL().toURI());
            try (FileSystem files = FileSystems.newFileSystem(archive)) {
                return names(files.getPath(jar.getEntryName()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("no place of a file: " + place, e);
        }
    }

    private static List<String> names(Path file) throws IOException {
        try (Stream<Path> files =
                Files.list(Objects.requireNonNull(file.toAbsolutePath().getParent()))) {
            return files.filter(Files::isRegularFile)
                    .map(one -> String.valueOf(one.getFileName()))
                    .sorted()
                    .toList();
        }
    }
}
