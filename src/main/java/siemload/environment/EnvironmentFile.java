package siemload.environment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes {@code environment.json}. Stateless and thread-safe. */
public final class EnvironmentFile {
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private EnvironmentFile() {}

    public static void write(Path file, EnvironmentRecord environment) throws IOException {
        Files.writeString(file, JSON.writeValueAsString(environment) + "\n");
    }
}
