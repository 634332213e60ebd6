package siemload.results;

import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.util.DefaultLocale;
import siemload.GoldenFile;

@Tag("every-java")
class RunResultTest {
    /** Has every part of a result, with values that differ: what is not read of it is not written again. */
    private static final GoldenFile GOLDEN = GoldenFile.of("run.json");

    @TempDir
    private Path directory;

    @Test
    @DefaultLocale("tr-TR-u-nu-arab")
    void whatIsReadIsWrittenAgainInAnyLocale() throws Exception {
        Path file = directory.resolve("run.json");
        RunResult.write(file, RunResult.read(GOLDEN.path()));

        GOLDEN.assertHolds(Files.readString(file));
    }

    @Test
    void whatIsNoResultOfARunIsRefused() throws Exception {
        Path file = directory.resolve("run.json");
        Files.writeString(file, "{\"formatVersion\": 1, \"runId\": \"r\"}");

        assertThatIOException()
                .isThrownBy(() -> RunResult.read(file))
                .withMessageContaining("(another version of siemload wrote the file, or the file is incomplete)");
    }

    @Test
    void anotherFormatIsRefused() throws Exception {
        Path file = directory.resolve("run.json");
        Files.writeString(
                file, Files.readString(GOLDEN.path()).replace("\"formatVersion\" : 1", "\"formatVersion\" : 2"));

        assertThatIOException()
                .isThrownBy(() -> RunResult.read(file))
                .withMessageContaining("formatVersion 2 is not known here (known: 1)");
    }
}
