package siemload.database.mongodb;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.config.UrlForm;
import siemload.database.Abilities;
import siemload.database.ContainerServer;
import siemload.database.ContainerServer.ContainerOptions;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Provision;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.OwnLayouts;
import siemload.database.TargetPlugin.Product;
import siemload.database.layout.JsonSearches;
import siemload.query.Paging;

/** MongoDB 6.0 or newer. Stateless and thread-safe. */
public final class MongodbPlugin implements TargetPlugin {
    /** Estimated, not measured: a document is about twice its JSON before compression, and the indexes half of that. */
    private static final int BYTES_PER_EVENT = 1_800;

    private static final String USER = "siemload";
    private static final long SHARED_MEMORY_BYTES = 64L << 20;

    private static final String USER_IN_URL = "(?:[\\w.%+-]+@)?";

    private static final String OPTIONS = """
            appName authMechanism authSource compressors connectTimeoutMS directConnection gssapiServiceName
            heartbeatFrequencyMS journal loadBalanced localThresholdMS maxConnecting maxIdleTimeMS maxLifeTimeMS maxPoolSize
            maxStalenessSeconds minPoolSize proxyHost proxyPort readConcernLevel readPreference readPreferenceTags replicaSet
            retryReads retryWrites safe serverMonitoringMode serverSelectionTimeoutMS slaveOk socketTimeoutMS srvMaxHosts
            srvServiceName ssl sslInvalidHostNameAllowed timeoutMS tls tlsAllowInvalidHostnames tlsInsecure uuidRepresentation
            w waitQueueTimeoutMS wtimeoutMS zlibCompressionLevel""";

    @Override
    public Product product() {
        return new Product(
                "mongodb",
                "MongoDB",
                "MongoDB 6.0 or newer, in a container or your own",
                "tls=true in the url",
                List.of("mongod"),
                Set.of("mongodb-driver-sync", "mongodb-driver-core", "bson"),
                Set.of());
    }

    @Override
    public List<UrlForm> urlForms() {
        return List.of(
                new UrlForm(
                        "mongodb://",
                        USER_IN_URL + UrlForm.SERVERS + "(?:/" + UrlForm.NAME + ")?",
                        OPTIONS,
                        "mongodb://host:port/database?tls=true"),
                new UrlForm(
                        "mongodb+srv://",
                        USER_IN_URL + "[\\w.-]+(?:/" + UrlForm.NAME + ")?",
                        OPTIONS,
                        "mongodb+srv://host/database"));
    }

    @Override
    public List<String> programsWithPasswords() {
        return List.of("mongo", "mongosh");
    }

    @Override
    public Abilities abilities() {
        return new Abilities(
                JsonSearches.LABELS,
                List.of(Partitions.NONE),
                List.of(IndexSet.NATIVE, IndexSet.NONE, IndexSet.TIME, IndexSet.FIELDS, IndexSet.COMPOUND),
                List.of(Hint.NONE, Hint.FULL_SCAN, Hint.INDEX, Hint.TIME_INDEX),
                List.of(Paging.OFFSET, Paging.KEYSET, Paging.CURSOR),
                List.of(Provision.CONTAINER, Provision.EXTERNAL),
                BYTES_PER_EVENT);
    }

    @Override
    public Optional<OwnLayouts> ownLayouts() {
        return Optional.of(MongodbSearches.FORMAT.own(abilities(), variant -> new MongodbSearches(variant)::translate));
    }

    /** The image's first, temporary server does not listen to the network, so that a login reaches the final one. */
    @Override
    public Optional<ContainerServer> container(ContainerOptions options) {
        return Optional.of(new ContainerServer(
                "mongo:8",
                27_017,
                Map.of("MONGO_INITDB_ROOT_USERNAME", USER, "MONGO_INITDB_ROOT_PASSWORD", options.password()),
                List.of(),
                SHARED_MEMORY_BYTES,
                ContainerServer.Rights.FEW,
                new ServerAddress("mongodb://{host}:{port}/?authSource=admin", USER, options.password()),
                this::probe));
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return new MongodbServer(address, options);
    }
}
