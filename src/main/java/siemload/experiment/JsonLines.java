package siemload.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import siemload.measure.WholeFile;

/** Files of JSON Lines to which lines are added, and which a crash may leave with half a line at their end. Stateless. */
final class JsonLines {
    private JsonLines() {}

    /**
     * Reads a file; one that does not exist is empty, empty lines say nothing, and a last line without an end that is none is
     * what a crash left of one.
     *
     * @param what a line holds, for messages
     * @param check throws a NullPointerException for a value that lacks what every line has
     * @throws IOException if another line is none; the message names it
     */
    static <T> List<T> read(Path file, Class<T> type, String what, Consumer<T> check) throws IOException {
        List<T> values = new ArrayList<>();
        if (!Files.exists(file)) {
            return values;
        }
        // Half a character at the end is no reason to fail, which readAllLines would do.
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).isBlank()) {
                continue;
            }
            try {
                T value = ResultJson.readLine(lines.get(i), type);
                check.accept(value);
                values.add(value);
            } catch (JsonProcessingException | NullPointerException broken) {
                if (i < lines.size() - 1 || text.endsWith("\n")) {
                    throw new IOException(file + ":" + (i + 1) + ": not " + what, broken);
                }
            }
        }
        return values;
    }

    /** Adds a line to a file, in place of half a line that a crash left; returns when it is on disk. */
    static void add(Path file, Object value) throws IOException {
        String text = Files.exists(file) ? new String(Files.readAllBytes(file), StandardCharsets.UTF_8) : "";
        String line = ResultJson.line(value);
        if (text.isEmpty() || text.endsWith("\n")) {
            ResultJson.append(file, line);
        } else if (isJson(text.substring(text.lastIndexOf('\n') + 1))) {
            ResultJson.append(file, "\n" + line);
        } else {
            WholeFile.write(file, text.substring(0, text.lastIndexOf('\n') + 1) + line);
        }
    }

    private static boolean isJson(String line) {
        try {
            ResultJson.readLine(line, Object.class);
            return true;
        } catch (JsonProcessingException half) {
            return false;
        }
    }
}
