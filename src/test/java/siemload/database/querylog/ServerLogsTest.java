package siemload.database.querylog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.postgresql.PostgresqlTestServer;
import siemload.database.querylog.QueryLog.QueryLogListener.LoggedStatement;
import siemload.database.sql.FirstColumn;
import siemload.query.Statement.Effect;

@Tag("database")
@Tag("every-java")
class ServerLogsTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("query-logs");

    /** The start of the logs' names. It differs in each run, since a server keeps its directory for later tests. */
    private static final String LOG = "queries-" + System.nanoTime() + ".";

    private static final List<String> CONDITIONS = List.of(
            "'ab' = 'a' -- first half\n 'b' AND E'it\\'s' = U&'it\\0027s' AND 'it''s' = E'it\\''\n's' AND $q$a$1$q$ = 'a$1'",
            "make_interval(days := x) > interval(0) '1 hour' AND interval '1' second(3) < '2 s'",
            "concat('a', x) = 'a2' OR num_nulls('a', NULL) = x OR ('y') IS NULL OR NOT ROW('z', x) IS NULL",
            "jsonb_build_object('k', x) @> '{\"k\": 3}' OR '{\"k\": 1}'::jsonb ?| ARRAY['k'] AND '{\"k\": 1}' ::jsonb?'k'",
            "timestamp(3) '2024-03-31 02:00:00' < CURRENT_TIMESTAMP(3) AND date '2024-02-29' + x > '2024-03-01'",
            "varchar(5) 'abc' = 'abc' AND \"char\" 'a' = 'a' AND numeric(10,1) '1.5' = 1.5 AND pg_catalog.\"varchar\" 'b' = 'b'",
            "x='1'or x=3 and -2147483648 < x AND x BETWEEN -1 AND 3000000000",
            "(ARRAY[x, 2, 3])[1:2] = '{1,2}' AND CAST('abc' AS pg_catalog.varchar(2)) = 'ab' AND x = ANY ('{1,2}')",
            "extract('year' FROM date '2024-01-01') = 2024 AND '%' || x LIKE '!%1' ESCAPE '!' AND n'x' = 'x' LIMIT 1;;");

    @Test
    void statementsOfAllKindsAreTheSameInEachFormatAndAskTheSame() throws Exception {
        for (String parameter : List.of(
                "logging_collector = on",
                "log_destination = 'stderr,csvlog,jsonlog'",
                "log_filename = '" + LOG + "log'",
                "log_min_duration_statement = 0",
                "lc_messages = 'C'",
                "log_line_prefix = '%m [%p]: %c %quser=%u,db=%d,app=%a '")) {
            SERVER.execute("ALTER SYSTEM SET " + parameter);
        }
        SERVER.restart(() -> {});
        List<List<String>> answers = new ArrayList<>();
        try (Connection open = connect("simple")) {
            for (String condition : CONDITIONS) {
                answers.add(FirstColumn.of(open, "SELECT x FROM generate_series(1, 3) x WHERE " + condition));
            }
        }
        try (Connection open = connect("extended")) {
            open.setAutoCommit(false);
            try (PreparedStatement cursor =
                    open.prepareStatement("SELECT x FROM generate_series(1, ?) x WHERE ? > 'a'")) {
                cursor.setInt(1, 5);
                cursor.setString(2, "it's\r\n\t");
                cursor.setFetchSize(2);
                answers.add(FirstColumn.of(cursor.executeQuery()));
            }
        }
        SERVER.restart(() -> {});

        HeardQueries csv = heard("csv");
        assertThat(csv.told())
                .isEqualTo(heard("json").told())
                .isEqualTo(heard("log").told());
        assertThat(csv.unreadable()).isEmpty();
        assertThat(csv.leftOut).noneMatch(why -> why.startsWith("fetches more rows"));
        List<List<String>> again = new ArrayList<>();
        try (Connection open = connect("extended")) {
            for (LoggedStatement logged : csv.executed()) {
                if (logged.client().program().equals("asked")) {
                    again.add(ask(open, logged));
                }
            }
        }
        assertThat(again).isEqualTo(answers);
    }

    private static List<String> ask(Connection open, LoggedStatement logged) throws SQLException {
        String sql = logged.text().written(code -> code.replace("?", "??"), name -> "?");
        try (PreparedStatement statement = open.prepareStatement(sql)) {
            for (int i = 0; i < logged.values().size(); i++) {
                statement.setString(i + 1, logged.values().get(i));
            }
            return FirstColumn.of(statement.executeQuery());
        }
    }

    private static Connection connect(String mode) throws SQLException {
        String url = SERVER.url("postgres") + "?ApplicationName=asked&stringtype=unspecified&preferQueryMode=" + mode;
        return DriverManager.getConnection(
                url, SERVER.address().user(), SERVER.address().password());
    }

    private static HeardQueries heard(String format) throws IOException {
        Path log = SERVER.embedded().files().orElseThrow().resolve("log").resolve(LOG + format);
        HeardQueries heard = new HeardQueries();
        long unused = new QueryLog(heard, Effect.READS).read(log);
        return heard;
    }
}
