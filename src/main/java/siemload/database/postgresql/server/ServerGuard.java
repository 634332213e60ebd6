package siemload.database.postgresql.server;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A shell that starts the server and stays beside it: where this process is gone without having stopped the server, killed for
 * instance, the shell ends it within a moment. It knows by the end of its input, which this process alone holds.
 */
record ServerGuard(ServerPrograms.Outcome outcome, Optional<Process> shell) {
    private static final Path SHELL = Path.of("/bin/sh");
    /** Puts the shell out of reach of what kills a whole group of processes; not every system has it. */
    private static final Path SESSION = Path.of("/usr/bin/setsid");

    /**
     * Starts the server and returns when it accepts connections, or the start has failed. On a system without a shell nobody stays
     * beside it.
     *
     * @param data the name of the data directory in that of the programs
     * @param arguments of {@code pg_ctl}
     */
    static ServerGuard start(ServerPrograms programs, String data, List<String> arguments) throws IOException {
        if (!Files.isExecutable(SHELL)) {
            return new ServerGuard(programs.run("pg_ctl", arguments), Optional.empty());
        }
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(SESSION)) {
            command.add(SESSION.toString());
        }
        command.addAll(List.of(SHELL.toString(), "-c", FILES.text("server/guard.sh"), "guard"));
        command.addAll(List.of(data, programs.output("pg_ctl")));
        command.addAll(programs.command("pg_ctl", arguments));
        Process shell = programs.builder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader codes = shell.inputReader(StandardCharsets.ISO_8859_1);
        String code = Optional.ofNullable(codes.readLine()).orElse("-1");
        ServerPrograms.Outcome outcome = new ServerPrograms.Outcome(Integer.parseInt(code), programs.said("pg_ctl"));
        ServerGuard guard = new ServerGuard(outcome, Optional.of(shell));
        if (!outcome.succeeded()) {
            guard.release();
        }
        return guard;
    }

    /** Lets the shell go: the server has ended. Doing so twice is harmless. */
    void release() {
        shell.ifPresent(process -> {
            try (OutputStream input = process.getOutputStream()) {
                input.write('\n');
            } catch (IOException hasEnded) {
                // there is nothing that it could still do
            }
            process.onExit().join();
        });
    }
}
