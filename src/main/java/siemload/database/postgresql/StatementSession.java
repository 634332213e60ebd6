package siemload.database.postgresql;

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
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import siemload.database.Plan;
import siemload.database.SearchSession.RowReader;
import siemload.database.TargetException;
import siemload.database.postgresql.PostgresqlSearchStatements.Asked;
import siemload.database.postgresql.PostgresqlSearchStatements.Reading;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.server.Portions;
import siemload.database.sql.RunConnection;
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
final class StatementSession extends PostgresqlSession {
    private static final boolean READ_WRITE = false;
    private static final List<String> WRITING = List.of("ModifyTable", "LockRows");

    private final Statements statements;
    private final LargeAnswers large;

    /**
     * Of one connection.
     *
     * @param connection of a session, which can be stopped
     * @param large what sessions have learnt of answers, shared by those of a run
     */
    StatementSession(RunConnection connection, Statements statements, LargeAnswers large) {
        super(connection, Transactions.ALWAYS);
        this.statements = statements;
        this.large = large;
    }

    /** The statements of a scenario as the driver takes them. Immutable and thread-safe. */
    static final class Statements {
        private final Map<SearchName, Known> byName;

        Statements(List<Statement> statements) {
            this.byName = statements.stream()
                    .collect(Collectors.toUnmodifiableMap(
                            Statement::name, statement -> new Known(statement, sql(statement.text()))));
        }

        private Known of(Search search) {
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
    private record Known(Statement statement, String sql) {}

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
        return answer(open -> {
            PreparedStatement explaining = connection().statement(explaining("explain-verbose", sql));
            for (int i = 1; i <= places; i++) {
                explaining.setNull(i, Types.NULL);
            }
            String plan = SqlStatement.row(explaining, row -> row.getString(1));
            boolean writes = PlanReader.nodes(plan).stream()
                    .anyMatch(node -> WRITING.contains(node.path("Node Type").asText()));
            if (statement.writes()) {
                return Optional.empty();
            }
            if (writes) {
                return Optional.of("it writes or locks rows, but is not marked by writes: true");
            }
            return connection().statement(sql).getMetaData() == null
                    ? Optional.of("it gives no rows (allowed: what can only read, such as SELECT)")
                    : Optional.empty();
        });
    }

    /** The values that a query gives. @throws TargetException if it gives anything but one column without NULL */
    List<String> values(String query, int most) {
        String sql = sql(StatementText.scan(query).statement());
        return answer(open -> {
            PreparedStatement question = connection().statement(sql);
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
    Asked asked(Search search, PageClass page) {
        Known known = statements.of(search);
        List<Object> values = List.copyOf(known.statement().values(search));
        return new Asked(known.sql(), values, large.has(search.name()) ? Reading.STREAM : Reading.PAGE);
    }

    @Override
    public long search(Search search, RowReader rows) {
        Asked sql = asked(search, PageClass.FIRST);
        if (statements.of(search).statement().writes()) {
            return connection().transaction(READ_WRITE, open -> {
                PreparedStatement statement = prepared(sql);
                if (!statement.execute()) {
                    return Math.max(0L, statement.getLargeUpdateCount());
                }
                try (ResultSet result = statement.getResultSet()) {
                    return readAll(result, rows);
                }
            });
        }
        long count = answer(
                open -> sql.reading() == Reading.STREAM ? stream(prepared(sql), rows) : readAll(prepared(sql), rows));
        large.answered(search.name(), count);
        return count;
    }

    @Override
    long readAll(PreparedStatement statement, RowReader rows) throws SQLException {
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

    private Plan plan(String how, Search search) {
        Asked sql = asked(search, PageClass.FIRST);
        return answer(open -> {
            String text = explained(how, sql.sql(), sql.values());
            large.answered(
                    search.name(),
                    Math.round(PlanReader.nodes(text).get(0).path("Actual Rows").asDouble()));
            if (large.has(search.name())) {
                WITHOUT_WORKERS.execute(open);
                text = explained(how, sql.sql(), sql.values());
            }
            return PlanReader.ofStatement(text);
        });
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
