package siemload.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import siemload.compare.GateRules.GateResult;
import siemload.results.ResultText;
import siemload.results.ResultText.WholeFile;
import siemload.results.ResultValue;

/**
 * A kind of file that holds the result in a directory. Immutable and thread-safe.
 *
 * @param name the name of the file
 * @param type the type of its content
 */
public record ResultFile<T extends Record>(String name, Class<T> type) {
    /** The result of an experiment. */
    public static final ResultFile<Comparison> COMPARISON = new ResultFile<>("comparison.json", Comparison.class);
    /** The result of a gate. */
    public static final ResultFile<GateResult> GATE = new ResultFile<>("gate.json", GateResult.class);

    /** The path of the file in a directory. */
    public Path in(Path directory) {
        return directory.resolve(name);
    }

    /** Returns whether a directory has the file. */
    public boolean isIn(Path directory) {
        return Files.exists(in(directory));
    }

    /** Writes the file whole or not at all. */
    public void write(Path directory, T result) throws IOException {
        WholeFile.write(in(directory), ResultValue.text(result));
    }

    /**
     * Reads the file; keys that only later versions know are ignored.
     *
     * @throws siemload.results.ResultText.BrokenFileException if the file does not hold such a value; the message names the file
     * @throws IOException if the file cannot be read
     */
    public T read(Path directory) throws IOException {
        String file = in(directory).toString();
        return ResultValue.parse(file, ResultText.of(in(directory), file), type);
    }

    /**
     * Returns the newest subdirectory, by name, whose file matches; files that cannot be read do not match.
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
}
