package siemload.database.opensearch;

import static siemload.database.opensearch.OpenSearchErrors.ERRORS;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import siemload.database.Counters;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.ServerUse;
import siemload.database.Store;
import siemload.database.Store.EventSink;
import siemload.database.Target.ServerClock;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.layout.EventFields;
import siemload.database.opensearch.EventIndex.EventBatch;
import siemload.database.opensearch.OpenSearchClient.OpenSearchException;
import siemload.database.registry.Entry;
import siemload.database.registry.RegistryStorage;
import siemload.database.server.CopyStore;
import siemload.database.server.EventTables;
import siemload.database.server.NamedServer;
import siemload.database.server.Portions;
import siemload.database.server.RunCopy;
import siemload.database.server.ServerUseSurvey;
import siemload.database.server.ServerUseSurvey.Client;
import siemload.database.server.ServerUseSurvey.Question;
import siemload.event.IdeaWriter;

/** An OpenSearch cluster, by one of its nodes. */
final class OpenSearchServer extends NamedServer {
    private static final List<Integer> OLDEST_VERSION = List.of(2, 19);
    private static final Pattern SECRET = Pattern.compile("password|secret|token|key", Pattern.CASE_INSENSITIVE);
    private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\..*");
    private static final String TASKS =
            "/_tasks?detailed=true&group_by=none&actions=indices:data/read/*,indices:data/write/*";
    private static final String OPERATIONS = "/_stats/search,indexing?level=indices"
            + "&filter_path=indices.*.primaries.search.query_total,indices.*.primaries.indexing.index_total";
    private static final String FILES = "/_nodes/stats/fs?filter_path=nodes.*.fs";
    private static final Pattern INDEXES = Pattern.compile("ind(?:ices|ex)?\\[([^\\]]{1,100})");
    private static final String MONITOR = " (the cluster permission cluster_monitor)";
    private static final String TIME = "/_nodes/_local/stats/os?filter_path=nodes.*.timestamp";

    private final OpenSearchClient client;
    private final IndexSearches searches;
    private final String version;
    private final TargetOptions options;

    private OpenSearchServer(OpenSearchClient client, IndexSearches searches, String version, TargetOptions options) {
        super("an ", "index");
        this.client = client;
        this.searches = searches;
        this.version = version;
        this.options = options;
    }

    /** @throws TargetException if it cannot be reached, refuses the user, is something else, or too old */
    static OpenSearchServer connect(ServerAddress address, TargetOptions options) {
        OpenSearchClient client = new OpenSearchClient(address, options.maintenanceTimeout());
        IndexSearches searches = new IndexSearches(
                IndexLayout.of(options.variant()), options.variant().indexes());
        JsonNode version = ERRORS.trying("connect to OpenSearch at " + client.where(), () -> client.ask("GET", "/"))
                .path("version");
        String number = version.path("number").asText("");
        if (!version.path("distribution").asText("").equals("opensearch")) {
            throw new TargetException("what answers at " + client.where() + " is not OpenSearch"
                    + (number.isEmpty() ? "" : ", but another server of version " + number));
        }
        if (isTooOld(number)) {
            throw new TargetException(
                    "OpenSearch at " + client.where() + " is version " + number + "; version 2.19 or newer is needed");
        }
        return new OpenSearchServer(client, searches, number, options);
    }

    private static boolean isTooOld(String number) {
        var parts = VERSION.matcher(number);
        if (!parts.matches()) {
            return true;
        }
        int major = Integer.parseInt(parts.group(1));
        return major < OLDEST_VERSION.get(0)
                || (major == OLDEST_VERSION.get(0) && Integer.parseInt(parts.group(2)) < OLDEST_VERSION.get(1));
    }

    private JsonNode get(String what, String path) {
        return ERRORS.trying(what, () -> client.ask("GET", path));
    }

    OpenSearchClient client() {
        return client;
    }

    IndexSearches searches() {
        return searches;
    }

    Duration searchTimeout() {
        return options.searchTimeout();
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    protected String place() {
        return "OpenSearch at " + client.where();
    }

    /** Of the index that is searched, of the cluster where they are not the default ones, and of Java on its nodes. */
    @Override
    public SortedMap<String, String> settings() {
        SortedMap<String, String> settings = new TreeMap<>();
        searches.layout()
                .settings(options.variant().indexes())
                .forEach((name, value) -> settings.put(name, String.valueOf(value)));
        settings.putAll(options.parameters());
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
        nodes.valueStream().findFirst().map(node -> node.path("jvm")).ifPresent(jvm -> {
            settings.put("jvm.version", jvm.path("version").asText());
            settings.put(
                    "jvm.heap_max_in_bytes", jvm.at("/mem/heap_max_in_bytes").asText());
            settings.put("jvm.gc_collectors", jvm.path("gc_collectors").toString());
        });
        return settings;
    }

    @Override
    public Transport transport() {
        return client.transport();
    }

    /** The time of the node that answers, which shows milliseconds. */
    private static Instant time(OpenSearchClient client) {
        return client.ask("GET", TIME)
                .path("nodes")
                .valueStream()
                .findFirst()
                .map(node -> Instant.ofEpochMilli(node.path("timestamp").asLong()))
                .orElseThrow(() -> OpenSearchException.incomplete("the node does not tell its time"));
    }

    @Override
    public Optional<ServerUse> use() {
        return Optional.of(use(makes("")));
    }

    /**
     * Who uses it: by its tasks, since it does not tell who is connected. Takes about a second.
     *
     * @param made what siemload makes there, for people
     */
    ServerUse use(List<String> made) {
        String directory = get("see where the server keeps its data", FILES)
                .path("nodes")
                .valueStream()
                .map(node -> node.at("/fs/data/0/path").asText(""))
                .findFirst()
                .orElse("");
        return ServerUseSurvey.of(
                made,
                directory,
                new Question<>(this::clients, List.of(), "what others do" + MONITOR),
                new Question<>(
                        this::operations, 0L, "how much others ask of it (the index permission indices_monitor on *)"),
                new Question<>(this::free, OptionalLong.empty(), "how much room there is" + MONITOR));
    }

    /** What is at work on indexes of others, by these indexes; parts of it on shards are not counted again. */
    private List<Client> clients() {
        return get("see what others do", TASKS)
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
        return get("count operations", OPERATIONS)
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
        return get("see how full the disk is", FILES)
                .path("nodes")
                .valueStream()
                .mapToLong(node -> node.at("/fs/total/available_in_bytes").asLong())
                .reduce(Long::sum);
    }

    @Override
    protected RegistryStorage storage() {
        return new IndexRegistry();
    }

    @Override
    protected List<String> names() {
        String path = "/_cat/indices/" + OURS + "*?format=json&h=index&expand_wildcards=all";
        return get("list the indexes of " + place(), path)
                .valueStream()
                .map(index -> index.path("index").asText())
                .sorted()
                .toList();
    }

    @Override
    protected Optional<String> identity(String name) {
        return ERRORS.trying(
                "look for the index " + name,
                () -> client.find("GET", "/" + name + "/_settings/index.uuid?flat_settings=true")
                        .map(found -> found.path(name)
                                .path("settings")
                                .path("index.uuid")
                                .asText("")));
    }

    @Override
    protected boolean isBeingMade(String name) {
        return get("see what the server has yet to do", "/_cluster/pending_tasks")
                .path("tasks")
                .valueStream()
                .anyMatch(task -> task.path("source").asText().contains(name));
    }

    /** Nobody makes an index anew by writing: {@link EventIndex#alias} goes with it. */
    @Override
    protected void drop(String name) {
        ERRORS.running("drop the index " + name, () -> client.find("DELETE", "/" + name));
    }

    @Override
    protected EventTables tables(String name) {
        return new EventIndex(
                client, name, searches.layout(), options.variant().indexes(), options.parameters(), this::identity);
    }

    @Override
    protected Store openStore(RunCopy copy) {
        return new OpenSearchStore(client, copy, searches, options.searchTimeout());
    }

    @Override
    protected void disconnect() {}

    /**
     * The registry as an index. A change is made only where the document is still the one that was read, by its sequence number. What lies
     * in it without being an entry of the user who is logged in is left alone. Thread-safe.
     */
    private final class IndexRegistry implements RegistryStorage {
        private static final String READ = "read siemload's registry";
        private static final String WRITE = "write into siemload's registry";
        private static final String OWNER = "owner";
        /** As many as one answer may have. */
        private static final int MOST = 10_000;

        private static final String EXISTS = "resource_already_exists_exception";
        /** Nothing in it is looked for but by its id; a cluster of several nodes keeps it twice. */
        private static final Map<String, Object> MADE_AS = Map.of(
                "settings",
                Map.of("index.number_of_shards", 1, "index.auto_expand_replicas", "0-1"),
                "mappings",
                Map.of("dynamic", false));

        private final String owner = ERRORS.trying(
                "ask the server who is logged in",
                () -> client.user()
                        .map(user -> user.path("user_name").asText(""))
                        .orElse(""));

        @Override
        public Instant now() {
            return ERRORS.trying("ask the server for its time", () -> time(client));
        }

        /** What was written is found from the next refresh on. */
        @Override
        public List<Entry> entries() {
            return ERRORS.trying(READ, () -> {
                if (client.find("POST", "/" + REGISTRY + "/_refresh").isEmpty()) {
                    return List.of();
                }
                Map<String, Object> all = Map.of("size", MOST, "query", Map.of("match_all", Map.of()));
                return client.find("POST", "/" + REGISTRY + "/_search", all).stream()
                        .flatMap(answer -> answer.at("/hits/hits").valueStream())
                        .flatMap(hit -> entry(hit).stream())
                        .toList();
            });
        }

        private Optional<Entry> entry(JsonNode hit) {
            JsonNode source = hit.path("_source");
            Map<String, Object> values = new HashMap<>();
            source.forEachEntry(
                    (name, value) -> values.put(name, value.isNumber() ? value.numberValue() : value.asText()));
            return owner.equals(values.get(OWNER))
                    ? Entry.of(values)
                            .filter(entry -> id(entry).equals(hit.path("_id").asText()))
                    : Optional.empty();
        }

        @Override
        public boolean insert(Entry entry) {
            return ERRORS.trying(WRITE, () -> {
                makeIndex();
                return isMade(() -> client.ask("PUT", document("_create", entry), content(entry)));
            });
        }

        private void makeIndex() {
            try {
                var unused = client.ask("PUT", "/" + REGISTRY, MADE_AS);
            } catch (OpenSearchException e) {
                if (!e.type().equals(EXISTS)) {
                    throw e;
                }
            }
        }

        @Override
        public boolean replace(Entry entry, Entry changed) {
            return ifUnchanged(entry, path -> client.ask("PUT", path, content(changed)));
        }

        @Override
        public boolean delete(Entry entry) {
            return ifUnchanged(entry, path -> client.ask("DELETE", path));
        }

        /** Lets nothing but the entry as it is be changed. */
        private boolean ifUnchanged(Entry entry, Function<String, JsonNode> change) {
            String path = document("_doc", entry);
            return ERRORS.trying(
                    WRITE,
                    () -> client.find("GET", path)
                            .filter(found -> found.at("/_source/beat").asLong(-1) == entry.beat())
                            .map(found -> path + "?if_seq_no="
                                    + found.path("_seq_no").asLong() + "&if_primary_term="
                                    + found.path("_primary_term").asLong())
                            .filter(versioned -> isMade(() -> change.apply(versioned)))
                            .isPresent());
        }

        /** Not where somebody else was faster. */
        private static boolean isMade(Supplier<JsonNode> change) {
            try {
                var unused = change.get();
                return true;
            } catch (OpenSearchException e) {
                if (e.status() == OpenSearchErrors.CONFLICT || e.status() == OpenSearchErrors.NOT_FOUND) {
                    return false;
                }
                throw e;
            }
        }

        private String document(String operation, Entry entry) {
            return "/" + REGISTRY + "/" + operation + "/" + OpenSearchClient.encoded(id(entry));
        }

        private String id(Entry entry) {
            return owner + "/" + entry.key();
        }

        private Map<String, Object> content(Entry entry) {
            Map<String, Object> content = new HashMap<>(entry.values());
            content.put(OWNER, owner);
            return content;
        }
    }

    /**
     * An index that is the copy of one run.
     *
     * @param timeout of a search
     */
    private record OpenSearchStore(OpenSearchClient outside, RunCopy copy, IndexSearches searches, Duration timeout)
            implements CopyStore {
        private static final String VISIBLE = "refresh=wait_for&";

        @Override
        public SearchSession openSession() {
            return new OpenSearchSession(outside, copy.name(), searches, timeout, copy.watchers());
        }

        /**
         * Sends batches by the bulk interface, and waits until searches find them: a server answers before that, unless it is asked to wait for its
         * next refresh. A batch is no transaction: one that failed may be stored in part, and is completed when it is written again.
         */
        @Override
        public EventSink openSink() {
            OpenSearchClient client = outside.with(timeout);
            IdeaWriter writer = new IdeaWriter();
            String alias = EventIndex.alias(copy.name());
            return batch -> {
                EventBatch events = EventBatch.of(batch, searches.layout(), writer);
                return ERRORS.answering(timeout, () -> {
                    if (events.store(client, alias, VISIBLE) > 0) {
                        // Where all of it is there the server has written nothing, and waits for nothing.
                        var unused = client.ask("POST", "/" + alias + "/_refresh");
                    }
                    return events.bytes();
                });
            };
        }

        @Override
        public Optional<Counters> openCounters() {
            return Optional.of(new OpenSearchCounters(outside.with(timeout), copy.name()));
        }

        @Override
        public Optional<ServerClock> openClock() {
            OpenSearchClient client = outside.with(timeout);
            return Optional.of(ServerClock.ofMillis(() -> ERRORS.answering(timeout, () -> time(client))));
        }

        @Override
        public Presence presenceOf(Collection<String> ids) {
            return ERRORS.trying(
                    "look for events in " + copy.tables().place(), () -> Portions.presence(ids, this::found));
        }

        private long found(List<String> ids) {
            Map<String, Object> values = Map.of(
                    "ids",
                    ids,
                    "id_hashes",
                    ids.stream().map(EventFields::idHash).toList());
            Map<String, Object> asked =
                    Map.of("query", searches.layout().block("presence").object(values));
            return patient()
                    .ask("POST", "/" + copy.name() + "/_count", asked)
                    .path("count")
                    .asLong();
        }

        private OpenSearchClient patient() {
            return outside.with(timeout.plus(OpenSearchSession.SILENCE));
        }

        @Override
        public SortedMap<String, Long> relationBytes() {
            String path = "/" + copy.name() + "/_stats/store?filter_path=_all.primaries.store";
            return ERRORS.trying(
                    "read the size of " + copy.tables().place(),
                    () -> new TreeMap<>(Map.of(
                            "events",
                            patient()
                                    .ask("GET", path)
                                    .at("/_all/primaries/store/size_in_bytes")
                                    .asLong())));
        }
    }
}
