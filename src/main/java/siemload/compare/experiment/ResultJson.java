package siemload.compare.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import siemload.results.ResultText;
import siemload.results.ResultValue;
import siemload.results.WholeFile;

/** The form of results of this package: one value a file, or one a line. Stateless and thread-safe. */
final class ResultJson {
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final ObjectWriter INDENTED = JSON.writerWithDefaultPrettyPrinter();

    private ResultJson() {}

    /** A value as the text of a file. */
    static String text(Object value) throws JsonProcessingException {
        return INDENTED.writeValueAsString(value) + "\n";
    }

    /** Writes the file whole or not at all. */
    static void write(Path file, Object value) throws IOException {
        WholeFile.write(file, text(value));
    }

    /**
     * Reads a file; keys of later versions are ignored.
     *
     * @throws siemload.results.BrokenFileException if it is no such value; the message names it
     * @throws IOException if it cannot be read
     */
    static <T extends Record> T read(Path file, Class<T> type) throws IOException {
        String name = file.toString();
        return ResultValue.parse(name, ResultText.of(file, name), type);
    }

    /** A value as a line of a file, with its end. */
    static String line(Object value) throws JsonProcessingException {
        return JSON.writeValueAsString(value) + "\n";
    }

    /** Adds text to a file, which is made where there is none; returns when it is on disk. */
    static void append(Path file, String text) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND,
                LinkOption.NOFOLLOW_LINKS)) {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
        }
    }
}
