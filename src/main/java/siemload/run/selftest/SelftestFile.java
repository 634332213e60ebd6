package siemload.run.selftest;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.nio.file.Path;
import siemload.results.WholeFile;

/** Writes {@code selftest.json}. Stateless and thread-safe. */
public final class SelftestFile {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private SelftestFile() {}

    /** Writes the file whole or not at all. */
    public static void write(Path file, SelftestResult result) throws IOException {
        WholeFile.write(file, JSON.writeValueAsString(result) + "\n");
    }
}
