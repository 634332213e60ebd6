package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.BulkLoad;
import siemload.database.DatasetKey;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.SharedLoad;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.TargetOptions;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.SharedLoadContract;
import siemload.database.postgresql.server.PostgresqlTestServer;
import siemload.database.provision.RealServer;
import siemload.event.SecurityEvent;
import siemload.query.Paging;

/** What of data sets that several processes load is PostgreSQL's alone. */
@Tag("database")
final class PostgresqlSharedLoadTest {
    @RegisterExtension
    @Order(1)
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("shared-load");

    @RegisterExtension
    @Order(2)
    static final ContractSubject SUBJECT = new ContractSubject(
            new PostgresqlPlugin(),
            new Variant("mentat", IndexSet.NATIVE, Hint.NONE, Paging.OFFSET),
            () -> RealServer.server(SERVER.address(), () -> {}));

    private static final int EVENTS = 1_000;
    private static final List<SecurityEvent> ALL = PostgresqlTestServer.events(EVENTS);

    @Test
    void severalStoreTheRowsAndBuildTheIndexesThatOneWould() throws SQLException {
        DatasetKey alone = new DatasetKey("00000000000000a1", "by one", EVENTS);
        DatasetKey together = new DatasetKey("00000000000000a3", "by three", EVENTS);
        SUBJECT.target().discard(alone);
        ContractSubject.load(SUBJECT.target(), alone, ALL);
        SharedLoadContract.loadTogether(SUBJECT, together, ALL);

        assertThat(rows("siemload_data_00000000000000a3_"))
                .hasSizeGreaterThan(1)
                .isEqualTo(rows("siemload_data_00000000000000a1_"));
        assertThat(indexes("siemload_data_00000000000000a3_"))
                .isNotEmpty()
                .isEqualTo(indexes("siemload_data_00000000000000a1_"));
    }

    @Test
    void aPartThatIsMissingLeavesNothingAndNeitherDoesOneThatIsStillAtWork() throws SQLException {
        DatasetKey key = new DatasetKey("00000000000000a4", "incomplete", EVENTS);
        Target target = SUBJECT.target();
        try (Target finishing = SUBJECT.connect(ContractSubject.TIMEOUT);
                Target hanging = SUBJECT.connect(ContractSubject.TIMEOUT)) {
            BulkLoad open;
            try (SharedLoad load = target.loadTogether(key)) {
                try (BulkLoad part = finishing.joinLoad(load.nameToJoin())) {
                    part.write(ALL.subList(0, 500));
                    assertThat(part.store()).isPositive();
                }
                open = hanging.joinLoad(load.nameToJoin());
                open.write(ALL.subList(500, 600));
                assertThat(SERVER.databases(load.nameToJoin())).hasSize(1);
            }
            assertThat(target.holds(key)).isFalse();
            assertThat(SERVER.databases("siemload_data_00000000000000a4_")).isEmpty();
            assertThatExceptionOfType(TargetException.class).isThrownBy(open::store);
            open.close();
        }
    }

    @Test
    void layoutsByDayAreLoadedByOneProcess() {
        Variant byDay = new Variant("mentat", Partitions.DAY, IndexSet.NATIVE, Hint.NONE, Paging.OFFSET);
        try (Target target =
                new PostgresqlPlugin().connect(SERVER.address(), new TargetOptions(byDay, Duration.ofSeconds(20), 1))) {
            assertThat(target.loadsTogether()).isFalse();
        }
        assertThat(SUBJECT.target().loadsTogether()).isTrue();
    }

    /** How many rows each table has, and a hash of all that is in them, in no order, but for when they were stored. */
    private static Map<String, String> rows(String database) throws SQLException {
        Map<String, String> rows = new TreeMap<>();
        for (String table :
                names(database, "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")) {
            rows.put(
                    table,
                    names(
                                    database,
                                    "SELECT count(*) || ' ' || sum(hashtextextended((to_jsonb(t) - 'storage_time')::text, 0)) FROM "
                                            + table + " t")
                            .get(0));
        }
        return rows;
    }

    private static List<String> indexes(String database) throws SQLException {
        return names(database, "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexdef");
    }

    private static List<String> names(String database, String question) throws SQLException {
        String name = SERVER.databases(database).get(0);
        SERVER.execute("ALTER DATABASE \"" + name + "\" ALLOW_CONNECTIONS true");
        return SERVER.texts(name, question);
    }
}
