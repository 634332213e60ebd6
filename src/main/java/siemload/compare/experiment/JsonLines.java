package siemload.compare.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import siemload.results.BrokenFileException;
import siemload.results.ResultText;
import siemload.results.ResultValue;
import siemload.results.WholeFile;

/** Files of JSON Lines to which lines are added, and which a crash may leave with half a line at their end. Stateless. */
public final class JsonLines {
    private static final ObjectMapper JSON = JsonMapper.builder().build();

    private JsonLines() {}

    /**
     * Reads a file; one that does not exist is empty, empty lines say nothing, and a last line without an end that is none is
     * what a crash left of one.
     *
     * @param what a line holds, for messages
     * @throws IOException if another line is none; the message names it
     */
    public static <T extends Record> List<T> read(Path file, Class<T> type, String what) throws IOException {
        List<T> values = new ArrayList<>();
        // Half a character at the end is no reason to fail, which readAllLines would do.
        String text = text(file);
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            try {
                if (!lines.get(i).isBlank()) {
                    values.add(ResultValue.parseLine(file + ":" + (i + 1), what, lines.get(i), type));
                }
            } catch (BrokenFileException broken) {
                if (i < lines.size() - 1 || text.endsWith("\n")) {
                    throw broken;
                }
            }
        }
        return values;
    }

    /** Adds a line to a file, in place of half a line that a crash left; returns when it is on disk. */
    public static void add(Path file, Object value) throws IOException {
        String text = text(file);
        String last = text.substring(text.lastIndexOf('\n') + 1);
        if (!last.isEmpty() && !isJson(last)) {
            WholeFile.write(file, text.substring(0, text.length() - last.length()) + line(value));
            return;
        }
        try (FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND,
                LinkOption.NOFOLLOW_LINKS)) {
            String line = (last.isEmpty() ? "" : "\n") + line(value);
            channel.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
        }
    }

    private static String line(Object value) throws JsonProcessingException {
        return JSON.writeValueAsString(value) + "\n";
    }

    private static String text(Path file) throws IOException {
        return Files.exists(file) ? new String(ResultText.bytes(file, file.toString()), StandardCharsets.UTF_8) : "";
    }

    private static boolean isJson(String line) {
        try {
            return !ResultValue.tree("the last line", line).isMissingNode();
        } catch (BrokenFileException half) {
            return false;
        }
    }
}
