package siemload.database.oracle;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import siemload.database.Plan;
import siemload.database.Plan.Access;
import siemload.database.Plan.Access.Kind;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader;
import siemload.database.server.Canceller;
import siemload.database.server.Portions;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SearchRows;
import siemload.database.sql.SqlSearches;
import siemload.database.sql.SqlSearches.Compiled;
import siemload.database.sql.SqlStatement;
import siemload.query.Search;
import siemload.query.Summary;

/** Runs searches over one connection. The driver fetches rows in portions and keeps the parsed statements. */
final class OracleSession implements SearchSession {
    private static final String EXPLAIN = "tables/explain.sql";
    private static final SearchRows ROWS = new SearchRows(
            row -> ColumnValues.readId(row.getBytes(1)),
            row -> ColumnValues.readTime(row.getObject(2, LocalDateTime.class)),
            OracleErrors.INSTANCE);

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

    private final RunConnection connection;
    private final OracleSearchStatements statements;
    private volatile @Nullable Statement running;

    OracleSession(OracleConnections connections, OracleSearchStatements statements, ScheduledExecutorService watchers) {
        Canceller canceller = new Canceller(watchers, connections.searchTimeout(), "");
        this.connection = connections.ofSession(canceller, open -> stop()).connected("open a session");
        this.statements = statements;
    }

    private void stop() throws SQLException {
        Statement asked = running;
        if (asked != null) {
            asked.cancel();
        }
    }

    @Override
    public long search(Search search, RowReader rows) {
        SqlSearches.Rows found = statements.rows(search);
        RowReader checked = connection.canceller().checked(rows);
        return run(found.statement(), mostRows(found), statement -> ROWS.readAll(statement, checked));
    }

    private static int mostRows(SqlSearches.Rows found) {
        return found.way() == SqlSearches.Way.WHOLE ? Portions.ROWS : found.size();
    }

    @Override
    public long count(Search search) {
        return run(statements.count(search), 1, statement -> SqlStatement.row(statement, row -> row.getLong(1)));
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        Instant start = search.window().start();
        return run(
                statements.of(search, summary),
                Portions.ROWS,
                statement -> SqlStatement.rows(statement, row -> line(row, search, summary, start)));
    }

    @Override
    public Plan explain(Search search) {
        return explain(statements.rows(search).statement());
    }

    @Override
    public Plan explain(Search search, Summary summary) {
        return explain(statements.of(search, summary));
    }

    /** By EXPLAIN PLAN with the values written out: the plan that really ran may only be looked at with special rights. */
    private Plan explain(Compiled sql) {
        return connection.answer(open -> {
            connection.begin();
            try {
                SqlStatement.execute(open, TableGroup.FILES.filled(EXPLAIN, Map.of("statement", written(sql))));
                List<String> lines = TableGroup.FILES
                        .read("tables/plan.sql")
                        .rows(open, row -> Objects.requireNonNullElse(row.getString(1), ""));
                return PlanText.read(lines, statements.tables().prefix());
            } finally {
                connection.rollBack();
            }
        });
    }

    /** The statement with its values written out, to be explained: the planner looks into values. */
    static String written(Compiled sql) {
        return SqlStatement.written(sql.sql(), place -> literal(sql.values().get(place)));
    }

    private static String literal(Object value) {
        if (value instanceof String text) {
            return "'" + text.replace("'", "''").replace("\0", "' || CHR(0) || '") + "'";
        } else if (value instanceof byte[] bytes) {
            return "HEXTORAW('" + HexFormat.of().withUpperCase().formatHex(bytes) + "')";
        } else if (value instanceof LocalDateTime time) {
            return "TIMESTAMP '" + TIME.format(time) + "'";
        }
        return value.toString();
    }

    @Override
    public void cancel() {
        connection.canceller().press();
    }

    @Override
    public void close() {
        connection.close();
    }

    /** What is done with a statement whose values are bound. */
    private interface Execution<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    /**
     * Executes a statement.
     *
     * @param rows how many to expect at most: one more is fetched, or the end would need a round trip of its own
     */
    private <T> T run(Compiled sql, int rows, Execution<T> execution) {
        return connection.answer(open -> {
            try (PreparedStatement statement = open.prepareStatement(sql.sql())) {
                SqlStatement.bound(statement, sql.values()).setFetchSize(Math.min(rows + 1, Portions.ROWS));
                running = statement;
                connection.canceller().scheduleDeadline();
                return execution.of(statement);
            }
        });
    }

    private static Summary.Line line(ResultSet result, Search search, Summary summary, Instant start)
            throws SQLException {
        boolean overTime = summary instanceof Summary.OverTime;
        Instant from = summary instanceof Summary.OverTime timeline
                ? start.plus(timeline.step(search.window()).multipliedBy(result.getLong(1)))
                : start;
        int value = overTime ? 2 : 1;
        return new Summary.Line(
                from, ColumnValues.readValue(summary.field(), result.getString(value)), result.getLong(value + 1));
    }

    /** Reads what DBMS_XPLAN tells of a plan. Stateless and thread-safe. */
    static final class PlanText {
        /** {@code |*  2 |   INDEX RANGE SCAN| SL_1_EVENT_TIME | ...}; the name is empty for many an operation. */
        private static final Pattern OPERATION =
                Pattern.compile("^\\|[* -]*\\d+ \\|\\s*([A-Z][^|]*?)\\s*\\|(?:\\s*([^| ]*)\\s*\\|)?");

        /** {@code  U -  FULL(e) / the reason}; E is an error, N names what is not there, U was not used. */
        private static final Pattern IGNORED_HINT = Pattern.compile("^\\s*(?:\\d+ - )?\\s*([ENU]) - +(.+?)\\s*$");

        private static final Pattern SORT = Pattern.compile("SORT ORDER BY.*|WINDOW SORT.*|WINDOW .*BUFFER SORT.*");

        private PlanText() {}

        /**
         * Of the tables of a run.
         *
         * @param prefix how their names begin
         */
        static Plan read(List<String> lines, String prefix) {
            List<Access> accesses = new ArrayList<>();
            List<String> ignored = new ArrayList<>();
            boolean sorted = false;
            boolean parallel = false;
            boolean report = false;
            for (String line : lines) {
                Matcher operation = OPERATION.matcher(line);
                if (operation.find()) {
                    String name = operation.group(2) == null ? "" : operation.group(2);
                    access(operation.group(1), name, prefix + "_EVENT").ifPresent(accesses::add);
                    sorted |= SORT.matcher(operation.group(1)).matches();
                    parallel |= operation.group(1).equals("PX COORDINATOR");
                }
                report |= line.startsWith("Hint Report");
                Matcher hint = IGNORED_HINT.matcher(line);
                if (report && hint.matches()) {
                    ignored.add(meaning(hint.group(1)) + ": " + hint.group(2).replace(prefix + "_", ""));
                }
            }
            Optional<String> refused = ignored.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", ignored));
            return new Plan(String.join("\n", lines), Plan.Format.TEXT, accesses, sorted, parallel, refused);
        }

        /** Looking up the lists of chosen events is no access, nor is fetching a row whose place an index told. */
        private static Optional<Access> access(String operation, String name, String events) {
            if (!name.equals(events) && !name.startsWith(events + "_")) {
                return Optional.empty();
            }
            String object =
                    name.substring(events.length() - TableGroup.EVENT.length()).toLowerCase(Locale.ROOT);
            if (operation.startsWith("TABLE ACCESS")) {
                return operation.contains("FULL") ? Optional.of(new Access(Kind.TABLE, object)) : Optional.empty();
            }
            Kind kind = switch (object) {
                case "event_pk" -> Kind.ID_INDEX;
                case "event_time" -> Kind.TIME_INDEX;
                default -> Kind.FIELD_INDEX;
            };
            return Optional.of(new Access(kind, object));
        }

        private static String meaning(String mark) {
            return switch (mark) {
                case "E" -> "an error in the hint";
                case "N" -> "the hint names what is not there";
                default -> "the hint was not used";
            };
        }
    }
}
