package siemload.target.postgresql;

import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import siemload.target.TargetException;

/** Runs the programs of PostgreSQL: {@code initdb}, {@code pg_ctl}, {@code postgres}. */
final class ServerPrograms {
    private final Path programs;
    private final Path directory;

    /**
     * @param programs the directory that holds {@code bin}
     * @param directory where the programs run and their output goes to
     */
    ServerPrograms(Path programs, Path directory) {
        this.programs = programs;
        this.directory = directory;
    }

    /**
     * Runs a program to its end.
     *
     * @param program its name, to which the arguments are added
     */
    Outcome run(String program, List<String> arguments) throws IOException {
        // A file and no pipe: the server, a grandchild, would keep a pipe open for as long as it runs.
        Path output = directory.resolve(program + ".log");
        ProcessBuilder builder = new ProcessBuilder(command(program, arguments));
        builder.directory(directory.toFile()).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        builder.environment().put("LC_ALL", "C");
        try {
            int exitCode = builder.start().waitFor();
            return new Outcome(exitCode, Files.readString(output, StandardCharsets.ISO_8859_1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("waiting for " + program + " of the embedded server was interrupted", e);
        }
    }

    private List<String> command(String program, List<String> arguments) {
        List<String> command = new ArrayList<>();
        if (LinuxUtils.isUnshareAvailable()) {
            // PostgreSQL refuses to run as root; inside a user namespace of its own it does not see that it is.
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(programs.resolve("bin").resolve(program).toString());
        command.addAll(arguments);
        return command;
    }

    /** How a program ended, and what it said. */
    record Outcome(int exitCode, String output) {

        boolean succeeded() {
            return exitCode == 0;
        }
    }
}
