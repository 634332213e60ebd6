package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static siemload.database.postgresql.PostgresqlConnections.SQL;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.Io;
import siemload.database.Counters.Relation;
import siemload.database.Counters.StatementTime;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.EventSink;
import siemload.database.Target;
import siemload.database.postgresql.PostgresqlConnections.PostgresqlErrors;
import siemload.database.sql.RunConnection;
import siemload.query.Search;

@Tag("database")
@Timeout(120)
final class PostgresqlCountersTest {
    private static final int EVENTS = 3_000;
    private static final int FED = 50;
    private static final Search WHOLE = PostgresqlTestServer.EVERYTHING;

    /** This server waits for the disk, since it counts that time. */
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("counters", Map.of());

    @Test
    void theBlocksOfDataAndIndexesAreThoseOfPgStatio() throws Exception {
        DatasetKey key = new DatasetKey("0000000000c0c0c0", "counters", EVENTS);
        try (Target target = SERVER.connect(Duration.ofSeconds(60))) {
            target.load(key, load -> load.write(PostgresqlTestServer.generated(0, EVENTS)), step -> {});
            try (Store store = target.copy(key, "counters");
                    Counters counters = store.openCounters().orElseThrow()) {
                CounterReading start = counters.readSettled();
                nobodyWaitsForThoseWhoOnlyCount(store);
                List<Long> before = blocks();
                work(store);
                CounterReading did =
                        readWhileASessionIsStillOpen(store, counters).since(start);
                List<Long> after = blocks();

                Io all = did.tablesAndIndexes();
                assertThat(all.reads()).isEqualTo(after.get(0) - before.get(0)).isPositive();
                assertThat(all.hits()).isEqualTo(after.get(1) - before.get(1)).isPositive();
                assertThat(did.relations().values().stream()
                                .mapToLong(Relation::blocksRead)
                                .sum())
                        .isEqualTo(all.reads());
                assertThat(all.readBytes()).isEqualTo(8_192 * all.reads());
                assertThat(did.io(Io.REDO).writtenBytes()).isPositive();
                // Each fed event is a row of events and a row of events_json.
                assertThat(did.counters()).containsEntry("pg_stat_database.tup_inserted", 2L * FED);
            }
        }
    }

    /** The checkpointer first tells waiting sessions that it is done, and publishes its counts afterwards. */
    @Test
    void aCheckpointIsCountedUnderTheNameThatAllDatabasesShare() {
        try (Target target = SERVER.connect();
                Store store = target.emptyStore("checkpoints");
                Counters counters = store.openCounters().orElseThrow()) {
            CounterReading before = counters.read();
            store.maintenance().orElseThrow().checkpoint();
            while (counters.read().since(before).counters().get("checkpoints.completed") == 0) {
                LockSupport.parkNanos(10_000_000);
            }
            assertThat(before.counters()).containsKeys("checkpoints.millis", "checkpoints.blocks");
        }
    }

    /** The extension is missing on any server whose administrator has not added it. */
    @Test
    void aServerWithoutTheExtensionSaysSo() throws Exception {
        SERVER.execute("DROP EXTENSION pg_stat_statements");
        try (PostgresqlStore.Statistics counters = counters("postgres")) {
            assertThat(counters.statements().untold()).startsWith("the extension pg_stat_statements is missing");
            assertThat(counters.read().statements()).isEmpty();
        } finally {
            SERVER.execute("CREATE EXTENSION pg_stat_statements");
        }
    }

    private static PostgresqlStore.Statistics counters(String database) throws SQLException {
        return new PostgresqlStore.Statistics(connection(), connection(), database);
    }

    private static RunConnection connection() {
        return new RunConnection(
                () -> SERVER.administrator("postgres"), PostgresqlErrors.INSTANCE, Duration.ofSeconds(20));
    }

    /** Times include planning, and cover only statements of the named database. */
    @Test
    void statementsAreThoseOfTheDatabaseThatWasNamed() throws Exception {
        try (PostgresqlStore.Statistics here = counters("postgres");
                PostgresqlStore.Statistics elsewhere = counters("template1")) {
            assertThat(here.statements().covers()).startsWith("planning and execution");
            assertThat(elsewhere.statements().untold()).isEmpty();
            Map<String, StatementTime> before = here.read().statements();
            SERVER.execute("SELECT pg_sleep(0.05)");

            StatementTime slept = new CounterReading(List.of(), List.of(), Map.of())
                            .with(here.read().statements())
                            .since(CounterReading.NONE.with(before))
                            .statements()
                            .values()
                            .stream()
                            .max(Comparator.comparing(StatementTime::executionNanos))
                            .orElseThrow();
            assertThat(slept.calls()).isEqualTo(1);
            assertThat(slept.executionNanos()).isBetween(50_000_000L, 1_000_000_000L);
            assertThat(slept.planningNanos()).isPositive();
            assertThat(elsewhere.read().statements().values())
                    .noneMatch(statement -> statement.executionNanos() >= slept.executionNanos());
        }
    }

    /**
     * Version 18 counts operations of several blocks and their bytes, and versions 16 and 17 count blocks. Older ones only count for the
     * run's database.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "traffic-18 | pg_stat_io (object, reads, read_bytes, writes, write_bytes, hits)"
                        + " | ('relation', 2, 81920, 1, 8192, 90), ('temp relation', 1, 8192, 0, 0, 1), ('wal', 0, 0, 6, 49152, NULL)"
                        + " | hits redo null 0, hits rest 1 0, hits rest 90 0, reads redo 0 0, reads rest 1 8192,"
                        + " reads rest 10 81920, writes redo 6 40960, writes rest 0 0, writes rest 1 8192",
                "traffic-16 | pg_stat_io (object, reads, writes, hits) | ('relation', 10, 4, 90), ('relation', NULL, 3, NULL)"
                        + " | hits rest 90 737280, reads rest 10 81920, writes rest 7 57344, writes redo 5 40960",
                "traffic | pg_stat_database (datname, blks_read, blks_hit) | ('postgres', 10, 90), ('other', 1, 1)"
                        + " | hits rest 90 737280, reads rest 10 81920, writes redo 5 40960",
                "temp | pg_stat_database (datname, temp_bytes) | ('postgres', 8193) | writes temp 2 8193"
            })
    void trafficIsInBlocksAndBytesWhateverTheVersion(String block, String view, String rows, String traffic)
            throws SQLException {
        String question = SQL.read("counters-" + block).sql();
        List<String> found = new ArrayList<>();
        try (Connection connection = SERVER.administrator("postgres");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TEMPORARY VIEW " + view + " AS VALUES " + rows);
            statement.execute("CREATE TEMPORARY VIEW pg_stat_wal (wal_write, wal_bytes) AS VALUES (5, 40960)");
            statement.execute("SET search_path = pg_temp, pg_catalog");
            try (ResultSet row = statement.executeQuery(question)) {
                while (row.next()) {
                    String blocks = row.getString(3) == null ? "null" : Long.toString(row.getLong(3));
                    String bytes = row.getString(4) == null ? "null" : Long.toString(row.getLong(4));
                    found.add(row.getString(1) + " " + row.getString(2) + " " + blocks + " " + bytes);
                }
            }
        }
        assertThat(found).containsExactlyInAnyOrder(traffic.split(", "));
    }

    /** Each session answers several times in a row, so that its last counts are published only when it ends. */
    private static void work(Store store) {
        try (SearchSession one = store.openSession();
                SearchSession other = store.openSession();
                EventSink sink = store.openSink()) {
            for (int i = 0; i < 3; i++) {
                assertThat(one.search(WHOLE, row -> {})).isGreaterThanOrEqualTo(EVENTS);
                other.count(WHOLE);
            }
            sink.write(PostgresqlTestServer.generated(EVENTS, EVENTS + FED));
        }
    }

    /** Reading counters does not wait for the connections of other counters, which stay open. */
    private static void nobodyWaitsForThoseWhoOnlyCount(Store store) {
        try (Counters second = store.openCounters().orElseThrow()) {
            second.readSettled();
            assertThat(second.gaps()).isEmpty();
        }
    }

    /** The session searches twice within a second, so that the second search's counts are published when the session ends. */
    private static CounterReading readWhileASessionIsStillOpen(Store store, Counters counters) throws Exception {
        CompletableFuture<CounterReading> reading;
        try (SearchSession session = store.openSession()) {
            session.count(WHOLE);
            session.count(WHOLE);
            reading = CompletableFuture.supplyAsync(counters::readSettled);
            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> reading.get(300, TimeUnit.MILLISECONDS));
        }
        return reading.get();
    }

    /** The numbers of blocks read and of blocks hit. */
    private static List<Long> blocks() {
        return Stream.of("read", "hit")
                .map(how -> SERVER.number(
                        SERVER.ofRun("counters"),
                        "SELECT sum(heap_blks_$ + coalesce(idx_blks_$, 0) + coalesce(toast_blks_$, 0) + coalesce(tidx_blks_$, 0))"
                                        .replace("$", how)
                                + " FROM pg_statio_user_tables"))
                .toList();
    }
}
