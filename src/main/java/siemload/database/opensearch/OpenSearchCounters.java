package siemload.database.opensearch;

import static siemload.database.opensearch.OpenSearchErrors.ERRORS;

import java.util.List;
import siemload.database.Counters;
import siemload.database.Counters.StatementSource;
import siemload.database.server.JsonCounters;
import siemload.database.server.JsonCounters.Counter;
import siemload.database.server.JsonCounters.Meaning;
import siemload.database.server.JsonCounters.Question;
import siemload.database.server.JsonCounters.Unit;

/**
 * What numbers in the statistics of an index, and in those of the nodes' Java, are.
 *
 * @see <a href="https://docs.opensearch.org/latest/api-reference/index-apis/stats/">Index stats</a>
 */
final class OpenSearchCounters {
    /** What the server's counters call all that searches of an index. */
    static final String SEARCHES = "search";

    private static final String OF_INDEX = "the statistics of the index (permission indices_monitor)";
    private static final String SECTIONS = "indexing|search|merges|refresh|flush|query_cache|request_cache|get";
    /** Those of the sections that are no counts. */
    private static final String LEVELS =
            "current|open_contexts|avg_slice_count|memory_size_in_bytes|cache_size|auto_throttle|listeners";

    private static final String JVM = "[^.]+\\.jvm\\.";

    /** The time of searches is that of queries and of fetching their rows: that of scrolls is how long they were open. */
    static final Meaning MEANING = new Meaning(
            List.of(
                    new Counter("(?:" + SECTIONS + ")\\.(?!.*(?:" + LEVELS + "))[^.]+", "$0", Unit.COUNT),
                    new Counter("search\\.(?:query|fetch)_time_in_millis", SEARCHES, Unit.SEARCH_MILLIS),
                    new Counter(
                            JVM + "gc\\.collectors\\.(.+\\.collection_(?:count|time_in_millis))", "gc.$1", Unit.COUNT),
                    new Counter(JVM + "mem\\.(heap_used|heap_committed|non_heap_used)_in_bytes", "$1", Unit.BYTES),
                    new Counter(JVM + "buffer_pools\\.mapped\\.used_in_bytes", "mapped_files", Unit.BYTES),
                    new Counter("([^.]+)\\.jvm\\.uptime_in_millis", "$1", Unit.UP_MILLIS)),
            OF_INDEX,
            StatementSource.of(
                    "_stats/search",
                    "query and fetch phase of all searches of the index, in milliseconds, those of probes among them: what its"
                            + " shards did, without the node that put their answers together"),
            "OpenSearch does not count what it reads and writes: blocks are read from the files that the system keeps in"
                    + " memory");

    private OpenSearchCounters() {}

    static Counters of(OpenSearchClient client, String index) {
        String sections = SECTIONS.replace("merges", "merge").replace('|', ',');
        return new JsonCounters<>(
                ERRORS,
                e -> e.status() == OpenSearchErrors.FORBIDDEN,
                client.timeout(),
                List.of(
                        new Question(
                                OF_INDEX,
                                () -> client.ask("GET", "/" + index + "/_stats/" + sections + "?filter_path=_all.total")
                                        .at("/_all/total")),
                        new Question(
                                "the statistics of the nodes (permission cluster_monitor)",
                                () -> client.ask(
                                                "GET",
                                                "/_nodes/stats/jvm?filter_path=nodes.*.jvm.uptime_in_millis,nodes.*.jvm.mem,"
                                                        + "nodes.*.jvm.gc,nodes.*.jvm.buffer_pools")
                                        .path("nodes"))),
                MEANING);
    }
}
