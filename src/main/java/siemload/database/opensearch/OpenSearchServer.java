package siemload.database.opensearch;

import static siemload.database.opensearch.OpenSearchErrors.ERRORS;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import siemload.database.ServerAddress;
import siemload.database.ServerUse;
import siemload.database.ServerUse.Client;
import siemload.database.Store;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.opensearch.OpenSearchClient.OpenSearchException;
import siemload.database.server.NamedServer;

/**
 * An OpenSearch cluster, by one of its nodes: one on which siemload makes indexes, or one whose indexes are searched as they are. It has no
 * sessions that only read: to the latter nothing is sent but searches and what tells statistics, whatever the user may do.
 */
final class OpenSearchServer extends NamedServer<OpenSearchException> {
    private static final Pattern SECRET = Pattern.compile("password|secret|token|key", Pattern.CASE_INSENSITIVE);
    private static final Pattern VERSION =
            Pattern.compile("(?:2\\.(?:19|[2-9]\\d)|(?:[3-9]|\\d{2,4})\\.\\d{1,4})\\..*");
    private static final String TASKS =
            "/_tasks?detailed=true&group_by=none&actions=indices:data/read/*,indices:data/write/*";
    private static final String OPERATIONS = "/_stats/search,indexing?level=indices"
            + "&filter_path=indices.*.primaries.search.query_total,indices.*.primaries.indexing.index_total";
    private static final String FILES =
            "/_nodes/stats/fs?filter_path=nodes.*.fs.data.path,nodes.*.fs.total.available_in_bytes";
    private static final Pattern INDEXES = Pattern.compile("ind(?:ices|ex)?\\[([^\\]]{1,100})");
    private static final String MONITOR = " (the cluster permission cluster_monitor)";
    private static final String TIME = "/_nodes/_local/stats/os?filter_path=nodes.*.timestamp";

    /** How much longer than the search timeout a silent network is waited for, and a server that gives a search up. */
    private static final Duration SILENCE = Duration.ofSeconds(5);
    /** As many entries as one answer may have. */
    private static final int MOST = 10_000;
    /** Nothing in the registry is looked for but by its id; a cluster of several nodes keeps it twice. */
    private static final Map<String, Object> REGISTRY_INDEX = Map.of(
            "settings",
            Map.of("index.number_of_shards", 1, "index.auto_expand_replicas", "0-1"),
            "mappings",
            Map.of("dynamic", false));

    private final OpenSearchClient client;
    private final IndexSearches searches;
    /** Whether the indexes were there before, and are only searched. */
    private final boolean existing;

    private final String version;

    /**
     * Connects.
     *
     * @param existing whether indexes are only searched that are there already
     * @throws TargetException if it cannot be reached, refuses the user, is something else or too old, or existing indexes were to be changed
     */
    OpenSearchServer(ServerAddress address, TargetOptions options, boolean existing) {
        super(ERRORS, "an ", "index", options);
        if (existing && !options.parameters().isEmpty()) {
            throw new TargetException(
                    "parameters of OpenSearch are settings of an index that siemload makes, and nothing is"
                            + " changed on those that are there already (leave -Dparameters out)");
        }
        this.client = new OpenSearchClient(address, options.maintenanceTimeout());
        this.searches = new IndexSearches(
                IndexLayout.of(options.variant()), options.variant().indexes());
        this.existing = existing;
        JsonNode told = get("connect to " + place(), "/").path("version");
        this.version = told.path("number").asText("");
        if (!told.path("distribution").asText("").equals("opensearch")) {
            throw new TargetException("what answers at " + client.where() + " is not OpenSearch"
                    + (version.isEmpty() ? "" : ", but another server of version " + version));
        }
        if (!VERSION.matcher(version).matches()) {
            throw new TargetException(place() + " is version " + version + "; version 2.19 or newer is needed");
        }
    }

    private JsonNode get(String what, String path) {
        return ERRORS.trying(what, () -> client.ask("GET", path));
    }

    IndexSearches searches() {
        return searches;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    protected String place() {
        return "OpenSearch at " + client.where();
    }

    @Override
    public Transport transport() {
        return client.transport();
    }

    /** The server tells a user's roles, and not what they allow. */
    @Override
    public List<String> rights() {
        Optional<JsonNode> user = ERRORS.trying("see the rights of the user", client::user);
        return List.of(user.map(told -> "the user " + told.path("user_name").asText("") + " has the roles "
                        + told.path("roles")
                                .valueStream()
                                .map(JsonNode::asText)
                                .sorted()
                                .collect(Collectors.joining(", "))
                        + "; the server does not say whether they allow more than to read")
                .orElse("the server asks nobody who they are, so that whoever reaches it may do anything"));
    }

    @Override
    public String kept() {
        return "a search, which cannot write";
    }

    @Override
    public Store openEvents() {
        return searches.layout().isForSearchesAlone()
                ? openExisting(searches.layout().searched())
                : super.openEvents();
    }

    /** Of the index that is searched, of the cluster where they are not the default ones, and of Java on its nodes. */
    @Override
    public SortedMap<String, String> settings() {
        SortedMap<String, String> settings = new TreeMap<>();
        searches.layout()
                .settings(options().variant().indexes())
                .forEach((name, value) -> settings.put(name, String.valueOf(value)));
        settings.putAll(options().parameters());
        JsonNode cluster = get("read the settings of " + place(), "/_cluster/settings?flat_settings=true");
        for (String kind : List.of("persistent", "transient")) {
            cluster.path(kind).forEachEntry((name, value) -> {
                if (!SECRET.matcher(name).find()) {
                    settings.put("cluster." + name, value.asText());
                }
            });
        }
        JsonNode nodes = get("read the settings of " + place(), "/_nodes/jvm").path("nodes");
        settings.put("nodes", Integer.toString(nodes.size()));
        JsonNode jvm = nodes.findPath("jvm");
        if (!jvm.isMissingNode()) {
            settings.put("jvm.version", jvm.path("version").asText());
            settings.put(
                    "jvm.heap_max_in_bytes", jvm.at("/mem/heap_max_in_bytes").asText());
            settings.put("jvm.gc_collectors", jvm.path("gc_collectors").toString());
        }
        return settings;
    }

    /** By the tasks of others, since the server does not tell who is connected. */
    @Override
    public Optional<ServerUse> use() {
        String directory = get("see where the server keeps its data", FILES)
                .findPath("path")
                .asText("");
        return Optional.of(ServerUse.of(
                existing ? List.of() : makes(""),
                directory,
                question("see what others do", this::clients, List.of(), "what others do" + MONITOR),
                question(
                        "count operations",
                        this::operations,
                        0L,
                        "how much others ask of it (the index permission indices_monitor on *)"),
                question(
                        "see how full the disk is",
                        this::free,
                        OptionalLong.empty(),
                        "how much room there is" + MONITOR)));
    }

    /** What is at work on indexes of others, by these indexes; parts of it on shards are not counted again. */
    private List<Client> clients() {
        return client
                .ask("GET", TASKS)
                .path("tasks")
                .valueStream()
                .filter(task -> !task.has("parent_task_id"))
                .map(task -> task.path("description").asText(""))
                .filter(description -> !description.contains(OURS))
                .collect(Collectors.groupingBy(OpenSearchServer::indexes, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(one -> new Client(one.getKey() + " (" + one.getValue() + " requests)", one.getValue()))
                .toList();
    }

    private static String indexes(String description) {
        Matcher named = INDEXES.matcher(description);
        return named.find() ? "somebody on " + named.group(1) : "somebody";
    }

    private long operations() {
        return client.ask("GET", OPERATIONS)
                .path("indices")
                .propertyStream()
                .filter(index ->
                        !index.getKey().startsWith(OURS) && !index.getKey().startsWith("."))
                .map(index -> index.getValue().path("primaries"))
                .mapToLong(counted -> counted.at("/search/query_total").asLong()
                        + counted.at("/indexing/index_total").asLong())
                .sum();
    }

    private OptionalLong free() {
        return client.ask("GET", FILES).findValues("available_in_bytes").stream()
                .mapToLong(JsonNode::asLong)
                .reduce(Long::sum);
    }

    @Override
    protected Instant time() {
        return time(client);
    }

    /** The time of the node that answers, which shows milliseconds. */
    static Instant time(OpenSearchClient client) {
        JsonNode told = client.ask("GET", TIME).findPath("timestamp");
        if (!told.isNumber()) {
            throw OpenSearchException.incomplete("the node does not tell its time");
        }
        return Instant.ofEpochMilli(told.asLong());
    }

    @Override
    protected String user() {
        return client.user().map(user -> user.path("user_name").asText("")).orElse("");
    }

    /** What was written is found from the next refresh on. */
    @Override
    protected Map<String, Map<String, Object>> registered() {
        Map<String, Object> all = Map.of("size", MOST, "query", Map.of("match_all", Map.of()));
        Map<String, Map<String, Object>> found = new LinkedHashMap<>();
        client.ask("POST", "/" + REGISTRY + "/_refresh?ignore_unavailable=true");
        client.ask("POST", "/" + REGISTRY + "/_search?ignore_unavailable=true", all)
                .at("/hits/hits")
                .forEach(hit -> found.put(hit.path("_id").asText(), OpenSearchClient.values(hit.path("_source"))));
        return found;
    }

    @Override
    protected boolean register(String name, Map<String, Object> values) {
        boolean unused = ERRORS.unless(
                e -> e.type().equals("resource_already_exists_exception"),
                () -> client.ask("PUT", "/" + REGISTRY, REGISTRY_INDEX).isObject(),
                there -> false);
        return isMade(() -> client.ask("PUT", entry("_create", name), values));
    }

    /** Only where the document is still the one that was read, by its sequence number. */
    @Override
    protected boolean change(String name, long beat, Optional<Map<String, Object>> values) {
        String path = entry("_doc", name);
        Optional<JsonNode> found = OpenSearchClient.ifThere(() -> client.ask("GET", path))
                .filter(read -> read.at("/_source/beat").asLong(-1) == beat);
        if (found.isEmpty()) {
            return false;
        }
        String read = path + "?if_seq_no=" + found.orElseThrow().path("_seq_no").asLong() + "&if_primary_term="
                + found.orElseThrow().path("_primary_term").asLong();
        return isMade(() ->
                values.map(changed -> client.ask("PUT", read, changed)).orElseGet(() -> client.ask("DELETE", read)));
    }

    /** Not where somebody else was faster. */
    private static boolean isMade(Supplier<JsonNode> change) {
        return ERRORS.unless(
                e -> e.status() == OpenSearchErrors.CONFLICT || e.status() == OpenSearchErrors.NOT_FOUND,
                () -> !change.get().isMissingNode(),
                tooLate -> false);
    }

    private static String entry(String operation, String name) {
        return "/" + REGISTRY + "/" + operation + "/" + OpenSearchClient.encoded(name);
    }

    @Override
    protected Optional<String> identity(String name) {
        return OpenSearchClient.ifThere(
                        () -> client.ask("GET", "/" + name + "/_settings/index.uuid?flat_settings=true"))
                .map(found -> found.findPath("index.uuid").asText(""));
    }

    @Override
    protected boolean isBeingMade(String name) {
        return client.ask("GET", "/_cluster/pending_tasks")
                .path("tasks")
                .valueStream()
                .anyMatch(task -> task.path("source").asText().contains(name));
    }

    /** Nobody makes an index anew by writing: {@link OpenSearchIndex#alias} goes with it. */
    @Override
    protected void drop(String name) {
        var unused = OpenSearchClient.ifThere(() -> client.ask("DELETE", "/" + name));
    }

    @Override
    protected OpenSearchIndex tables(String name) {
        return new OpenSearchIndex(this, name, client);
    }

    @Override
    protected OpenSearchIndex searched(String name) {
        return new OpenSearchIndex(
                this, name, client.with(options().searchTimeout().plus(SILENCE)));
    }

    @Override
    protected void disconnect() {}
}
