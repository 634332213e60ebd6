package siemload.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads files that users name, and checks before opening them whether they can be read to their end; also reads siemload's own resources.
 * Stateless and thread-safe.
 */
public final class RegularFile {
    private RegularFile() {}

    /** Throws a {@link ConfigException} that names the unreadable files, if any of these files cannot be read. */
    public static void requireAll(List<Path> files) {
        Problems problems = new Problems();
        files.forEach(file ->
                refusal(file).ifPresent(reason -> problems.add(new Origin.WholeFile(file.toString()), reason)));
        problems.throwIfAny();
    }

    /**
     * Returns the reason why a file cannot be read; empty if no reason is found. Pipes and devices are refused, since opening one may block
     * forever, and reading one may never end.
     */
    public static Optional<String> refusal(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            if (attributes.isDirectory()) {
                return Optional.of("is a directory (needed: a file)");
            }
            if (!attributes.isRegularFile()) {
                return Optional.of("is a pipe, a socket or a device (needed: a file; save the data in a file first)");
            }
            return Files.isReadable(file) ? Optional.empty() : Optional.of("is not readable (change its permissions)");
        } catch (NoSuchFileException e) {
            return Optional.of("there is no such file");
        } catch (IOException e) {
            return Optional.of("cannot be read: " + e);
        }
    }

    /** Returns why a file could not be used, with its path, as far as the exception has them: {@code /data: access denied}. */
    public static String reason(IOException failure) {
        String name = failure.getClass().getSimpleName();
        String said = Objects.requireNonNullElse(failure.getMessage(), name);
        if (!(failure instanceof FileSystemException about) || about.getReason() != null) {
            return said;
        }
        // For the most common reasons, Java has only the name of the exception's class.
        String words = name.replaceFirst("Exception$", "").replaceAll("(?<=[a-z])(?=[A-Z])", " ");
        return said + ": " + words.toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the text of a file, which messages call {@code shownAs}, without its byte order mark.
     *
     * @throws ConfigException if the file cannot be read, has more than {@code mostBytes} bytes, or is not in UTF-8
     */
    public static String text(Path file, String shownAs, int mostBytes) {
        refusal(file).ifPresent(reason -> {
            throw new ConfigException(new Origin.WholeFile(shownAs), reason);
        });
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(mostBytes + 1);
            if (bytes.length > mostBytes) {
                String sizes =
                        String.format(Locale.ROOT, "has %,d bytes (allowed: at most %,d)", Files.size(file), mostBytes);
                throw new ConfigException(new Origin.WholeFile(shownAs), sizes);
            }
            String text = new String(bytes, StandardCharsets.UTF_8);
            if (!Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes)) {
                String good = text.substring(0, text.indexOf('\uFFFD'));
                int line = good.split("\n", -1).length;
                int column = good.length() - good.lastIndexOf('\n');
                throw new ConfigException(new Origin.InFile(shownAs, line, column), "this is not UTF-8 text");
            }
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (IOException e) {
            throw (ConfigException)
                    new ConfigException(new Origin.WholeFile(shownAs), "cannot be read: " + e).initCause(e);
        }
    }

    /** Returns the text of a resource, in UTF-8; a relative name is looked up in the package of the owner. */
    public static String resource(Class<?> owner, String name) {
        try (InputStream stream =
                Objects.requireNonNull(owner.getResourceAsStream(name), () -> "no resource " + name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
