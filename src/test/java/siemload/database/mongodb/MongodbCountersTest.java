package siemload.database.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.StatementTime;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.contract.ContractSubject;
import siemload.database.mongodb.MongodbSearches.BsonNotation;
import siemload.database.server.NamedServer.JsonCounters.Question;

/** Against documents in the form of the manual, since the stand-in has no such statistics. */
final class MongodbCountersTest {
    private static final Document SERVER = Document.parse("""
            {"opcounters": {"query": {"$numberLong": "40"}, "insert": 5},
             "connections": {"current": 9},
             "mem": {"bits": 64, "resident": 3, "virtual": 2500, "supported": true},
             "tcmalloc": {"generic": {"current_allocated_bytes": {"$numberLong": "5000000000"}, "heap_size": 7}},
             "metrics": {"queryExecutor": {"scanned": 7, "collectionScans": {"total": 2}}},
             "wiredTiger": {
               "cache": {"pages read into cache": 100, "pages requested from the cache": 1100,
                         "maximum bytes configured": 1000000, "bytes currently in the cache": 5000},
               "log": {"log bytes written": 3456, "maximum log file size": 100}}}
            """);

    @Test
    void countsHaveTheServersOwnNames() {
        assertThat(reading(SERVER).counters())
                .isEqualTo(Map.of(
                        "opcounters.query", 40L,
                        "opcounters.insert", 5L,
                        "metrics.queryExecutor.scanned", 7L,
                        "metrics.queryExecutor.collectionScans.total", 2L,
                        "wiredTiger.cache.pages read into cache", 100L,
                        "wiredTiger.cache.pages requested from the cache", 1_100L,
                        "wiredTiger.log.log bytes written", 3_456L));
    }

    /** In microseconds, as the manual has it; its operations are no searches. */
    @Test
    void allReadsOfTheCollectionAreTheSearches() {
        Document told = Document.parse("""
                {"ns": "siemload.run_x", "latencyStats": {
                  "reads": {"latency": {"$numberLong": "1234567"}, "ops": {"$numberLong": "89"}},
                  "writes": {"latency": {"$numberLong": "7"}, "ops": 1}}}
                """);

        assertThat(reading(told).statements())
                .isEqualTo(Map.of(MongodbSearches.MongodbSession.READS, new StatementTime(0, 0, 1_234_567_000)));
    }

    private static CounterReading reading(Document answer) {
        return MongodbServer.counters(
                        Duration.ofSeconds(1), List.of(new Question("all", () -> BsonNotation.json(answer))))
                .read();
    }

    /** In the shape that the manual gives for $collStats. */
    @Test
    void sizesOfTheCollectionAndItsIndexesAreRead() {
        Document answer = Document.parse("""
                {"ns": "siemload.run_1", "storageStats": {"size": 999, "storageSize": 4096, "totalIndexSize": 28672,
                 "indexSizes": {"_id_": {"$numberLong": "20480"}, "detect_time": 8192}}}
                """);

        assertThat(MongodbServer.sizes(BsonNotation.json(answer)))
                .containsExactly(
                        Map.entry("_id_", 20_480L), Map.entry("detect_time", 8_192L), Map.entry("events", 4_096L));
    }

    /** Such a server is what a MongoDB that refuses both is like. */
    @Test
    @Tag("database")
    void aServerWithoutSuchStatisticsIsReadWithoutFailing() {
        DatasetKey key = new DatasetKey("00000000abcdef07", "counters", 0);
        try (EmbeddedServer server = MongodbTestServer.standIn(6);
                Target target = MongodbTestServer.connect(server)) {
            ContractSubject.load(target, key, List.of());
            try (Store store = target.copy(key, "counters");
                    Counters counters = store.openCounters().orElseThrow()) {
                CounterReading reading = counters.readSettled();
                counters.read();
                assertThat(reading.io()).isEmpty();
                assertThat(counters.gaps())
                        .isNotEmpty()
                        .doesNotHaveDuplicates()
                        .noneMatch(gap -> gap.contains("latencyStats"));
                assertThat(counters.statements().untold())
                        .startsWith("$collStats latencyStats (role readWrite) was refused: ");
                assertThat(reading.statements()).isEmpty();
            }
        }
    }
}
