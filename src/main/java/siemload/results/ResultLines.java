package siemload.results;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads a file of a result line by line, however long it is: a second of a long run has a line in some of them. Used by one
 * thread.
 */
public final class ResultLines implements AutoCloseable {
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

    /**
     * Reads the line that was read last as an interval of a histogram log.
     *
     * @throws BrokenFileException if it is none
     */
    public LoggedInterval interval(String line) throws BrokenFileException {
        try {
            return LoggedInterval.parse(line);
        } catch (IllegalArgumentException undecodable) {
            throw new BrokenFileException(name + ":" + number + ": not an interval of a histogram log", undecodable);
        }
    }

    /** What is wrong with the line that was read last. */
    public BrokenFileException broken(String why) {
        return new BrokenFileException(name + ":" + number + ": " + why);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
