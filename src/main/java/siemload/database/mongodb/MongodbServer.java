package siemload.database.mongodb;

import static siemload.database.mongodb.MongodbConnections.json;
import static siemload.database.mongodb.MongodbErrors.ERRORS;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ClusterType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.bson.BsonBinary;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.Binary;
import siemload.database.FirstNames;
import siemload.database.IndexSet;
import siemload.database.ServerAddress;
import siemload.database.ServerUse;
import siemload.database.ServerUse.Client;
import siemload.database.ServerUse.Question;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.Maintenance.BuildStep;
import siemload.database.Store.StoreKind;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.mongodb.DocumentLayout.BsonTemplate;
import siemload.database.mongodb.MongodbStore.EventDocuments;
import siemload.database.registry.Claim;
import siemload.database.registry.Registry;
import siemload.database.server.EventTables;
import siemload.database.server.NamedServer;
import siemload.database.server.ParallelLoad;
import siemload.database.server.Portions;
import siemload.database.server.RunCopy;
import siemload.event.IdeaWriter;

/**
 * A MongoDB server, with a client for what happens outside runs. Its database holds nothing but siemload's collections, or is one that
 * was there before and is only searched: then users who may write are refused, since no session can be kept from it.
 */
final class MongodbServer extends NamedServer {
    private static final int OLDEST_VERSION = 6;
    private static final String OF_THE_SERVER = "system.";
    private static final int SHOWN = 3;
    private static final String WRITE = "write into siemload's registry";
    private static final Pattern SECRET = Pattern.compile("password|secret", Pattern.CASE_INSENSITIVE);
    private static final BsonTemplate OPERATIONS = BsonTemplate.command("other-operations");
    /** Beside them, drivers ask for news of the server all the time. */
    private static final List<String> COUNTED = List.of("insert", "query", "update", "delete", "getmore");

    private static final BsonTemplate BEING_MADE = BsonTemplate.command("being-made");
    private static final BsonTemplate BEING_WRITTEN = BsonTemplate.command("being-written");
    private static final Duration LONGEST_INSERT = Duration.ofSeconds(30);
    private static final long PAUSE_NANOS = 20_000_000;

    private final MongodbConnections connections;
    private final MongoClient client;
    private final MongoDatabase administration;
    private final MongoDatabase database;
    private final DocumentSearches searches;
    private final IndexSet indexes;
    private final String version;
    private final Transport transport;
    /** Of a database that is only searched. */
    private final Optional<UserRights> rights;

    private MongodbServer(
            MongodbConnections connections, MongoClient client, DocumentSearches searches, boolean existing) {
        super("a ", "collection");
        this.connections = connections;
        this.client = client;
        this.administration = client.getDatabase("admin");
        this.database = client.getDatabase(connections.database());
        this.searches = searches;
        this.indexes = connections.options().variant().indexes();
        this.version = database.runCommand(new Document("buildInfo", 1)).getString("version");
        if (Integer.parseInt(version.split("\\.", 2)[0]) < OLDEST_VERSION) {
            throw new TargetException("MongoDB at " + connections.where() + " is version " + version
                    + "; version 6.0 or newer is needed");
        }
        this.transport = connections.transport(client.getClusterDescription());
        this.rights = existing ? Optional.of(readerRights()) : Optional.empty();
    }

    /** @throws TargetException if it is too old, or collections of others lie in the database */
    static MongodbServer connect(ServerAddress address, TargetOptions options) {
        MongodbConnections connections = new MongodbConnections(address, options);
        DocumentSearches searches = DocumentSearches.of(options.variant());
        return connections.connect(client -> {
            MongodbServer server = new MongodbServer(connections, client, searches, false);
            server.requireOwn();
            return server;
        });
    }

    /** Connects to the database that the url names, as it is. @throws TargetException if it is too old, or the user may write */
    static MongodbServer connectExisting(ServerAddress address, TargetOptions options) {
        MongodbConnections connections = new MongodbConnections(address, options);
        if (!connections.namesDatabase()) {
            throw new TargetException("the url does not say which database is asked (write it behind the host:"
                    + " mongodb://host:port/database)");
        }
        DocumentSearches searches = DocumentSearches.of(options.variant());
        return connections.connect(client -> new MongodbServer(connections, client, searches, true));
    }

    private void requireOwn() {
        List<String> others = collections().stream()
                .filter(name -> !name.startsWith(OURS) && !name.startsWith(OF_THE_SERVER))
                .toList();
        if (!others.isEmpty()) {
            throw new TargetException("the database " + connections.database()
                    + " holds collections that are not siemload's ("
                    + FirstNames.of(others, SHOWN)
                    + "), among which its own would lie; name another database, which need not exist yet,"
                    + " in the url: mongodb://host:port/siemload");
        }
    }

    private UserRights readerRights() {
        requireOneRouter(client.getClusterDescription());
        UserRights found = UserRights.of(
                json(administration.runCommand(new Document("connectionStatus", 1).append("showPrivileges", true))));
        found.refusal(connections.where()).ifPresent(why -> {
            throw new TargetException(why);
        });
        return found;
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

    /** Those of the database and its views, sorted. */
    List<String> collections() {
        return database.listCollectionNames().into(new ArrayList<>()).stream()
                .sorted()
                .toList();
    }

    MongodbConnections connections() {
        return connections;
    }

    DocumentSearches searches() {
        return searches;
    }

    MongoClient client() {
        return client;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public Transport transport() {
        return transport;
    }

    @Override
    protected String place() {
        return "MongoDB at " + connections.where();
    }

    @Override
    public List<String> rights() {
        return rights.orElseThrow().lines();
    }

    @Override
    public String kept() {
        return "an aggregation that writes nothing";
    }

    @Override
    public Store openEvents() {
        return ERRORS.trying("open the database at " + connections.where(), () -> new MongodbStore.Existing(this));
    }

    /** As the server was started, where the user may see that. */
    @Override
    public SortedMap<String, String> settings() {
        return ERRORS.trying(
                "read the settings of " + place(),
                () -> ERRORS.unless(
                        e -> e.getCode() == MongodbErrors.UNAUTHORIZED,
                        () -> settings(json(administration.runCommand(new Document("getCmdLineOpts", 1)))),
                        unseen ->
                                new TreeMap<>(Map.of("settings", "unknown: the user lacks the role clusterMonitor"))));
    }

    /** From the answer of {@code getCmdLineOpts}, by dotted names; without those settings that could be a secret. */
    static NavigableMap<String, String> settings(JsonNode started) {
        NavigableMap<String, String> settings = new TreeMap<>();
        addSettings("", started.path("parsed"), settings::put);
        settings.keySet().removeIf(name -> SECRET.matcher(name).find());
        return settings;
    }

    private static void addSettings(String prefix, JsonNode section, BiConsumer<String, String> settings) {
        section.forEachEntry((key, value) -> {
            if (value.isObject()) {
                addSettings(prefix + key + ".", value, settings);
            } else {
                settings.accept(prefix + key, value.isTextual() ? value.asText() : value.toString());
            }
        });
    }

    @Override
    public Optional<ServerUse> use() {
        return Optional.of(ServerUse.of(
                rights.isPresent() ? List.of() : makes(" in the database " + connections.database()),
                "",
                new Question<>(
                        () -> ERRORS.trying("see what others do", this::clients),
                        List.of(),
                        "what others do (the role clusterMonitor)"),
                new Question<>(
                        () -> ERRORS.trying("count operations", this::operations),
                        0L,
                        "how much others ask of it (the role clusterMonitor)"),
                new Question<>(
                        () -> ERRORS.trying("see how full the disk is", this::freeBytes),
                        OptionalLong.empty(),
                        "how much room there is (the role readWrite)")));
    }

    private List<Client> clients() {
        return administration
                .aggregate(OPERATIONS.pipeline(Map.of()))
                .map(MongodbConnections::json)
                .map(program -> new Client(
                        program.path("_id").asText() + " ("
                                + program.path("sessions").asLong() + " connections)",
                        program.path("working").asLong()))
                .into(new ArrayList<>());
    }

    private long operations() {
        JsonNode counted =
                json(administration.runCommand(new Document("serverStatus", 1))).path("opcounters");
        return COUNTED.stream().mapToLong(kind -> counted.path(kind).asLong()).sum();
    }

    private OptionalLong freeBytes() {
        JsonNode statistics = json(database.runCommand(new Document("dbStats", 1)));
        return statistics.has("fsTotalSize") && statistics.has("fsUsedSize")
                ? OptionalLong.of(statistics.path("fsTotalSize").asLong()
                        - statistics.path("fsUsedSize").asLong())
                : OptionalLong.empty();
    }

    @Override
    protected Instant time() {
        return ERRORS.trying("ask the server for its time", () -> time(database));
    }

    static Instant time(MongoDatabase database) {
        return database.runCommand(new Document("hello", 1))
                .getDate("localTime")
                .toInstant();
    }

    /** With the database that knows the user. */
    @Override
    protected String user() {
        JsonNode user = ERRORS.trying(
                        "ask the server who is logged in",
                        () -> json(database.runCommand(new Document("connectionStatus", 1))))
                .at("/authInfo/authenticatedUsers/0");
        return user.isMissingNode()
                ? ""
                : user.path("user").asText() + "@" + user.path("db").asText();
    }

    @Override
    protected Map<String, Map<String, Object>> registered() {
        return ERRORS.trying("read siemload's registry", () -> {
            Map<String, Map<String, Object>> found = new LinkedHashMap<>();
            database.getCollection(REGISTRY)
                    .find()
                    .forEach(document -> found.put(String.valueOf(document.get("_id")), document));
            return found;
        });
    }

    @Override
    protected boolean register(String name, Map<String, Object> values) {
        Document entry = new Document("_id", name);
        entry.putAll(values);
        return ERRORS.trying(
                WRITE,
                () -> ERRORS.unless(
                        e -> e.getCode() == MongodbErrors.DUPLICATE_KEY,
                        () -> database.getCollection(REGISTRY).insertOne(entry).wasAcknowledged(),
                        taken -> false));
    }

    @Override
    protected boolean change(String name, long beat, Optional<Map<String, Object>> values) {
        MongoCollection<Document> entries = database.getCollection(REGISTRY);
        Bson unchanged = Filters.and(Filters.eq(name), Filters.eq("beat", beat));
        return ERRORS.trying(
                WRITE,
                () -> values.map(changed -> entries.updateOne(unchanged, new Document("$set", new Document(changed)))
                                        .getMatchedCount())
                                .orElseGet(() -> entries.deleteOne(unchanged).getDeletedCount())
                        == 1);
    }

    @Override
    protected List<String> names() {
        return ERRORS.trying(
                "list the collections of " + connections.where(),
                () -> collections().stream()
                        .filter(name -> name.startsWith(OURS))
                        .toList());
    }

    @Override
    protected Optional<String> identity(String name) {
        Optional<Document> found = ERRORS.trying(
                "look for the collection " + name,
                () -> Optional.ofNullable(database.listCollections()
                        .filter(Filters.eq("name", name))
                        .first()));
        return found.map(one -> one.get("info", new Document()).get("uuid"))
                .map(uuid -> uuid instanceof Binary binary
                        ? new BsonBinary(binary.getType(), binary.getData())
                                .asUuid()
                                .toString()
                        : uuid.toString());
    }

    @Override
    protected boolean isBeingMade(String name) {
        return isAtWork(BEING_MADE, Map.of("collection", name));
    }

    /** An insert would make the collection anew where it is dropped meanwhile; one of this process's own ends. */
    @Override
    protected boolean isBeingWritten(String name, Registry.Sessions sessions) {
        Duration patience = sessions == Registry.Sessions.END ? LONGEST_INSERT : Duration.ZERO;
        Map<String, String> inserted = Map.of("namespace", connections.database() + "." + name);
        long start = System.nanoTime();
        while (isAtWork(BEING_WRITTEN, inserted)) {
            if (System.nanoTime() - start >= patience.toNanos()) {
                return true;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return false;
    }

    private boolean isAtWork(BsonTemplate operations, Map<String, String> values) {
        return ERRORS.unless(
                any -> true,
                () -> administration.aggregate(operations.pipeline(values)).first() != null,
                any -> false);
    }

    @Override
    protected void drop(String name) {
        ERRORS.running("drop the collection " + name, database.getCollection(name)::drop);
    }

    @Override
    protected EventTables tables(String name) {
        return new EventCollection(name, database.getCollection(name));
    }

    @Override
    protected Store openStore(RunCopy copy) {
        return new MongodbStore.Copy(this, copy);
    }

    @Override
    protected void disconnect() {
        client.close();
    }

    /**
     * The collection of one data set, or of one run's copy of it, as a whole. The server keeps no statistics, since it tries plans
     * out; and a checkpoint, which only the administrator's database may ask for, it takes once a minute by itself.
     */
    private final class EventCollection implements EventTables {
        private static final BsonTemplate COPY = BsonTemplate.command("copy");
        private static final int WRITERS = 4;

        private final String name;
        private final MongoCollection<Document> documents;

        EventCollection(String name, MongoCollection<Document> documents) {
            this.name = name;
            this.documents = documents;
        }

        @Override
        public String place() {
            return "the collection " + name;
        }

        @Override
        public void create(Claim claim) {
            ERRORS.running("make " + place(), () -> database.createCollection(name));
            claim.made(identity(name).orElse(""));
        }

        /** By this process where the server cannot. */
        @Override
        public StoreKind copyFrom(String kept, Claim claim) {
            ERRORS.running("copy the collection " + kept, () -> {
                boolean unused = ERRORS.unless(
                        e -> e.getCode() == MongodbErrors.NOT_IMPLEMENTED,
                        () -> {
                            database.getCollection(kept)
                                    .aggregate(COPY.pipeline(Map.of("copy", name)))
                                    .toCollection();
                            return true;
                        },
                        unable -> copyHere(kept));
            });
            claim.made(identity(name).orElse(""));
            return StoreKind.COPY;
        }

        private boolean copyHere(String kept) {
            database.createCollection(name);
            List<Document> portion = new ArrayList<>();
            for (Document each : database.getCollection(kept).find().batchSize(Portions.ROWS)) {
                portion.add(each);
                if (portion.size() == Portions.ROWS) {
                    documents.insertMany(portion);
                    portion.clear();
                }
            }
            return portion.isEmpty() || documents.insertMany(portion).wasAcknowledged();
        }

        @Override
        public long events() {
            return ERRORS.trying("count the events in " + place(), documents::countDocuments);
        }

        /** An insert makes a collection that is not there, and cannot be told not to. */
        @Override
        public boolean areMadeByWriting() {
            return true;
        }

        @Override
        public boolean areLoadedTogether() {
            return true;
        }

        @Override
        public BulkLoad openLoad(String label) {
            return ParallelLoad.start(label, WRITERS, () -> {
                IdeaWriter writer = new IdeaWriter();
                return batch -> {
                    EventDocuments events = EventDocuments.of(batch, searches.layout(), writer);
                    ERRORS.running("load " + label, () -> events.insert(documents));
                    return events.bytes();
                };
            });
        }

        @Override
        public List<BuildStep> indexes() {
            return all().stream()
                    .map(index -> new BuildStep("index " + index.getString("name"), () -> build(List.of(index))))
                    .toList();
        }

        private List<Document> all() {
            return searches.layout().indexes(indexes);
        }

        /** In one pass over the collection. */
        @Override
        public void completeCopy() {
            if (!all().isEmpty()) {
                build(all());
            }
        }

        private void build(List<Document> indexes) {
            Document command = new Document("createIndexes", name).append("indexes", indexes);
            ERRORS.running("build the indexes of " + place(), () -> database.runCommand(command));
        }

        /** The index of the ids stays: no collection can do without it. */
        @Override
        public void dropIndexes() {
            ERRORS.running("drop the indexes of " + place(), documents::dropIndexes);
        }

        @Override
        public long deleteAll() {
            return ERRORS.trying(
                    "delete the events in " + place(),
                    () -> documents.deleteMany(Filters.empty()).getDeletedCount());
        }
    }

    /**
     * What a user may do, by the answer of {@code connectionStatus} with {@code showPrivileges}. Immutable.
     *
     * @param user empty where the server knows of none
     * @param writing the actions that change data or the server, each with where it may be done
     * @param isTold whether the server tells rights at all
     */
    record UserRights(String user, List<String> writing, boolean isTold) {
        /** Of the manual's privilege actions those that change something which outlives the connection. */
        private static final Set<String> WRITING = Set.of("""
                anyAction insert update remove bypassDocumentValidation applyOps bypassWriteBlockingMode collMod
                convertToCapped createCollection createIndex createSearchIndexes dropCollection dropDatabase dropIndex
                dropSearchIndex enableProfiler renameCollectionSameDB changeCustomData changePassword createRole
                createUser dropRole dropUser grantRole revokeRole killop killAnyCursor killAnySession fsync setParameter
                setUserWriteBlockMode shutdown replSetReconfig replSetStateChange internal""".split("\\s+"));

        UserRights {
            writing = List.copyOf(writing);
        }

        static UserRights of(JsonNode status) {
            JsonNode privileges = status.at("/authInfo/authenticatedUserPrivileges");
            TreeSet<String> writing = new TreeSet<>();
            for (JsonNode privilege : privileges) {
                String where = where(privilege.path("resource"));
                privilege
                        .path("actions")
                        .valueStream()
                        .map(JsonNode::asText)
                        .filter(WRITING::contains)
                        .forEach(action -> writing.add(action + where));
            }
            String user = status.at("/authInfo/authenticatedUsers/0/user").asText();
            return new UserRights(user, List.copyOf(writing), !privileges.isMissingNode());
        }

        private static String where(JsonNode resource) {
            if (!resource.has("db")) {
                return resource.has("cluster") ? " on the cluster" : " anywhere";
            }
            String database = resource.path("db").asText();
            String collection = resource.path("collection").asText();
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
}
