package siemload.database.postgresql;

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
        ProcessBuilder builder = EmbeddedPostgresqlServer.builder(directory, List.of("env"));
        Path said = directory.resolve("said");

        assertThat(builder.redirectOutput(said.toFile()).start().waitFor()).isZero();
        assertThat(Files.readAllLines(said))
                .contains("LC_ALL=C")
                .allMatch(line -> line.matches("(PATH|HOME|USER|LOGNAME|TMPDIR|TZ|LC_ALL)=.*"));
    }

    @Test
    void theWorstLineIsTheDecisiveOneAndComesWithAdvice() {
        String log = "2026-11-21 05:34:40.839 UTC [9411] LOG:  starting PostgreSQL 18.6\n"
                + "2026-11-21 05:34:40.839 UTC [9411] FATAL:  could not map anonymous shared memory: Cannot allocate memory\n"
                + "2026-11-21 05:34:40.839 UTC [9411] HINT:  This error usually means ...\n"
                + "2026-11-21 05:34:40.839 UTC [9411] LOG:  database system is shut down\n";
        assertThat(EmbeddedPostgresqlServer.decisiveLine(log, ""))
                .startsWith("FATAL:  could not map anonymous shared memory: Cannot allocate memory; ")
                .contains("too little free memory");
    }
}
