package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
import siemload.database.Target.DatasetLoad;
import siemload.database.postgresql.PostgresqlCounters.CountedIo;
import siemload.database.postgresql.PostgresqlCounters.TimedStatements;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.server.PostgresqlTestServer;
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
import siemload.results.MicrosSummary;
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
            try (DatasetLoad load = target.load(key)) {
                load.write(
                        LongStream.range(0, EVENTS).mapToObj(generator::event).toList());
                load.finish(step -> {});
            }
            try (Store store = target.copy(key, "counters");
                    RunMonitor monitor = RunMonitor.open(
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
        try (RunConnection connection = new RunConnection(
                        () -> SERVER.administrator("postgres"), PostgresqlErrors.INSTANCE, Duration.ofSeconds(20));
                TimedStatements times = new TimedStatements(connection, "postgres")) {
            assertThat(times.connect().untold()).startsWith("the extension pg_stat_statements is not there");
            assertThat(times.read()).isEmpty();
        } finally {
            SERVER.execute("CREATE EXTENSION pg_stat_statements");
        }
    }

    /** In one database alone, with planning; a statement has the identifier that EXPLAIN tells. */
    @Test
    void statementsAreThoseOfTheDatabaseThatWasNamed() throws Exception {
        try (RunConnection connection = new RunConnection(
                        () -> SERVER.administrator("postgres"), PostgresqlErrors.INSTANCE, Duration.ofSeconds(20));
                TimedStatements here = new TimedStatements(connection, "postgres");
                TimedStatements elsewhere = new TimedStatements(connection, "template1")) {
            assertThat(here.connect().covers()).startsWith("planning and execution");
            assertThat(elsewhere.connect().untold()).isEmpty();
            Map<String, StatementTime> before = here.read();
            SERVER.execute("SELECT pg_sleep(0.05)");

            StatementTime slept = new CounterReading(List.of(), List.of(), Map.of())
                    .with(here.read()).since(CounterReading.NONE.with(before)).statements().values().stream()
                            .max(Comparator.comparing(StatementTime::executionNanos))
                            .orElseThrow();
            assertThat(slept.calls()).isEqualTo(1);
            assertThat(slept.executionNanos()).isBetween(50_000_000L, 1_000_000_000L);
            assertThat(slept.planningNanos()).isPositive();
            assertThat(elsewhere.read().values())
                    .noneMatch(statement -> statement.executionNanos() >= slept.executionNanos());
        }
    }

    /** PostgreSQL 16 and 17 count blocks, and their log only in pg_stat_wal. */
    @Test
    void theViewsOfVersion16CountBlocks() {
        List<Io> io = io(Map.of(
                "pg_stat_wal.wal_write", 5L,
                "pg_stat_wal.wal_bytes", 40_960L,
                "pg_stat_io.client backend.relation.normal.reads", 10L,
                "pg_stat_io.client backend.relation.normal.writes", 4L,
                "pg_stat_io.client backend.relation.normal.hits", 90L,
                "pg_stat_io.checkpointer.relation.normal.writes", 3L));

        assertThat(io).contains(new Io(Io.REST, 10, 81_920, 7, 57_344, 90));
        assertThat(io).contains(new Io(Io.REDO, 0, 0, 5, 40_960, 0));
    }

    /** Version 18 counts operations of several blocks, their bytes, and the log among the rest. */
    @Test
    void theViewsOfVersion18CountOperationsAndBytes() {
        List<Io> io = io(Map.of(
                "pg_stat_io.client backend.relation.normal.reads", 2L,
                "pg_stat_io.client backend.relation.normal.read_bytes", 81_920L,
                "pg_stat_io.client backend.relation.normal.writes", 1L,
                "pg_stat_io.client backend.relation.normal.write_bytes", 8_192L,
                "pg_stat_io.client backend.relation.normal.hits", 90L,
                "pg_stat_io.client backend.wal.normal.writes", 6L,
                "pg_stat_io.client backend.wal.normal.write_bytes", 49_152L));

        assertThat(io).contains(new Io(Io.REST, 10, 81_920, 1, 8_192, 90));
        assertThat(io).contains(new Io(Io.REDO, 0, 0, 6, 49_152, 0));
    }

    /** Before 16 the database of the run is all that is known. */
    @Test
    void theViewsOfVersion14KnowTheDatabaseAlone() {
        List<Io> io = io(Map.of(
                "pg_stat_database.blks_read", 10L,
                "pg_stat_database.blks_hit", 90L,
                "pg_stat_database.temp_bytes", 8_193L));

        assertThat(io).contains(new Io(Io.REST, 10, 81_920, 0, 0, 90));
        assertThat(io).contains(new Io(Io.TEMP, 0, 0, 2, 8_193, 0));
    }

    private static List<Io> io(Map<String, Long> counters) {
        return new CountedIo(List.of(), counters, 8_192).byCategory();
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
            seen = CompletableFuture.supplyAsync(() -> monitor.finish(System.nanoTime(), MicrosSummary.NONE));
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
