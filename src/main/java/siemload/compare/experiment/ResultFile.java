package siemload.compare.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import siemload.results.BrokenFileException;
import siemload.results.ResultText;
import siemload.results.ResultValue;
import siemload.results.WholeFile;

/**
 * A file of one result, which lies in a directory under its name. Immutable and thread-safe.
 *
 * @param name of the file
 * @param type what it holds
 */
public record ResultFile<T extends Record>(String name, Class<T> type) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What the runs of an experiment say. */
    public static final ResultFile<Comparison> COMPARISON = new ResultFile<>("comparison.json", Comparison.class);
    /** What a gate decided. */
    public static final ResultFile<GateResult> GATE = new ResultFile<>("gate.json", GateResult.class);

    /** Its place in a directory. */
    public Path in(Path directory) {
        return directory.resolve(name);
    }

    /** Whether a directory has it. */
    public boolean isIn(Path directory) {
        return Files.exists(in(directory));
    }

    /** Writes the file whole or not at all. */
    public void write(Path directory, T result) throws IOException {
        WholeFile.write(in(directory), ResultValue.text(result));
    }

    /**
     * Reads the file; keys of later versions are ignored.
     *
     * @throws siemload.results.BrokenFileException if it is no such value; the message names it
     * @throws IOException if it cannot be read
     */
    public T read(Path directory) throws IOException {
        String file = in(directory).toString();
        return ResultValue.parse(file, ResultText.of(in(directory), file), type);
    }

    /**
     * The directory below this one, newest by its name, whose file holds what is wanted; a file that cannot be read does not.
     *
     * @throws IOException if the directory cannot be listed
     */
    public Optional<Path> newest(Path below, Predicate<T> wanted) throws IOException {
        if (!Files.isDirectory(below)) {
            return Optional.empty();
        }
        try (Stream<Path> directories = Files.list(below)) {
            return directories
                    .filter(this::isIn)
                    .sorted(Comparator.reverseOrder())
                    .filter(directory -> holds(directory, wanted))
                    .findFirst();
        }
    }

    private boolean holds(Path directory, Predicate<T> wanted) {
        try {
            return wanted.test(read(directory));
        } catch (IOException unreadable) {
            return false;
        }
    }

    /**
     * Reads a file of JSON Lines; one that does not exist is empty, empty lines say nothing, and a last line without an end that is none
     * is what a crash left of one.
     *
     * @param what a line holds, for messages
     * @throws IOException if another line is none; the message names it
     */
    static <L extends Record> List<L> lines(Path file, Class<L> type, String what) throws IOException {
        List<L> values = new ArrayList<>();
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

    /** Adds a line to such a file, in place of half a line that a crash left; returns when it is on disk. */
    static void addLine(Path file, Object value) throws IOException {
        String text = text(file);
        String last = text.substring(text.lastIndexOf('\n') + 1);
        String line = JSON.writeValueAsString(value) + "\n";
        try {
            ResultValue.tree("the last line", last);
        } catch (BrokenFileException half) {
            WholeFile.write(file, text.substring(0, text.length() - last.length()) + line);
            return;
        }
        try (FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND,
                LinkOption.NOFOLLOW_LINKS)) {
            channel.write(ByteBuffer.wrap(((last.isEmpty() ? "" : "\n") + line).getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
        }
    }

    /** Half a character at its end is no reason to fail. */
    private static String text(Path file) throws IOException {
        return Files.exists(file) ? new String(ResultText.bytes(file, file.toString()), StandardCharsets.UTF_8) : "";
    }
}
