package siemload.database.mongodb;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import siemload.database.ContainerOptions;
import siemload.database.ContainerServer;
import siemload.database.ServerAddress;

/**
 * MongoDB in the official image, or in one that takes the same environment. The image's first, temporary server does not listen
 * to the network, so that a login reaches the final one.
 */
final class MongodbContainer {
    private static final String IMAGE = "mongo:8";
    private static final int PORT = 27_017;
    private static final String USER = "siemload";
    private static final long SHARED_MEMORY_BYTES = 64L << 20;
    private static final double GIGABYTE = 1 << 30;
    private static final double LEAST_CACHE_GIGABYTES = 0.25;

    private MongodbContainer() {}

    /** @param probe connects as a run would */
    static ContainerServer of(ContainerOptions options, Consumer<ServerAddress> probe) {
        return new ContainerServer(
                IMAGE,
                PORT,
                Map.of("MONGO_INITDB_ROOT_USERNAME", USER, "MONGO_INITDB_ROOT_PASSWORD", options.password()),
                List.of("--wiredTigerCacheSizeGB", cacheGigabytes(options.memoryBytes())),
                SHARED_MEMORY_BYTES,
                ContainerServer.Rights.FEW,
                new ServerAddress("mongodb://{host}:{port}/?authSource=admin", USER, options.password()),
                probe);
    }

    /** The server's own rule, written down so that it stands in the results: half of the memory beyond a gigabyte. */
    private static String cacheGigabytes(long memoryBytes) {
        double half = (memoryBytes / GIGABYTE - 1) / 2;
        return String.format(Locale.ROOT, "%.2f", Math.max(LEAST_CACHE_GIGABYTES, half));
    }
}
