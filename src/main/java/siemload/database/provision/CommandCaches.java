package siemload.database.provision;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import siemload.config.DatabaseNotation;
import siemload.database.TargetException;

/**
 * The caches of somebody else's server, emptied by a command of the user's: a shell runs it with the state as its last
 * argument, and it returns 0 when the server is ready again.
 */
record CommandCaches(String command) implements ServerCaches {
    private static final int PATIENCE_MINUTES = 15;
    private static final int SHOWN = 2_000;

    @Override
    public Optional<String> refusal(Emptied what) {
        return Optional.empty();
    }

    @Override
    public void empty(Emptied what) {
        String state = what == Emptied.SERVER ? "lukewarm" : "cold";
        try {
            // Both can be read by their owner alone. A command line can be seen by everybody on the machine.
            Path script = Files.createTempFile("siemload-caches", ".sh");
            Path output = Files.createTempFile("siemload-caches", ".log");
            try {
                Files.writeString(script, command + " \"$@\"\n");
                run(script, state, output);
            } finally {
                Files.deleteIfExists(script);
                Files.deleteIfExists(output);
            }
        } catch (IOException e) {
            throw new TargetException("cacheCommand cannot be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("waiting for cacheCommand was interrupted", e);
        }
    }

    private void run(Path script, String state, Path output) throws IOException, InterruptedException {
        ProcessBuilder shell = new ProcessBuilder(List.of("sh", script.toString(), state))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        // The rest of the environment is the user's own, as the command is; but what it does needs no password of a
        // database.
        shell.environment().keySet().removeIf(CommandCaches::mayHoldPassword);
        Process process = shell.start();
        process.getOutputStream().close();
        try {
            if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
                throw new TargetException("cacheCommand '" + command + " " + state + "' has not ended after "
                        + PATIENCE_MINUTES + " minutes");
            }
        } finally {
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            throw new TargetException("cacheCommand '" + command + " " + state + "' failed with exit code "
                    + process.exitValue() + ": " + said(output));
        }
    }

    private static String said(Path output) throws IOException {
        String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8).strip();
        if (text.isEmpty()) {
            return "it said nothing";
        }
        return text.length() > SHOWN ? "..." + text.substring(text.length() - SHOWN) : text;
    }

    private static boolean mayHoldPassword(String variable) {
        return Stream.concat(
                        Stream.of("SIEMLOAD_"),
                        DatabaseNotation.all().stream().flatMap(notation -> notation.variablePrefixes().stream()))
                .anyMatch(variable::startsWith);
    }
}
