package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.ServerAddress;
import siemload.database.TargetPlugins;
import siemload.database.postgresql.server.ServerDirectory;
import siemload.results.RunResultFile;

/** A server that allows no parallel workers, and runs that want some. */
@Tag("database")
@Tag("any-java")
@Tag("exhaustive")
class IneffectiveHintTest {
    private static final String LOAD = "--users 20 --warmup 0s --duration 1s";

    @TempDir
    private static Path directory;

    private static EmbeddedServer server;

    @BeforeAll
    static void forbidParallelWorkers() throws SQLException {
        server = TargetPlugins.find("postgresql")
                .orElseThrow()
                .startEmbedded(new EmbeddedOptions(ServerDirectory.withPrograms(directory), 32));
        ServerAddress address = server.address();
        try (Connection connection = DriverManager.getConnection(address.url(), address.user(), address.password());
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER SYSTEM SET max_parallel_workers = 0");
            statement.execute("SELECT pg_reload_conf()");
        }
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void theRunEndsBeforeItMeasuresAndShowsThePlan() throws Exception {
        ChildProcess.Ended run = run(LOAD);

        assertThat(run.exitCode()).as(run.output()).isEqualTo(2);
        assertThat(run.output())
                .contains("--hint: hint 'full-scan-parallel' took no effect on MENTAT first: the plan is: table events")
                .contains("plans" + File.separator + "mentat-first-newest-first.json")
                .containsPattern("; and on \\d+ more; go on nevertheless with --allowIneffectiveHint")
                .doesNotContain("Simulation siemload");
        try (Stream<Path> files = Files.walk(directory.resolve("results"))) {
            assertThat(files.map(file -> file.getFileName().toString())).doesNotContain("run.json");
        }
    }

    @Test
    void theRunGoesOnWhereThatIsAllowedAndSaysSoInItsResults() throws Exception {
        String results = directory.resolve("allowed").toString();
        ChildProcess.Ended run = run(LOAD + " --allowIneffectiveHint true --failOn breakdown --results " + results);

        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(run.output()).contains("warning: hint 'full-scan-parallel' took no effect on ");
        assertThat(RunResultFile.read(directory.resolve("allowed/latest/run.json"))
                        .validity()
                        .warnings())
                .anySatisfy(warning ->
                        assertThat(warning).startsWith("hint 'full-scan-parallel' took no effect on MENTAT"));
    }

    private static ChildProcess.Ended run(String more) throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of("run", "--dataset", "src/test/resources/datasets/tiny.yaml", "--hint", "full-scan-parallel"));
        arguments.addAll(List.of(more.split(" ")));
        return Siemload.run(directory, server.address(), arguments.toArray(String[]::new));
    }
}
