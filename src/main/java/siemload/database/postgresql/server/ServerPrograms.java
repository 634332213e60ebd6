package siemload.database.postgresql.server;

import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import siemload.database.TargetException;

/**
 * Runs the programs of PostgreSQL: {@code initdb}, {@code pg_ctl}, {@code postgres}.
 *
 * @param programs the directory that holds {@code bin}
 * @param directory where the programs run and their output goes to
 */
record ServerPrograms(Path programs, Path directory) {
    /** What programs need to be found and to write their files: neither passwords nor what would change the server. */
    private static final Set<String> VARIABLES = Set.of("PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TZ");

    /**
     * Runs a program to its end.
     *
     * @param program its name, to which the arguments are added
     */
    Outcome run(String program, List<String> arguments) throws IOException {
        // A file and no pipe: the server, a grandchild, would keep a pipe open for as long as it runs.
        ProcessBuilder builder = builder(command(program, arguments))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(output(program)).toFile());
        try {
            int exitCode = builder.start().waitFor();
            return new Outcome(exitCode, said(program));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("waiting for " + program + " of the embedded server was interrupted", e);
        }
    }

    /** A process in the directory, with no more of the environment than it needs. */
    ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.directory(directory.toFile());
        builder.environment().keySet().retainAll(VARIABLES);
        builder.environment().put("LC_ALL", "C");
        return builder;
    }

    /** The name of the file that has what a program said. */
    String output(String program) {
        return program + ".log";
    }

    /** What a program said. */
    String said(String program) throws IOException {
        return Files.readString(directory.resolve(output(program)), StandardCharsets.ISO_8859_1);
    }

    /** What runs a program. */
    List<String> command(String program, List<String> arguments) {
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
