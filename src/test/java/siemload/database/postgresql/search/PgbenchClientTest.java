package siemload.database.postgresql.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.Hint;
import siemload.database.TargetException;
import siemload.database.postgresql.layout.Layout;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/** A program in pgbench's place keeps what it was called with. */
@DisabledOnOs(OS.WINDOWS)
class PgbenchClientTest {
    private static final Instant MORNING = Instant.parse("2016-06-06T06:00:00Z");
    private static final String REPORT = """
            cat <<END
            statement latencies in milliseconds and failures:
                    12.251           0  SELECT 12.5 AS number,
                     0.097           0  WITH chosen AS (
            END
            """;

    @TempDir
    private Path directory;

    @Test
    void theProgramAsksTheStatementsOfTheSearchesAndTellsTheirMeans() throws Exception {
        PgbenchClient client = client("""
                echo "$@" >%1$s/arguments
                env >%1$s/environment
                for last; do case $last in *searches.sql) cat "$last" >%1$s/script;; esac; done
                """.formatted(directory) + REPORT);

        List<Double> means = client.meanMicros(
                List.of(search(SearchName.TOPLIST, new Page.Whole()), category()), Duration.ofSeconds(2));

        assertThat(means).containsExactly(12_251.0, 97.0);
        assertThat(kept("arguments"))
                .contains("-M prepared", "-T 2", "-c 1")
                .contains("=Recon.Scanning")
                .doesNotContain("secret");
        assertThat(kept("environment")).contains("PGPASSWORD=secret").doesNotContain("SIEMLOAD_");
        assertThat(kept("script").split(";\n")).hasSize(2).allMatch(statement -> statement.contains(":v"));
    }

    @Test
    void aProgramThatFailsIsToldByItsLastLine() throws Exception {
        PgbenchClient client = client("echo connecting >&2\necho 'error: no such server' >&2\nexit 1\n");

        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> client.meanMicros(List.of(category()), Duration.ofSeconds(1)))
                .withMessage("pgbench failed: error: no such server");
    }

    @Test
    void aProgramThatIsMissingOrIsNoPgbenchHasNoVersion() throws Exception {
        assertThat(client("echo 'pgbench (PostgreSQL) 18.6'\n").version()).contains("18.6");
        assertThat(client("echo 'something else'\n").version()).isEmpty();
        PgbenchClient missing = client(Optional.empty());
        assertThat(missing.version()).isEmpty();
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> missing.meanMicros(List.of(category()), Duration.ofSeconds(1)))
                .withMessage("pgbench is not installed");
    }

    private static Search category() {
        return search(SearchName.HAWAT3, new Page.Numbered(10, 1), new Criterion.CategoryIs("Recon.Scanning"));
    }

    private static Search search(SearchName name, Page page, Criterion... criteria) {
        Window window = new Window(MORNING, MORNING.plusSeconds(3600));
        return new Search(name, window, List.of(criteria), Order.NEWEST_FIRST, page);
    }

    private PgbenchClient client(String does) throws IOException {
        Path program = directory.resolve("pgbench");
        Files.writeString(program, "#!/bin/sh\n" + does);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return client(Optional.of(program));
    }

    private static PgbenchClient client(Optional<Path> program) {
        return new PgbenchClient(
                Map.of("PGPASSWORD", "secret"),
                new PostgresqlSearchStatements(Layout.MENTAT, new PlannerGuide(Hint.NONE, 0)),
                program);
    }

    private String kept(String file) throws IOException {
        return Files.readString(directory.resolve(file));
    }
}
