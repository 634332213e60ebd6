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
import siemload.database.Counters.CounterReading.Blocks;
import siemload.database.Counters.CounterReading.Category;
import siemload.database.Counters.CounterReading.Io;
import siemload.database.Counters.CounterReading.Relation;
import siemload.database.EmbeddedServer;
import siemload.database.IndexSet;
import siemload.database.StatementStore.StatementTime;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.contract.ContractSubject;

/** Against documents in the form of the manual, since the stand-in has no such statistics. */
final class MongodbCountersTest {
    private static final Document SERVER = Document.parse("""
            {"opcounters": {"query": {"$numberLong": "40"}, "insert": 5},
             "connections": {"current": 9},
             "mem": {"bits": 64, "resident": 3, "virtual": 2500, "supported": true},
             "tcmalloc": {"generic": {"current_allocated_bytes": {"$numberLong": "5000000000"}, "heap_size": 7}},
             "metrics": {"queryExecutor": {"scanned": 7, "collectionScans": {"total": 2}}},
             "wiredTiger": {
               "cache": {"pages read into cache": 100, "bytes read into cache": 4000, "pages written from cache": 50,
                         "bytes written from cache": 2000, "pages requested from the cache": 1100,
                         "maximum bytes configured": 1000000, "bytes currently in the cache": 5000},
               "log": {"log write operations": 12, "log bytes written": 3456, "maximum log file size": 100}}}
            """);
    private static final Document COLLECTION = Document.parse("""
            {"storageStats": {
              "wiredTiger": {"cache": {"pages read into cache": 60, "bytes read into cache": 2400,
                "pages written from cache": 20, "bytes written from cache": 900, "pages requested from the cache": 660}},
              "indexDetails": {
                "_id_": {"cache": {"pages read into cache": 10, "bytes read into cache": 500,
                  "pages written from cache": 4, "bytes written from cache": 100, "pages requested from the cache": 110}},
                "time": {"cache": {"pages read into cache": 20, "bytes read into cache": 700,
                  "pages written from cache": 6, "bytes written from cache": 200, "pages requested from the cache": 220}}}}}
            """);

    /** Requested pages that were not read were there; the rest is what collection and indexes leave of all. */
    @Test
    void pagesAreSplitIntoDataIndexesAndRest() {
        CounterReading reading = new WiredTigerCounters(SERVER, COLLECTION).reading("run_x");

        assertThat(reading.io())
                .isEqualTo(Map.of(
                        Category.DATA, new Io(60, 2_400, 20, 900, 600),
                        Category.INDEX, new Io(30, 1_200, 10, 300, 300),
                        Category.REDO, new Io(0, 0, 12, 3_456, 0),
                        Category.REST, new Io(10, 400, 20, 800, 100)));
        assertThat(reading.relations())
                .isEqualTo(Map.of(
                        new Relation("run_x", Relation.Kind.TABLE), new Blocks(60, 600),
                        new Relation("_id_", Relation.Kind.INDEX), new Blocks(10, 100),
                        new Relation("time", Relation.Kind.INDEX), new Blocks(20, 200)));
    }

    /** The manual has resident memory in MiB: 3 x 1,048,576. */
    @Test
    void memoryIsInBytesByTheServersOwnNames() {
        CounterReading reading = new WiredTigerCounters(SERVER, COLLECTION).reading("run_x");

        assertThat(reading.memory())
                .isEqualTo(Map.of(
                        "mem.resident", 3_145_728L,
                        "wiredTiger.cache.bytes currently in the cache", 5_000L,
                        "tcmalloc.generic.current_allocated_bytes", 5_000_000_000L));
        assertThat(reading.counters())
                .doesNotContainKeys("mem.resident", "wiredTiger.cache.bytes currently in the cache");
    }

    /** In microseconds, as the manual has it; its operations are no searches. */
    @Test
    void allReadsOfTheCollectionAreTheSearches() {
        Document told = Document.parse("""
                {"ns": "siemload.run_x", "latencyStats": {
                  "reads": {"latency": {"$numberLong": "1234567"}, "ops": {"$numberLong": "89"}},
                  "writes": {"latency": {"$numberLong": "7"}, "ops": 1}}}
                """);

        assertThat(MongodbCounters.times(told))
                .isEqualTo(Map.of(MongodbCounters.statement(), new StatementTime(0, 0, 1_234_567_000)));
        assertThat(MongodbCounters.times(COLLECTION)).isEmpty();
    }

    /** Such a server is what a MongoDB that refuses both is like. */
    @Test
    @Tag("database")
    void aServerWithoutSuchStatisticsIsReadWithoutFailing() {
        DatasetKey key = new DatasetKey("00000000abcdef07", "counters", 0);
        try (EmbeddedServer server = MongodbTestServer.standIn(6);
                Target target = new MongodbPlugin()
                        .connect(
                                server.address(), MongodbTestServer.options(IndexSet.NATIVE, Duration.ofSeconds(20)))) {
            ContractSubject.load(target, key, List.of());
            try (Store store = target.copy(key, "counters");
                    Counters counters = store.openCounters().orElseThrow()) {
                CounterReading reading = counters.readSettled();
                counters.read();
                assertThat(reading.io()).isEmpty();
                assertThat(reading.memory()).isEmpty();
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
