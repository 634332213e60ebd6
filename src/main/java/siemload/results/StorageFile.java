package siemload.results;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.nio.file.Path;

/** Reads and writes {@code storage.json}. Stateless and thread-safe. */
public final class StorageFile {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private StorageFile() {}

    /** Writes the file whole or not at all. */
    public static void write(Path file, StorageResult result) throws IOException {
        WholeFile.write(file, JSON.writeValueAsString(result) + "\n");
    }

    /**
     * Reads the file; keys of later versions are ignored.
     *
     * @throws BrokenFileException if it is no such result, or of a format that this version does not know
     * @throws java.nio.file.NoSuchFileException if there is none
     */
    public static StorageResult read(Path file) throws IOException {
        String name = file.toString();
        JsonNode tree = ResultValue.tree(name, ResultText.of(file, name));
        String version = tree.path("formatVersion").asText();
        if (!version.equals(String.valueOf(StorageResult.FORMAT_VERSION))) {
            throw new BrokenFileException(name + ": formatVersion " + BrokenFileException.shown(version)
                    + " is not known here (known: " + StorageResult.FORMAT_VERSION + ")");
        }
        return ResultValue.of(name, tree, StorageResult.class);
    }
}
