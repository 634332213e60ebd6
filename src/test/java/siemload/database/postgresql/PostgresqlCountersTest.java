package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static siemload.database.postgresql.PostgresqlConnections.SQL;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
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
import siemload.database.sql.RunConnection;
import siemload.dataset.DatasetReader;
import siemload.dataset.EventGenerator;
import siemload.event.SecurityEvent;
import siemload.measure.RunClock;
import siemload.measure.monitor.DatabaseProcesses;
import siemload.measure.monitor.RunMonitor;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.DatabaseActivity;
import siemload.results.RunWriter;

/** What a run says that the server did is what the server's own views say. */
@Tag("database")
@Timeout(120)
@Tag("any-java")
final class PostgresqlCountersTest {
    private static final Path GENERATED = Path.of("datasets/smoke.yaml");
    private static final int EVENTS = 3_000;
    private static final int FED = 50;
    private static final Search WHOLE =
            new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Whole());

    /** Which waits for the disk, since the server counts how long. */
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("counters", Map.of());

    @TempDir
    private Path directory;

    @Test
    void theBlocksOfDataAndIndexesAreThoseOfPgStatio() throws Exception {
        DatasetKey key = new DatasetKey("0000000000c0c0c0", "counters", EVENTS);
        EventGenerator generator = new EventGenerator(DatasetReader.read(GENERATED));
        try (Target target = new PostgresqlPlugin()
                .connect(
                        SERVER.address(),
                        PostgresqlTestServer.options(Duration.ofSeconds(60), PostgresqlTestServer.SESSIONS))) {
            target.load(
                    key,
                    load -> load.write(LongStream.range(0, EVENTS)
                            .mapToObj(generator::event)
                            .toList()),
                    step -> {});
            try (Store store = target.copy(key, "counters");
                    RunMonitor monitor = new RunMonitor(
                            RunWriter.to(directory), store::openCounters, new DatabaseProcesses.Here(), List.of())) {
                RunClock clock = RunClock.startingAt(System.nanoTime(), Duration.ofMillis(100), Duration.ofMinutes(5));
                monitor.start(clock);
                awaitLine("0.000,rest");
                nobodyWaitsForThoseWhoOnlyCount(store);
                Blocks before = blocks();
                work(store, generator);
                DatabaseActivity activity = finishWhileASessionIsStillOpen(store, monitor);
                Blocks after = blocks();

                assertThat(io(activity, "data").reads() + io(activity, "index").reads())
                        .isEqualTo(after.read - before.read)
                        .isPositive();
                assertThat(io(activity, "data").hits() + io(activity, "index").hits())
                        .isEqualTo(after.hit - before.hit)
                        .isPositive();
                assertThat(activity.relations().stream()
                                .mapToLong(Relation::blocksRead)
                                .sum())
                        .isEqualTo(after.read - before.read);
                assertThat(io(activity, "data").readBytes())
                        .isEqualTo(8_192 * io(activity, "data").reads());
                assertThat(io(activity, "redo").writtenBytes()).isPositive();
                // Each fed event is a row of events and a row of events_json.
                assertThat(activity.counters()).containsEntry("pg_stat_database.tup_inserted", 2L * FED);
                assertThat(readsBehindSecondZero())
                        .isEqualTo(activity.io().stream().mapToLong(Io::reads).sum());
            }
        }
    }

    @Test
    void aCheckpointIsCountedUnderTheNameThatAllDatabasesShare() {
        try (Target target = new PostgresqlPlugin()
                        .connect(
                                SERVER.address(),
                                PostgresqlTestServer.options(Duration.ofSeconds(60), PostgresqlTestServer.SESSIONS));
                Store store = target.emptyStore("checkpoints");
                Counters counters = store.openCounters().orElseThrow()) {
            CounterReading before = counters.read();
            store.maintenance().orElseThrow().checkpoint();

            awaitCheckpoint(counters, before);
            assertThat(before.counters()).containsKeys("checkpoints.millis", "checkpoints.blocks");
        }
    }

    /** Such a server is any whose administrator has not asked for it. */
    @Test
    void aServerWithoutTheExtensionSaysSo() throws Exception {
        SERVER.execute("DROP EXTENSION pg_stat_statements");
        try (PostgresqlStore.Statistics counters = counters("postgres")) {
            assertThat(counters.statements().untold()).startsWith("the extension pg_stat_statements is not there");
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

    /** In one database alone, with planning; a statement has the identifier that EXPLAIN tells. */
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

    /** Version 18 counts operations of several blocks and their bytes, 16 and 17 blocks; before that the database of the run is all that is known. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "traffic-18 | pg_stat_io (object, reads, read_bytes, writes, write_bytes, hits)"
                        + " | ('relation', 2, 81920, 1, 8192, 90), ('temp relation', 1, 8192, 0, 0, 1), ('wal', 0, 0, 6, 49152, NULL)"
                        + " | hits redo null 0, hits rest 1 0, hits rest 90 0, reads redo 0 0, reads rest 1 8192,"
                        + " reads rest 10 81920, writes redo 6 49152, writes rest 0 0, writes rest 1 8192",
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

    /** Several answers in a row by each session, so that the last ones are handed in only when it ends. */
    private static void work(Store store, EventGenerator generator) {
        List<SecurityEvent> fed = LongStream.range(EVENTS, EVENTS + FED)
                .mapToObj(generator::event)
                .toList();
        try (SearchSession one = store.openSession();
                SearchSession other = store.openSession();
                EventSink sink = store.openSink()) {
            for (int i = 0; i < 3; i++) {
                assertThat(one.search(WHOLE, row -> {})).isGreaterThanOrEqualTo(EVENTS);
                other.count(WHOLE);
            }
            sink.write(fed);
        }
    }

    /** The monitor's connection stays open for the whole run. */
    private static void nobodyWaitsForThoseWhoOnlyCount(Store store) {
        try (Counters second = store.openCounters().orElseThrow()) {
            second.readSettled();
            assertThat(second.gaps()).isEmpty();
        }
    }

    /** Searched twice within a second, the second time's counts are handed in at the session's end. */
    private static DatabaseActivity finishWhileASessionIsStillOpen(Store store, RunMonitor monitor) throws Exception {
        CompletableFuture<RunMonitor.Seen> seen;
        try (SearchSession session = store.openSession()) {
            session.count(WHOLE);
            session.count(WHOLE);
            seen = CompletableFuture.supplyAsync(() -> monitor.finish(System.nanoTime()));
            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> seen.get(300, TimeUnit.MILLISECONDS));
        }
        return seen.get().database();
    }

    private record Blocks(long read, long hit) {}

    private static Blocks blocks() throws SQLException {
        try (Connection connection = SERVER.administrator(SERVER.ofRun("counters"));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT sum(heap_blks_read + coalesce(idx_blks_read, 0)"
                        + " + coalesce(toast_blks_read, 0) + coalesce(tidx_blks_read, 0)),"
                        + " sum(heap_blks_hit + coalesce(idx_blks_hit, 0)"
                        + " + coalesce(toast_blks_hit, 0) + coalesce(tidx_blks_hit, 0)) FROM pg_statio_user_tables")) {
            row.next();
            return new Blocks(row.getLong(1), row.getLong(2));
        }
    }

    private static Io io(DatabaseActivity activity, String category) {
        return activity.io().stream()
                .filter(one -> one.category().equals(category))
                .findFirst()
                .orElseThrow();
    }

    private long readsBehindSecondZero() throws IOException {
        List<Long> reads = new ArrayList<>();
        for (String line : Files.readAllLines(directory.resolve("database-io.csv"))) {
            String[] fields = line.split(",", -1);
            if (!fields[0].equals("second") && Double.parseDouble(fields[0]) > 0) {
                reads.add(Long.parseLong(fields[2]));
            }
        }
        return reads.stream().mapToLong(Long::longValue).sum();
    }

    /** The checkpointer tells who waits that it is done, and only then hands in what it counted. */
    private static void awaitCheckpoint(Counters counters, CounterReading before) {
        while (counters.read().since(before).counters().get("checkpoints.completed") == 0) {
            LockSupport.parkNanos(10_000_000);
        }
    }

    private void awaitLine(String start) throws IOException {
        Path file = directory.resolve("database-io.csv");
        while (Files.readAllLines(file).stream().noneMatch(line -> line.startsWith(start))) {
            LockSupport.parkNanos(10_000_000);
        }
    }
}
