package siemload.database.opensearch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.StatementTime;
import siemload.database.server.JsonCounters.Question;

/** Answers in the shapes that OpenSearch 2.19 gives, with fewer keys. */
final class OpenSearchCountersTest {
    private static final String INDEX = """
            {"indexing": {"index_total": 7, "index_current": 3, "is_throttled": false, "doc_status": {"201": 7}},
             "search": {"open_contexts": 1, "query_total": 5, "query_time_in_millis": 20, "query_current": 2,
                        "fetch_time_in_millis": 3, "scroll_time_in_millis": 100},
             "refresh": {"total": 4, "listeners": 2},
             "request_cache": {"memory_size_in_bytes": 900, "hit_count": 6},
             "store": {"size_in_bytes": 12345}}
            """;

    private static final String NODES = """
            {"a": {"timestamp": 1, "jvm": {"mem": {"heap_used_in_bytes": 10, "heap_committed_in_bytes": 30, "non_heap_used_in_bytes": 0},
                  "buffer_pools": {"mapped": {"used_in_bytes": 5}}, "gc": {"collectors": {"young": {"collection_count": 2, "collection_time_in_millis": 9}}}}},
             "b": {"jvm": {"mem": {"heap_used_in_bytes": 100}}}}
            """;

    @Test
    void countsGrowAndLevelsAreNone() throws IOException {
        CounterReading reading = reading(INDEX, NODES);
        assertThat(reading.counters())
                .isEqualTo(Map.of(
                        "indexing.index_total", 7L,
                        "search.query_total", 5L,
                        "search.query_time_in_millis", 20L,
                        "search.fetch_time_in_millis", 3L,
                        "search.scroll_time_in_millis", 100L,
                        "refresh.total", 4L,
                        "request_cache.hit_count", 6L,
                        "gc.young.collection_count", 2L,
                        "gc.young.collection_time_in_millis", 9L));
        assertThat(reading.io()).isEmpty();
    }

    /** A scroll that is open is no work. */
    @Test
    void theTimeOfSearchesIsThatOfTheirQueriesAndOfFetchingTheirRows() throws IOException {
        assertThat(reading(INDEX, NODES).statements()).isEqualTo(Map.of("search", new StatementTime(0, 0, 23_000_000)));
    }

    private static CounterReading reading(String index, String nodes) throws IOException {
        JsonNode[] answers = {json(index), json(nodes)};
        return OpenSearchServer.counters(
                        Duration.ofSeconds(1),
                        List.of(
                                new Question("the index", () -> answers[0]),
                                new Question("the nodes", () -> answers[1])))
                .read();
    }

    private static JsonNode json(String text) throws IOException {
        return OpenSearchClient.read(text.getBytes(StandardCharsets.UTF_8));
    }
}
