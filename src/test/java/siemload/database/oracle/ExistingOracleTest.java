package siemload.database.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.ExistingTarget;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Plan;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.StatementStore;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.Variant;
import siemload.database.oracle.OraclePlugin.ExistingOracle.ExistingOracleStore;
import siemload.query.Paging;
import siemload.query.SearchName;
import siemload.query.StatementText;

/** Statements of users on the Oracle target, run by H2, which knows no transaction that can only read. */
final class ExistingOracleTest {
    private final H2Plugin plugin = new H2Plugin();
    private final ServerAddress address =
            plugin.startEmbedded(new EmbeddedOptions(Path.of("."), 4)).address();

    @BeforeEach
    void makeTheTable() throws SQLException {
        execute("CREATE TABLE item (id NUMBER(9) PRIMARY KEY, name VARCHAR2(20))");
        execute("INSERT INTO item VALUES (1, 'one'), (2, NULL), (3, 'three')");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = H2Dialect.connect(address.url());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void aStatementIsAskedWithItsValuesAndItsRowsComeWhole() {
        siemload.query.Statement asked = statement("SELECT id, name FROM item WHERE id >= :least ORDER BY id");
        try (ExistingTarget target = connect();
                StatementStore store = target.open(List.of(asked));
                SearchSession session = store.openSession()) {
            List<String> rows = new ArrayList<>();

            long count = session.search(
                    asked.search(Map.of("least", "2")),
                    row -> rows.add(new String(row.idea(), StandardCharsets.UTF_8)));

            assertThat(count).isEqualTo(2);
            assertThat(rows).containsExactly("1:2-", "1:35:three");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SELECT name FROM item WHERE id = :id                       |
            WITH x AS (SELECT * FROM item) SELECT COUNT(*) FROM x       |
            DELETE FROM item WHERE id = :id                            | it is no query
            UPDATE item SET name = 'x'                                 | it is no query
            SELECT name FROM item WHERE id = 1 FOR UPDATE              | it locks rows
            SELECT missing FROM item                                   | the server says:
            """)
    void whatIsNoReadingIsRefusedBeforeAnythingIsAsked(String sql, String why) throws SQLException {
        try (ExistingTarget target = connect();
                StatementStore store = target.open(List.of(statement(sql)))) {
            if (why == null) {
                assertThat(store.refusal(statement(sql))).isEmpty();
            } else {
                assertThat(store.refusal(statement(sql)).orElseThrow()).startsWith(why);
            }
            assertThat(store.values("SELECT COUNT(*) FROM item", 1)).containsExactly("3");
        }
    }

    @Test
    void eachExecutionIsATransactionThatBeginsReadOnly() {
        siemload.query.Statement asked = statement("SELECT name FROM item WHERE id = :id");
        assertThat(executed(asked, (store, session) -> {
                    session.search(asked.search(Map.of("id", "1")), row -> {});
                    session.search(asked.search(Map.of("id", "3")), row -> {});
                    assertThat(store.values("SELECT id FROM item", 1)).hasSize(1);
                }))
                .filteredOn(sql -> !sql.contains("ALTER SESSION"))
                .containsExactly(
                        "SET TRANSACTION READ ONLY",
                        "SELECT name FROM item WHERE id = ?",
                        "COMMIT",
                        "SET TRANSACTION READ ONLY",
                        "SELECT name FROM item WHERE id = ?",
                        "COMMIT",
                        "SET TRANSACTION READ ONLY",
                        "SELECT id FROM item",
                        "COMMIT");
    }

    @Test
    void aPlanIsThatOfTheValuesAndNothingIsAskedForIt() {
        siemload.query.Statement asked = statement("SELECT id FROM item WHERE name IN (:name, :other, ':name')");
        List<String> executed = executed(asked, (store, session) -> {
            Plan plan = session.explain(asked.search(Map.of("name", "O'Hara", "other", "two")));
            assertThat(plan.text()).contains("SELECT STATEMENT");
        });
        assertThat(executed).hasSize(2);
        assertThat(executed.get(0).strip())
                .isEqualTo("EXPLAIN PLAN SET STATEMENT_ID = 'siemload' FOR"
                        + " SELECT id FROM item WHERE name IN ('O''Hara', 'two', ':name')");
    }

    /** What the server is sent by a session, and by its store, once both are open. */
    private List<String> executed(siemload.query.Statement asked, BiConsumer<StatementStore, SearchSession> use) {
        List<String> executed = new ArrayList<>();
        OracleConnections heard = connections(Duration.ofSeconds(5), executed);
        try (StatementStore store = new ExistingOracleStore(heard, List.of(asked));
                SearchSession session = store.openSession()) {
            executed.clear();
            use.accept(store, session);
        }
        return executed;
    }

    private OracleConnections connections(Duration timeout, List<String> executed) {
        return new OracleConnections(
                silenceMillis -> H2Dialect.connect(address.url(), executed::add),
                timeout,
                Duration.ofSeconds(30),
                Map.of(),
                Transport.Security.UNVERIFIED);
    }

    @Test
    void aUserWithRightsOnTablesOfAnybodyIsRefused() throws SQLException {
        execute("DROP VIEW session_privs");
        execute("CREATE VIEW session_privs AS SELECT 'READ ANY TABLE' AS privilege UNION SELECT 'DROP ANY TABLE'"
                + " UNION SELECT 'ALTER SYSTEM' UNION SELECT 'CREATE SESSION'");

        assertThatThrownBy(this::connect)
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("has the right ALTER SYSTEM and 1 more")
                .hasMessageContaining("CREATE USER siemload_reader");
    }

    @Test
    void whatAUserCouldWriteToIsTold() throws SQLException {
        execute("DROP VIEW all_tab_privs");
        execute("CREATE VIEW all_tab_privs AS SELECT 'READERS' AS grantee, 'HR' AS table_schema, 'EMPLOYEES' AS"
                + " table_name, 'UPDATE' AS privilege UNION SELECT 'READERS', 'HR', 'EMPLOYEES', 'DELETE'"
                + " UNION SELECT 'CLERKS', 'HR', 'JOBS', 'DELETE' UNION SELECT 'READERS', 'HR', 'JOBS', 'READ'");

        try (ExistingTarget target = connect()) {
            assertThat(target.rights())
                    .containsExactly("the user SA could write to 2 tables; who only reads is kept from it by READ ONLY"
                            + " transactions");
        }
    }

    private ExistingTarget connect() {
        Variant variant = new Variant("arc_event", IndexSet.NATIVE, Hint.NONE, Paging.OFFSET);
        return plugin.connectExisting(address, new TargetOptions(variant, Duration.ofSeconds(5), 2));
    }

    private static siemload.query.Statement statement(String sql) {
        return new siemload.query.Statement(
                new SearchName("asked"), StatementText.scan(sql.strip()).statement());
    }
}
