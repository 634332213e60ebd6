package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import siemload.database.Plan;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader;
import siemload.database.TargetException;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.server.Canceller;
import siemload.database.server.Portions;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlAccess.Work;
import siemload.database.sql.SqlStatement;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.query.Summary;

/**
 * Asks statements of users over one connection. Each is a transaction of its own that begins as READ ONLY, which the server lets
 * nobody change, whatever a function of the statement sets; that of one that says that it writes begins without. Its rows come at once, so that several workers of the server can find them;
 * those of a statement whose answers are large come in portions, for which it takes none.
 */
final class StatementSession implements SearchSession {
    private static final SqlStatement WITHOUT_WORKERS = FILES.read("server/without-workers.sql");
    private static final boolean READ_ONLY = true;
    private static final boolean READ_WRITE = false;
    private static final List<String> WRITING = List.of("ModifyTable", "LockRows");

    private final RunConnection connection;
    private final Canceller canceller;
    private final Statements statements;
    private final LargeAnswers large;
    private final Map<String, Optional<String>> identifiers = new HashMap<>();

    /**
     * Of one connection.
     *
     * @param connection of a session, which can be stopped
     * @param large what sessions have learnt of answers, shared by those of a run
     */
    StatementSession(RunConnection connection, Statements statements, LargeAnswers large) {
        this.connection = connection;
        this.canceller = connection.canceller();
        this.statements = statements;
        this.large = large;
    }

    /** The statements of a scenario as the driver takes them. Immutable and thread-safe. */
    static final class Statements {
        private final Map<SearchName, Asked> byName;

        Statements(List<Statement> statements) {
            this.byName = statements.stream()
                    .collect(Collectors.toUnmodifiableMap(
                            Statement::name, statement -> new Asked(statement, sql(statement.text()))));
        }

        private Asked of(Search search) {
            return Objects.requireNonNull(byName.get(search.name()), "a statement of another run");
        }
    }

    /** Which statements of a run have had answers of more rows than are taken into memory at once. Thread-safe. */
    static final class LargeAnswers {
        private final Set<SearchName> large = ConcurrentHashMap.newKeySet();

        private boolean has(SearchName statement) {
            return large.contains(statement);
        }

        /** Notes how many rows an answer had. */
        private void answered(SearchName statement, long rows) {
            if (rows > Portions.LARGEST_AT_ONCE) {
                large.add(statement);
            }
        }
    }

    /** @param sql with {@code ?} in the place of each parameter */
    private record Asked(Statement statement, String sql) {}

    /** To the driver a question mark is a place for a value, and two of them are the operator of that name. */
    private static String sql(StatementText text) {
        return text.written(code -> code.replace("?", "??"), parameter -> "?");
    }

    /**
     * Why a statement cannot be asked; empty if it can. Nothing is executed.
     *
     * @throws siemload.database.SearchException if it is wrong, in the server's words
     */
    Optional<String> refusal(Statement statement) {
        String sql = sql(statement.text());
        int places = statement.text().places().size();
        return reading(open -> {
            PreparedStatement explaining = withoutValues(explaining("explain-verbose", sql), places);
            String plan = SqlStatement.row(explaining, row -> row.getString(1));
            boolean writes = PlanReader.nodes(plan).stream()
                    .anyMatch(node -> WRITING.contains(node.path("Node Type").asText()));
            if (statement.writes()) {
                return Optional.empty();
            }
            if (writes) {
                return Optional.of("it writes or locks rows, but is not marked by writes: true");
            }
            return connection.statement(sql).getMetaData() == null
                    ? Optional.of("it gives no rows (allowed: what can only read, such as SELECT)")
                    : Optional.empty();
        });
    }

    private PreparedStatement withoutValues(String sql, int places) throws SQLException {
        PreparedStatement statement = connection.statement(sql);
        for (int i = 1; i <= places; i++) {
            statement.setNull(i, Types.NULL);
        }
        return statement;
    }

    /** The values that a query gives. @throws TargetException if it gives anything but one column without NULL */
    List<String> values(String query, int most) {
        String sql = sql(StatementText.scan(query).statement());
        return reading(open -> {
            PreparedStatement question = connection.statement(sql);
            question.setMaxRows(most);
            List<String> values = new ArrayList<>();
            try (ResultSet rows = question.executeQuery()) {
                int columns = rows.getMetaData().getColumnCount();
                if (columns != 1) {
                    throw new TargetException(
                            "a query for values gives " + columns + " columns (needed: one): " + query);
                }
                while (rows.next()) {
                    String value = rows.getString(1);
                    if (value == null) {
                        throw new TargetException("a query for values gives NULL in row " + (values.size() + 1)
                                + " (leave it out by WHERE ... IS NOT NULL): " + query);
                    }
                    values.add(value);
                }
            }
            return values;
        });
    }

    @Override
    public long search(Search search, RowReader rows) {
        Asked asked = statements.of(search);
        if (asked.statement().writes()) {
            return written(asked, search, rows);
        }
        boolean inPortions = large.has(search.name());
        return reading(open -> {
            PreparedStatement statement =
                    connection.statement(asked.sql(), asked.statement().values(search));
            long count = inPortions ? readInPortions(statement, rows) : readAll(statement, rows);
            large.answered(search.name(), count);
            return count;
        });
    }

    private long written(Asked asked, Search search, RowReader rows) {
        return connection.transaction(READ_WRITE, open -> {
            PreparedStatement statement =
                    connection.statement(asked.sql(), asked.statement().values(search));
            if (!statement.execute()) {
                return Math.max(0L, statement.getLargeUpdateCount());
            }
            try (ResultSet result = statement.getResultSet()) {
                return readAll(result, rows);
            }
        });
    }

    private long readInPortions(PreparedStatement statement, RowReader rows) throws SQLException {
        statement.setFetchSize(Portions.ROWS);
        canceller.scheduleDeadline();
        return readAll(statement, canceller.checked(rows));
    }

    private static long readAll(PreparedStatement statement, RowReader rows) throws SQLException {
        try (ResultSet result = statement.executeQuery()) {
            return readAll(result, rows);
        }
    }

    private static long readAll(ResultSet result, RowReader rows) throws SQLException {
        ReadRow row = new ReadRow(result, result.getMetaData().getColumnCount());
        long count = 0;
        for (; result.next(); count++) {
            rows.row(row);
        }
        return count;
    }

    @Override
    public long count(Search search) {
        throw new UnsupportedOperationException("the rows of a statement are not counted apart");
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        throw new UnsupportedOperationException("a statement is not summed up");
    }

    @Override
    public Plan explain(Search search, Summary summary) {
        throw new UnsupportedOperationException("a statement is not summed up");
    }

    @Override
    public Plan explain(Search search) {
        return statements.of(search).statement().writes() ? expect(search) : plan("explain", search);
    }

    @Override
    public Plan expect(Search search) {
        return plan("expect", search);
    }

    private Plan plan(String file, Search search) {
        Asked asked = statements.of(search);
        String sql = explaining(file, asked.sql());
        return reading(open -> {
            String text = onlyValue(sql, asked, search);
            large.answered(
                    search.name(),
                    Math.round(PlanReader.nodes(text).get(0).path("Actual Rows").asDouble()));
            if (large.has(search.name())) {
                WITHOUT_WORKERS.execute(open);
                text = onlyValue(sql, asked, search);
            }
            return PlanReader.ofStatement(text);
        });
    }

    @Override
    public Optional<String> statement(Search search, PageClass page) {
        Asked asked = statements.of(search);
        Optional<String> known = identifiers.get(asked.sql());
        Optional<String> identifier = known == null
                ? reading(open -> PlanReader.queryIdentifier(
                        onlyValue(explaining("explain-verbose", asked.sql()), asked, search)))
                : known;
        identifiers.put(asked.sql(), identifier);
        return identifier;
    }

    private static String explaining(String file, String sql) {
        return FILES.filled("server/" + file + ".sql", Map.of("statement", sql));
    }

    private String onlyValue(String sql, Asked asked, Search search) throws SQLException {
        return SqlStatement.row(connection.statement(sql, asked.statement().values(search)), row -> row.getString(1));
    }

    /** Works in a transaction that can only read, within the timeout; it can be cancelled, and so can its rolling back. */
    private <T> T reading(Work<T> work) {
        return connection.transaction(READ_ONLY, work);
    }

    @Override
    public boolean handInCounts() {
        return reading(open -> PostgresqlSession.handIn(connection));
    }

    @Override
    public void cancel() {
        canceller.press();
    }

    @Override
    public void close() {
        connection.close();
    }

    /** The columns of a row, for people: {@code 17 | NULL | ann}; bytes that are no text as {@code \\x} and their digits. */
    static String text(byte[] contents) {
        List<String> columns = new ArrayList<>();
        int at = 0;
        while (at < contents.length) {
            if (contents[at] == '-') {
                columns.add("NULL");
                at++;
                continue;
            }
            int length = 0;
            for (; contents[at] != ':'; at++) {
                length = 10 * length + contents[at] - '0';
            }
            columns.add(text(contents, at + 1, length));
            at += 1 + length;
        }
        return String.join(" | ", columns);
    }

    private static String text(byte[] contents, int from, int length) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(contents, from, length))
                    .toString();
        } catch (CharacterCodingException binary) {
            return "\\x" + HexFormat.of().formatHex(contents, from, from + length);
        }
    }

    /** The row that a result stands at: of its columns nobody knows what they mean. */
    private record ReadRow(ResultSet result, int columns) implements RowReader.Row {
        @Override
        public String id() {
            throw new UnsupportedOperationException("a row of a statement has no id");
        }

        @Override
        public Instant detectTime() {
            throw new UnsupportedOperationException("a row of a statement has no detect time");
        }

        /** Each column behind its length; a NULL is shorter than nothing. */
        @Override
        public byte[] idea() {
            return PostgresqlErrors.INSTANCE.attemptInRun(this::contents);
        }

        private byte[] contents() throws SQLException {
            ByteArrayOutputStream contents = new ByteArrayOutputStream();
            for (int column = 1; column <= columns; column++) {
                byte[] value = result.getBytes(column);
                if (value == null) {
                    contents.write('-');
                } else {
                    contents.writeBytes((value.length + ":").getBytes(StandardCharsets.US_ASCII));
                    contents.writeBytes(value);
                }
            }
            return contents.toByteArray();
        }
    }
}
