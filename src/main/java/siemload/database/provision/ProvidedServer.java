package siemload.database.provision;

import java.util.Collections;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.Provision;
import siemload.database.ServerAddress;
import siemload.database.TargetPlugin;

/**
 * A server that is ready for a run. Closing gives it back: a server of our own stops. Thread-safe.
 *
 * @param provision where it comes from
 * @param address where it listens, and who asks
 * @param container what it runs in: {@code image}, {@code imageId}, {@code memory}, {@code cpus}, {@code sharedMemory},
 *     {@code command}; empty where it runs in no container of ours
 * @param process the process that all of the server's descend from, at this moment; empty where nobody knows it
 * @param caches empties its caches, where that is possible
 * @param causeOfEnd tells why it has ended by itself, in one line; empty while it runs, or where nobody knows
 * @param release what closing does
 */
public record ProvidedServer(
        Provision provision,
        ServerAddress address,
        Map<String, String> container,
        Supplier<OptionalLong> process,
        ServerCaches caches,
        Supplier<String> causeOfEnd,
        Runnable release)
        implements AutoCloseable {

    /** Hears how the start of a server is going. Thread-safe. */
    public interface Listener {

        /** Something that stays. */
        void line(String text);

        /** Something that holds until the next text; an empty one clears it. */
        void status(String text);
    }

    public ProvidedServer {
        container = Collections.unmodifiableMap(new TreeMap<>(container));
    }

    /**
     * A server on this machine, stopped when it is closed.
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
                ServerCaches.ofEmbedded(server),
                server::causeOfEnd,
                () -> {
                    int said = server.notes().size();
                    server.close();
                    server.notes().stream().skip(said).forEach(listener::line);
                });
    }

    /** A server that somebody else started and stops. */
    public static ProvidedServer external(ServerAddress address) {
        return new ProvidedServer(
                Provision.EXTERNAL,
                address,
                Map.of(),
                OptionalLong::empty,
                ServerCaches.none("nobody here may restart your server: take caches=hot or asFound"),
                () -> "",
                () -> {});
    }

    @Override
    public void close() {
        release.run();
    }
}
