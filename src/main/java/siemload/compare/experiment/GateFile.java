package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Path;

/** Reads and writes {@code gate.json}. Stateless and thread-safe. */
public final class GateFile {
    public static final String NAME = "gate.json";

    private GateFile() {}

    /** Writes the file whole or not at all. */
    public static void write(Path file, GateResult result) throws IOException {
        ResultJson.write(file, result);
    }

    /** Reads the file; keys of later versions are ignored. @throws IOException if it cannot be read or is none */
    public static GateResult read(Path file) throws IOException {
        return ResultJson.read(file, GateResult.class);
    }
}
