package siemload.database.provision;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import siemload.config.Credentials;
import siemload.config.DatabaseNotation;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.Provision;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;

/** Gets a server for a run: one of our own, or the one that the user named. Stateless and thread-safe. */
public final class Provisioner {
    private Provisioner() {}

    /**
     * A server on this machine, stopped when the handle is closed.
     *
     * @param listener hears what people should know of its start and its end
     * @throws siemload.database.TargetException if it cannot be started
     */
    public static ProvidedServer embedded(TargetPlugin plugin, EmbeddedOptions options, Listener listener) {
        EmbeddedServer server = plugin.startEmbedded(options);
        server.notes().forEach(listener::line);
        return new ProvidedServer(
                Provision.EMBEDDED,
                server.address(),
                Map.of(),
                server::process,
                EmbeddedCaches.of(server),
                server::causeOfEnd,
                () -> close(server, listener));
    }

    private static void close(EmbeddedServer server, Listener listener) {
        int said = server.notes().size();
        server.close();
        server.notes().stream().skip(said).forEach(listener::line);
    }

    /**
     * A server in a container that is still to be started. Its start takes long where an image must be pulled; closing it
     * ends that too.
     */
    public static ServerContainer container(TargetPlugin plugin, ContainerRequest request, Listener listener) {
        return new ServerContainer(plugin, request, listener);
    }

    /**
     * The user's server, left running when the handle is closed.
     *
     * @param cacheCommand what empties its caches: a command for a shell, which gets the state as its last argument
     */
    public static ProvidedServer external(String url, Credentials credentials, Optional<String> cacheCommand) {
        ServerAddress address = new ServerAddress(
                url, credentials.user().orElse(""), credentials.password().orElse(""));
        ServerCaches caches = cacheCommand
                .<ServerCaches>map(CommandCaches::new)
                .orElseGet(() -> ServerCaches.none("nobody here may restart your server: name a command that does, by"
                        + " -DcacheCommand=..., or take caches=hot or asFound"));
        return new ProvidedServer(
                Provision.EXTERNAL, address, Map.of(), OptionalLong::empty, caches, () -> "", () -> {});
    }

    /** The caches of a server that the suite started on this machine: its files are known and belong to this user. */
    private record EmbeddedCaches(EmbeddedServer server, Path files) implements ServerCaches {

        static ServerCaches of(EmbeddedServer server) {
            return server.files()
                    .<ServerCaches>map(files -> new EmbeddedCaches(server, files))
                    .orElseGet(() -> ServerCaches.none("this target has no caches that could be emptied"));
        }

        @Override
        public Optional<String> refusal(Emptied what) {
            return what == Emptied.SERVER_AND_SYSTEM ? PageCache.refusalToForget() : Optional.empty();
        }

        @Override
        public void empty(Emptied what) {
            server.restart(() -> {
                if (what == Emptied.SERVER_AND_SYSTEM) {
                    PageCache.forget(files);
                }
            });
        }
    }

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
}
