package siemload.measure;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.nio.file.Path;

/** Reads and writes {@code run.json}. Stateless and thread-safe. */
public final class RunResultFile {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private RunResultFile() {}

    /** Writes the file whole or not at all. */
    public static void write(Path file, RunResult result) throws IOException {
        WholeFile.write(file, JSON.writeValueAsString(result) + "\n");
    }

    /**
     * Reads the file; keys of later versions are ignored, and what earlier ones did not measure is empty or 0.
     *
     * @throws IOException if it cannot be read or is no result of a format this version knows
     */
    public static RunResult read(Path file) throws IOException {
        ObjectNode run = EarlierFormat.completed(file, JSON.readTree(file.toFile()));
        String version = run.path("formatVersion").asText();
        if (!version.equals(String.valueOf(RunResult.FORMAT_VERSION))) {
            throw new IOException(file + ": formatVersion " + version + " is not known here (known: "
                    + RunResult.FORMAT_VERSION + ")");
        }
        return JSON.treeToValue(run, RunResult.class);
    }
}
