package siemload.database.provision;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import siemload.config.DatabaseNotation;
import siemload.database.EmbeddedServer;
import siemload.database.TargetException;

/** Empties the caches that lie before the data of a server. Used by one thread. */
public interface ServerCaches {

    /** Which caches are emptied. */
    enum Emptied {
        /** The server's own, by starting it anew. */
        SERVER,
        /** That, and what the operating system keeps of the server's files. */
        SERVER_AND_SYSTEM
    }

    /** Why this cannot be had with this server on this machine, and what can be done; empty if it can. */
    Optional<String> refusal(Emptied what);

    /**
     * Empties them; returns when the server accepts connections again, at the same address. All connections break.
     *
     * @throws TargetException if that fails
     */
    void empty(Emptied what);

    /** The caches of a server that cannot be emptied, for this reason. */
    static ServerCaches none(String reason) {
        return new ServerCaches() {
            @Override
            public Optional<String> refusal(Emptied what) {
                return Optional.of(reason);
            }

            @Override
            public void empty(Emptied what) {
                throw new TargetException(reason);
            }
        };
    }

    /** Stops a server and starts it again. */
    @FunctionalInterface
    interface Restart {
        /** Runs something in between; where that fails the server is started all the same. */
        void run(Runnable whileStopped);
    }

    /**
     * The caches of a server that siemload can start anew.
     *
     * @param systemRefusal why the system's cache of its files cannot be emptied; empty if it can
     * @param forget empties that
     */
    static ServerCaches byRestart(Restart restart, Supplier<Optional<String>> systemRefusal, Runnable forget) {
        return new ServerCaches() {
            @Override
            public Optional<String> refusal(Emptied what) {
                return what == Emptied.SERVER_AND_SYSTEM ? systemRefusal.get() : Optional.empty();
            }

            @Override
            public void empty(Emptied what) {
                restart.run(what == Emptied.SERVER_AND_SYSTEM ? forget : () -> {});
            }
        };
    }

    /** The caches of a server that siemload started on this machine: its files are known and belong to this user. */
    static ServerCaches ofEmbedded(EmbeddedServer server) {
        return server.files()
                .map(files -> byRestart(server::restart, PageCache::refusalToForget, () -> PageCache.forget(files)))
                .orElseGet(() -> none("this target has no caches that could be emptied"));
    }

    /**
     * The caches of somebody else's server, emptied by a command of the user's: a shell runs it with the state as its last
     * argument, and it returns 0 when the server is ready again.
     */
    static ServerCaches byCommand(String command) {
        return new CommandCaches(command);
    }

    /** Runs the command. */
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
}
