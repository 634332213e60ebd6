package siemload.database.mongodb;

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
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.bson.Document;
import org.bson.conversions.Bson;
import siemload.database.Counters;
import siemload.database.FirstNames;
import siemload.database.SearchSession;
import siemload.database.ServerUse;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.EventSink;
import siemload.database.Store.StoreKind;
import siemload.database.Target.ServerClock;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.registry.Claim;
import siemload.database.registry.Entry;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.Registry;
import siemload.database.registry.RegistryStorage;
import siemload.database.registry.ServerObjects;
import siemload.database.server.CopyStore;
import siemload.database.server.EventTables;
import siemload.database.server.EventTables.BuildStep;
import siemload.database.server.ParallelLoad;
import siemload.database.server.Portions;
import siemload.database.server.RunCopy;
import siemload.database.server.ServerTarget;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.event.WholeText;

/**
 * A MongoDB server, with a client for what happens outside runs. In one database lie the collections
 * {@code siemload_data_<fingerprint>_<random>} of data sets, {@code siemload_run_<run id>_<random>} of runs, and
 * {@code siemload_registry}, which knows whose they are. Nobody else's may lie among them.
 */
final class MongodbServer extends ServerTarget {
    private static final int OLDEST_VERSION = 6;
    private static final String OURS = "siemload_";
    private static final String OF_THE_SERVER = "system.";
    /** The namespace, with the database's name, may have 255 bytes; indexes have longer ones. */
    private static final int LONGEST_NAME = 100;

    private static final int SHOWN = 3;
    private static final Pattern SECRET = Pattern.compile("password|secret", Pattern.CASE_INSENSITIVE);

    private final MongodbConnections connections;
    private final MongoClient client;
    private final DocumentVariant variant;
    private final String version;
    private final Transport transport;

    MongodbServer(
            MongodbConnections connections,
            MongoClient client,
            DocumentVariant variant,
            String version,
            Transport transport) {
        this.connections = connections;
        this.client = client;
        this.variant = variant;
        this.version = version;
        this.transport = transport;
    }

    /** @throws TargetException also if collections of others lie in the database */
    static MongodbServer connect(MongodbConnections connections, TargetOptions options) {
        DocumentVariant variant = DocumentVariant.of(options.variant());
        return connections.connect(client -> {
            String version = version(client, connections);
            requireOwn(client.getDatabase(connections.database()));
            Transport transport = connections.transport(client.getClusterDescription());
            return new MongodbServer(connections, client, variant, version, transport);
        });
    }

    /** @throws TargetException if it is too old */
    static String version(MongoClient client, MongodbConnections connections) {
        String version = client.getDatabase(connections.database())
                .runCommand(new Document("buildInfo", 1))
                .getString("version");
        requireVersion(version, connections.where());
        return version;
    }

    private static void requireVersion(String version, String where) {
        if (Integer.parseInt(version.split("\\.", 2)[0]) < OLDEST_VERSION) {
            throw new TargetException(
                    "MongoDB at " + where + " is version " + version + "; version 6.0 or newer is needed");
        }
    }

    private static void requireOwn(MongoDatabase database) {
        List<String> others = names(database).stream()
                .filter(name -> !name.startsWith(OURS) && !name.startsWith(OF_THE_SERVER))
                .toList();
        if (!others.isEmpty()) {
            throw new TargetException("the database " + database.getName()
                    + " holds collections that are not siemload's ("
                    + FirstNames.of(others, SHOWN)
                    + "), among which its own would lie; name another database, which need not exist yet,"
                    + " in the url: mongodb://host:port/siemload");
        }
    }

    private static List<String> names(MongoDatabase database) {
        return database.listCollectionNames().into(new ArrayList<>()).stream()
                .sorted()
                .toList();
    }

    MongodbConnections connections() {
        return connections;
    }

    private MongoDatabase database() {
        return client.getDatabase(connections.database());
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
            throw MongodbErrors.outsideRun("cannot read the settings of " + place(), e);
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
        return Optional.of(look(MongodbServerUse::look));
    }

    /** Who uses it, where a run makes nothing there. */
    ServerUse useByReading() {
        return look(use -> use.look(List.of()));
    }

    private ServerUse look(Function<MongodbServerUse, ServerUse> looking) {
        return MongodbErrors.trying(
                "see who uses " + place(),
                () -> looking.apply(new MongodbServerUse(database(), client.getDatabase("admin"))));
    }

    @Override
    protected RegistryStorage storage() {
        return new CollectionRegistry(database());
    }

    @Override
    protected ServerObjects objects() {
        return new RegisteredCollections(database(), client.getDatabase("admin"));
    }

    @Override
    protected String newName(Purpose purpose, String fingerprint, String runId) {
        return purpose == Purpose.RUN || purpose == Purpose.READING
                ? Registry.name("siemload_run_", runId.replaceAll("[^A-Za-z0-9-]", "-"), LONGEST_NAME)
                : Registry.name("siemload_data_", fingerprint, LONGEST_NAME);
    }

    @Override
    protected EventTables tables(String name) {
        return new EventCollection(client.getDatabase(connections.database()), name, variant);
    }

    @Override
    protected List<String> strangers(Set<String> ours) {
        return MongodbErrors.trying("list the collections of " + connections.where(), () -> names(database())).stream()
                .filter(name -> name.startsWith(OURS) && !name.equals(CollectionRegistry.COLLECTION))
                .filter(name -> !ours.contains(name))
                .map(name -> "collection " + name)
                .toList();
    }

    @Override
    protected Store openStore(RunCopy copy) {
        return new MongodbStore(connections, copy, client, variant);
    }

    @Override
    protected void disconnect() {
        client.close();
    }

    /**
     * The registry as a collection. What lies in it without being an entry of the user who is logged in is left alone.
     * Thread-safe.
     */
    private static final class CollectionRegistry implements RegistryStorage {
        static final String COLLECTION = "siemload_registry";

        private static final String READ = "read siemload's registry";
        private static final String WRITE = "write into siemload's registry";

        private final MongoDatabase database;
        private final MongoCollection<Document> entries;
        private final String owner;

        CollectionRegistry(MongoDatabase database) {
            this.database = database;
            this.entries = database.getCollection(COLLECTION);
            this.owner = MongodbErrors.trying("ask the server who is logged in", () -> owner(database));
        }

        /** Who is logged in, with the database that knows him; nobody where the server asks for no user. */
        private static String owner(MongoDatabase database) {
            return database
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
            return MongodbErrors.trying(
                    "ask the server for its time",
                    () -> database.runCommand(new Document("hello", 1))
                            .getDate("localTime")
                            .toInstant());
        }

        @Override
        public List<Entry> entries() {
            return MongodbErrors.trying(READ, () -> {
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
            return MongodbErrors.trying(WRITE, () -> {
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
            return MongodbErrors.trying(
                    WRITE, () -> entries.updateOne(unchanged(entry), update).getMatchedCount() == 1);
        }

        @Override
        public boolean delete(Entry entry) {
            return MongodbErrors.trying(
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
    private record EventCollection(MongoDatabase database, String name, DocumentVariant variant)
            implements EventTables {
        private static final BsonTemplate COPY = BsonTemplate.read("server", "copy");
        private static final int WRITERS = 4;

        @Override
        public String place() {
            return "the collection " + name;
        }

        @Override
        public void create(Claim claim) {
            MongodbErrors.running("make " + place(), () -> database.createCollection(name));
            claim.made(RegisteredCollections.identity(database, name).orElse(""));
        }

        @Override
        public StoreKind copyFrom(String kept, Claim claim) {
            MongodbErrors.running(
                    "copy the collection " + kept,
                    () -> database.getCollection(kept)
                            .aggregate(COPY.pipeline(Map.of("copy", name)))
                            .toCollection());
            claim.made(RegisteredCollections.identity(database, name).orElse(""));
            return StoreKind.COPY;
        }

        @Override
        public long events() {
            return MongodbErrors.trying("count the events in " + place(), documents()::countDocuments);
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
            MongoCollection<Document> events = DocumentLayout.writable(documents());
            return ParallelLoad.start(label, WRITERS, () -> {
                IdeaWriter writer = new IdeaWriter();
                return batch -> {
                    EventDocuments documents = EventDocuments.of(batch, variant.layout(), writer);
                    MongodbErrors.running("load " + label, () -> documents.insert(events));
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
            return variant.layout().indexes(variant.indexes());
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
            MongodbErrors.running("build the indexes of " + place(), () -> database.runCommand(command));
        }

        /** The index of the ids stays: no collection can do without it. */
        @Override
        public void dropIndexes() {
            MongodbErrors.running(
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
            return MongodbErrors.trying(
                    "delete the events in " + place(),
                    () -> documents().deleteMany(Filters.empty()).getDeletedCount());
        }

        private MongoCollection<Document> documents() {
            return database.getCollection(name);
        }
    }

    /** A collection that is the copy of one run, with the client of the run. */
    static final class MongodbStore implements CopyStore {
        private static final BsonTemplate STATISTICS = BsonTemplate.read("server", "counters-collection");
        private static final int IDS_AT_ONCE = 1_000;
        private static final int RECONNECTIONS = 10;

        private final MongoClient client;
        private final MongoClient outside;
        private final MongoCollection<Document> events;
        private final RunCopy copy;
        private final DocumentVariant variant;
        private final Duration timeout;

        /** @param outside the client of the target, which stays open */
        MongodbStore(MongodbConnections connections, RunCopy copy, MongoClient outside, DocumentVariant variant) {
            this.client = connections.openTimed();
            this.outside = outside;
            this.events = client.getDatabase(connections.database()).getCollection(copy.name());
            this.copy = copy;
            this.variant = variant;
            this.timeout = connections.searchTimeout();
        }

        @Override
        public SearchSession openSession() {
            return new MongodbSession(client, events, variant, timeout, copy.watchers());
        }

        @Override
        public EventSink openSink() {
            return new MongodbSink(variant.layout(), DocumentLayout.writable(events), timeout);
        }

        @Override
        public Optional<Counters> openCounters() {
            return Optional.of(new MongodbCounters(client, Optional.of(events), timeout));
        }

        @Override
        public Optional<ServerClock> openClock() {
            return Optional.of(new MongodbClock(client.getDatabase("admin"), timeout));
        }

        @Override
        public RunCopy copy() {
            return copy;
        }

        /** An id is the primary key, so that none can be stored twice. */
        @Override
        public Presence presenceOf(Collection<String> ids) {
            List<String> stored = ids.stream().map(WholeText::of).toList();
            BsonTemplate presence = variant.layout().template("presence");
            return MongodbErrors.trying("look for events in " + copy.tables().place(), () -> {
                long found = 0;
                for (List<String> some : Portions.ofIds(stored, IDS_AT_ONCE)) {
                    found += events.countDocuments(presence.document(Map.of("ids", some)));
                }
                return new Presence(found, 0);
            });
        }

        @Override
        public SortedMap<String, Long> relationBytes() {
            return MongodbErrors.trying("read the size of " + copy.tables().place(), () -> {
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
            for (MongoClient each : List.of(outside, client)) {
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
            client.close();
            copy.close();
        }

        /**
         * Inserts batches with the server's own write concern. A batch is no transaction, which a server of its own does not
         * offer: one that failed may be stored in part, and is completed when it is written again.
         */
        private static final class MongodbSink implements EventSink {
            private final DocumentLayout layout;
            private final MongoCollection<Document> events;
            private final Duration timeout;
            private final IdeaWriter writer = new IdeaWriter();

            MongodbSink(DocumentLayout layout, MongoCollection<Document> events, Duration timeout) {
                this.layout = layout;
                this.events = events;
                this.timeout = timeout;
            }

            @Override
            public long write(List<SecurityEvent> batch) {
                EventDocuments documents = EventDocuments.of(batch, layout, writer);
                return MongodbErrors.answering(timeout, () -> {
                    try {
                        documents.insert(events);
                    } catch (MongoBulkWriteException e) {
                        if (!areAllStored(e)) {
                            throw e;
                        }
                    }
                    return documents.bytes();
                });
            }

            @Override
            public void close() {}

            /** Whether nothing went wrong but that some events were there already. */
            private static boolean areAllStored(MongoBulkWriteException e) {
                return e.getWriteConcernError() == null
                        && e.getWriteErrors().stream()
                                .allMatch(error -> error.getCode() == MongodbErrors.DUPLICATE_KEY);
            }
        }

        /**
         * The clock of the server, or of the router, that answers: {@code localTime} of {@code hello}, which shows milliseconds.
         *
         * @param admin the administrator's database; its client is closed by whoever opened it
         */
        private record MongodbClock(MongoDatabase admin, Duration timeout) implements ServerClock {
            private static final Duration RESOLUTION = Duration.ofMillis(1);

            @Override
            public Instant now() {
                return MongodbErrors.answering(
                        timeout,
                        () -> admin.runCommand(new Document("hello", 1))
                                .getDate("localTime")
                                .toInstant());
            }

            @Override
            public Duration resolution() {
                return RESOLUTION;
            }

            @Override
            public void close() {}
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
                documents.add(layout.document(event, idea));
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
