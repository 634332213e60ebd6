package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.database.ExistingSessions;
import siemload.database.Plan;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;

/** A database that is there already is asked, and never written to. */
@Tag("database")
@Timeout(60)
@Tag("any-java")
final class ExistingPostgresqlTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("existing");

    @BeforeEach
    void makeTheDatabase() throws SQLException {
        if (SERVER.databases("shop").isEmpty()) {
            SERVER.execute("CREATE ROLE shop_owner LOGIN PASSWORD 'shop-owner'");
            SERVER.execute("CREATE DATABASE shop OWNER shop_owner");
        }
        try (Connection connection = SERVER.administrator("shop")) {
            connection
                    .createStatement()
                    .execute("DROP TABLE IF EXISTS item; CREATE TABLE item (id int PRIMARY KEY, name text, tags jsonb);"
                            + " INSERT INTO item SELECT n, 'item ' || n, '{\"a\": 1}' FROM generate_series(1, 100) AS n;"
                            + " ALTER TABLE item OWNER TO shop_owner; ANALYZE item;"
                            + " CREATE OR REPLACE FUNCTION sell(i int) RETURNS int LANGUAGE plpgsql AS $$BEGIN"
                            + " PERFORM set_config('default_transaction_read_only', 'off', false);"
                            + " DELETE FROM item WHERE id = i; RETURN i; END$$");
        }
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

    @Test
    void thePlanNamesTheTablesAndIndexesThatWereRead() {
        Statement byId = statement("SELECT name FROM item WHERE id = :id");
        ExistingSessions.ask(connect(), List.of(byId), session -> {
            Plan plan = session.explain(byId.search(Map.of("id", "7")));

            assertThat(plan.accesses()).hasSize(1);
            assertThat(plan.shape()).matches("field index item_pkey|table item");
            assertThat(session.expect(byId.search(Map.of("id", "8"))).shape()).isEqualTo(plan.shape());
        });
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                arguments("DELETE FROM item WHERE id = :id", "it writes or locks rows"),
                arguments("WITH gone AS (DELETE FROM item RETURNING id) SELECT * FROM gone", "it writes or locks rows"),
                arguments("SELECT * FROM item FOR UPDATE", "it writes or locks rows"),
                arguments("CREATE TABLE copied AS SELECT * FROM item", "it gives no rows"),
                arguments("TRUNCATE item", "cannot plan it: "),
                arguments("CALL sell(1)", "cannot plan it: "),
                arguments("SELECT nothing FROM item", "cannot plan it: "));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void whatIsNoReadingIsRefusedByTheServerBeforeAnythingIsAsked(String sql, String why) throws SQLException {
        ExistingSessions.open(connect(), List.of(statement(sql)), store -> {
            assertThat(store.refusal(statement(sql)).orElseThrow()).startsWith(why);
        });
        assertThat(items()).isEqualTo(100);
    }

    @Test
    void aStatementThatSaysSoWritesInATransactionOfItsOwn() throws SQLException {
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

    @Test
    void neitherAnOptionOfTheUrlNorAFunctionThatTurnsReadOnlyOffMakesReadersWrite() throws SQLException {
        Statement writing = writing("DELETE FROM item WHERE id = :id");
        Statement reading = statement("SELECT sell(:id::int)");
        ExistingSessions.ask(
                connect(new ServerAddress(url() + "?readOnlyMode=ignore", "shop_owner", "shop-owner")),
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
                    .hasMessage("a query for values gives 2 columns (needed: one): SELECT id, name FROM item");
            assertThatThrownBy(() -> store.values("SELECT NULL", 3))
                    .hasMessageContaining("gives NULL in row 1 (leave it out by WHERE ... IS NOT NULL)");
            assertThatThrownBy(() -> store.values("SELECT missing FROM item", 3))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("cannot ask a query for values in the database shop: ");
        });
    }

    @Test
    void whatOthersWriteIsCounted() throws Exception {
        ExistingSessions.open(connect(), List.of(), store -> {
            long before = store.rowsWritten().orElseThrow();
            SERVER.execute("shop", "UPDATE item SET name = 'sold' WHERE id <= 5; SELECT pg_stat_force_next_flush()");

            assertThat(store.rowsWritten().orElseThrow() - before).isEqualTo(5);
        });
    }

    @Test
    void aSuperuserIsRefused() {
        ServerAddress superuser = SERVER.address();
        assertThatThrownBy(() -> connect(new ServerAddress(url(), superuser.user(), superuser.password())))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("is a superuser on PostgreSQL at")
                .hasMessageContaining("CREATE ROLE siemload_reader LOGIN");
    }

    private static Target connect() {
        return connect(new ServerAddress(url(), "shop_owner", "shop-owner"));
    }

    private static Target connect(ServerAddress address) {
        return new PostgresqlPlugin().connectExisting(address, PostgresqlTestServer.options(Duration.ofSeconds(2), 2));
    }

    private static String url() {
        return SERVER.address().url().replaceAll("/postgres$", "/shop");
    }

    /** Each under a name of its own. */
    private static Statement writing(String sql) {
        String name = sql.split(" ", 2)[0] + "_" + Integer.toHexString(sql.hashCode());
        return new Statement(new SearchName(name), StatementText.scan(sql).statement(), Statement.Effect.WRITES);
    }

    private static Statement statement(String sql) {
        return new Statement(new SearchName("asked"), StatementText.scan(sql).statement());
    }

    private static long items() throws SQLException {
        try (Connection connection = SERVER.administrator("shop");
                var rows = connection.createStatement().executeQuery("SELECT count(*) FROM item")) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
