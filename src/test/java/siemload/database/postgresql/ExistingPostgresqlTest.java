package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.config.Origin;
import siemload.database.ExistingSessions;
import siemload.database.LayoutFolder;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.layout.BlockFiles;
import siemload.event.AddressRange;
import siemload.query.Criterion;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.query.Window;

/**
 * Statements are executed on an existing database, which only writing ones change. A layout searches a firewall's log with addresses of the
 * type inet.
 */
@Tag("database")
@Timeout(120)
final class ExistingPostgresqlTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("existing");

    @BeforeAll
    static void makeTheTables() {
        SERVER.makeDatabase("soc", "soc_reader");
        SERVER.execute("GRANT pg_read_all_data TO soc_reader");
        SERVER.execute("soc", """
                CREATE SCHEMA soc;
                CREATE TABLE soc.sensor (id int PRIMARY KEY, label text);
                INSERT INTO soc.sensor VALUES (1, 'fw-1'), (2, 'fw-2');
                CREATE TABLE soc.firewall_log (log_no int PRIMARY KEY, seen_at timestamptz, sensor_id int, verdict text,
                    src inet, dst inet, dport int);
                INSERT INTO soc.firewall_log VALUES
                    (1, '2026-11-01 00:00Z', 1, 'drop', '10.0.0.7', '192.0.2.1', 22),
                    (2, '2026-11-01 00:01Z', 2, 'accept', '10.0.0.8', '192.0.2.2', 443),
                    (3, '2026-11-01 00:02Z', 1, 'drop', '10.0.1.0', '10.0.0.7', 443),
                    (4, '2026-11-01 00:03Z', 2, 'drop', '255.255.255.255', '0.0.0.0', NULL),
                    (5, '2026-11-01 00:04Z', 2, 'drop', '2001:db8::1', '2001:db8::2', 443);
                """);
    }

    private static ServerAddress address() {
        return new ServerAddress(SERVER.url("soc"), "soc_reader", "soc_reader");
    }

    private static LayoutFolder folder() {
        return LayoutFolder.read("src/test/resources/existing/firewall", new Origin.Default(), new PostgresqlPlugin());
    }

    private static void with(Consumer<Store> use) {
        ExistingSessions.events(new PostgresqlPlugin(), address(), folder(), use);
    }

    private static Criterion addresses(EventSide side, String... ranges) {
        return new Criterion.AddressMatches(
                Arrays.stream(ranges).map(AddressRange::parse).toList(), side);
    }

    private static List<String> found(Store store, Criterion criterion) {
        Search search = new Search(
                new SearchName("HAWAT1"), Window.ALWAYS, List.of(criterion), Order.OLDEST_FIRST, new Page.Whole());
        return ExistingSessions.ids(store, search);
    }

    @Test
    void addressesOfTheTypeInetAreFoundByNumbers() {
        with(store -> {
            assertThat(found(store, addresses(EventSide.EITHER, "10.0.0.7"))).containsExactly("1", "3");
            assertThat(found(store, addresses(EventSide.SOURCE, "10.0.0.7"))).containsExactly("1");
            assertThat(found(store, addresses(EventSide.TARGET, "10.0.0.7"))).containsExactly("3");
            assertThat(found(store, addresses(EventSide.SOURCE, "10.0.0.0/24"))).containsExactly("1", "2");
            assertThat(found(store, addresses(EventSide.SOURCE, "10.0.0.8-10.0.1.0")))
                    .containsExactly("2", "3");
            assertThat(found(store, addresses(EventSide.SOURCE, "255.255.255.255")))
                    .containsExactly("4");
            assertThat(found(store, addresses(EventSide.TARGET, "0.0.0.0"))).containsExactly("4");
            assertThat(found(store, addresses(EventSide.EITHER, "192.0.2.2", "10.0.1.0")))
                    .containsExactly("2", "3");
        });
    }

    @Test
    void infiniteTimesAndNoneSetNoScale() {
        SortedMap<String, String> files = BlockFiles.with(
                folder().files(),
                Map.of(
                        "from.sql",
                        "(SELECT * FROM soc.firewall_log UNION ALL SELECT 6, 'infinity', 1, 'drop', NULL, NULL, 1"
                                + " UNION ALL SELECT 7, '-infinity', 1, 'drop', NULL, NULL, 1"
                                + " UNION ALL SELECT 8, NULL, 1, 'drop', NULL, NULL, 1) f JOIN soc.sensor s ON s.id = f.sensor_id"));
        ExistingSessions.events(
                new PostgresqlPlugin(),
                address(),
                new LayoutFolder("endless", "endless", files),
                store -> assertThat(store.span())
                        .isEqualTo(new Store.Span(
                                Instant.parse("2026-11-01T00:00:00Z"), Instant.parse("2026-11-01T00:04:00Z"), 8, 3)));
    }

    @BeforeEach
    void makeTheDatabase() {
        if (SERVER.databases("shop").isEmpty()) {
            SERVER.execute("CREATE ROLE shop_owner LOGIN PASSWORD 'shop-owner'");
            SERVER.execute("CREATE DATABASE shop OWNER shop_owner");
        }
        SERVER.execute("shop", """
                DROP TABLE IF EXISTS item; CREATE TABLE item (id int PRIMARY KEY, name text, tags jsonb);
                INSERT INTO item SELECT n, 'item ' || n, '{"a": 1}' FROM generate_series(1, 100) AS n;
                ALTER TABLE item OWNER TO shop_owner; ANALYZE item;
                CREATE OR REPLACE FUNCTION sell(i int) RETURNS int LANGUAGE plpgsql AS $$BEGIN
                    PERFORM set_config('default_transaction_read_only', 'off', false);
                    DELETE FROM item WHERE id = i; RETURN i; END$$""");
    }

    @Test
    void aStatementIsAskedWithItsValuesAndItsRowsComeWhole() {
        Statement statement = statement("SELECT id, name, NULL FROM item WHERE id = :id AND tags ? :tag");
        ExistingSessions.ask(connect(), List.of(statement), session -> {
            List<String> rows = new ArrayList<>();
            long count = session.search(
                    statement.search(Map.of("id", "7", "tag", "a")),
                    row -> rows.add(new String(row.idea(), StandardCharsets.UTF_8)));

            assertThat(count).isEqualTo(1);
            assertThat(rows).containsExactly("7\0| item 7\0|\0NULL");
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            DELETE FROM item WHERE id = :id                                        | it writes or locks rows
            WITH gone AS (DELETE FROM item RETURNING id) SELECT * FROM gone        | it writes or locks rows
            SELECT * FROM item FOR UPDATE                                          | it writes or locks rows
            CREATE TABLE copied AS SELECT * FROM item                              | it returns no rows
            TRUNCATE item                                                          | cannot plan it:
            CALL sell(1)                                                           | cannot plan it:
            SELECT nothing FROM item                                               | cannot plan it:
            """)
    void whatIsNoReadingIsRefusedByTheServerBeforeAnythingIsAsked(String sql, String why) {
        ExistingSessions.open(connect(), List.of(statement(sql)), store -> {
            assertThat(store.refusal(statement(sql)).orElseThrow()).startsWith(why);
        });
        assertThat(items()).isEqualTo(100);
    }

    @Test
    void aStatementThatSaysSoWritesInATransactionOfItsOwn() {
        Statement update = writing("UPDATE item SET name = :name WHERE id <= :id");
        Statement insert = writing("INSERT INTO item (id, name) VALUES (:id, :name) RETURNING id");
        Statement function = writing("SELECT sell(:id::int)");
        List<Statement> all = List.of(update, insert, function);
        ExistingSessions.open(connect(), all, store -> {
            assertThat(all).allSatisfy(one -> assertThat(store.refusal(one)).isEmpty());
            assertThat(asked(store, update, Map.of("id", "5", "name", "sold"))).isEqualTo(5);
            assertThat(asked(store, insert, Map.of("id", "101", "name", "new"))).isEqualTo(1);
            assertThat(items()).isEqualTo(101);
            assertThatThrownBy(() -> asked(store, insert, Map.of("id", "101", "name", "new")))
                    .isInstanceOfSatisfying(
                            SearchException.class,
                            failure -> assertThat(failure.code()).isEqualTo("23505"));
            assertThat(asked(store, function, Map.of("id", "101"))).isEqualTo(1);
            assertThat(items()).isEqualTo(100);
        });
    }

    private static long asked(Store store, Statement statement, Map<String, String> values) {
        try (SearchSession session = store.openSession()) {
            return session.search(statement.search(values), row -> {});
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"readOnlyMode=ignore", "targetServerType=primary"})
    void neitherAnOptionOfTheUrlNorAFunctionThatTurnsReadOnlyOffMakesReadersWrite(String option) {
        Statement writing = writing("DELETE FROM item WHERE id = :id");
        Statement reading = statement("SELECT sell(:id::int)");
        ExistingSessions.ask(
                connect(new ServerAddress(SERVER.url("shop") + "?" + option, "shop_owner", "shop-owner")),
                List.of(writing, reading),
                session -> {
                    for (String id : List.of("1", "2")) {
                        assertThatThrownBy(() -> session.search(reading.search(Map.of("id", id)), row -> {}))
                                .isInstanceOf(SearchException.class)
                                .hasMessageContaining("read-only transaction");
                    }
                });
        assertThat(items()).isEqualTo(100);
    }

    @Test
    void valuesComeFromAQueryOfOneColumn() {
        ExistingSessions.open(connect(), List.of(), store -> {
            assertThat(store.values("SELECT id FROM item ORDER BY id DESC", 3)).containsExactly("100", "99", "98");
            assertThatThrownBy(() -> store.values("SELECT id, name FROM item", 3))
                    .isInstanceOf(TargetException.class)
                    .hasMessage("a query for values returns 2 columns (needed: one): SELECT id, name FROM item");
            assertThatThrownBy(() -> store.values("SELECT NULL", 3))
                    .hasMessageContaining("returns NULL in row 1 (exclude it with WHERE ... IS NOT NULL)");
            assertThatThrownBy(() -> store.values("SELECT missing FROM item", 3))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("cannot ask a query for values in the database shop: ");
        });
    }

    @Test
    void whatOthersWriteIsCounted() {
        ExistingSessions.open(connect(), List.of(), store -> {
            long before = store.rowsWritten().orElseThrow();
            SERVER.execute("shop", "UPDATE item SET name = 'sold' WHERE id <= 5; SELECT pg_stat_force_next_flush()");

            assertThat(store.rowsWritten().orElseThrow() - before).isEqualTo(5);
        });
    }

    @Test
    void aSuperuserIsRefused() {
        ServerAddress superuser = SERVER.address();
        assertThatThrownBy(() -> connect(new ServerAddress(SERVER.url("shop"), superuser.user(), superuser.password())))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("is a superuser on PostgreSQL at")
                .hasMessageContaining("CREATE ROLE siemload_reader LOGIN");
    }

    private static Target connect() {
        return connect(new ServerAddress(SERVER.url("shop"), "shop_owner", "shop-owner"));
    }

    private static Target connect(ServerAddress address) {
        return new PostgresqlPlugin().connectExisting(address, PostgresqlTestServer.options(Duration.ofSeconds(2), 2));
    }

    /** A writing statement with a unique name. */
    private static Statement writing(String sql) {
        String name = sql.split(" ", 2)[0] + "_" + Integer.toHexString(sql.hashCode());
        return new Statement(new SearchName(name), StatementText.parse(sql), Statement.Effect.WRITES);
    }

    private static Statement statement(String sql) {
        return new Statement(new SearchName("asked"), StatementText.parse(sql));
    }

    private static long items() {
        return SERVER.number("shop", "SELECT count(*) FROM item");
    }
}
