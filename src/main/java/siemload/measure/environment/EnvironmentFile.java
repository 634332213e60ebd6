package siemload.measure.environment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import siemload.results.ResultText;
import siemload.results.ResultValue;

/** Reads and writes {@code environment.json}. Stateless and thread-safe. */
public final class EnvironmentFile {
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

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
        String name = file.toString();
        return ResultValue.parse(name, ResultText.of(file, name), EnvironmentRecord.class);
    }
}
