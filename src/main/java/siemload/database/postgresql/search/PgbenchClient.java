package siemload.database.postgresql.search;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import siemload.database.OtherClient;
import siemload.database.TargetException;
import siemload.query.Search;

/**
 * PostgreSQL's own pgbench. As a session does, it prepares each statement on the server once, binds the values as text, and has it
 * planned for them each time; it gets the settings of a session, too. Unlike a session it takes all values as text.
 */
public final class PgbenchClient implements OtherClient {
    private static final Duration BEYOND = Duration.ofSeconds(30);

    private final Map<String, String> connection;
    private final PostgresqlSearchStatements statements;
    private final Optional<Path> program;

    /** @param connection how it connects, as variables of its environment, which are not told to anybody */
    public PgbenchClient(Map<String, String> connection, PostgresqlSearchStatements statements) {
        this(connection, statements, PgbenchProgram.find());
    }

    PgbenchClient(Map<String, String> connection, PostgresqlSearchStatements statements, Optional<Path> program) {
        this.connection = Map.copyOf(connection);
        this.statements = statements;
        this.program = program;
    }

    @Override
    public String name() {
        return "pgbench";
    }

    @Override
    public Optional<String> version() {
        return program.flatMap(PgbenchProgram::version);
    }

    @Override
    public List<Double> meanMicros(List<Search> searches, Duration duration) throws InterruptedException {
        Path found = program.orElseThrow(() -> new TargetException("pgbench is not installed"));
        try {
            Path directory = Files.createTempDirectory("siemload-pgbench");
            Path script = directory.resolve("searches.sql");
            Path output = directory.resolve("output");
            try {
                PgbenchScript written = PgbenchScript.of(
                        searches.stream().map(statements::ofCatalogue).toList());
                Files.writeString(script, written.text());
                List<String> command = new ArrayList<>(List.of(found.toString(), "-n", "-r", "-c", "1", "-j", "1"));
                command.addAll(List.of("-M", "prepared", "-T", Long.toString(duration.toSeconds())));
                command.addAll(List.of("-f", script.toString()));
                command.addAll(written.definitions());
                return PgbenchReport.meanMicros(run(command, output, duration.plus(BEYOND)), searches.size());
            } finally {
                Files.deleteIfExists(script);
                Files.deleteIfExists(output);
                Files.deleteIfExists(directory);
            }
        } catch (IOException e) {
            throw new TargetException("cannot run pgbench: " + e.getMessage(), e);
        }
    }

    private String run(List<String> command, Path output, Duration atMost) throws IOException, InterruptedException {
        ProcessBuilder builder = PgbenchProgram.builder(command);
        builder.environment().putAll(connection);
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new TargetException("pgbench did not end in time");
            }
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(output, StandardCharsets.UTF_8);
        if (process.exitValue() != 0) {
            throw new TargetException("pgbench failed: " + PgbenchReport.lastLine(said));
        }
        return said;
    }
}
