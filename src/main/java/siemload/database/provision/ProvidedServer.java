package siemload.database.provision;

import java.util.Collections;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;
import siemload.database.Provision;
import siemload.database.ServerAddress;

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

    public ProvidedServer {
        container = Collections.unmodifiableMap(new TreeMap<>(container));
    }

    @Override
    public void close() {
        release.run();
    }
}
