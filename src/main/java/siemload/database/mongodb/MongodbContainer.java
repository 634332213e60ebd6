package siemload.database.mongodb;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import siemload.database.ContainerOptions;
import siemload.database.ContainerServer;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.ServerAddress;
import siemload.database.TargetOptions;
import siemload.database.Variant;
import siemload.query.Paging;

/** MongoDB in the official image, or in one that takes the same environment. */
final class MongodbContainer {
    private static final String IMAGE = "mongo:8";
    private static final int PORT = 27_017;
    private static final String USER = "siemload";
    private static final long SHARED_MEMORY_BYTES = 64L << 20;
    private static final double GIGABYTE = 1 << 30;
    private static final double LEAST_CACHE_GIGABYTES = 0.25;

    private static final TargetOptions PROBE =
            new TargetOptions(new Variant("idea", IndexSet.NONE, Hint.NONE, Paging.OFFSET), Duration.ofSeconds(5), 1);

    private MongodbContainer() {}

    static ContainerServer of(ContainerOptions options) {
        return new ContainerServer(
                IMAGE,
                PORT,
                Map.of("MONGO_INITDB_ROOT_USERNAME", USER, "MONGO_INITDB_ROOT_PASSWORD", options.password()),
                List.of("--wiredTigerCacheSizeGB", cacheGigabytes(options.memoryBytes())),
                SHARED_MEMORY_BYTES,
                ContainerServer.Rights.FEW,
                new ServerAddress("mongodb://{host}:{port}/?authSource=admin", USER, options.password()),
                MongodbContainer::login);
    }

    /** The server's own rule, written down so that it stands in the results: half of the memory beyond a gigabyte. */
    private static String cacheGigabytes(long memoryBytes) {
        double half = (memoryBytes / GIGABYTE - 1) / 2;
        return String.format(Locale.ROOT, "%.2f", Math.max(LEAST_CACHE_GIGABYTES, half));
    }

    /** The image's first, temporary server does not listen to the network, so that a login reaches the final one. */
    private static void login(ServerAddress address) {
        MongodbServer.connect(new MongodbConnections(address, PROBE), PROBE).close();
    }
}
