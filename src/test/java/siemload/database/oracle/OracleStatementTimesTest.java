package siemload.database.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.database.EmbeddedOptions;
import siemload.database.EmbeddedServer;
import siemload.database.Partitions;
import siemload.database.StatementTime;

/** Against a table in the form of the manual. */
final class OracleStatementTimesTest {
    private static final String CREATE = "CREATE TABLE v$sqlstats (sql_id VARCHAR(13), sql_text VARCHAR(1000),"
            + " sql_fulltext CLOB, executions NUMBER, elapsed_time NUMBER)";
    private static final String OURS = "SELECT e.id\nFROM SL_X_EVENT e\nWHERE e.t >= ? AND e.t < ?";

    @Test
    void statementsGoByTheirTextAndCountAllTheirPlans() throws SQLException {
        String asSent = OURS.replaceFirst("\\?", ":1 ").replaceFirst("\\?", ":2 ");
        try (EmbeddedServer server = new H2Plugin().startEmbedded(new EmbeddedOptions(Path.of("."), 0, 4));
                Connection connection =
                        DriverManager.getConnection(server.address().url(), "sa", "");
                Statement statement = connection.createStatement()) {
            statement.execute(CREATE);
            insert(statement, "first", asSent, 3, 7_000);
            insert(statement, "first", asSent, 1, 500);
            insert(statement, "other", "SELECT COUNT(*) FROM SL_X_EVENT e WHERE e.t >= :1 ", 2, 40);
            insert(statement, "foreign", "SELECT COUNT(*) FROM SL_Y_EVENT", 8, 9);
            TableGroup tables = new TableGroup("SL_X", new Tablespaces("", ""), OracleLayout.of(Partitions.DAY));
            OracleStatementTimes times =
                    new OracleStatementTimes(CountedObjects.of(tables).statements());

            assertThat(times.read(connection))
                    .isEqualTo(Map.of(
                            OracleStatementTimes.name(OURS),
                            new StatementTime(4, 0, 7_500_000),
                            OracleStatementTimes.name("SELECT COUNT(*) FROM SL_X_EVENT e WHERE e.t >= ?"),
                            new StatementTime(2, 0, 40_000)));
        }
    }

    @Test
    void aValueIsNoPartOfAName() {
        assertThat(OracleStatementTimes.name("a = :1 AND b = :12"))
                .isEqualTo(OracleStatementTimes.name("a = ?\n  AND b = ?"))
                .isNotEqualTo(OracleStatementTimes.name("a = ? AND b = 12"));
        assertThat(OracleStatementTimes.name("TO_CHAR(t, 'HH24:MI')")).contains("HH24:MI");
    }

    private static void insert(Statement statement, String id, String sql, long executions, long micros)
            throws SQLException {
        String text = sql.replace("'", "''");
        statement.execute("INSERT INTO v$sqlstats VALUES ('" + id + "', '" + text + "', '" + text + "', " + executions
                + ", " + micros + ")");
    }
}
