package siemload.database.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import siemload.config.Origin;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.CounterReading.Blocks;
import siemload.database.Counters.CounterReading.Category;
import siemload.database.Counters.CounterReading.Io;
import siemload.database.Counters.CounterReading.Relation;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.ExistingSessions;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.SearchSession;
import siemload.database.StatementStore.StatementTime;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.oracle.OracleSession.OracleOwnCounts;
import siemload.query.Paging;

/** With rows as Oracle's manual describes them; none of this has been seen on a server. */
final class OracleCountersTest {

    @Test
    void blocksAreSplitByWhatTheirTablespaceAndSegmentAreFor() {
        OracleCounters.Segments segments = new OracleCounters.Segments();
        segments.add("SL_X_EVENT", "TABLE PARTITION", "logical reads", 100, 8_192);
        segments.add("SL_X_EVENT", "TABLE PARTITION", "physical reads", 30, 8_192);
        segments.add("SL_X_EVENT", "TABLE PARTITION", "physical writes", 5, 8_192);
        segments.add("SL_X_EVENT_TIME", "INDEX PARTITION", "logical reads", 50, 8_192);
        segments.add("SL_X_EVENT_TIME", "INDEX PARTITION", "physical reads", 10, 8_192);
        Map<String, Io> files = Map.of(
                "PERMANENT", new Io(45, 368_640, 9, 73_728, 0),
                "UNDO", new Io(1, 8_192, 2, 16_384, 0),
                "TEMPORARY", new Io(3, 24_576, 4, 32_768, 0));
        Map<String, Long> system = Map.of(
                "v$sysstat.redo writes", 6L,
                "v$sysstat.redo size", 7_000L,
                "v$sysstat.background checkpoints completed", 8L,
                "v$sysstat.DBWR checkpoint buffers written", 90L);

        CounterReading reading = OracleCounters.reading(system, files, segments);

        assertThat(reading.io())
                .isEqualTo(Map.of(
                        Category.DATA, new Io(30, 245_760, 5, 40_960, 70),
                        Category.INDEX, new Io(10, 81_920, 0, 0, 40),
                        Category.REDO, new Io(0, 0, 6, 7_000, 0),
                        Category.UNDO, new Io(1, 8_192, 2, 16_384, 0),
                        Category.TEMP, new Io(3, 24_576, 4, 32_768, 0),
                        Category.REST, new Io(5, 40_960, 4, 32_768, 0)));
        assertThat(reading.counters())
                .containsEntry("checkpoints.completed", 8L)
                .containsEntry("checkpoints.blocks", 90L)
                .doesNotContainKey("checkpoints.millis");
        assertThat(reading.relations())
                .isEqualTo(Map.of(
                        new Relation("SL_X_EVENT", Relation.Kind.TABLE), new Blocks(30, 70),
                        new Relation("SL_X_EVENT_TIME", Relation.Kind.INDEX), new Blocks(10, 40)));
    }

    @Test
    void whatASessionCountedOfItselfHasTablesAndIndexesInOneNumber() {
        Map<String, Long> before = Map.of("session logical reads", 1_000L, "physical reads", 40L, "redo size", 7L);
        Map<String, Long> now = Map.of(
                "session logical reads", 1_500L,
                "physical reads", 100L,
                "physical reads direct temporary tablespace", 20L,
                "physical writes direct temporary tablespace", 30L,
                "redo size", 507L,
                "undo change vector size", 11L);

        assertThat(OracleOwnCounts.byCategory(before, now))
                .isEqualTo(Map.of(
                        Category.REST, new Io(40, 0, 0, 0, 460),
                        Category.REDO, new Io(0, 0, 0, 500, 0),
                        Category.UNDO, new Io(0, 0, 0, 11, 0),
                        Category.TEMP, new Io(20, 0, 30, 0, 0)));
    }

    private static final String EXISTING = """
            CREATE TABLE all_users (username VARCHAR(20), user_id NUMBER, oracle_maintained VARCHAR(1));
            INSERT INTO all_users VALUES ('SA', 7, 'N'), ('SIEM', 8, 'N'), ('SYS', 0, 'Y');
            CREATE TABLE dba_tablespaces (tablespace_name VARCHAR(20), block_size NUMBER, contents VARCHAR(20));
            INSERT INTO dba_tablespaces VALUES ('USERS', 8192, 'PERMANENT');
            CREATE TABLE v$segment_statistics (owner VARCHAR(20), object_name VARCHAR(20), object_type VARCHAR(20),
                tablespace_name VARCHAR(20), statistic_name VARCHAR(20), "VALUE" NUMBER);
            INSERT INTO v$segment_statistics VALUES
                ('SIEM', 'ALERT', 'TABLE PARTITION', 'USERS', 'logical reads', 60),
                ('SIEM', 'ALERT', 'TABLE PARTITION', 'USERS', 'logical reads', 40),
                ('SIEM', 'ALERT', 'TABLE PARTITION', 'USERS', 'physical reads', 30),
                ('SIEM', 'ALERT', 'TABLE PARTITION', 'USERS', 'row lock waits', 3),
                ('SIEM', 'ALERT_TIME', 'INDEX', 'USERS', 'logical reads', 9),
                ('SYS', 'OBJ$', 'TABLE', 'USERS', 'logical reads', 500);
            CREATE TABLE v$sqlstats (sql_id VARCHAR(13), sql_fulltext VARCHAR(100));
            INSERT INTO v$sqlstats VALUES ('ours', 'SELECT a FROM t WHERE b = :1 '), ('theirs', 'SELECT 2');
            CREATE TABLE v$sql (sql_id VARCHAR(13), parsing_user_id NUMBER, executions NUMBER, elapsed_time NUMBER);
            INSERT INTO v$sql VALUES ('ours', 7, 3, 700), ('ours', 7, 1, 50), ('theirs', 8, 9, 9);
            """;

    @Test
    void ofDataThatWereThereBeforeTheTablesOfAllUsersAreCountedAndOnesOwnStatements() throws SQLException {
        H2Plugin plugin = new H2Plugin();
        try (EmbeddedServer server = plugin.startEmbedded(new EmbeddedOptions(Path.of("."), 4));
                Connection connection =
                        DriverManager.getConnection(server.address().url(), "sa", "");
                Statement statement = connection.createStatement()) {
            statement.execute(EXISTING);
            ExistingSessions.events(plugin, server.address(), alerts(), store -> {
                try (Counters counters = store.openCounters().orElseThrow()) {
                    CounterReading reading = counters.read();
                    assertThat(reading.relations())
                            .isEqualTo(Map.of(
                                    new Relation("SIEM.ALERT", Relation.Kind.TABLE), new Blocks(30, 70),
                                    new Relation("SIEM.ALERT_TIME", Relation.Kind.INDEX), new Blocks(0, 9)));
                    assertThat(reading.io().get(Category.DATA)).isEqualTo(new Io(30, 245_760, 0, 0, 70));
                    assertThat(reading.statements())
                            .isEqualTo(Map.of(
                                    OracleStatementTimes.name("SELECT a FROM t WHERE b = ?"),
                                    new StatementTime(4, 0, 750_000)));
                    assertThat(counters.statements().untold()).isEmpty();
                }
            });
        }
    }

    private static final String MEMORY_OF_PROCESSES = """
            CREATE TABLE v$pgastat (name VARCHAR(64), "VALUE" NUMBER, unit VARCHAR(12), con_id NUMBER);
            INSERT INTO v$pgastat VALUES
                ('total PGA allocated', 900, 'bytes', 0), ('total PGA allocated', 300, 'bytes', 3),
                ('total PGA inuse', 700, 'bytes', 0), ('maximum PGA allocated', 5000, 'bytes', 0),
                ('cache hit percentage', 98, 'percent', 0);
            """;

    private static final String MEMORY_OF_ALL = """
            CREATE TABLE v$sga (name VARCHAR(20), "VALUE" NUMBER, con_id NUMBER);
            INSERT INTO v$sga VALUES ('Fixed Size', 9, 0), ('Variable Size', 4000, 0), ('Database Buffers', 6000000000, 0);
            """;

    /** Fixed and variable parts and buffers together; of processes the row of the whole instance and no maximum since its start. */
    @Test
    void theMemoryOfTheInstanceIsWhatItHoldsNow() throws SQLException {
        CounterReading reading = memory(
                MEMORY_OF_ALL + MEMORY_OF_PROCESSES,
                counters -> assertThat(counters.gaps())
                        .noneMatch(gap -> gap.contains("v$sga") || gap.contains("v$pgastat")));

        assertThat(reading.memory())
                .isEqualTo(Map.of(
                        "v$sga", 6_000_004_009L,
                        "v$pgastat.total PGA allocated", 900L,
                        "v$pgastat.total PGA inuse", 700L));
    }

    /** A reading of a server with these views, whose counters are looked at then. */
    private static CounterReading memory(String views, Consumer<Counters> look) throws SQLException {
        H2Plugin plugin = new H2Plugin();
        AtomicReference<CounterReading> read = new AtomicReference<>(CounterReading.NONE);
        try (EmbeddedServer server = plugin.startEmbedded(new EmbeddedOptions(Path.of("."), 4));
                Connection connection =
                        DriverManager.getConnection(server.address().url(), "sa", "");
                Statement statement = connection.createStatement()) {
            statement.execute(views);
            ExistingSessions.events(plugin, server.address(), alerts(), store -> {
                try (Counters counters = store.openCounters().orElseThrow()) {
                    read.set(counters.read());
                    look.accept(counters);
                }
            });
        }
        return read.get();
    }

    private static LayoutFolder alerts() {
        return LayoutFolder.read("src/test/resources/existing/oracle-alerts", new Origin.Default(), new OraclePlugin());
    }

    /** H2 has no such views, as they are not there for a user without rights. */
    @Test
    void viewsThatAreNotVisibleLeaveGapsWithTheReason() {
        H2Plugin plugin = new H2Plugin();
        DatasetKey key = new DatasetKey("00c0117ac7c0c0c0", "counters", 0);
        TargetOptions options = new TargetOptions(
                new Variant("arc_event", Partitions.DAY, IndexSet.NONE, Hint.NONE, Paging.OFFSET),
                Duration.ofSeconds(20),
                4);
        try (EmbeddedServer server = plugin.startEmbedded(new EmbeddedOptions(Path.of("."), 4));
                Target target = plugin.connect(server.address(), options)) {
            ContractSubject.load(target, key, List.of());
            try (Store store = target.copy(key, "counters");
                    Counters counters = store.openCounters().orElseThrow()) {
                assertThat(counters.read()).isEqualTo(CounterReading.NONE);
                counters.read();
                try (SearchSession session = store.openSession()) {
                    assertThat(session.ownCounts().orElseThrow().reset()).isFalse();
                }
                assertThat(counters.gaps())
                        .hasSize(6)
                        .allMatch(gap -> gap.startsWith("this user may not see "))
                        .allMatch(gap -> gap.contains("SELECT_CATALOG_ROLE"));
                assertThat(counters.statements().untold())
                        .startsWith("this user may not see v$sqlstats (an administrator may grant SELECT");
            }
        }
    }
}
