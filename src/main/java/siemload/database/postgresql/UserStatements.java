package siemload.database.postgresql;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import siemload.database.SearchSession.RowReader;
import siemload.database.TargetException;
import siemload.database.postgresql.PostgresqlSearchStatements.Asked;
import siemload.database.postgresql.PostgresqlSearchStatements.Reading;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.server.Portions;
import siemload.database.sql.SqlSearches.Compiled;
import siemload.database.sql.SqlStatement;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;

/**
 * Statements of users. Each is a transaction of its own that begins as READ ONLY, which the server lets nobody change, whatever a function
 * of the statement sets; that of one that says that it writes begins without. Its rows come at once, so that several workers of the server
 * can find them; those of a statement whose answers are large come in portions, for which it takes none. Thread-safe.
 */
final class UserStatements implements PostgresqlSession.Questions {
    private static final List<String> WRITING = List.of("ModifyTable", "LockRows");

    private final Map<SearchName, Known> statements;

    UserStatements(List<Statement> statements) {
        this.statements = statements.stream().collect(Collectors.toUnmodifiableMap(Statement::name, Known::new));
    }

    /** A statement as the driver takes it, with {@code ?} in the place of each parameter, and what is known of its answers. Thread-safe. */
    private static final class Known {
        private final Statement statement;
        private final String sql;
        /** Whether an answer had more rows than are taken into memory at once. */
        private volatile boolean large;

        private Known(Statement statement) {
            this.statement = statement;
            this.sql = sql(statement.text());
        }
    }

    /** To the driver a question mark is a place for a value, and two of them are the operator of that name. */
    private static String sql(StatementText text) {
        return text.written(code -> code.replace("?", "??"), parameter -> "?");
    }

    private Known known(Search search) {
        return Objects.requireNonNull(statements.get(search.name()), "a statement of another run");
    }

    @Override
    public PostgresqlSearchStatements searches() {
        throw new UnsupportedOperationException("the rows of a statement are neither counted apart nor summed up");
    }

    @Override
    public Asked asked(Search search, PageClass page) {
        Known known = known(search);
        Reading rows = known.large ? Reading.STREAM : Reading.PAGE;
        return new Asked(
                known.sql,
                List.copyOf(known.statement.values(search)),
                known.statement.writes() ? Reading.WRITE : rows);
    }

    @Override
    public void answered(Search search, long rows) {
        if (rows > Portions.LARGEST_AT_ONCE) {
            known(search).large = true;
        }
    }

    @Override
    public PlanReader planReader(Connection open) {
        return PlanReader.ofOthers();
    }

    @Override
    public long readAll(ResultSet result, RowReader rows) throws SQLException {
        ReadRow row = ReadRow.of(result);
        long count = 0;
        for (; result.next(); count++) {
            rows.row(row);
        }
        return count;
    }

    /**
     * Why a statement cannot be asked; empty if it can. Nothing is executed.
     *
     * @throws siemload.database.SearchException if it is wrong, in the server's words
     */
    static Optional<String> refusal(Statement statement, PostgresqlSession session) {
        String sql = sql(statement.text());
        int places = statement.text().places().size();
        String plan = session.ask(
                new Compiled(PostgresqlSession.explaining("explain-verbose", sql), List.of()), explaining -> {
                    for (int i = 1; i <= places; i++) {
                        explaining.setNull(i, Types.NULL);
                    }
                    return SqlStatement.row(explaining, row -> row.getString(1));
                });
        if (statement.writes()) {
            return Optional.empty();
        }
        boolean writes = PlanReader.nodes(plan).stream()
                .anyMatch(node -> WRITING.contains(node.path("Node Type").asText()));
        if (writes) {
            return Optional.of("it writes or locks rows, but is not marked by writes: true");
        }
        boolean hasRows = session.ask(new Compiled(sql, List.of()), asked -> asked.getMetaData() != null);
        return hasRows
                ? Optional.empty()
                : Optional.of("it gives no rows (allowed: what can only read, such as SELECT)");
    }

    /** The values that a query gives. @throws TargetException if it gives anything but one column without NULL */
    static List<String> values(String query, int most, PostgresqlSession session) {
        Compiled sql = new Compiled(sql(StatementText.scan(query).statement()), List.of());
        return session.ask(sql, question -> {
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

    /**
     * The row that a result stands at: of its columns nobody knows what they mean.
     *
     * @param binary which of them are bytes
     */
    private record ReadRow(ResultSet result, int columns, BitSet binary) implements RowReader.Row {
        /** No text holds a NUL, which is shown as a blank: so no two rows have the same bytes. */
        private static final byte[] BETWEEN = "\0| ".getBytes(StandardCharsets.US_ASCII);

        private static final byte[] NONE = "\0NULL".getBytes(StandardCharsets.US_ASCII);

        static ReadRow of(ResultSet result) throws SQLException {
            ResultSetMetaData columns = result.getMetaData();
            BitSet binary = new BitSet();
            for (int column = 1; column <= columns.getColumnCount(); column++) {
                binary.set(column, columns.getColumnType(column) == Types.BINARY);
            }
            return new ReadRow(result, columns.getColumnCount(), binary);
        }

        @Override
        public String id() {
            throw new UnsupportedOperationException("a row of a statement has no id");
        }

        @Override
        public Instant detectTime() {
            throw new UnsupportedOperationException("a row of a statement has no detect time");
        }

        /** The columns as text: {@code 17 | NULL | ann}; bytes as {@code \x} and their digits. */
        @Override
        public byte[] idea() {
            return PostgresqlErrors.INSTANCE.attemptInRun(this::contents);
        }

        private byte[] contents() throws SQLException {
            ByteArrayOutputStream contents = new ByteArrayOutputStream();
            for (int column = 1; column <= columns; column++) {
                String hex = binary.get(column) ? result.getString(column) : null;
                byte[] value = hex == null ? result.getBytes(column) : hex.getBytes(StandardCharsets.US_ASCII);
                if (column > 1) {
                    contents.write(BETWEEN, 0, value == null ? BETWEEN.length - 1 : BETWEEN.length);
                }
                contents.writeBytes(value == null ? NONE : value);
            }
            return contents.toByteArray();
        }
    }
}
