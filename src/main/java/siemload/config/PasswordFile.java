package siemload.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads a password from the first line of a file that nobody else may read. Messages show the path only where there is such
 * a file: otherwise it could be the password itself. Stateless and thread-safe.
 */
final class PasswordFile {
    private static final int MOST_BYTES = 10_000;
    private static final int OF_GROUP_AND_OTHERS = 077;
    /** A file of root may be there for a group, as libpq has it for keys. */
    private static final int OF_OTHERS_AND_WRITING = 037;

    private PasswordFile() {}

    /** @throws IllegalArgumentException with what is wrong, for people */
    static String firstLine(String path) {
        Path file = existing(path);
        RegularFile.refusal(file).ifPresent(reason -> {
            throw new IllegalArgumentException(file + " " + reason);
        });
        try (InputStream in = Files.newInputStream(file)) {
            requirePrivate(file);
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new IllegalArgumentException(file + " is no password file: it has more than 10,000 bytes");
            }
            Optional<String> line = decoded(file, bytes).lines().findFirst();
            return line.filter(password -> !password.isEmpty())
                    .orElseThrow(() ->
                            new IllegalArgumentException(file + " is empty (needed: the password in its first line)"));
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read: " + e, e);
        }
    }

    private static Path existing(String path) {
        try {
            Path file = Path.of(path);
            if (Files.exists(file)) {
                return file;
            }
        } catch (InvalidPathException noPath) {
            // Its message repeats the text.
        }
        throw new IllegalArgumentException(
                "names no file that can be seen (needed: one with the password in its first line,"
                        + " which only its owner may read; the value is not shown, since it could be a password, which goes into"
                        + " SIEMLOAD_PASSWORD)");
    }

    private static void requirePrivate(Path file) throws IOException {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return;
        }
        int mode = ((Number) Files.getAttribute(file, "unix:mode")).intValue() & 0777;
        boolean isOfRoot = ((Number) Files.getAttribute(file, "unix:uid")).intValue() == 0;
        if ((mode & (isOfRoot ? OF_OTHERS_AND_WRITING : OF_GROUP_AND_OTHERS)) != 0) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "%s has mode 0%o, so that others than its owner can read or change it (chmod 600 '%s')",
                    file,
                    mode,
                    file));
        }
    }

    private static String decoded(Path file, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + " is not UTF-8 text", e);
        }
    }
}
