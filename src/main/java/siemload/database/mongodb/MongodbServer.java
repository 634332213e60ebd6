package siemload.database.mongodb;

import static siemload.database.mongodb.MongodbCounters.number;
import static siemload.database.mongodb.MongodbErrors.ERRORS;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertManyOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bson.BsonBinary;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.Binary;
import siemload.database.Counters;
import siemload.database.FirstNames;
import siemload.database.IndexSet;
import siemload.database.SearchSession;
import siemload.database.ServerUse;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.EventSink;
import siemload.database.Store.Maintenance.BuildStep;
import siemload.database.Store.StoreKind;
import siemload.database.Target.ServerClock;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.mongodb.DocumentLayout.BsonTemplate;
import siemload.database.registry.Claim;
import siemload.database.registry.Entry;
import siemload.database.registry.RegistryStorage;
import siemload.database.registry.ServerObjects;
import siemload.database.server.CopyStore;
import siemload.database.server.EventTables;
import siemload.database.server.NamedServer;
import siemload.database.server.ParallelLoad;
import siemload.database.server.Portions;
import siemload.database.server.RunCopy;
import siemload.database.server.ServerUseSurvey;
import siemload.database.server.ServerUseSurvey.Client;
import siemload.database.server.ServerUseSurvey.Question;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** A MongoDB server, with a client for what happens outside runs. No other collections than siemload's may lie in its database. */
final class MongodbServer extends NamedServer {
    private static final int OLDEST_VERSION = 6;
    private static final String OF_THE_SERVER = "system.";
    private static final int SHOWN = 3;
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
    private final DocumentSearches searches;
    private final IndexSet indexes;
    private final String version;
    private final Transport transport;

    /** @throws TargetException if it is too old */
    MongodbServer(MongodbConnections connections, MongoClient client, DocumentSearches searches, IndexSet indexes) {
        super("a ", "collection");
        this.connections = connections;
        this.client = client;
        this.administration = client.getDatabase("admin");
        this.searches = searches;
        this.indexes = indexes;
        this.version = database().runCommand(new Document("buildInfo", 1)).getString("version");
        if (Integer.parseInt(version.split("\\.", 2)[0]) < OLDEST_VERSION) {
            throw new TargetException("MongoDB at " + connections.where() + " is version " + version
                    + "; version 6.0 or newer is needed");
        }
        this.transport = connections.transport(client.getClusterDescription());
    }

    /** @throws TargetException also if collections of others lie in the database */
    static MongodbServer connect(MongodbConnections connections, TargetOptions options) {
        DocumentSearches searches = DocumentSearches.of(options.variant());
        return connections.connect(client -> {
            MongodbServer server = new MongodbServer(
                    connections, client, searches, options.variant().indexes());
            server.requireOwn();
            return server;
        });
    }

    private void requireOwn() {
        List<String> others = collections()
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

    private Stream<String> collections() {
        return database().listCollectionNames().into(new ArrayList<>()).stream().sorted();
    }

    MongodbConnections connections() {
        return connections;
    }

    private MongoDatabase database() {
        return client.getDatabase(connections.database());
    }

    /** The server's time. */
    private static Instant time(MongoDatabase database) {
        return database.runCommand(new Document("hello", 1))
                .getDate("localTime")
                .toInstant();
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

    /** As the server was started, where the user may see that. */
    @Override
    public SortedMap<String, String> settings() {
        try {
            return settings(client.getDatabase("admin").runCommand(new Document("getCmdLineOpts", 1)));
        } catch (MongoException e) {
            if (e.getCode() == MongodbErrors.UNAUTHORIZED) {
                return new TreeMap<>(Map.of("settings", "unknown: the user lacks the role clusterMonitor"));
            }
            throw ERRORS.outsideRun("cannot read the settings of " + place(), e);
        }
    }

    /** From the answer of {@code getCmdLineOpts}, by dotted names; without those settings that could be a secret. */
    static SortedMap<String, String> settings(Document started) {
        SortedMap<String, String> settings = new TreeMap<>();
        addSettings(settings, "", started.get("parsed", new Document()));
        return settings;
    }

    private static void addSettings(SortedMap<String, String> settings, String prefix, Document options) {
        options.forEach((key, value) -> {
            String name = prefix + key;
            if (value instanceof Document section) {
                addSettings(settings, name + ".", section);
            } else if (!SECRET.matcher(name).find()) {
                settings.put(name, String.valueOf(value));
            }
        });
    }

    @Override
    public Optional<ServerUse> use() {
        return Optional.of(use(makes(" in the database " + connections.database())));
    }

    /**
     * Who uses it. Takes about a second.
     *
     * @param makes what a run makes there
     */
    ServerUse use(List<String> makes) {
        return ServerUseSurvey.of(
                makes,
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
                        "how much room there is (the role readWrite)"));
    }

    private List<Client> clients() {
        return administration
                .aggregate(OPERATIONS.pipeline(Map.of()))
                .map(program -> new Client(
                        program.getString("_id") + " (" + number(program, "sessions") + " connections)",
                        number(program, "working")))
                .into(new ArrayList<>());
    }

    private long operations() {
        Document counted =
                administration.runCommand(new Document("serverStatus", 1)).get("opcounters", new Document());
        return COUNTED.stream().mapToLong(kind -> number(counted, kind)).sum();
    }

    private OptionalLong freeBytes() {
        Document statistics = database().runCommand(new Document("dbStats", 1));
        return statistics.containsKey("fsTotalSize") && statistics.containsKey("fsUsedSize")
                ? OptionalLong.of(number(statistics, "fsTotalSize") - number(statistics, "fsUsedSize"))
                : OptionalLong.empty();
    }

    @Override
    protected RegistryStorage storage() {
        return new CollectionRegistry();
    }

    @Override
    protected List<String> names() {
        return ERRORS.trying(
                "list the collections of " + connections.where(),
                () -> collections().filter(name -> name.startsWith(OURS)).toList());
    }

    @Override
    protected Optional<String> identity(String name) {
        Optional<Document> found = ERRORS.trying(
                "look for the collection " + name,
                () -> Optional.ofNullable(database()
                        .listCollections()
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
    protected boolean isBeingWritten(String name, ServerObjects.Sessions sessions) {
        Duration patience = sessions == ServerObjects.Sessions.END ? LONGEST_INSERT : Duration.ZERO;
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
        try {
            return administration.aggregate(operations.pipeline(values)).first() != null;
        } catch (MongoException unknown) {
            return false;
        }
    }

    @Override
    protected void drop(String name) {
        ERRORS.running("drop the collection " + name, database().getCollection(name)::drop);
    }

    @Override
    protected EventTables tables(String name) {
        return new EventCollection(name);
    }

    @Override
    protected Store openStore(RunCopy copy) {
        return new MongodbStore(copy);
    }

    @Override
    protected void disconnect() {
        client.close();
    }

    /**
     * The registry as a collection. What lies in it without being an entry of the user who is logged in is left alone.
     * Thread-safe.
     */
    private final class CollectionRegistry implements RegistryStorage {
        private static final String READ = "read siemload's registry";
        private static final String WRITE = "write into siemload's registry";

        private final MongoCollection<Document> entries = database().getCollection(REGISTRY);
        private final String owner = ERRORS.trying("ask the server who is logged in", this::user);

        /** Who is logged in, with the database that knows him; nobody where the server asks for no user. */
        private String user() {
            return database()
                    .runCommand(new Document("connectionStatus", 1))
                    .get("authInfo", new Document())
                    .getList("authenticatedUsers", Document.class, List.of())
                    .stream()
                    .map(user -> user.getString("user") + "@" + user.getString("db"))
                    .findFirst()
                    .orElse("");
        }

        @Override
        public Instant now() {
            return ERRORS.trying("ask the server for its time", () -> time(database()));
        }

        @Override
        public List<Entry> entries() {
            return ERRORS.trying(READ, () -> {
                List<Entry> found = new ArrayList<>();
                entries.find(Filters.eq("owner", owner))
                        .forEach(document -> Entry.of(document)
                                .filter(entry -> id(entry).equals(document.get("_id")))
                                .ifPresent(found::add));
                return found;
            });
        }

        @Override
        public boolean insert(Entry entry) {
            return ERRORS.trying(WRITE, () -> {
                try {
                    entries.insertOne(document(entry));
                    return true;
                } catch (MongoException e) {
                    if (e.getCode() == MongodbErrors.DUPLICATE_KEY) {
                        return false;
                    }
                    throw e;
                }
            });
        }

        @Override
        public boolean replace(Entry entry, Entry changed) {
            Document update = new Document("$set", new Document(changed.values()));
            return ERRORS.trying(
                    WRITE, () -> entries.updateOne(unchanged(entry), update).getMatchedCount() == 1);
        }

        @Override
        public boolean delete(Entry entry) {
            return ERRORS.trying(
                    WRITE, () -> entries.deleteOne(unchanged(entry)).getDeletedCount() == 1);
        }

        private Bson unchanged(Entry entry) {
            return Filters.and(Filters.eq(id(entry)), Filters.eq("beat", entry.beat()));
        }

        private String id(Entry entry) {
            return owner + "/" + entry.key();
        }

        private Document document(Entry entry) {
            Document document = new Document("_id", id(entry)).append("owner", owner);
            document.putAll(entry.values());
            return document;
        }
    }

    /**
     * The collection of one data set, or of one run's copy of it, as a whole. The server keeps no statistics, since it tries plans
     * out; and a checkpoint, which only the administrator's database may ask for, it takes once a minute by itself.
     */
    private final class EventCollection implements EventTables {
        private static final BsonTemplate COPY = BsonTemplate.command("copy");
        private static final int WRITERS = 4;

        private final String name;

        EventCollection(String name) {
            this.name = name;
        }

        @Override
        public String place() {
            return "the collection " + name;
        }

        @Override
        public void create(Claim claim) {
            ERRORS.running("make " + place(), () -> database().createCollection(name));
            claim.made(identity(name).orElse(""));
        }

        @Override
        public StoreKind copyFrom(String kept, Claim claim) {
            ERRORS.running(
                    "copy the collection " + kept,
                    () -> database()
                            .getCollection(kept)
                            .aggregate(COPY.pipeline(Map.of("copy", name)))
                            .toCollection());
            claim.made(identity(name).orElse(""));
            return StoreKind.COPY;
        }

        @Override
        public long events() {
            return ERRORS.trying("count the events in " + place(), documents()::countDocuments);
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
                    EventDocuments documents = EventDocuments.of(batch, searches.layout(), writer);
                    ERRORS.running("load " + label, () -> documents.insert(documents()));
                    return documents.bytes();
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
            ERRORS.running("build the indexes of " + place(), () -> database().runCommand(command));
        }

        /** The index of the ids stays: no collection can do without it. */
        @Override
        public void dropIndexes() {
            ERRORS.running(
                    "drop the indexes of " + place(),
                    () -> all().forEach(index -> dropIfThere(index.getString("name"))));
        }

        private void dropIfThere(String index) {
            try {
                documents().dropIndex(index);
            } catch (MongoException e) {
                if (e.getCode() != MongodbErrors.INDEX_NOT_FOUND) {
                    throw e;
                }
            }
        }

        @Override
        public long deleteAll() {
            return ERRORS.trying(
                    "delete the events in " + place(),
                    () -> documents().deleteMany(Filters.empty()).getDeletedCount());
        }

        private MongoCollection<Document> documents() {
            return database().getCollection(name);
        }
    }

    /** A collection that is the copy of one run, with the client of the run. */
    final class MongodbStore implements CopyStore {
        private static final BsonTemplate STATISTICS = BsonTemplate.command("counters-collection");
        private static final int RECONNECTIONS = 10;

        private final MongoClient own = connections.openTimed();
        private final Duration timeout = connections.searchTimeout();
        private final RunCopy copy;
        private final MongoCollection<Document> events;

        MongodbStore(RunCopy copy) {
            this.copy = copy;
            this.events = own.getDatabase(connections.database()).getCollection(copy.name());
        }

        @Override
        public SearchSession openSession() {
            return new MongodbSession(own, events, searches, timeout, copy.watchers());
        }

        /**
         * Inserts batches with the server's own write concern. A batch is no transaction, which a server of its own does not
         * offer: one that failed may be stored in part, and is completed when it is written again.
         */
        @Override
        public EventSink openSink() {
            IdeaWriter writer = new IdeaWriter();
            return batch -> {
                EventDocuments documents = EventDocuments.of(batch, searches.layout(), writer);
                return ERRORS.answering(timeout, () -> {
                    try {
                        documents.insert(events);
                    } catch (MongoBulkWriteException e) {
                        if (!areAllStored(e)) {
                            throw e;
                        }
                    }
                    return documents.bytes();
                });
            };
        }

        /** Whether nothing went wrong but that some events were there already. */
        private static boolean areAllStored(MongoBulkWriteException e) {
            return e.getWriteConcernError() == null
                    && e.getWriteErrors().stream().allMatch(error -> error.getCode() == MongodbErrors.DUPLICATE_KEY);
        }

        @Override
        public Optional<Counters> openCounters() {
            return Optional.of(new MongodbCounters(own, Optional.of(events), timeout));
        }

        /** Of the server, or of the router, that answers. */
        @Override
        public Optional<ServerClock> openClock() {
            MongoDatabase admin = own.getDatabase("admin");
            return Optional.of(ServerClock.ofMillis(() -> ERRORS.answering(timeout, () -> time(admin))));
        }

        @Override
        public RunCopy copy() {
            return copy;
        }

        @Override
        public Presence presenceOf(Collection<String> ids) {
            BsonTemplate presence = searches.layout().template("presence");
            return ERRORS.trying(
                    "look for events in " + copy.tables().place(),
                    () -> Portions.presence(
                            ids, some -> events.countDocuments(presence.document(Map.of("ids", some)))));
        }

        @Override
        public SortedMap<String, Long> relationBytes() {
            return ERRORS.trying("read the size of " + copy.tables().place(), () -> {
                Document answer =
                        events.aggregate(STATISTICS.pipeline(Map.of())).first();
                return answer == null ? new TreeMap<>() : sizes(answer);
            });
        }

        /** From an answer of $collStats; each copy has a name of its own, so that all are called events. */
        static SortedMap<String, Long> sizes(Document answer) {
            SortedMap<String, Long> sizes = new TreeMap<>();
            Document statistics = answer.get("storageStats", new Document());
            if (statistics.get("storageSize") instanceof Number size) {
                sizes.put("events", size.longValue());
            }
            statistics.get("indexSizes", new Document()).forEach((index, size) -> {
                if (size instanceof Number number) {
                    sizes.put(index, number.longValue());
                }
            });
            return sizes;
        }

        /** A pool finds out that its connections are broken when it uses one, and then throws all of them away. */
        @Override
        public void serverRestarted() {
            for (MongoClient each : List.of(client, own)) {
                for (int tries = 1; !answers(each); tries++) {
                    if (tries == RECONNECTIONS) {
                        throw new TargetException("MongoDB does not answer after the restart");
                    }
                }
            }
        }

        private static boolean answers(MongoClient client) {
            try {
                client.getDatabase("admin").runCommand(new Document("ping", 1));
                return true;
            } catch (MongoException broken) {
                return false;
            }
        }

        @Override
        public void close() {
            own.close();
            copy.close();
        }
    }

    /**
     * Events on their way into the database.
     *
     * @param bytes their size as IDEA JSON
     */
    private record EventDocuments(List<Document> documents, long bytes) {
        private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);

        static EventDocuments of(List<SecurityEvent> batch, DocumentLayout layout, IdeaWriter writer) {
            List<Document> documents = new ArrayList<>(batch.size());
            long bytes = 0;
            for (SecurityEvent event : batch) {
                byte[] idea = writer.toBytes(event);
                bytes += idea.length;
                documents.add((Document) layout.document(event, idea));
            }
            return new EventDocuments(documents, bytes);
        }

        void insert(MongoCollection<Document> events) {
            if (!documents.isEmpty()) {
                events.insertMany(documents, UNORDERED);
            }
        }
    }
}
