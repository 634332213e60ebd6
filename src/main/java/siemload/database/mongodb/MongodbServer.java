package siemload.database.mongodb;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static siemload.database.mongodb.MongodbServer.MongodbErrors.ERRORS;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.ConnectionString;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.connection.SslSettings;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.Document;
import org.bson.conversions.Bson;
import siemload.config.RegularFile;
import siemload.database.Counters;
import siemload.database.Pause;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.Target.ServerUse.Client;
import siemload.database.TargetException;
import siemload.database.layout.JsonSearches.Stored;
import siemload.database.mongodb.MongodbSearches.BsonNotation;
import siemload.database.server.NamedServer;
import siemload.database.server.NamedServer.JsonCounters.Question;
import siemload.database.server.Portions;
import siemload.database.server.Registry;
import siemload.database.server.ServerErrors;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** A MongoDB server, with a client for everything outside of runs. Its database holds only siemload's collections. */
final class MongodbServer extends NamedServer<MongoException> {
    private static final int OLDEST_VERSION = 6;
    private static final int CONNECT_SECONDS = 10;
    /** Connections in addition to those of sessions: to maintain the run's copy, and to cancel searches. */
    private static final int OWN_CONNECTIONS = 3;

    private static final Duration LONGEST_INSERT = Duration.ofSeconds(30);
    private static final int PAUSE_MILLIS = 20;

    private static final Pattern SECRET = Pattern.compile("password|secret", Pattern.CASE_INSENSITIVE);
    /** The operations that count as use of the server; other operations come from drivers, which monitor it all the time. */
    private static final List<String> OPERATIONS = List.of("insert", "query", "update", "delete", "getmore");

    private static final String LATENCY_STATS = "$collStats latencyStats (role readWrite)";
    private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);

    private final ConnectionString url;
    private final MongodbSearches searches;
    private final MongoClient client;
    private final MongoDatabase administration;
    private final MongoDatabase database;
    private final String version;

    /**
     * Connects.
     *
     * @throws TargetException if the server cannot be reached or is too old, or if its database has collections of others
     */
    MongodbServer(ServerAddress address, TargetOptions options) {
        super(ERRORS, "collection", options);
        this.url = url(address);
        this.searches = new MongodbSearches(options.variant());
        this.client = MongoClients.create(clientSettings()
                .timeout(TargetOptions.MAINTENANCE_TIMEOUT.toMillis(), MILLISECONDS)
                .build());
        this.administration = client.getDatabase("admin");
        this.database = of(client);
        try {
            this.version = ERRORS.attempt(
                    "connect to " + place(),
                    () -> database.runCommand(new Document("buildInfo", 1)).getString("version"));
            if (Integer.parseInt(version.split("\\.", 2)[0]) < OLDEST_VERSION) {
                throw new TargetException(place() + " is version " + version + "; version 6.0 or newer is needed");
            }
            requireOwn();
        } catch (TargetException refused) {
            client.close();
            throw refused;
        }
    }

    /** Puts the user into the url, so that the driver decides which database authenticates the user. */
    private static ConnectionString url(ServerAddress address) {
        String login =
                address.user().isEmpty() ? "" : encoded(address.user()) + ":" + encoded(address.password()) + "@";
        try {
            return new ConnectionString(
                    login.isEmpty() ? address.url() : address.url().replaceFirst("//(?:[^/@]*@)?", "//" + login));
        } catch (IllegalArgumentException e) {
            // The driver's exception is not passed on as the cause, since it may show the password.
            throw new TargetException("the url is not a MongoDB url ("
                    + Objects.requireNonNullElse(e.getMessage(), "unreadable").replace(login, "")
                    + "); write mongodb://host:port, or mongodb://host:port/database");
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private MongoClientSettings.Builder clientSettings() {
        return MongoClientSettings.builder()
                .applicationName("siemload")
                // A failed read must be counted, not hidden by a retry.
                .retryReads(false)
                .retryWrites(false)
                .applyToSocketSettings(socket -> socket.connectTimeout(CONNECT_SECONDS, SECONDS))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(CONNECT_SECONDS, SECONDS))
                // Options in the URL take precedence.
                .applyConnectionString(url);
    }

    /** Opens a client for a run, with a connection for each session; an answer that takes too long breaks its connection. */
    private MongoClient openTimed() {
        int sessions = options().sessions();
        return MongoClients.create(clientSettings()
                .applyToSocketSettings(
                        socket -> socket.readTimeout(options().longestSilence().toMillis(), MILLISECONDS))
                .applyToConnectionPoolSettings(pool -> pool.minSize(sessions).maxSize(sessions + OWN_CONNECTIONS))
                .build());
    }

    /** The database that the URL names, or a default one. */
    private MongoDatabase of(MongoClient any) {
        return any.getDatabase(Objects.requireNonNullElse(url.getDatabase(), "siemload"));
    }

    /** Hosts and database for messages; never the user's secrets. */
    private String where() {
        return String.join(",", url.getHosts()) + "/" + database.getName();
    }

    /** Returns the answer to a command without options. */
    private static JsonNode told(MongoDatabase asked, String command) {
        return BsonNotation.json(asked.runCommand(new Document(command, 1)));
    }

    private void requireOwn() {
        List<String> others = ERRORS.attempt("list the collections of " + where(), this::collections).stream()
                .filter(name -> !name.startsWith(OURS) && !name.startsWith("system."))
                .sorted()
                .toList();
        if (!others.isEmpty()) {
            throw new TargetException("the database " + database.getName()
                    + " holds collections that are not siemload's (" + ServerUse.first(others, 3)
                    + "), and siemload does not mix its collections with others; name another database, which need not"
                    + " exist yet, in the url: mongodb://host:port/siemload");
        }
    }

    @Override
    public String version() {
        return version;
    }

    /**
     * The driver always verifies the certificate, and does not report protocol and cipher. If the url has an IP address instead of a name,
     * the driver verifies the name from a reverse DNS lookup, so that the DNS server decides which server is accepted.
     */
    @Override
    public Transport transport() {
        SslSettings ssl = clientSettings().build().getSslSettings();
        if (!ssl.isEnabled()) {
            return Transport.PLAIN;
        }
        boolean isNamed = client.getClusterDescription().getServerDescriptions().stream()
                .map(server -> server.getAddress().getHost())
                .noneMatch(host -> host.contains(":") || host.matches("[\\d.]+"));
        return new Transport(
                isNamed && !ssl.isInvalidHostNameAllowed()
                        ? Transport.Security.HOST_NAME
                        : Transport.Security.CERTIFICATE);
    }

    @Override
    protected String place() {
        return "MongoDB at " + where();
    }

    /** The options with which the server was started, if the user may see them. */
    @Override
    public SortedMap<String, String> settings() {
        return ERRORS.attempt(
                "read the settings of " + place(),
                () -> ERRORS.unless(
                        e -> e.getCode() == MongodbErrors.UNAUTHORIZED,
                        () -> settings(told(administration, "getCmdLineOpts")),
                        unseen ->
                                new TreeMap<>(Map.of("settings", "unknown: the user lacks the role clusterMonitor"))));
    }

    /** The settings in an answer of {@code getCmdLineOpts}, by dotted names, without any that could be a secret. */
    static SortedMap<String, String> settings(JsonNode started) {
        SortedMap<String, String> settings = new TreeMap<>();
        JsonCounters.eachValue("", started.path("parsed"), (name, value) -> {
            if (!SECRET.matcher(name).find()) {
                settings.put(name, value.isTextual() ? value.asText() : value.toString());
            }
        });
        return settings;
    }

    @Override
    public Optional<ServerUse> use() {
        String monitor = "the role clusterMonitor";
        return use(makes(" in the database " + database.getName()), List.of(monitor, monitor, "the role readWrite"));
    }

    /** The sizes in an answer of $collStats, under the name events for every collection, since each copy has another name. */
    static SortedMap<String, Long> sizes(JsonNode answer) {
        SortedMap<String, Long> sizes = new TreeMap<>();
        JsonNode size = answer.at("/storageStats/storageSize");
        if (size.isNumber()) {
            sizes.put("events", size.asLong());
        }
        answer.at("/storageStats/indexSizes").forEachEntry((index, bytes) -> sizes.put(index, bytes.asLong()));
        return sizes;
    }

    /** Counts from $collStats and serverStatus; $collStats gives only the time, since it counts every further batch as an operation. */
    static Counters counters(Duration timeout, List<Question> questions) {
        String table = RegularFile.resource(MongodbServer.class, "counters.txt");
        return new JsonCounters<>(ERRORS, e -> e instanceof MongoCommandException, timeout, questions, table);
    }

    @Override
    protected List<Client> clients() {
        return administration
                .aggregate(BsonNotation.command("other-operations", Map.of()))
                .map(program -> new Client(
                        program.get("_id") + " (" + BsonNotation.number(program, "sessions") + " connections)",
                        BsonNotation.number(program, "working"),
                        ""))
                .into(new ArrayList<>());
    }

    @Override
    protected long operations() {
        JsonNode counted = told(administration, "serverStatus").path("opcounters");
        return OPERATIONS.stream()
                .mapToLong(kind -> counted.path(kind).asLong())
                .sum();
    }

    @Override
    protected OptionalLong free() {
        JsonNode told = told(database, "dbStats");
        JsonNode total = told.path("fsTotalSize");
        return total.isNumber()
                ? OptionalLong.of(total.asLong() - told.path("fsUsedSize").asLong())
                : OptionalLong.empty();
    }

    @Override
    protected Instant time() {
        // Claims also use this database object, and must not fail when searches have a short timeout.
        return database.withTimeout(options().searchTimeout().plusSeconds(10).toMillis(), MILLISECONDS)
                .runCommand(new Document("hello", 1))
                .getDate("localTime")
                .toInstant();
    }

    /** The user and the database that authenticates the user. */
    @Override
    protected String user() {
        JsonNode user = told(database, "connectionStatus").at("/authInfo/authenticatedUsers/0");
        return user.isMissingNode()
                ? ""
                : user.path("user").asText() + "@" + user.path("db").asText();
    }

    private MongoCollection<Document> stored() {
        return database.getCollection(REGISTRY);
    }

    @Override
    protected Map<String, Map<String, Object>> registered() {
        Map<String, Map<String, Object>> found = new LinkedHashMap<>();
        stored().find().forEach(document -> found.put(String.valueOf(document.get("_id")), document));
        return found;
    }

    @Override
    protected boolean register(String name, Map<String, Object> values) {
        Document entry = new Document("_id", name);
        entry.putAll(values);
        return ERRORS.unless(
                e -> e.getCode() == MongodbErrors.DUPLICATE_KEY,
                () -> stored().insertOne(entry).wasAcknowledged(),
                taken -> false);
    }

    @Override
    protected boolean change(String name, long beat, Optional<Map<String, Object>> values) {
        Bson unchanged = Filters.and(Filters.eq(name), Filters.eq("beat", beat));
        return values.isEmpty()
                ? stored().deleteOne(unchanged).getDeletedCount() == 1
                : stored().updateOne(unchanged, new Document("$set", new Document(values.orElseThrow())))
                                .getMatchedCount()
                        == 1;
    }

    private List<String> collections() {
        return database.listCollectionNames().into(new ArrayList<>());
    }

    @Override
    protected Optional<String> identity(String name) {
        return Optional.ofNullable(database.listCollections()
                        .filter(Filters.eq("name", name))
                        .first())
                .map(found -> BsonNotation.json(found).at("/info/uuid"))
                .filter(uuid -> !uuid.isMissingNode())
                .map(JsonNode::toString);
    }

    @Override
    protected boolean isBeingMade(String name) {
        return isAtWork("being-made", Map.of("collection", name));
    }

    /** Waits for the last insert of this process, since an insert would create a dropped collection again. */
    @Override
    protected boolean isBeingWritten(String name, Registry.Sessions sessions) {
        Duration patience = sessions == Registry.Sessions.END ? LONGEST_INSERT : Duration.ZERO;
        Map<String, String> inserted = Map.of("namespace", database.getName() + "." + name);
        long start = System.nanoTime();
        while (isAtWork("being-written", inserted)) {
            if (System.nanoTime() - start >= patience.toNanos()) {
                return true;
            }
            Pause.millis(PAUSE_MILLIS, "waiting for the last insert into " + name);
        }
        return false;
    }

    private boolean isAtWork(String operations, Map<String, String> values) {
        return ERRORS.unless(
                any -> true,
                () -> administration
                                .aggregate(BsonNotation.command(operations, values))
                                .first()
                        != null,
                any -> false);
    }

    @Override
    protected void drop(String name) {
        database.getCollection(name).drop();
    }

    @Override
    protected Documents tables(String name) {
        return new Events(name, client);
    }

    @Override
    protected Documents searched(String name) {
        return new Events(name, openTimed());
    }

    @Override
    protected void disconnect() {
        client.close();
    }

    /**
     * A collection of events, accessed through one client. The server keeps no statistics on the distribution of values: it tries plans
     * instead. Checkpoints happen once a minute by themselves; only administrators may request a checkpoint.
     */
    private final class Events extends Documents {
        private final MongoClient own;
        private final MongoCollection<Document> events;

        Events(String name, MongoClient own) {
            super(name);
            this.own = own;
            this.events = of(own).getCollection(name);
        }

        @Override
        protected void make() {
            of(own).createCollection(name());
        }

        /** Copies the documents through this process if the server cannot copy them itself. */
        @Override
        protected void copy(String kept) {
            MongoCollection<Document> all = of(own).getCollection(kept);
            try {
                all.aggregate(BsonNotation.command("copy", Map.of("copy", name())))
                        .toCollection();
            } catch (MongoCommandException e) {
                if (e.getCode() != MongodbErrors.NOT_IMPLEMENTED) {
                    throw e;
                }
                make();
                List<Document> portion = new ArrayList<>();
                try (MongoCursor<Document> left =
                        all.find().batchSize(Portions.ROWS).cursor()) {
                    while (left.hasNext()) {
                        portion.add(left.next());
                        if (portion.size() == Portions.ROWS || !left.hasNext()) {
                            events.insertMany(portion);
                            portion.clear();
                        }
                    }
                }
            }
        }

        @Override
        protected long count() {
            return events.countDocuments();
        }

        /**
         * Writes with the server's own write concern. A batch is not a transaction, since a standalone server has none: a failed batch may
         * be stored in part, and writing it again completes it.
         */
        @Override
        protected long write(List<SecurityEvent> batch, IdeaWriter writer, Writing writing) {
            List<Stored> documents = new ArrayList<>(batch.size());
            long bytes = 0;
            for (SecurityEvent event : batch) {
                byte[] idea = writer.toBytes(event);
                bytes += idea.length;
                documents.add(new Stored(event, idea));
            }
            try {
                if (!documents.isEmpty()) {
                    searches.writable(events).insertMany(documents, UNORDERED);
                }
            } catch (MongoBulkWriteException e) {
                boolean areAllStored = e.getWriteConcernError() == null
                        && e.getWriteErrors().stream()
                                .allMatch(error -> error.getCode() == MongodbErrors.DUPLICATE_KEY);
                if (writing == Writing.LOAD || !areAllStored) {
                    throw e;
                }
            }
            return bytes;
        }

        @Override
        public List<BuildStep> indexes() {
            return searches.indexes().stream()
                    .map(index -> new BuildStep("index " + index.getString("name"), () -> build(List.of(index))))
                    .toList();
        }

        @Override
        public void completeCopy() {
            if (!searches.indexes().isEmpty()) {
                build(searches.indexes());
            }
        }

        private void build(List<Document> indexes) {
            Document command = new Document("createIndexes", name()).append("indexes", indexes);
            ERRORS.running("build the indexes of " + place(), () -> of(own).runCommand(command));
        }

        /** The index of the ids stays, since every collection must have it. */
        @Override
        public void dropIndexes() {
            ERRORS.running("drop the indexes of " + place(), events::dropIndexes);
        }

        @Override
        protected long delete() {
            return events.deleteMany(Filters.empty()).getDeletedCount();
        }

        @Override
        protected SearchSession session(ScheduledExecutorService watchers) {
            return searches.new MongodbSession(own, events, options().searchTimeout(), watchers);
        }

        @Override
        protected Counters counters() {
            Document status = new Document("serverStatus", 1);
            List.of("repl", "locks", "transportSecurity", "mirroredReads")
                    .forEach(section -> status.append(section, 0));
            return MongodbServer.counters(
                    options().searchTimeout(),
                    List.of(
                            new Question(LATENCY_STATS, () -> statistics("counters-latency")),
                            new Question(
                                    "serverStatus (role clusterMonitor)",
                                    () -> BsonNotation.json(
                                            own.getDatabase("admin").runCommand(status)))));
        }

        /** The server's answer about the collection to one of siemload's commands. */
        private JsonNode statistics(String command) {
            Document told =
                    events.aggregate(BsonNotation.command(command, Map.of())).first();
            return BsonNotation.json(Objects.requireNonNullElseGet(told, Document::new));
        }

        @Override
        protected long found(List<String> ids) {
            return events.countDocuments((Document) searches.block("presence").object(Map.of("ids", ids)));
        }

        @Override
        protected SortedMap<String, Long> bytes() {
            return sizes(statistics("counters-collection"));
        }

        @Override
        protected void disconnect() {
            own.close();
        }
    }

    /** The meaning of errors of server and driver for a run. */
    static final class MongodbErrors extends ServerErrors<MongoException> {
        static final int UNAUTHORIZED = 13;
        /** The code for features that servers with MongoDB's protocol may lack. */
        static final int NOT_IMPLEMENTED = 238;

        static final int DUPLICATE_KEY = 11_000;
        static final int INTERRUPTED = 11_601;

        /** Finds the driver's last error in its long description of a server that it cannot reach. */
        private static final Pattern CAUSE = Pattern.compile("(?s).*(?:exception=|caused by )\\{[\\w.$]+: ([^{}]+)}.*");

        static final MongodbErrors ERRORS = new MongodbErrors();

        private MongodbErrors() {
            super(MongoException.class, RegularFile.resource(MongodbErrors.class, "errors.txt"));
        }

        @Override
        protected String known(MongoException e) {
            if (e instanceof MongoExecutionTimeoutException) {
                return "timeout";
            }
            boolean lost = e instanceof MongoSocketException
                    || e instanceof MongoTimeoutException
                    || e instanceof MongoNotPrimaryException
                    || e instanceof MongoNodeIsRecoveringException;
            return lost ? "lost" : e instanceof MongoSecurityException ? "login" : Integer.toString(number(e));
        }

        /** Returns only the server's message: the driver's message repeats the whole answer, with the value of a duplicate key. */
        @Override
        protected String message(MongoException e) {
            if (number(e) == DUPLICATE_KEY) {
                return "duplicate key";
            }
            String words = firstError(e)
                    .map(BulkWriteError::getMessage)
                    .orElseGet(() -> Objects.requireNonNullElse(
                            e instanceof MongoCommandException command ? command.getErrorMessage() : e.getMessage(),
                            ""));
            if (words.isEmpty()) {
                return e.getClass().getSimpleName();
            }
            Matcher cause = CAUSE.matcher(words);
            return e instanceof MongoTimeoutException && cause.matches() ? cause.group(1) : words;
        }

        @Override
        protected String code(MongoException e) {
            return number(e) > 0 ? Integer.toString(number(e)) : "";
        }

        @Override
        protected String wholeMessage(MongoException e) {
            return message(e) + (number(e) > 0 ? " (code " + number(e) + ")" : "");
        }

        private static int number(MongoException e) {
            return firstError(e).map(BulkWriteError::getCode).orElseGet(e::getCode);
        }

        private static Optional<BulkWriteError> firstError(MongoException e) {
            return e instanceof MongoBulkWriteException bulk
                    ? bulk.getWriteErrors().stream().findFirst()
                    : Optional.empty();
        }
    }
}
