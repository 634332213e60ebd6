package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import siemload.database.ServerUse;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.database.TargetOptions;
import siemload.database.Transport;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.Registry;
import siemload.database.registry.RegistryStorage;
import siemload.database.registry.ServerObjects;
import siemload.database.server.DatabaseServer;
import siemload.database.server.EventTables;
import siemload.database.server.RunCopy;

/**
 * An OpenSearch cluster, by one of its nodes. In it lie the indexes {@code siemload_data_<fingerprint>_<random>} of data sets,
 * {@code siemload_run_<run id>_<random>} of runs, and {@code siemload_registry}, which knows whose they are.
 */
record OpenSearchServer(OpenSearchClient client, IndexVariant variant, String version, TargetOptions options)
        implements DatabaseServer {
    private static final List<Integer> OLDEST_VERSION = List.of(2, 19);
    private static final int LONGEST_NAME = 100;
    private static final String OURS = "siemload_";
    private static final Pattern SECRET = Pattern.compile("password|secret|token|key", Pattern.CASE_INSENSITIVE);
    private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\..*");

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

    @Override
    public String place() {
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
    public ServerUse use() {
        return use(OpenSearchServerUse.MADE);
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
    public RegistryStorage registry() {
        return new IndexRegistry(client, options.maintenanceTimeout());
    }

    @Override
    public ServerObjects objects() {
        return new RegisteredIndexes(client, options.maintenanceTimeout());
    }

    /** Names of indexes are in lower case. */
    @Override
    public String newName(Purpose purpose, String fingerprint, String runId) {
        String run = runId.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-");
        return purpose == Purpose.RUN || purpose == Purpose.READING
                ? Registry.name("siemload_run_", run, LONGEST_NAME)
                : Registry.name("siemload_data_", fingerprint, LONGEST_NAME);
    }

    @Override
    public EventTables tables(String name) {
        return new EventIndex(client, name, variant, options.maintenanceTimeout());
    }

    @Override
    public List<String> strangers(Set<String> ours) {
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
    public Store openStore(RunCopy copy) {
        return new OpenSearchStore(client, copy, variant, options.searchTimeout());
    }

    @Override
    public void close() {}
}
