package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import siemload.database.Counters;
import siemload.database.SearchSession;
import siemload.database.ServerUse;
import siemload.database.Store;
import siemload.database.Store.EventSink;
import siemload.database.Target.ServerClock;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.layout.JsonTemplate;
import siemload.database.opensearch.EventBatch.Twice;
import siemload.database.registry.Entry;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.Registry;
import siemload.database.registry.RegistryStorage;
import siemload.database.registry.ServerObjects;
import siemload.database.server.CopyStore;
import siemload.database.server.EventTables;
import siemload.database.server.Portions;
import siemload.database.server.RunCopy;
import siemload.database.server.ServerTarget;
import siemload.database.server.ServerUseSurvey;
import siemload.database.server.ServerUseSurvey.Client;
import siemload.database.server.ServerUseSurvey.Question;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.event.WholeText;

/**
 * An OpenSearch cluster, by one of its nodes. In it lie the indexes {@code siemload_data_<fingerprint>_<random>} of data sets,
 * {@code siemload_run_<run id>_<random>} of runs, and {@code siemload_registry}, which knows whose they are.
 */
final class OpenSearchServer extends ServerTarget {
    private static final List<Integer> OLDEST_VERSION = List.of(2, 19);
    private static final int LONGEST_NAME = 100;
    private static final String OURS = "siemload_";
    private static final Pattern SECRET = Pattern.compile("password|secret|token|key", Pattern.CASE_INSENSITIVE);
    private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\..*");

    private final OpenSearchClient client;
    private final IndexVariant variant;
    private final String version;
    private final TargetOptions options;

    private OpenSearchServer(OpenSearchClient client, IndexVariant variant, String version, TargetOptions options) {
        this.client = client;
        this.variant = variant;
        this.version = version;
        this.options = options;
    }

    /** @throws TargetException if it cannot be reached, refuses the user, is something else, or too old */
    static OpenSearchServer connect(OpenSearchClient client, TargetOptions options) {
        IndexVariant variant = IndexVariant.of(options);
        JsonNode version = OpenSearchErrors.trying(
                        "connect to OpenSearch at " + client.where(),
                        () -> client.answer(RestCall.get("/", options.maintenanceTimeout())))
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
        return new OpenSearchServer(client, variant, number, options);
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
        return OpenSearchErrors.trying(what, () -> client.answer(RestCall.get(path, options.maintenanceTimeout())));
    }

    OpenSearchClient client() {
        return client;
    }

    IndexVariant variant() {
        return variant;
    }

    TargetOptions options() {
        return options;
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
        variant.settings().forEach((name, value) -> settings.put(name, String.valueOf(value)));
        settings.putAll(variant.parameters());
        JsonNode cluster = get("read the settings of " + place(), "/_cluster/settings?flat_settings=true");
        for (String kind : List.of("persistent", "transient")) {
            Json.members(cluster.path(kind)).forEach((name, value) -> {
                if (!SECRET.matcher(name).find()) {
                    settings.put("cluster." + name, value.asText());
                }
            });
        }
        JsonNode nodes = get("read the settings of " + place(), "/_nodes/jvm").path("nodes");
        settings.put("nodes", Integer.toString(nodes.size()));
        Json.elements(nodes).findFirst().map(node -> node.path("jvm")).ifPresent(jvm -> {
            settings.put("jvm.version", jvm.path("version").asText());
            settings.put(
                    "jvm.heap_max_in_bytes",
                    jvm.path("mem").path("heap_max_in_bytes").asText());
            settings.put("jvm.gc_collectors", jvm.path("gc_collectors").toString());
        });
        return settings;
    }

    @Override
    public Transport transport() {
        return client.transport();
    }

    @Override
    public Optional<ServerUse> use() {
        return Optional.of(use(OpenSearchServerUse.MADE));
    }

    /**
     * Who uses it.
     *
     * @param made what siemload makes there, for people
     */
    ServerUse use(List<String> made) {
        return new OpenSearchServerUse(client, options.maintenanceTimeout()).look(made);
    }

    @Override
    protected RegistryStorage storage() {
        return new IndexRegistry(client, options.maintenanceTimeout());
    }

    @Override
    protected ServerObjects objects() {
        return new RegisteredIndexes(client, options.maintenanceTimeout());
    }

    /** Names of indexes are in lower case. */
    @Override
    protected String newName(Purpose purpose, String fingerprint, String runId) {
        String run = runId.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-");
        return purpose == Purpose.RUN || purpose == Purpose.READING
                ? Registry.name("siemload_run_", run, LONGEST_NAME)
                : Registry.name("siemload_data_", fingerprint, LONGEST_NAME);
    }

    @Override
    protected EventTables tables(String name) {
        return new EventIndex(client, name, variant, options.maintenanceTimeout());
    }

    @Override
    protected List<String> strangers(Set<String> ours) {
        JsonNode indexes = get(
                "list the indexes of " + place(),
                "/_cat/indices/" + OURS + "*?format=json&h=index&expand_wildcards=all");
        return Json.elements(indexes)
                .map(index -> index.path("index").asText())
                .filter(name -> !name.equals(IndexRegistry.INDEX) && !ours.contains(name))
                .sorted()
                .map(name -> "index " + name)
                .toList();
    }

    @Override
    protected Store openStore(RunCopy copy) {
        return new OpenSearchStore(client, copy, variant, options.searchTimeout());
    }

    @Override
    protected void disconnect() {}

    /** Finds out who uses a cluster: by its tasks, since it does not tell who is connected. */
    private record OpenSearchServerUse(OpenSearchClient client, Duration timeout) {
        /** What a run makes of its own. */
        static final List<String> MADE = List.of(
                "an index siemload_data_... for the data set, kept for later runs",
                "an index siemload_run_..., a copy of it, dropped at the end",
                "an index siemload_registry that lists what it has made, kept");

        private static final String OURS = "siemload_";
        private static final String TASKS =
                "/_tasks?detailed=true&group_by=none&actions=indices:data/read/*,indices:data/write/*";
        private static final String OPERATIONS = "/_stats/search,indexing?level=indices"
                + "&filter_path=indices.*.primaries.search.query_total,indices.*.primaries.indexing.index_total";
        private static final String FILES = "/_nodes/stats/fs?filter_path=nodes.*.fs";
        private static final Pattern INDEXES = Pattern.compile("ind(?:ices|ex)?\\[([^\\]]{1,100})");
        private static final String MONITOR = " (the cluster permission cluster_monitor)";

        /**
         * Takes about a second.
         *
         * @param made what siemload makes there, for people
         */
        ServerUse look(List<String> made) {
            JsonNode files = OpenSearchErrors.trying("see where the server keeps its data", () -> ask(FILES));
            return ServerUseSurvey.of(
                    made,
                    Json.elements(files.path("nodes"))
                            .map(node -> node.path("fs")
                                    .path("data")
                                    .path(0)
                                    .path("path")
                                    .asText(""))
                            .findFirst()
                            .orElse(""),
                    new Question<>(
                            () -> OpenSearchErrors.trying("see what others do", this::clients),
                            List.of(),
                            "what others do" + MONITOR),
                    new Question<>(
                            () -> OpenSearchErrors.trying("count operations", this::operations),
                            0L,
                            "how much others ask of it (the index permission indices_monitor on *)"),
                    new Question<>(
                            () -> OpenSearchErrors.trying("see how full the disk is", () -> free(ask(FILES))),
                            OptionalLong.empty(),
                            "how much room there is" + MONITOR));
        }

        private JsonNode ask(String path) {
            return client.answer(RestCall.get(path, timeout));
        }

        /** What is at work on indexes of others, by these indexes; parts of it on shards are not counted again. */
        private List<Client> clients() {
            return Json.elements(ask(TASKS).path("tasks"))
                    .filter(task -> !task.has("parent_task_id"))
                    .map(task -> task.path("description").asText(""))
                    .filter(description -> !description.contains(OURS))
                    .collect(Collectors.groupingBy(OpenSearchServerUse::indexes, TreeMap::new, Collectors.counting()))
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
            return Json.members(ask(OPERATIONS).path("indices")).entrySet().stream()
                    .filter(index ->
                            !index.getKey().startsWith(OURS) && !index.getKey().startsWith("."))
                    .map(index -> index.getValue().path("primaries"))
                    .mapToLong(counted -> counted.path("search")
                                    .path("query_total")
                                    .asLong()
                            + counted.path("indexing").path("index_total").asLong())
                    .sum();
        }

        private static OptionalLong free(JsonNode files) {
            return Json.elements(files.path("nodes"))
                    .mapToLong(node -> node.path("fs")
                            .path("total")
                            .path("available_in_bytes")
                            .asLong())
                    .reduce(Long::sum);
        }
    }

    /**
     * The registry as an index. A change is made only where the document is still the one that was read, by its sequence number. What lies
     * in it without being an entry of the user who is logged in is left alone. Thread-safe.
     */
    private static final class IndexRegistry implements RegistryStorage {
        static final String INDEX = "siemload_registry";

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

        private final OpenSearchClient client;
        private final OpenSearchClock clock;
        private final Duration timeout;
        private final String owner;

        IndexRegistry(OpenSearchClient client, Duration timeout) {
            this.client = client;
            this.clock = new OpenSearchClock(client, timeout);
            this.timeout = timeout;
            this.owner = OpenSearchErrors.trying(
                    "ask the server who is logged in",
                    () -> client.user(timeout)
                            .map(user -> user.path("user_name").asText(""))
                            .orElse(""));
        }

        @Override
        public Instant now() {
            return OpenSearchErrors.trying("ask the server for its time", clock::asked);
        }

        /** What was written is found from the next refresh on. */
        @Override
        public List<Entry> entries() {
            return OpenSearchErrors.trying(READ, () -> {
                if (client.find(RestCall.post("/" + INDEX + "/_refresh", timeout))
                        .isEmpty()) {
                    return List.of();
                }
                Map<String, Object> all = Map.of("size", MOST, "query", Map.of("match_all", Map.of()));
                return client.find(RestCall.post("/" + INDEX + "/_search", all, timeout)).stream()
                        .flatMap(answer -> Json.elements(answer.path("hits").path("hits")))
                        .flatMap(hit -> entry(hit).stream())
                        .toList();
            });
        }

        private Optional<Entry> entry(JsonNode hit) {
            JsonNode source = hit.path("_source");
            return source.path(OWNER).asText("").equals(owner)
                    ? Entry.of(values(source))
                            .filter(entry -> id(entry).equals(hit.path("_id").asText()))
                    : Optional.empty();
        }

        private static Map<String, Object> values(JsonNode source) {
            Map<String, Object> values = new HashMap<>();
            Json.members(source)
                    .forEach(
                            (name, value) -> values.put(name, value.isNumber() ? value.numberValue() : value.asText()));
            return values;
        }

        @Override
        public boolean insert(Entry entry) {
            return OpenSearchErrors.trying(WRITE, () -> {
                makeIndex();
                return isMade(RestCall.put(document("_create", entry), content(entry), timeout));
            });
        }

        private void makeIndex() {
            try {
                var unused = client.answer(RestCall.put("/" + INDEX, MADE_AS, timeout));
            } catch (OpenSearchException e) {
                if (!e.type().equals(EXISTS)) {
                    throw e;
                }
            }
        }

        @Override
        public boolean replace(Entry entry, Entry changed) {
            return OpenSearchErrors.trying(
                    WRITE,
                    () -> unchanged(entry)
                            .filter(version -> isMade(
                                    RestCall.put(document("_doc", entry) + "?" + version, content(changed), timeout)))
                            .isPresent());
        }

        @Override
        public boolean delete(Entry entry) {
            return OpenSearchErrors.trying(
                    WRITE,
                    () -> unchanged(entry)
                            .filter(version ->
                                    isMade(RestCall.delete(document("_doc", entry) + "?" + version, timeout)))
                            .isPresent());
        }

        /** Parameters that let nothing but the entry as it is be changed; empty where it is another one or gone. */
        private Optional<String> unchanged(Entry entry) {
            return client.find(RestCall.get(document("_doc", entry), timeout))
                    .filter(found -> found.path("_source").path("beat").asLong(-1) == entry.beat())
                    .map(found -> "if_seq_no=" + found.path("_seq_no").asLong() + "&if_primary_term="
                            + found.path("_primary_term").asLong());
        }

        /** Not where somebody else was faster. */
        private boolean isMade(RestCall change) {
            try {
                var unused = client.answer(change);
                return true;
            } catch (OpenSearchException e) {
                if (e.status() == OpenSearchErrors.CONFLICT || e.status() == OpenSearchErrors.NOT_FOUND) {
                    return false;
                }
                throw e;
            }
        }

        private String document(String operation, Entry entry) {
            return "/" + INDEX + "/" + operation + "/" + RestCall.encoded(id(entry));
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
    private record OpenSearchStore(OpenSearchClient client, RunCopy copy, IndexVariant variant, Duration timeout)
            implements CopyStore {
        private static final int IDS_AT_ONCE = 1_000;

        @Override
        public SearchSession openSession() {
            return new OpenSearchSession(
                    OpenSearchSession.searching(client, copy.name(), variant, timeout), timeout, copy.watchers());
        }

        @Override
        public EventSink openSink() {
            return new OpenSearchSink(client, EventIndex.alias(copy.name()), variant.layout(), timeout);
        }

        @Override
        public Optional<Counters> openCounters() {
            return Optional.of(new OpenSearchCounters(client, copy.name(), timeout));
        }

        @Override
        public Optional<ServerClock> openClock() {
            return Optional.of(new OpenSearchClock(client, timeout));
        }

        /** An id is the document's, so that none can be stored twice. */
        @Override
        public Presence presenceOf(Collection<String> ids) {
            List<String> stored = ids.stream().map(WholeText::of).toList();
            JsonTemplate presence = variant.layout().block("presence");
            return OpenSearchErrors.trying("look for events in " + copy.tables().place(), () -> {
                long found = 0;
                for (List<String> some : Portions.ofIds(stored, IDS_AT_ONCE)) {
                    Map<String, Object> asked = Map.of("query", presence.object(SearchQuery.ofIds(some)));
                    found += client.answer(RestCall.post(
                                    "/" + copy.name() + "/_count", asked, timeout.plus(OpenSearchSession.SILENCE)))
                            .path("count")
                            .asLong();
                }
                return new Presence(found, 0);
            });
        }

        @Override
        public SortedMap<String, Long> relationBytes() {
            return OpenSearchErrors.trying("read the size of " + copy.tables().place(), () -> {
                JsonNode store = client.answer(RestCall.get(
                                "/" + copy.name() + "/_stats/store?filter_path=_all.primaries.store",
                                timeout.plus(OpenSearchSession.SILENCE)))
                        .path("_all")
                        .path("primaries")
                        .path("store");
                return new TreeMap<>(
                        Map.of("events", store.path("size_in_bytes").asLong()));
            });
        }

        /**
         * Sends batches by the bulk interface, and waits until searches find them: a server answers before that, unless it is asked to wait for its
         * next refresh. A batch is no transaction: one that failed may be stored in part, and is completed when it is written again.
         */
        private static final class OpenSearchSink implements EventSink {
            private static final String VISIBLE = "refresh=wait_for&";

            private final OpenSearchClient client;
            private final String alias;
            private final IndexLayout layout;
            private final Duration timeout;
            private final IdeaWriter writer = new IdeaWriter();

            OpenSearchSink(OpenSearchClient client, String alias, IndexLayout layout, Duration timeout) {
                this.client = client;
                this.alias = alias;
                this.layout = layout;
                this.timeout = timeout;
            }

            @Override
            public long write(List<SecurityEvent> batch) {
                EventBatch events = EventBatch.of(batch, layout, writer);
                return OpenSearchErrors.answering(timeout, () -> {
                    boolean again = events.store(client, alias, VISIBLE, Twice.LEFT_ALONE, timeout);
                    if (again) {
                        // Where all of it is there the server has written nothing, and waits for nothing.
                        var unused = client.answer(RestCall.post("/" + alias + "/_refresh", timeout));
                    }
                    return events.bytes();
                });
            }

            @Override
            public void close() {}
        }
    }

    /** The clock of the node that answers, which shows milliseconds. */
    private record OpenSearchClock(OpenSearchClient client, Duration timeout) implements ServerClock {
        private static final Duration RESOLUTION = Duration.ofMillis(1);
        private static final String PATH = "/_nodes/_local/stats/os?filter_path=nodes.*.timestamp";

        @Override
        public Instant now() {
            return OpenSearchErrors.answering(timeout, this::asked);
        }

        /** The same. @throws OpenSearchException if the server does not answer */
        Instant asked() {
            return Json.elements(client.answer(RestCall.get(PATH, timeout)).path("nodes"))
                    .findFirst()
                    .map(node -> Instant.ofEpochMilli(node.path("timestamp").asLong()))
                    .orElseThrow(() -> OpenSearchException.incomplete("the node does not tell its time"));
        }

        @Override
        public Duration resolution() {
            return RESOLUTION;
        }

        @Override
        public void close() {}
    }
}
