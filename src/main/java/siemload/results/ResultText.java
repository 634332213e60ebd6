package siemload.results;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.UUID;

/** Reads files of results, which are not trusted: only regular files of limited size, and no links. Stateless and thread-safe. */
public final class ResultText {
    /** The largest size of a file that is read whole; results of long procedures have a few megabytes. */
    private static final int MOST_BYTES = 32 << 20;

    /** The largest size of a file that is read line by line; some files have a line for each second of a long run. */
    private static final long MOST_BYTES_OF_LINES = 2L << 30;

    private static final int LONGEST_LINE = 1_000_000;

    private ResultText() {}

    /** Returns the text of a file of at most {@value #MOST_BYTES} bytes. @throws BrokenFileException if it is larger, or not text */
    public static String of(Path file, String name) throws IOException {
        return of(file, name, MOST_BYTES);
    }

    /**
     * Returns the text of a file of limited size.
     *
     * @param name the name of the file in messages
     * @throws BrokenFileException if the file is not text, is too large, or is not a regular file
     * @throws java.nio.file.NoSuchFileException if the file does not exist
     */
    public static String of(Path file, String name, int mostBytes) throws IOException {
        try (InputStream stream = open(file, name, mostBytes)) {
            byte[] bytes = stream.readNBytes(mostBytes);
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw new BrokenFileException(name + ": not UTF-8", notText);
        }
    }

    private static InputStream open(Path file, String name, long mostBytes) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isRegularFile()) {
            throw new BrokenFileException(name + ": not a regular file"
                    + (attributes.isSymbolicLink() ? " but a link, and links in results are not followed" : ""));
        }
        if (attributes.size() > mostBytes) {
            throw new BrokenFileException(
                    name + ": too large for a file of results (at most " + (mostBytes >> 20) + " MB are read)");
        }
        return Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** Takes a line without its line end, and the line's place for messages: {@code timeline.csv:7}. */
    @FunctionalInterface
    interface LineReader {
        void read(String line, String place) throws IOException;
    }

    /**
     * Reads a long file line by line; an empty file has one empty line. Line ends of all operating systems are accepted.
     *
     * @param name the name of the file in messages
     * @throws BrokenFileException if the file is not text, is too large, is not a regular file, or has too long a line
     * @throws java.nio.file.NoSuchFileException if the file does not exist
     */
    static void lines(Path file, String name, LineReader taker) throws IOException {
        // A reader made with a charset would replace invalid text; a reader made with the charset's decoder refuses it.
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(open(file, name, MOST_BYTES_OF_LINES), StandardCharsets.UTF_8.newDecoder()))) {
            StringBuilder line = new StringBuilder();
            int number = 1;
            for (int next = reader.read(); next >= 0 || number == 1; next = reader.read(), number++) {
                for (line.setLength(0); next >= 0 && next != '\n'; next = reader.read()) {
                    if (line.length() == LONGEST_LINE) {
                        throw new BrokenFileException(
                                name + ":" + number + ": a line of more than " + LONGEST_LINE + " characters");
                    }
                    line.append((char) next);
                }
                boolean bothEnds = !line.isEmpty() && line.charAt(line.length() - 1) == '\r';
                taker.read(line.substring(0, line.length() - (bothEnds ? 1 : 0)), name + ":" + number);
            }
        } catch (CharacterCodingException notText) {
            throw new BrokenFileException(name + ": not UTF-8", notText);
        }
    }

    /** Says that a file of results is broken; the message is one line with the file, the place and the reason. */
    public static final class BrokenFileException extends IOException {
        private static final long serialVersionUID = 1;
        private static final int LONGEST_SHOWN = 300;

        public BrokenFileException(String message) {
            super(oneLine(message));
        }

        public BrokenFileException(String message, Throwable cause) {
            super(oneLine(message), cause);
        }

        /** Returns a text from a file for a message, cut if it is long. */
        static String shown(String found) {
            return found.length() <= LONGEST_SHOWN ? found : found.substring(0, LONGEST_SHOWN) + "...";
        }

        /** Replaces control characters, since the message may have text from the file. */
        private static String oneLine(String message) {
            return message.replaceAll("\\p{Cntrl}", "?");
        }
    }

    /** Writes a file whole or not at all: into a temporary file in the same directory, which is then renamed. Stateless and thread-safe. */
    public static final class WholeFile {
        private WholeFile() {}

        /** Replaces the file by this text, in UTF-8. */
        public static void write(Path file, String text) throws IOException {
            // The temporary file has a random name, since another process may be writing the same file.
            Path unfinished = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".tmp");
            try {
                try (FileChannel out =
                        FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                    ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
                    while (bytes.hasRemaining()) {
                        out.write(bytes);
                    }
                    out.force(true);
                }
                Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(unfinished);
            }
        }
    }
}
