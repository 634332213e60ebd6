package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ClusterType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.bson.Document;
import siemload.database.Abilities;
import siemload.database.ContainerServer;
import siemload.database.ContainerServer.ContainerOptions;
import siemload.database.Counters;
import siemload.database.ExistingEvents;
import siemload.database.ExistingTarget;
import siemload.database.FirstNames;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Product;
import siemload.database.Provision;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader.DetachedRow;
import siemload.database.ServerAddress;
import siemload.database.ServerUse;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.Offer;
import siemload.database.TargetPlugin.OwnLayouts;
import siemload.database.Variant;
import siemload.database.layout.ReadLayouts;
import siemload.database.server.Canceller;
import siemload.query.CountedValue;
import siemload.query.Paging;
import siemload.query.ValueField;

/** MongoDB 6.0 or newer. Stateless and thread-safe. */
public final class MongodbPlugin implements TargetPlugin {
    /** Estimated, not measured: a document is about twice its JSON before compression, and the indexes half of that. */
    private static final int BYTES_PER_EVENT = 1_800;

    private static final String USER = "siemload";
    private static final long SHARED_MEMORY_BYTES = 64L << 20;
    private static final double GIGABYTE = 1 << 30;
    private static final double LEAST_CACHE_GIGABYTES = 0.25;

    @Override
    public Product product() {
        return new Product(
                "mongodb",
                "MongoDB",
                "MongoDB 6.0 or newer, in a container or your own",
                "tls=true in the url",
                List.of("mongod"),
                Set.of("mongodb-driver-sync", "mongodb-driver-core", "bson"));
    }

    @Override
    public Abilities abilities() {
        return new Abilities(
                DocumentLayout.LABELS,
                List.of(Partitions.NONE),
                List.of(IndexSet.NATIVE, IndexSet.NONE, IndexSet.TIME, IndexSet.FIELDS, IndexSet.COMPOUND),
                List.of(Hint.NONE, Hint.FULL_SCAN, Hint.INDEX, Hint.TIME_INDEX),
                List.of(Paging.OFFSET, Paging.KEYSET, Paging.CURSOR),
                List.of(Provision.CONTAINER, Provision.EXTERNAL),
                BYTES_PER_EVENT);
    }

    @Override
    public Set<Offer> offers() {
        return Set.of(Offer.SHARED_STORES);
    }

    @Override
    public Optional<OwnLayouts> ownLayouts() {
        return Optional.of(new ReadLayouts<>(
                abilities(),
                ".json",
                DocumentLayout.Format.INSTANCE,
                (layout, partitions) -> DocumentLayout.IDEA.read(),
                variant -> DocumentVariant.of(variant)::missingBlock));
    }

    @Override
    public ExistingTarget connectExisting(ServerAddress address, TargetOptions options) {
        return ExistingMongodb.connect(new MongodbConnections(address, options), options);
    }

    /** The image's first, temporary server does not listen to the network, so that a login reaches the final one. */
    @Override
    public Optional<ContainerServer> container(ContainerOptions options) {
        return Optional.of(new ContainerServer(
                "mongo:8",
                27_017,
                Map.of("MONGO_INITDB_ROOT_USERNAME", USER, "MONGO_INITDB_ROOT_PASSWORD", options.password()),
                List.of("--wiredTigerCacheSizeGB", cacheGigabytes(options.memoryBytes())),
                SHARED_MEMORY_BYTES,
                ContainerServer.Rights.FEW,
                new ServerAddress("mongodb://{host}:{port}/?authSource=admin", USER, options.password()),
                this::probe));
    }

    /** The server's own rule, written down so that it stands in the results: half of the memory beyond a gigabyte. */
    private static String cacheGigabytes(long memoryBytes) {
        double half = (memoryBytes / GIGABYTE - 1) / 2;
        return String.format(Locale.ROOT, "%.2f", Math.max(LEAST_CACHE_GIGABYTES, half));
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return MongodbServer.connect(new MongodbConnections(address, options), options);
    }

    /**
     * The database of a MongoDB server that the url names, as it is. The server has no sessions that only read: users who may write are
     * refused, and nothing but aggregations without a stage that writes is sent.
     */
    record ExistingMongodb(MongodbServer server, UserRights granted, Variant variant) implements ExistingTarget {

        static ExistingMongodb connect(MongodbConnections connections, TargetOptions options) {
            if (!connections.namesDatabase()) {
                throw new TargetException("the url does not say which database is asked (write it behind the host:"
                        + " mongodb://host:port/database)");
            }
            return connections.connect(client -> {
                String version = MongodbServer.version(client, connections);
                requireOneRouter(client.getClusterDescription());
                UserRights rights = UserRights.of(client.getDatabase("admin")
                        .runCommand(new Document("connectionStatus", 1).append("showPrivileges", true)));
                rights.refusal(connections.where()).ifPresent(why -> {
                    throw new TargetException(why);
                });
                MongodbServer server = new MongodbServer(
                        connections,
                        client,
                        DocumentVariant.of(options.variant()),
                        version,
                        connections.transport(client.getClusterDescription()));
                return new ExistingMongodb(server, rights, options.variant());
            });
        }

        /** Drivers choose a router for each command, and a cursor is read on where it was opened. */
        static void requireOneRouter(ClusterDescription cluster) {
            if (cluster.getType() == ClusterType.SHARDED
                    && cluster.getServerDescriptions().size() > 1) {
                throw new TargetException(
                        "the url leads to several mongos, but results can be read to their end at one alone"
                                + " (name one of them: mongodb://host:port/database)");
            }
        }

        @Override
        public List<String> rights() {
            return granted.lines();
        }

        @Override
        public String kept() {
            return "an aggregation that writes nothing";
        }

        @Override
        public Optional<ServerUse> use() {
            return Optional.of(server.useByReading());
        }

        @Override
        public ExistingEvents openEvents() {
            return MongodbErrors.trying(
                    "open the database at " + server.connections().where(),
                    () -> new EventsMongodbStore(server.connections(), DocumentVariant.of(variant)));
        }

        /**
         * What a user may do, by the answer of {@code connectionStatus} with {@code showPrivileges}. Immutable.
         *
         * @param user empty where the server knows of none
         * @param writing the actions that change data or the server, each with where it may be done
         * @param isTold whether the server tells rights at all
         */
        record UserRights(String user, List<String> writing, boolean isTold) {
            private static final int SHOWN = 3;

            /** Of the manual's privilege actions those that change something which outlives the connection. */
            private static final Set<String> WRITING = Set.of(
                    "anyAction",
                    "insert",
                    "update",
                    "remove",
                    "bypassDocumentValidation",
                    "applyOps",
                    "bypassWriteBlockingMode",
                    "collMod",
                    "convertToCapped",
                    "createCollection",
                    "createIndex",
                    "createSearchIndexes",
                    "dropCollection",
                    "dropDatabase",
                    "dropIndex",
                    "dropSearchIndex",
                    "enableProfiler",
                    "renameCollectionSameDB",
                    "changeCustomData",
                    "changePassword",
                    "createRole",
                    "createUser",
                    "dropRole",
                    "dropUser",
                    "grantRole",
                    "revokeRole",
                    "killop",
                    "killAnyCursor",
                    "killAnySession",
                    "fsync",
                    "setParameter",
                    "setUserWriteBlockMode",
                    "shutdown",
                    "replSetReconfig",
                    "replSetStateChange",
                    "internal");

            UserRights {
                writing = List.copyOf(writing);
            }

            static UserRights of(Document status) {
                Document told = status.get("authInfo", new Document());
                List<Document> users = told.getList("authenticatedUsers", Document.class, List.of());
                TreeSet<String> writing = new TreeSet<>();
                for (Document privilege : told.getList("authenticatedUserPrivileges", Document.class, List.of())) {
                    String where = where(privilege.get("resource", new Document()));
                    privilege.getList("actions", String.class, List.of()).stream()
                            .filter(WRITING::contains)
                            .forEach(action -> writing.add(action + where));
                }
                return new UserRights(
                        users.isEmpty() ? "" : users.get(0).getString("user"),
                        List.copyOf(writing),
                        told.containsKey("authenticatedUserPrivileges"));
            }

            private static String where(Document resource) {
                if (!(resource.get("db") instanceof String database)) {
                    return resource.containsKey("cluster") ? " on the cluster" : " anywhere";
                }
                String collection = resource.get("collection") instanceof String name ? name : "";
                return " on " + (database.isEmpty() ? "all databases" : database)
                        + (collection.isEmpty() ? "" : "." + collection);
            }

            /** Why such a user is not taken; empty if nothing speaks against it. */
            Optional<String> refusal(String where) {
                return writing.isEmpty()
                        ? Optional.empty()
                        : Optional.of("the user " + user + " may do more on MongoDB at " + where + " than read ("
                                + FirstNames.of(writing, SHOWN)
                                + "), and no session there can be kept from it; take a user that can only read, which an"
                                + " administrator makes by: db.createUser({user: 'siemload_reader', pwd: passwordPrompt(), roles:"
                                + " [{role: 'read', db: '" + where.replaceFirst(".*/", "")
                                + "'}, {role: 'clusterMonitor', db:"
                                + " 'admin'}]})");
            }

            /** What people should know of it, a line each. */
            List<String> lines() {
                if (user.isEmpty()) {
                    return List.of(
                            "the server does not say who this is: without access control anybody may write there; siemload"
                                    + " sends commands that are known to read, and no others");
                }
                return isTold
                        ? List.of()
                        : List.of("the server does not tell what the user " + user
                                + " may do; siemload sends commands that are" + " known to read, and no others");
            }
        }

        /** One whose documents are searched by a layout without loading. Nothing but aggregations without a stage that writes is sent. */
        static final class EventsMongodbStore implements ExistingEvents {
            private static final int SHOWN = 5;
            private static final BsonTemplate LONG_RUNNING = BsonTemplate.read("server", "long-operations");
            private static final List<String> WRITES = List.of("insert", "update", "remove");

            private final MongoClient client;
            private final String database;
            private final Duration timeout;
            private final ScheduledThreadPoolExecutor watchers;
            private final DocumentVariant variant;
            private final MongoCollection<Document> documents;

            EventsMongodbStore(MongodbConnections connections, DocumentVariant variant) {
                this.client = connections.openTimed();
                this.database = connections.database();
                this.timeout = connections.searchTimeout();
                this.watchers = Canceller.watchers();
                this.variant = variant;
                this.documents = client.getDatabase(database)
                        .getCollection(variant.layout().collection());
                missing(variant.layout().collection()).ifPresent(why -> {
                    close();
                    throw new TargetException(why);
                });
            }

            @Override
            public SearchSession openSession() {
                return openSession(variant.hint());
            }

            @Override
            public SearchSession openSession(Hint hint) {
                return new MongodbSession(client, documents, variant.with(hint), timeout, watchers);
            }

            @Override
            public Span span() {
                return queries().span();
            }

            @Override
            public Map<ValueField, List<CountedValue>> values(int most) {
                Map<ValueField, List<CountedValue>> values = new EnumMap<>(ValueField.class);
                DocumentQueries queries = queries();
                variant.layout()
                        .values()
                        .forEach((field, query) -> values.put(field, queries.values(field, query, most)));
                return values;
            }

            private DocumentQueries queries() {
                EventCommands commands =
                        new EventCommands(documents.withDocumentClass(DetachedRow.class), variant, timeout);
                StoppableOperation operation = new StoppableOperation(client.getDatabase("admin"), timeout, watchers);
                return new DocumentQueries(commands, operation);
            }

            /** A collection that is not there answers with no row, as if all were well: why it is not asked; empty if it is there. */
            private Optional<String> missing(String collection) {
                List<String> there = collections();
                return there.isEmpty() || there.contains(collection)
                        ? Optional.empty()
                        : Optional.of("there is no collection " + collection + " in the database " + database
                                + " (there are: " + FirstNames.of(there, SHOWN) + ")");
            }

            /** Those of the database, with its views; none where the user may not see them. */
            private List<String> collections() {
                try {
                    return client.getDatabase(database).listCollectionNames().into(new ArrayList<>()).stream()
                            .sorted()
                            .toList();
                } catch (MongoException unseen) {
                    return List.of();
                }
            }

            @Override
            public Optional<Counters> openCounters() {
                return Optional.of(new MongodbCounters(client, Optional.empty(), timeout));
            }

            @Override
            public OptionalLong runningFor(Duration atLeast) {
                try {
                    Document counted = client.getDatabase("admin")
                            .aggregate(LONG_RUNNING.pipeline(Map.of(
                                    "database", "^\\Q" + database + "\\E[.]", "micros", atLeast.toNanos() / 1_000)))
                            .first();
                    return OptionalLong.of(counted == null ? 0 : WiredTigerCounters.number(counted, "running"));
                } catch (MongoException untold) {
                    return OptionalLong.empty();
                }
            }

            /** Writing operations on its collections, by {@code top}, for which a user needs the role clusterMonitor. */
            @Override
            public OptionalLong rowsWritten() {
                try {
                    MongoDatabase administration = client.getDatabase("admin");
                    return OptionalLong.of(written(administration.runCommand(new Document("top", 1)), database));
                } catch (MongoException untold) {
                    return OptionalLong.empty();
                }
            }

            /** From the answer of {@code top}. */
            static long written(Document top, String database) {
                long written = 0;
                for (var counted : top.get("totals", new Document()).entrySet()) {
                    if (counted.getKey().startsWith(database + ".")
                            && counted.getValue() instanceof Document operations) {
                        for (String kind : WRITES) {
                            written += WiredTigerCounters.number(operations.get(kind, new Document()), "count");
                        }
                    }
                }
                return written;
            }

            @Override
            public void close() {
                watchers.shutdownNow();
                client.close();
            }
        }
    }
}
