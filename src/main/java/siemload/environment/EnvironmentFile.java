package siemload.environment;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads and writes {@code environment.json}. Stateless and thread-safe. */
public final class EnvironmentFile {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private EnvironmentFile() {}

    public static void write(Path file, EnvironmentRecord environment) throws IOException {
        Files.writeString(file, JSON.writeValueAsString(environment) + "\n");
    }

    /**
     * Reads the file; keys of later versions are ignored.
     *
     * @throws IOException if it cannot be read or is no such record
     */
    public static EnvironmentRecord read(Path file) throws IOException {
        return JSON.readValue(file.toFile(), EnvironmentRecord.class);
    }
}
