package siemload.database.postgresql.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import siemload.database.postgresql.connection.SqlTemplate;

/**
 * A shell that starts the server and stays beside it: where this process is gone without having stopped the server, killed for
 * instance, the shell ends it within a moment. It knows by the end of its input, which this process alone holds.
 */
final class ServerGuard {
    private static final Path SHELL = Path.of("/bin/sh");
    /** Puts the shell out of reach of what kills a whole group of processes; not every system has it. */
    private static final Path SESSION = Path.of("/usr/bin/setsid");

    private final Process shell;

    private ServerGuard(Process shell) {
        this.shell = shell;
    }

    /**
     * How a start went.
     *
     * @param guard of the server; empty where the start failed, or the system has no shell
     */
    record Started(ServerPrograms.Outcome outcome, Optional<ServerGuard> guard) {}

    /**
     * Starts the server and returns when it accepts connections, or the start has failed.
     *
     * @param data the name of the data directory in that of the programs
     * @param arguments of {@code pg_ctl}
     */
    static Started start(ServerPrograms programs, String data, List<String> arguments) throws IOException {
        if (!Files.isExecutable(SHELL)) {
            return new Started(programs.run("pg_ctl", arguments), Optional.empty());
        }
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(SESSION)) {
            command.add(SESSION.toString());
        }
        command.addAll(List.of(SHELL.toString(), "-c", SqlTemplate.text("server/guard.sh"), "guard"));
        command.addAll(List.of(data, programs.output("pg_ctl")));
        command.addAll(programs.command("pg_ctl", arguments));
        Process shell = programs.builder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader codes = shell.inputReader(StandardCharsets.ISO_8859_1);
        String code = Optional.ofNullable(codes.readLine()).orElse("-1");
        ServerPrograms.Outcome outcome = new ServerPrograms.Outcome(Integer.parseInt(code), programs.said("pg_ctl"));
        ServerGuard guard = new ServerGuard(shell);
        if (outcome.succeeded()) {
            return new Started(outcome, Optional.of(guard));
        }
        guard.release();
        return new Started(outcome, Optional.empty());
    }

    /** Lets the shell go: the server has ended. */
    void release() {
        try (OutputStream input = shell.getOutputStream()) {
            input.write('\n');
        } catch (IOException hasEnded) {
            // there is nothing that it could still do
        }
        shell.onExit().join();
    }
}
