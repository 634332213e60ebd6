package siemload.database.opensearch;

import static siemload.database.opensearch.OpenSearchErrors.ERRORS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.StatementStore.StatementSource;
import siemload.database.StatementStore.StatementTime;
import siemload.database.opensearch.OpenSearchClient.OpenSearchException;
import siemload.database.server.ServerStarts;

/**
 * Reads the statistics of the run's index, and those of the nodes' Java. What may not be read is not asked for again.
 *
 * @see <a href="https://docs.opensearch.org/latest/api-reference/index-apis/stats/">Index stats</a>
 */
final class OpenSearchCounters implements Counters {
    /** What the server's counters call all that searches of an index. */
    static final String SEARCHES = "search";

    private static final List<String> SECTIONS =
            List.of("indexing", "search", "merges", "refresh", "flush", "query_cache", "request_cache", "get");
    /** Those of the sections that are no counts. */
    private static final List<String> LEVELS = List.of(
            "current",
            "open_contexts",
            "avg_slice_count",
            "memory_size_in_bytes",
            "cache_size",
            "auto_throttle",
            "listeners");

    private static final String OF_INDEX = "the statistics of the index (permission indices_monitor)";

    private final OpenSearchClient client;
    private final String index;
    private final Map<String, String> refused = new HashMap<>();
    private final ServerStarts starts = new ServerStarts();

    /** @param index of the run */
    OpenSearchCounters(OpenSearchClient client, String index) {
        this.client = client;
        this.index = index;
    }

    @Override
    public CounterReading read() {
        return ERRORS.answering(client.timeout(), () -> {
            JsonNode all = ask(
                            OF_INDEX,
                            "/" + index + "/_stats/"
                                    + String.join(",", SECTIONS).replace("merges", "merge") + "?filter_path=_all.total")
                    .at("/_all/total");
            JsonNode nodes = ask(
                            "the statistics of the nodes (permission cluster_monitor)",
                            "/_nodes/stats/jvm?filter_path=nodes.*.jvm.uptime_in_millis,nodes.*.jvm.mem,nodes.*.jvm.gc,nodes.*.jvm.buffer_pools")
                    .path("nodes");
            noteStart(nodes);
            return reading(all, nodes).startedAt(starts.latest());
        });
    }

    /**
     * What these answers mean.
     *
     * @param all of the index
     * @param nodes by their ids
     */
    static CounterReading reading(JsonNode all, JsonNode nodes) {
        Map<String, Long> counters = new HashMap<>();
        SECTIONS.forEach(section -> all.path(section).forEachEntry((name, value) -> {
            if (value.isIntegralNumber() && LEVELS.stream().noneMatch(name::contains)) {
                counters.put(section + "." + name, value.asLong());
            }
        }));
        Map<String, Long> memory = new HashMap<>();
        nodes.valueStream().map(node -> node.path("jvm")).forEach(jvm -> {
            jvm.at("/gc/collectors").forEachEntry((name, collector) -> {
                add(counters, "gc." + name + ".collection_count", collector.path("collection_count"));
                add(counters, "gc." + name + ".collection_time_in_millis", collector.path("collection_time_in_millis"));
            });
            add(memory, "heap_used", jvm.at("/mem/heap_used_in_bytes"));
            add(memory, "heap_committed", jvm.at("/mem/heap_committed_in_bytes"));
            add(memory, "non_heap_used", jvm.at("/mem/non_heap_used_in_bytes"));
            add(memory, "mapped_files", jvm.at("/buffer_pools/mapped/used_in_bytes"));
        });
        memory.values().removeIf(bytes -> bytes <= 0);
        return new CounterReading(Map.of(), Map.of(), counters)
                .with(times(all.path("search")))
                .holding(memory);
    }

    private static void add(Map<String, Long> sums, String name, JsonNode number) {
        if (number.isIntegralNumber()) {
            sums.merge(name, number.asLong(), Long::sum);
        }
    }

    /** That of queries and of fetching their rows: the time of scrolls is how long they were open. */
    private static Map<String, StatementTime> times(JsonNode search) {
        long millis = search.path("query_time_in_millis").asLong()
                + search.path("fetch_time_in_millis").asLong();
        return search.isMissingNode()
                ? Map.of()
                : Map.of(SEARCHES, new StatementTime(0, 0, TimeUnit.MILLISECONDS.toNanos(millis)));
    }

    /** Nodes tell how long they have been up, by their ids. */
    private void noteStart(JsonNode nodes) {
        nodes.forEachEntry((id, node) -> {
            JsonNode millis = node.at("/jvm/uptime_in_millis");
            if (millis.isIntegralNumber()) {
                starts.note(id, millis.asLong());
            }
        });
    }

    private JsonNode ask(String what, String path) {
        if (refused.containsKey(what)) {
            return MissingNode.getInstance();
        }
        try {
            return client.ask("GET", path);
        } catch (OpenSearchException e) {
            if (e.status() != OpenSearchErrors.FORBIDDEN) {
                throw e;
            }
            refused.put(what, String.valueOf(e.getMessage()));
            return MissingNode.getInstance();
        }
    }

    @Override
    public StatementSource statements() {
        return refused.containsKey(OF_INDEX)
                ? StatementSource.none(refusal(OF_INDEX))
                : StatementSource.of(
                        "_stats/search",
                        "query and fetch phase of all searches of the index, in milliseconds, those of probes among them: what its"
                                + " shards did, without the node that put their answers together");
    }

    private String refusal(String what) {
        return "this user may not read " + what + ": " + refused.get(what);
    }

    @Override
    public List<String> gaps() {
        return Stream.concat(
                        refused.keySet().stream().map(this::refusal),
                        Stream.of("OpenSearch does not count what it reads and writes: blocks are read from the"
                                + " files that the system keeps in memory"))
                .toList();
    }
}
