package siemload.database.postgresql.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.postgresql.search.PostgresqlSearchSql.Reading;

class PgbenchScriptTest {
    @TempDir
    private Path directory;

    @Test
    void everyValueHasAVariableOfItsOwn() {
        PgbenchScript script = PgbenchScript.of(List.of(
                new PostgresqlSearchSql(
                        "SELECT a\nFROM t WHERE a = ?::text AND b < ?", List.of("x=y", "2 z"), Reading.PAGE),
                new PostgresqlSearchSql("SELECT 1", List.of(), Reading.PAGE),
                new PostgresqlSearchSql("SELECT ?", List.of("'"), Reading.PAGE)));

        assertThat(script.text())
                .isEqualTo("SELECT a\nFROM t WHERE a = :v0::text AND b < :v1;\nSELECT 1;\nSELECT :v2;\n");
        assertThat(script.definitions()).containsExactly("-D", "v0=x=y", "-D", "v1=2 z", "-D", "v2='");
    }

    @Test
    void theNewestVersionComesFirst() throws Exception {
        for (String version : List.of("9", "15", "17", "common")) {
            Files.createDirectories(directory.resolve(version));
        }

        assertThat(PgbenchProgram.ofVersions(directory))
                .containsExactly(
                        directory.resolve("17/bin/pgbench"),
                        directory.resolve("15/bin/pgbench"),
                        directory.resolve("9/bin/pgbench"));
        assertThat(PgbenchProgram.ofVersions(directory.resolve("none"))).isEmpty();
    }

    @Test
    void aProgramThatDoesNotRunHasNoVersion() {
        assertThat(PgbenchProgram.version(directory.resolve("pgbench"))).isEmpty();
        assertThat(PgbenchProgram.version(Path.of("/bin/echo"))).isEmpty();
    }
}
