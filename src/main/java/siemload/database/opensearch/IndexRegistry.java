package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.database.registry.Entry;
import siemload.database.registry.RegistryStorage;

/**
 * The registry as an index. A change is made only where the document is still the one that was read, by its sequence number. What lies
 * in it without being an entry of the user who is logged in is left alone. Thread-safe.
 */
final class IndexRegistry implements RegistryStorage {
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
            if (client.find(RestCall.post("/" + INDEX + "/_refresh", timeout)).isEmpty()) {
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
                .forEach((name, value) -> values.put(name, value.isNumber() ? value.numberValue() : value.asText()));
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
                        .filter(version -> isMade(RestCall.delete(document("_doc", entry) + "?" + version, timeout)))
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
