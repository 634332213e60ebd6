package siemload.database.postgresql.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProgramsTest {
    @TempDir
    Path directory;

    @Test
    void programsGetNoMoreOfTheEnvironmentThanTheyNeed() throws Exception {
        ProcessBuilder builder = new ServerPrograms(directory, directory).builder(List.of("env"));
        Path said = directory.resolve("said");

        assertThat(builder.redirectOutput(said.toFile()).start().waitFor()).isZero();
        assertThat(Files.readAllLines(said))
                .contains("LC_ALL=C")
                .allMatch(line -> line.matches("(PATH|HOME|USER|LOGNAME|TMPDIR|TZ|LC_ALL)=.*"));
    }
}
