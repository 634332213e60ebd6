package siemload.experiment;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The form of results of this package. Stateless and thread-safe. */
final class ResultJson {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private ResultJson() {}

    /** Writes the file whole or not at all: into a neighbouring file first, then renamed. */
    static void write(Path file, Object result) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".tmp");
        Files.writeString(unfinished, JSON.writeValueAsString(result) + "\n", StandardCharsets.UTF_8);
        Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Reads a file; keys of later versions are ignored. */
    static <T> T read(Path file, Class<T> type) throws IOException {
        return JSON.readValue(file.toFile(), type);
    }
}
