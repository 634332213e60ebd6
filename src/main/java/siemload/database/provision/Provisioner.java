package siemload.database.provision;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import siemload.config.Credentials;
import siemload.database.EmbeddedOptions;
import siemload.database.EmbeddedServer;
import siemload.database.Provision;
import siemload.database.ServerAddress;
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
}
