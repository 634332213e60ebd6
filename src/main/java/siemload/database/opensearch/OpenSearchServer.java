package siemload.database.opensearch;

import static siemload.database.opensearch.OpenSearchClient.OpenSearchErrors.ERRORS;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import siemload.config.RegularFile;
import siemload.database.Counters;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Target.ServerUse.Client;
import siemload.database.TargetException;
import siemload.database.layout.EventField.EventText;
import siemload.database.layout.JsonSearches.Stored;
import siemload.database.layout.LayoutFormat.ValueLines;
import siemload.database.opensearch.OpenSearchClient.OpenSearchException;
import siemload.database.opensearch.OpenSearchSearches.JsonOutput;
import siemload.database.server.NamedServer;
import siemload.database.server.NamedServer.JsonCounters.Question;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.query.CountedValue;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.ValueField;
import siemload.query.Window;

/**
 * An OpenSearch cluster, accessed through one node. siemload creates its own indexes, or searches existing ones. As there are no read-only
 * sessions, it sends only searches and requests for statistics to existing indexes, whatever the user's rights.
 */
final class OpenSearchServer extends NamedServer<OpenSearchException> {
    private static final Pattern SECRET = Pattern.compile("password|secret|token|key", Pattern.CASE_INSENSITIVE);
    private static final Pattern VERSION =
            Pattern.compile("(?:2\\.(?:19|[2-9]\\d)|(?:[3-9]|\\d{2,4})\\.\\d{1,4})\\..*");
    private static final String TASKS =
            "/_tasks?detailed=true&group_by=none&actions=indices:data/read/*,indices:data/write/*";
    private static final String OPERATIONS = "/_stats/search,indexing?level=indices"
            + "&filter_path=indices.*.primaries.search.query_total,indices.*.primaries.indexing.index_total";
    private static final String FILES = "/_nodes/stats/fs?filter_path=nodes.*.fs.total.available_in_bytes";
    private static final String TIME = "/_nodes/_local/stats/os?filter_path=nodes.*.timestamp";

    private static final int MOST = 10_000;
    /** The settings of the registry's index: a cluster of several nodes stores it twice; entries are looked up only by id. */
    private static final Map<String, Object> REGISTRY_INDEX = Map.of(
            "settings",
            Map.of("index.number_of_shards", 1, "index.auto_expand_replicas", "0-1"),
            "mappings",
            Map.of("dynamic", false));

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};
    private static final String REPLICAS = "index.number_of_replicas";
    private static final String REFRESH_INTERVAL = "index.refresh_interval";
    private static final Search ALL =
            new Search(new SearchName("ALL"), Window.ALWAYS, List.of(), Order.UNSORTED, new Page.Whole());

    private static final String SECTIONS = "indexing,search,merge,refresh,flush,query_cache,request_cache,get";
    private static final String NODES = "/_nodes/stats/jvm?filter_path=nodes.*.jvm.uptime_in_millis,nodes.*.jvm.mem,"
            + "nodes.*.jvm.gc,nodes.*.jvm.buffer_pools";

    private final OpenSearchClient client;
    private final OpenSearchSearches searches;
    /** Whether existing indexes are searched, and no index is created. */
    private final boolean existing;

    private final String version;

    /**
     * Connects.
     *
     * @throws TargetException if the server cannot be reached, refuses the user, is not OpenSearch, or is too old
     */
    OpenSearchServer(ServerAddress address, TargetOptions options) {
        super(ERRORS, "index", options);
        this.searches = new OpenSearchSearches(options.variant());
        this.existing = searches.about.isForSearchesAlone();
        this.client = OpenSearchClient.of(address, TargetOptions.MAINTENANCE_TIMEOUT);
        JsonNode told = get("connect to " + place(), "/").path("version");
        this.version = told.path("number").asText("");
        if (!told.path("distribution").asText("").equals("opensearch")) {
            throw new TargetException("the server at " + client.where() + " is not OpenSearch"
                    + (version.isEmpty() ? "" : ", but another server of version " + version));
        }
        if (!VERSION.matcher(version).matches()) {
            throw new TargetException(place() + " is version " + version + "; version 2.19 or newer is needed");
        }
    }

    private JsonNode get(String what, String path) {
        return ERRORS.attempt(what, () -> client.ask("GET", path));
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

    @Override
    public Store openEvents() {
        return existing ? openExisting(searches.about.searched()) : super.openEvents();
    }

    /** The settings of the searched index, the cluster's settings that differ from defaults, and Java's settings on the nodes. */
    @Override
    public SortedMap<String, String> settings() {
        SortedMap<String, String> settings = new TreeMap<>();
        searches.settings().forEach((name, value) -> settings.put(name, String.valueOf(value)));
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
        for (String name : List.of("version", "heap_max_in_bytes", "gc_collectors")) {
            JsonNode told = nodes.findPath("jvm").findPath(name);
            settings.put("jvm." + name, told.isValueNode() ? told.asText() : told.toString());
        }
        return settings;
    }

    /** Recognises other users by their tasks, since the server does not report who is connected. */
    @Override
    public Optional<ServerUse> use() {
        String monitor = "the cluster permission cluster_monitor";
        return use(
                existing ? List.of() : makes(""),
                List.of(monitor, "the index permission indices_monitor on *", monitor));
    }

    /** Counts tasks on indexes of others; the parts of a task on shards do not count separately. */
    @Override
    protected List<Client> clients() {
        long working = client.ask("GET", TASKS)
                .path("tasks")
                .valueStream()
                .filter(task -> !task.has("parent_task_id"))
                .filter(task -> !task.path("description").asText("").contains(OURS))
                .count();
        return working == 0 ? List.of() : List.of(new Client("others (" + working + " requests)", working, ""));
    }

    @Override
    protected long operations() {
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

    @Override
    protected OptionalLong free() {
        return client.ask("GET", FILES).findValues("available_in_bytes").stream()
                .mapToLong(JsonNode::asLong)
                .reduce(Long::sum);
    }

    /**
     * Reads counters from the statistics of an index and of Java on the nodes. The time of searches covers queries and fetching rows. The
     * time of scrolls is left out: it is the time for which they were open.
     *
     * @see <a href="https://docs.opensearch.org/latest/api-reference/index-apis/stats/">Index stats</a>
     */
    static Counters counters(Duration timeout, List<Question> questions) {
        String table = RegularFile.resource(OpenSearchServer.class, "counters.txt");
        return new JsonCounters<>(ERRORS, e -> e.status == HttpURLConnection.HTTP_FORBIDDEN, timeout, questions, table);
    }

    @Override
    protected Instant time() {
        JsonNode told = client.with(options().longestSilence()).ask("GET", TIME).findPath("timestamp");
        if (!told.isNumber()) {
            throw OpenSearchException.incomplete("the node does not report its time");
        }
        return Instant.ofEpochMilli(told.asLong());
    }

    @Override
    protected String user() {
        return ERRORS.unless(
                unguarded -> unguarded.status == HttpURLConnection.HTTP_BAD_REQUEST
                        || unguarded.status == HttpURLConnection.HTTP_NOT_FOUND,
                () -> client.ask("GET", "/_plugins/_security/authinfo")
                        .path("user_name")
                        .asText(""),
                unguarded -> "");
    }

    /** Refreshes first, since a new document can be found only after the next refresh. */
    @Override
    protected Map<String, Map<String, Object>> registered() {
        Map<String, Object> all = Map.of("size", MOST, "query", Map.of("match_all", Map.of()));
        Map<String, Map<String, Object>> found = new LinkedHashMap<>();
        client.ask("POST", "/" + REGISTRY + "/_refresh?ignore_unavailable=true");
        client.ask("POST", "/" + REGISTRY + "/_search?ignore_unavailable=true", all)
                .at("/hits/hits")
                .forEach(hit -> found.put(hit.path("_id").asText(), JSON.convertValue(hit.path("_source"), OBJECT)));
        return found;
    }

    @Override
    protected boolean register(String name, Map<String, Object> values) {
        boolean unused = ERRORS.unless(
                e -> e.type.equals("resource_already_exists_exception"),
                () -> client.ask("PUT", "/" + REGISTRY, REGISTRY_INDEX).isObject(),
                there -> false);
        return isMade(() -> client.ask("PUT", entry("_create", name), values));
    }

    /** Changes the document only if its sequence number shows that it is unchanged since it was read. */
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

    /** Returns whether the change was made; false if another process was faster. */
    private static boolean isMade(Supplier<JsonNode> change) {
        return ERRORS.unless(
                e -> e.status == HttpURLConnection.HTTP_CONFLICT || e.status == HttpURLConnection.HTTP_NOT_FOUND,
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

    /** Writing cannot create the index again: {@link Index#alias} is removed with it. */
    @Override
    protected void drop(String name) {
        var unused = OpenSearchClient.ifThere(() -> client.ask("DELETE", "/" + name));
    }

    @Override
    protected Documents tables(String name) {
        return new Index(name, client);
    }

    @Override
    protected Documents searched(String name) {
        return new Index(name, client.with(options().longestSilence()));
    }

    @Override
    protected void disconnect() {}

    /**
     * An index of events, or several existing ones. An index is created with its searchable fields, so that none is built afterwards.
     * Existing indexes get only searches and requests for statistics.
     */
    private final class Index extends Documents {
        private final OpenSearchClient own;

        Index(String name, OpenSearchClient own) {
            super(name);
            this.own = own;
        }

        /** The index is written through its alias, since a server creates a missing index, but not a missing alias. */
        private String alias() {
            return name() + ".write";
        }

        @Override
        protected void make() {
            ask("PUT", "", searches.creation(alias()));
        }

        /** The files of a segment never change, so that a clone shares them. */
        @Override
        protected void copy(String kept) {
            Map<String, Object> settings = new HashMap<>();
            // A clone inherits the settings of the original, except for the number of replicas.
            Optional.ofNullable(searches.settings().get(REPLICAS)).ifPresent(number -> settings.put(REPLICAS, number));
            settings.put("index.blocks.write", false);
            own.ask(
                    "PUT",
                    "/" + kept + "/_clone/" + name(),
                    Map.of("settings", settings, "aliases", Map.of(alias(), Map.of())));
            own.ask(
                    "GET",
                    "/_cluster/health/" + name()
                            + "?wait_for_status=yellow&wait_for_no_initializing_shards=true&timeout="
                            + own.timeout().toSeconds() + "s");
        }

        @Override
        protected long count() {
            refresh();
            return ask("GET", "/_count").path("count").asLong();
        }

        /** Makes everything stored so far visible to searches. */
        private void refresh() {
            ask("POST", "/_refresh");
        }

        @Override
        public List<BuildStep> indexes() {
            return List.of();
        }

        /** Events become visible only at the end of a load, which costs less; nobody searches the index meanwhile. */
        @Override
        public ParallelLoad openLoad() {
            refreshEvery("-1");
            return super.openLoad().endingWith(() -> {
                refreshEvery(searches.settings().getOrDefault(REFRESH_INTERVAL, NullNode.getInstance()));
                checkpoint();
            });
        }

        /** Sets the interval after which documents become visible; JSON null stands for the server's default. */
        private void refreshEvery(Object interval) {
            ERRORS.running("set up " + place(), () -> ask("PUT", "/_settings", Map.of(REFRESH_INTERVAL, interval)));
        }

        /** Blocks writes: afterwards the index can only be read and copied. */
        @Override
        public void lock() {
            ERRORS.running("lock " + place(), () -> ask("PUT", "/_block/write"));
        }

        @Override
        public boolean areReadInPlace() {
            return true;
        }

        /** Does nothing, since searchable fields are part of the index. */
        @Override
        public void dropIndexes() {}

        @Override
        protected long delete() {
            refresh();
            Map<String, Object> all = Map.of("query", Map.of("match_all", Map.of()));
            return ask("POST", "/_delete_by_query?refresh=true&conflicts=proceed", all)
                    .path("deleted")
                    .asLong();
        }

        /** Flushes all stored documents into segments on disk, so that the translog is empty. */
        @Override
        public void checkpoint() {
            ERRORS.running("flush " + place(), () -> {
                ask("POST", "/_flush?force=true&wait_if_ongoing=true");
                refresh();
            });
        }

        private JsonNode ask(String method, String path) {
            return own.ask(method, "/" + name() + path);
        }

        private JsonNode ask(String method, String path, Map<String, ?> body) {
            return own.ask(method, "/" + name() + path, body);
        }

        /**
         * Uses the bulk interface: an action line for each event, and its document on the next line. For fed events the server is asked to
         * wait for its next refresh, so that searches find them when it answers. A batch is not a transaction: a failed one may be stored
         * in part, and writing it again completes it. A missing index is not created.
         */
        @Override
        protected long write(List<SecurityEvent> batch, IdeaWriter writer, Writing writing) {
            ByteArrayOutputStream lines = new ByteArrayOutputStream();
            long bytes = 0;
            // This generator must not separate documents by itself: only the line feeds written here do.
            try (JsonGenerator generator = JSON.createGenerator(lines).setRootValueSeparator(null)) {
                JsonOutput output = new JsonOutput(generator);
                for (SecurityEvent event : batch) {
                    byte[] idea = writer.toBytes(event);
                    bytes += idea.length;
                    // No character of a hash needs escaping in JSON.
                    generator.writeRaw("{\"create\":{\"_id\":\"" + EventText.idHash(event.id()) + "\"}}\n");
                    searches.write(new Stored(event, idea), output);
                    generator.writeRaw('\n');
                }
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
            if (!batch.isEmpty()) {
                store(lines.toByteArray(), writing);
            }
            return bytes;
        }

        private void store(byte[] lines, Writing writing) {
            String path = "/" + alias() + "/_bulk?require_alias=true&filter_path=errors,items.*.status,items.*.error"
                    + (writing == Writing.FEED ? "&refresh=wait_for" : "");
            boolean areSomeThere = false;
            for (JsonNode item : own.received(own.started("POST", path, lines)).path("items")) {
                JsonNode created = item.path("create");
                boolean isThere = created.path("status").asInt() == HttpURLConnection.HTTP_CONFLICT;
                areSomeThere |= isThere;
                if (created.has("error") && !(isThere && writing == Writing.FEED)) {
                    // The server's error for an existing document contains the id.
                    throw new OpenSearchException(
                            created.path("status").asInt(),
                            created.at("/error/type").asText(),
                            isThere
                                    ? "the document exists already"
                                    : created.at("/error/reason").asText());
                }
            }
            if (areSomeThere) {
                // If all events exist already, the server writes nothing and does not wait for a refresh.
                own.ask("POST", "/" + alias() + "/_refresh");
            }
        }

        @Override
        protected SearchSession session(ScheduledExecutorService watchers) {
            return searches.new OpenSearchSession(own, name(), options().searchTimeout(), watchers);
        }

        @Override
        protected Counters counters() {
            return OpenSearchServer.counters(
                    own.timeout(),
                    List.of(
                            new Question(
                                    "the statistics of the index (permission indices_monitor)",
                                    () -> ask("GET", "/_stats/" + SECTIONS + "?filter_path=_all.total")
                                            .at("/_all/total")),
                            new Question(
                                    "the statistics of the nodes (permission cluster_monitor)",
                                    () -> own.ask("GET", NODES).path("nodes"))));
        }

        @Override
        protected long found(List<String> ids) {
            List<String> hashes = ids.stream().map(EventText::idHash).toList();
            Map<String, Object> query = searches.block("presence").object(Map.of("ids", ids, "id_hashes", hashes));
            return ask("POST", "/_count", Map.of("query", query)).path("count").asLong();
        }

        @Override
        protected SortedMap<String, Long> bytes() {
            JsonNode store = ask("GET", "/_stats/store?filter_path=_all.primaries.store");
            return new TreeMap<>(Map.of(
                    "events", store.at("/_all/primaries/store/size_in_bytes").asLong()));
        }

        @Override
        protected Store opened(RunCopy copy) {
            return existing ? new Existing(copy) : super.opened(copy);
        }

        /** Existing indexes, which are not changed. */
        private final class Existing extends Opened {
            Existing(RunCopy copy) {
                super(copy);
            }

            /** The documents written or deleted, from the index statistics, if the user may see these (indices_monitor). */
            @Override
            public OptionalLong rowsWritten() {
                return ERRORS.unless(
                        any -> true,
                        () -> {
                            JsonNode counted = ask("GET", "/_stats/indexing").at("/_all/primaries/indexing");
                            return OptionalLong.of(counted.path("index_total").asLong()
                                    + counted.path("delete_total").asLong());
                        },
                        untold -> OptionalLong.empty());
            }

            @Override
            public Span span() {
                long count = asking(
                        "count the events in " + place(),
                        searches.withoutRows(ALL, Optional.empty()),
                        OpenSearchSearches::total);
                if (count < 1) {
                    throw new TargetException("there is no event in " + place() + ": there is nothing to search");
                }
                return new Span(first(Order.OLDEST_FIRST), first(Order.NEWEST_FIRST), count, 0);
            }

            private Instant first(Order order) {
                return asking(
                        "see when the events in " + place() + " were",
                        OpenSearchSearches.sized(searches.rows(ALL, order), 1),
                        answer -> OpenSearchSearches.hits(answer).stream()
                                .map(hit -> searches.row(hit).detectTime())
                                .findFirst()
                                .orElseThrow(() -> OpenSearchException.incomplete(
                                        "the server sent no row, although events exist")));
            }

            private <T> T asking(String what, Map<String, Object> body, Function<JsonNode, T> answered) {
                return ERRORS.attempt(
                        what, () -> answered.apply(own.ask("POST", OpenSearchSearches.path(name(), own), body)));
            }

            @Override
            public Map<ValueField, List<CountedValue>> values(int most) {
                Map<ValueField, List<CountedValue>> all = new EnumMap<>(ValueField.class);
                Map<String, Object> queries = searches.find(ValueLines.BLOCK)
                        .map(block -> block.object(Map.of("limit", most)))
                        .orElse(Map.of());
                queries.forEach((kind, aggregations) -> {
                    ValueLines values = new ValueLines(ValueLines.field(kind));
                    asking(
                                    "ask " + values.place() + ", in " + place(),
                                    searches.withoutRows(ALL, Optional.of(aggregations)),
                                    OpenSearchSearches::whole)
                            .at("/aggregations/values/buckets")
                            .valueStream()
                            .limit(most)
                            .forEach(bucket -> values.add(
                                    text(bucket.path("key"))
                                            .orElseThrow(() -> values.wrong("has the value " + bucket.path("key")
                                                    + " (needed: text or a whole number)")),
                                    bucket.path("doc_count").asLong(),
                                    beside(bucket)));
                    all.put(ValueLines.field(kind), values.all());
                });
                return all;
            }

            /** The first value of each aggregation within a bucket. */
            private static Map<String, Optional<String>> beside(JsonNode bucket) {
                Map<String, Optional<String>> beside = new HashMap<>();
                bucket.forEachEntry((name, within) -> {
                    if (within.has("buckets")) {
                        beside.put(name, text(within.at("/buckets/0/key")));
                    }
                });
                return beside;
            }

            private static Optional<String> text(JsonNode key) {
                return key.isTextual() || key.isIntegralNumber() ? Optional.of(key.asText()) : Optional.empty();
            }
        }
    }
}
