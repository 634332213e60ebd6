package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.BulkLoad;
import siemload.database.DatasetKey;
import siemload.database.DatasetLoad;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.SharedLoad;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.TargetOptions;
import siemload.database.Variant;
import siemload.database.postgresql.server.PostgresqlTestServer;
import siemload.event.SecurityEvent;
import siemload.query.Paging;

/** One data set that several processes load, here by connections of their own. */
@Tag("database")
final class PostgresqlSharedLoadTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("shared-load");

    private static final int EVENTS = 1_000;
    private static final int SHARDS = 3;
    private static final List<SecurityEvent> ALL = PostgresqlTestServer.events(EVENTS);

    @Test
    void severalLoadWhatOneWould() throws SQLException {
        DatasetKey alone = new DatasetKey("00000000000000a1", "by one", EVENTS);
        DatasetKey together = new DatasetKey("00000000000000a3", "by three", EVENTS);
        try (Target target = connect()) {
            target.discard(alone);
            target.discard(together);
            try (DatasetLoad load = target.load(alone)) {
                load.write(ALL);
                load.finish(step -> {});
            }
            try (SharedLoad load = target.loadTogether(together)) {
                List<Target> loaders =
                        IntStream.range(0, SHARDS).mapToObj(shard -> connect()).toList();
                List<BulkLoad> parts = loaders.stream()
                        .map(loader -> loader.joinLoad(load.nameToJoin()))
                        .toList();
                for (int i = 0; i < EVENTS; i++) {
                    parts.get(i % SHARDS).write(List.of(ALL.get(i)));
                }
                assertThat(parts.stream().mapToLong(BulkLoad::store).sum()).isPositive();
                loaders.forEach(Target::close);
                load.finish(step -> {});
            }
            assertThat(target.holds(together)).isTrue();
            try (Store copy = target.copy(together, "together")) {
                assertThat(copy.events()).isEqualTo(EVENTS);
            }
        }
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
        try (Target target = connect();
                Target finishing = connect();
                Target hanging = connect()) {
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
    void fewerEventsThanAllAreNotKept() throws SQLException {
        DatasetKey key = new DatasetKey("00000000000000a5", "fewer", EVENTS);
        try (Target target = connect();
                Target loader = connect();
                SharedLoad load = target.loadTogether(key)) {
            try (BulkLoad part = loader.joinLoad(load.nameToJoin())) {
                part.write(ALL.subList(0, 999));
                assertThat(part.store()).isPositive();
            }
            assertThatExceptionOfType(TargetException.class)
                    .isThrownBy(() -> load.finish(step -> {}))
                    .withMessageContaining("has 1000 events, but 999 are in the database");
        }
        assertThat(SERVER.databases("siemload_data_00000000000000a5_")).isEmpty();
    }

    @Test
    void onlyALoadThatIsGoingOnCanBeJoined() throws SQLException {
        DatasetKey kept = new DatasetKey("00000000000000a6", "kept", 10);
        try (Target target = connect()) {
            target.discard(kept);
            SERVER.loadTenEvents(kept);
            String name = SERVER.databases("siemload_data_00000000000000a6_").get(0);
            assertThatExceptionOfType(TargetException.class)
                    .isThrownBy(() -> target.joinLoad(name))
                    .withMessageStartingWith("no data set is being loaded as " + name);
        }
    }

    @Test
    void layoutsByDayAreLoadedByOneProcess() {
        Variant byDay = new Variant("mentat", Partitions.DAY, IndexSet.NATIVE, Hint.NONE, Paging.OFFSET);
        try (Target target =
                new PostgresqlPlugin().connect(SERVER.address(), new TargetOptions(byDay, Duration.ofSeconds(20), 1))) {
            assertThat(target.loadsTogether()).isFalse();
        }
        try (Target target = connect()) {
            assertThat(target.loadsTogether()).isTrue();
        }
    }

    private static Target connect() {
        return new PostgresqlPlugin()
                .connect(SERVER.address(), PostgresqlTestServer.options(Duration.ofSeconds(20), 1));
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
        List<String> names = new ArrayList<>();
        try (Connection connection = SERVER.administrator(name);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(question)) {
            while (rows.next()) {
                names.add(String.valueOf(rows.getString(1)));
            }
        }
        return names;
    }
}
