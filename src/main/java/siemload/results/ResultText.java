package siemload.results;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

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

    /**
     * Reads a file of a result line by line, however long it is: a second of a long run has a line in some of them. Used by one
     * thread.
     */
    public static final class ResultLines implements AutoCloseable {
        private static final long MOST_BYTES = 2L << 30;
        private static final int LONGEST_LINE = 1_000_000;

        private final BufferedReader reader;
        private final String name;
        private int number;

        private ResultLines(BufferedReader reader, String name) {
            this.reader = reader;
            this.name = name;
        }

        /**
         * Opens a file.
         *
         * @param name of the file in messages
         * @throws BrokenFileException if it is too large, or no regular file
         * @throws java.nio.file.NoSuchFileException if it is not there
         */
        public static ResultLines open(Path file, String name) throws IOException {
            ResultText.requireRegular(file, name, MOST_BYTES);
            InputStream stream = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
            // Unlike a reader made by a charset, one made by its decoder does not replace what is no text.
            Reader text = new InputStreamReader(stream, StandardCharsets.UTF_8.newDecoder());
            return new ResultLines(new BufferedReader(text), name);
        }

        /**
         * The next line, empty behind the last one. Line breaks are those of any system.
         *
         * @throws BrokenFileException if it is no text, or longer than any line of a result
         */
        public Optional<String> next() throws IOException {
            number++;
            StringBuilder line = new StringBuilder();
            try {
                int next = reader.read();
                if (next < 0) {
                    return Optional.empty();
                }
                for (; next >= 0 && next != '\n'; next = reader.read()) {
                    if (line.length() == LONGEST_LINE) {
                        throw broken("a line of more than " + LONGEST_LINE + " characters");
                    }
                    line.append((char) next);
                }
            } catch (CharacterCodingException notText) {
                throw new BrokenFileException(name + ": not UTF-8", notText);
            }
            if (!line.isEmpty() && line.charAt(line.length() - 1) == '\r') {
                line.setLength(line.length() - 1);
            }
            return Optional.of(line.toString());
        }

        /** What is wrong with the line that was read last. */
        public BrokenFileException broken(String why, Throwable... cause) {
            String message = name + ":" + number + ": " + why;
            return cause.length == 0 ? new BrokenFileException(message) : new BrokenFileException(message, cause[0]);
        }

        @Override
        public void close() throws IOException {
            reader.close();
        }
    }
}
