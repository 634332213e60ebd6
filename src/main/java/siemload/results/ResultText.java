package siemload.results;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Reads files of results, which may come from anybody: regular files only, no links, and no more than a result is long.
 * Stateless and thread-safe.
 */
public final class ResultText {
    /** Results of long procedures have a few megabytes. */
    public static final int MOST_BYTES = 32 << 20;

    private ResultText() {}

    /** The text of a file of at most {@value #MOST_BYTES} bytes. @throws BrokenFileException if it is none */
    public static String of(Path file, String name) throws IOException {
        return of(file, name, MOST_BYTES);
    }

    /**
     * The text of a file.
     *
     * @param name of the file in messages
     * @throws BrokenFileException if it is no text, larger, or no regular file
     * @throws java.nio.file.NoSuchFileException if it is not there
     */
    public static String of(Path file, String name, int mostBytes) throws IOException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes(file, name, mostBytes)))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw new BrokenFileException(name + ": not UTF-8", notText);
        }
    }

    /** The bytes of a file of at most {@value #MOST_BYTES}. */
    public static byte[] bytes(Path file, String name) throws IOException {
        return bytes(file, name, MOST_BYTES);
    }

    private static byte[] bytes(Path file, String name, int mostBytes) throws IOException {
        requireRegular(file, name, mostBytes);
        try (InputStream stream = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] bytes = stream.readNBytes(mostBytes + 1);
            if (bytes.length > mostBytes) {
                throw tooLarge(name, mostBytes);
            }
            return bytes;
        }
    }

    static void requireRegular(Path file, String name, long mostBytes) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isRegularFile()) {
            throw new BrokenFileException(name + ": no regular file"
                    + (attributes.isSymbolicLink() ? " but a link, and links in results are not followed" : ""));
        }
        if (attributes.size() > mostBytes) {
            throw tooLarge(name, mostBytes);
        }
    }

    private static BrokenFileException tooLarge(String name, long mostBytes) {
        return new BrokenFileException(
                name + ": larger than any such file of a result (at most " + (mostBytes >> 20) + " MB are read)");
    }
}
