package siemload.database.mongodb;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static siemload.database.mongodb.MongodbErrors.ERRORS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
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
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.bson.Document;
import org.bson.conversions.Bson;
import siemload.database.FirstNames;
import siemload.database.Pause;
import siemload.database.ServerAddress;
import siemload.database.ServerUse;
import siemload.database.ServerUse.Client;
import siemload.database.Store;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.mongodb.DocumentLayout.BsonTemplate;
import siemload.database.registry.Registry;
import siemload.database.server.JsonCounters;
import siemload.database.server.NamedServer;

/**
 * A MongoDB server, with a client for what happens outside runs. Its database holds nothing but siemload's collections, or is one that
 * was there before and is only searched: then users who may write are refused, since no session can be kept from it.
 */
final class MongodbServer extends NamedServer<MongoException> {
    private static final int OLDEST_VERSION = 6;
    private static final String DEFAULT_DATABASE = "siemload";
    private static final String OF_THE_SERVER = "system.";
    private static final int SHOWN = 3;
    private static final int CONNECT_SECONDS = 10;
    /** How much longer than the search timeout a silent network is waited for. */
    private static final Duration SILENCE = Duration.ofSeconds(5);
    /** Beside the sessions: a run's own looking after its copy, and a request to stop a search. */
    private static final int OWN_CONNECTIONS = 3;

    private static final Duration LONGEST_INSERT = Duration.ofSeconds(30);
    private static final int PAUSE_MILLIS = 20;

    private static final Pattern SECRET = Pattern.compile("password|secret", Pattern.CASE_INSENSITIVE);
    /** Beside them, drivers ask for news of the server all the time. */
    private static final List<String> COUNTED = List.of("insert", "query", "update", "delete", "getmore");

    /** Of the manual's privilege actions those that change something which outlives the connection. */
    private static final Set<String> WRITING = Set.of("""
            anyAction insert update remove bypassDocumentValidation applyOps bypassWriteBlockingMode collMod
            convertToCapped createCollection createIndex createSearchIndexes dropCollection dropDatabase dropIndex
            dropSearchIndex enableProfiler renameCollectionSameDB changeCustomData changePassword createRole
            createUser dropRole dropUser grantRole revokeRole killop killAnyCursor killAnySession fsync setParameter
            setUserWriteBlockMode shutdown replSetReconfig replSetStateChange internal""".split("\\s+"));

    private static final BsonTemplate OPERATIONS = BsonTemplate.command("other-operations");
    private static final BsonTemplate BEING_MADE = BsonTemplate.command("being-made");
    private static final BsonTemplate BEING_WRITTEN = BsonTemplate.command("being-written");
    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .build();

    private final ConnectionString url;
    private final DocumentSearches searches;
    private final MongoClient client;
    private final MongoDatabase administration;
    private final MongoDatabase database;
    private final String version;
    /** What the user may do in a database that is only searched; missing in one of siemload's own. */
    private final JsonNode rights;

    /**
     * Connects.
     *
     * @param existing whether the database that the url names is only searched, as it is
     * @throws TargetException if it cannot be had, is too old, collections of others lie in a database that is to be siemload's own, or the
     *     user may write into another one
     */
    MongodbServer(ServerAddress address, TargetOptions options, boolean existing) {
        super(ERRORS, "a ", "collection", options);
        this.url = url(address);
        if (existing && url.getDatabase() == null) {
            throw new TargetException("the url does not say which database is asked (write it behind the host:"
                    + " mongodb://host:port/database)");
        }
        this.searches = DocumentSearches.of(options.variant());
        this.client = MongoClients.create(clientSettings()
                .timeout(options.maintenanceTimeout().toMillis(), MILLISECONDS)
                .build());
        this.administration = client.getDatabase("admin");
        this.database = database(client);
        try {
            this.version = ERRORS.trying(
                    "connect to " + place(),
                    () -> database.runCommand(new Document("buildInfo", 1)).getString("version"));
            if (Integer.parseInt(version.split("\\.", 2)[0]) < OLDEST_VERSION) {
                throw new TargetException(place() + " is version " + version + "; version 6.0 or newer is needed");
            }
            this.rights = existing ? readerRights() : MissingNode.getInstance();
            if (!existing) {
                requireOwn();
            }
        } catch (TargetException refused) {
            client.close();
            throw refused;
        }
    }

    /** With the user in it: so the driver decides in its own way which database knows him. */
    private static ConnectionString url(ServerAddress address) {
        if (address.url().isEmpty()) {
            throw new TargetException("no MongoDB to connect to; give its url: -Durl=mongodb://host:port");
        }
        String login =
                address.user().isEmpty() ? "" : encoded(address.user()) + ":" + encoded(address.password()) + "@";
        try {
            return new ConnectionString(
                    login.isEmpty() ? address.url() : address.url().replaceFirst("//(?:[^/@]*@)?", "//" + login));
        } catch (IllegalArgumentException e) {
            // It is no cause, since it may show the password.
            throw new TargetException("the url is not one of MongoDB ("
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
                // A failure is counted, not hidden by a second try.
                .retryReads(false)
                .retryWrites(false)
                .applyToSocketSettings(socket -> socket.connectTimeout(CONNECT_SECONDS, SECONDS))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(CONNECT_SECONDS, SECONDS))
                // What the user says in the URL wins.
                .applyConnectionString(url);
    }

    /** Opens a client for a run, with a connection for each of its sessions; an answer that takes too long breaks its connection. */
    private MongoClient openTimed() {
        long longestSilence = options().searchTimeout().plus(SILENCE).toMillis();
        int sessions = options().sessions();
        return MongoClients.create(clientSettings()
                .applyToSocketSettings(socket -> socket.readTimeout(longestSilence, MILLISECONDS))
                .applyToConnectionPoolSettings(pool -> pool.minSize(sessions).maxSize(sessions + OWN_CONNECTIONS))
                .build());
    }

    /** The database that the URL names, or a default one. */
    MongoDatabase database(MongoClient any) {
        return any.getDatabase(Objects.requireNonNullElse(url.getDatabase(), DEFAULT_DATABASE));
    }

    DocumentSearches searches() {
        return searches;
    }

    /** Hosts and database for messages; never the user's secrets. */
    private String where() {
        return String.join(",", url.getHosts()) + "/" + database.getName();
    }

    /** What the server answers, as JSON; times are in milliseconds since 1970. */
    static JsonNode json(Map<String, ?> answer) {
        return JSON.valueToTree(answer);
    }

    private void requireOwn() {
        List<String> others = ERRORS.trying("list the collections of " + where(), this::collections).stream()
                .filter(name -> !name.startsWith(OURS) && !name.startsWith(OF_THE_SERVER))
                .sorted()
                .toList();
        if (!others.isEmpty()) {
            throw new TargetException("the database " + database.getName()
                    + " holds collections that are not siemload's (" + FirstNames.of(others, SHOWN)
                    + "), among which its own would lie; name another database, which need not exist yet,"
                    + " in the url: mongodb://host:port/siemload");
        }
    }

    private JsonNode readerRights() {
        JsonNode told = ERRORS.trying(
                        "see the rights of the user",
                        () -> json(administration.runCommand(
                                new Document("connectionStatus", 1).append("showPrivileges", true))))
                .path("authInfo");
        List<String> writing = writing(told);
        if (!writing.isEmpty()) {
            throw new TargetException("the user " + user(told) + " may do more on " + place() + " than read ("
                    + FirstNames.of(writing, SHOWN)
                    + "), and no session there can be kept from it; take a user that can only read, which an"
                    + " administrator makes by: db.createUser({user: 'siemload_reader', pwd: passwordPrompt(), roles:"
                    + " [{role: 'read', db: '" + database.getName() + "'}, {role: 'clusterMonitor', db: 'admin'}]})");
        }
        return told;
    }

    private static String user(JsonNode told) {
        return told.at("/authenticatedUsers/0/user").asText();
    }

    /** What a user may do that changes data or the server, each with where, sorted: by what {@code connectionStatus} tells of the login. */
    static List<String> writing(JsonNode told) {
        return told.path("authenticatedUserPrivileges")
                .valueStream()
                .flatMap(privilege -> privilege
                        .path("actions")
                        .valueStream()
                        .map(JsonNode::asText)
                        .filter(WRITING::contains)
                        .map(action -> action + where(privilege.path("resource"))))
                .distinct()
                .sorted()
                .toList();
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

    @Override
    public List<String> rights() {
        String end = "; siemload sends commands that are known to read, and no others";
        if (user(rights).isEmpty()) {
            return List.of("the server does not say who this is: without access control anybody may write there" + end);
        }
        return rights.has("authenticatedUserPrivileges")
                ? List.of()
                : List.of("the server does not tell what the user " + user(rights) + " may do" + end);
    }

    @Override
    public String kept() {
        return "an aggregation that writes nothing";
    }

    @Override
    public Store openEvents() {
        return openExisting(searches.layout().searched());
    }

    @Override
    public String version() {
        return version;
    }

    /**
     * The driver always verifies the certificate, and tells nothing of protocol and cipher. Where the url has an address instead of a name,
     * it looks up which name that address has, and verifies that one: whoever answers such questions decides which server is the right one.
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
                        : Transport.Security.CERTIFICATE,
                "",
                "");
    }

    @Override
    protected String place() {
        return "MongoDB at " + where();
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
        return Optional.of(ServerUse.of(
                rights.isMissingNode() ? makes(" in the database " + database.getName()) : List.of(),
                "",
                question("see what others do", this::clients, List.of(), "what others do (the role clusterMonitor)"),
                question(
                        "count operations",
                        this::operations,
                        0L,
                        "how much others ask of it (the role clusterMonitor)"),
                question(
                        "see how full the disk is",
                        this::freeBytes,
                        OptionalLong.empty(),
                        "how much room there is (the role readWrite)")));
    }

    private List<Client> clients() {
        return administration
                .aggregate(OPERATIONS.pipeline(Map.of()))
                .map(program -> new Client(
                        program.get("_id") + " (" + MongodbCounters.number(program, "sessions") + " connections)",
                        MongodbCounters.number(program, "working")))
                .into(new ArrayList<>());
    }

    private long operations() {
        JsonNode counted =
                json(administration.runCommand(new Document("serverStatus", 1))).path("opcounters");
        return COUNTED.stream().mapToLong(kind -> counted.path(kind).asLong()).sum();
    }

    private OptionalLong freeBytes() {
        JsonNode told = json(database.runCommand(new Document("dbStats", 1)));
        return told.has("fsTotalSize") && told.has("fsUsedSize")
                ? OptionalLong.of(told.path("fsTotalSize").asLong()
                        - told.path("fsUsedSize").asLong())
                : OptionalLong.empty();
    }

    @Override
    protected Instant time() {
        return time(database);
    }

    static Instant time(MongoDatabase database) {
        return database.runCommand(new Document("hello", 1))
                .getDate("localTime")
                .toInstant();
    }

    /** With the database that knows the user. */
    @Override
    protected String user() {
        JsonNode user =
                json(database.runCommand(new Document("connectionStatus", 1))).at("/authInfo/authenticatedUsers/0");
        return user.isMissingNode()
                ? ""
                : user.path("user").asText() + "@" + user.path("db").asText();
    }

    private MongoCollection<Document> entries() {
        return database.getCollection(REGISTRY);
    }

    @Override
    protected Map<String, Map<String, Object>> registered() {
        Map<String, Map<String, Object>> found = new LinkedHashMap<>();
        entries().find().forEach(document -> found.put(String.valueOf(document.get("_id")), document));
        return found;
    }

    @Override
    protected boolean register(String name, Map<String, Object> values) {
        Document entry = new Document("_id", name);
        entry.putAll(values);
        return ERRORS.unless(
                e -> e.getCode() == MongodbErrors.DUPLICATE_KEY,
                () -> entries().insertOne(entry).wasAcknowledged(),
                taken -> false);
    }

    @Override
    protected boolean change(String name, long beat, Optional<Map<String, Object>> values) {
        Bson unchanged = Filters.and(Filters.eq(name), Filters.eq("beat", beat));
        return values.isEmpty()
                ? entries().deleteOne(unchanged).getDeletedCount() == 1
                : entries()
                                .updateOne(unchanged, new Document("$set", new Document(values.orElseThrow())))
                                .getMatchedCount()
                        == 1;
    }

    /** Those of the database and its views. */
    private List<String> collections() {
        return database.listCollectionNames().into(new ArrayList<>());
    }

    @Override
    protected Optional<String> identity(String name) {
        return Optional.ofNullable(database.listCollections()
                        .filter(Filters.eq("name", name))
                        .first())
                .map(found -> json(found).at("/info/uuid"))
                .filter(uuid -> !uuid.isMissingNode())
                .map(JsonNode::toString);
    }

    @Override
    protected boolean isBeingMade(String name) {
        return isAtWork(BEING_MADE, Map.of("collection", name));
    }

    /** An insert would make the collection anew where it is dropped meanwhile; one of this process's own ends. */
    @Override
    protected boolean isBeingWritten(String name, Registry.Sessions sessions) {
        Duration patience = sessions == Registry.Sessions.END ? LONGEST_INSERT : Duration.ZERO;
        Map<String, String> inserted = Map.of("namespace", database.getName() + "." + name);
        long start = System.nanoTime();
        while (isAtWork(BEING_WRITTEN, inserted)) {
            if (System.nanoTime() - start >= patience.toNanos()) {
                return true;
            }
            Pause.millis(PAUSE_MILLIS, "waiting for the last insert into " + name);
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
        database.getCollection(name).drop();
    }

    @Override
    protected MongodbCollection tables(String name) {
        return new MongodbCollection(this, name, client);
    }

    @Override
    protected MongodbCollection searched(String name) {
        return new MongodbCollection(this, name, openTimed());
    }

    @Override
    protected void disconnect() {
        client.close();
    }
}
