package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.database.Plan;

/** Plans of statements on a real server. */
@Tag("database")
@Tag("any-java")
final class StatementPlanReaderTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("plan-forms");

    @BeforeAll
    static void makeTables() throws Exception {
        SERVER.execute("postgres", "DROP SCHEMA IF EXISTS plans CASCADE");
        SERVER.execute("postgres", "CREATE SCHEMA plans");
        SERVER.execute("postgres", "CREATE TABLE plans.item (id int PRIMARY KEY, \"the Kind\" int, name text)");
        SERVER.execute(
                "postgres", "INSERT INTO plans.item SELECT n, n % 50, 'n' || n FROM generate_series(1, 20000) n");
        SERVER.execute("postgres", "CREATE INDEX \"of a \"\"Kind\"\"\" ON plans.item (\"the Kind\")");
        SERVER.execute("postgres", "CREATE TABLE plans.\"Two Words\" AS SELECT id, id AS item FROM plans.item");
        SERVER.execute("postgres", "ANALYZE plans.item, plans.\"Two Words\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SELECT * FROM plans.item WHERE id = 7 | field index item_pkey
            SELECT id FROM plans.item WHERE id < 10 ORDER BY id DESC | field index item_pkey
            SELECT * FROM plans.item WHERE "the Kind" = 3 | field index of a "Kind"
            SELECT * FROM plans.item WHERE "the Kind" = 3 OR id = 4 | field index of a "Kind" + field index item_pkey
            SELECT * FROM plans."Two Words" w WHERE item > 3 | table Two Words
            SELECT * FROM plans.item ORDER BY name | table item, sorted
            SELECT * FROM plans.item i JOIN plans."Two Words" w ON w.item = i.id WHERE i.id < 9 | table Two Words + field index item_pkey
            SELECT (SELECT max(id) FROM plans.item), generate_series(1, 3) | field index item_pkey
            VALUES (1), (2) | nothing read
            """)
    void thePlanOfAStatementHasAShape(String sql, String shape) throws Exception {
        for (String verbose : List.of("", "VERBOSE, ")) {
            assertThat(inJson(verbose, "", sql).shape()).isEqualTo(shape);
        }
    }

    /** They are planned; whether they are there only executing it shows. */
    @Test
    void workersAreSeen() throws Exception {
        String many = "SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;";
        String sql = "SELECT count(*) FROM plans.item WHERE name LIKE '%7%'";
        for (String analyze : List.of("", "ANALYZE, ")) {
            assertThat(inJson(analyze, many, sql).shape()).isEqualTo("table item, parallel");
        }
        String none = many + "SET max_parallel_workers = 0;";
        assertThat(inJson("ANALYZE, ", none, sql).shape()).isEqualTo("table item");
    }

    private static Plan inJson(String options, String before, String sql) throws Exception {
        return PlanReader.OF_OTHERS.read(
                String.join("\n", explained(before, "EXPLAIN (" + options + "FORMAT JSON) " + sql)));
    }

    private static List<String> explained(String before, String sql) throws Exception {
        List<String> lines = new ArrayList<>();
        try (Connection connection = SERVER.administrator("postgres");
                Statement statement = connection.createStatement()) {
            statement.execute(before);
            try (ResultSet rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    lines.add(rows.getString(1));
                }
            }
        }
        return lines;
    }
}
