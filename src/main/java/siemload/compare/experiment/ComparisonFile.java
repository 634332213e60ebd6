package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Path;

/** Reads and writes {@code comparison.json}. Stateless and thread-safe. */
public final class ComparisonFile {
    public static final String NAME = "comparison.json";

    private ComparisonFile() {}

    /** Writes the file whole or not at all. */
    public static void write(Path file, Comparison comparison) throws IOException {
        ResultJson.write(file, comparison);
    }

    /** Reads the file; keys of later versions are ignored. @throws IOException if it cannot be read or is none */
    public static Comparison read(Path file) throws IOException {
        return ResultJson.read(file, Comparison.class);
    }
}
