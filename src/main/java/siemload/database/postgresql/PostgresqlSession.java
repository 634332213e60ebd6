package siemload.database.postgresql;

import static siemload.database.postgresql.PostgresqlConnections.SQL;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;
import siemload.database.SearchSession.Plan.Access;
import siemload.database.SearchSession.Plan.PartitionsRead;
import siemload.database.SearchSession.RowReader.DetachedRow;
import siemload.database.layout.EventField;
import siemload.database.layout.LayoutFormat.LayoutAbout.LayoutTable;
import siemload.database.postgresql.PostgresqlSearchStatements.Asked;
import siemload.database.postgresql.PostgresqlSearchStatements.Reading;
import siemload.database.postgresql.PostgresqlSearchStatements.SqlText;
import siemload.database.server.Portions;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlAccess.Work;
import siemload.database.sql.SqlStatement;
import siemload.event.JsonFault;
import siemload.query.Field;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.query.Summary;

/**
 * The common part of sessions for searches and of sessions for users' statements. A page takes one round trip. Whole results, and pages
 * that are too large to be received all at once, are streamed in portions inside a transaction.
 */
abstract class PostgresqlSession extends RunConnection.JdbcSession {
    static final SqlStatement HAND_IN = SQL.read("hand-in-counts");
    private static final SqlStatement WITHOUT_WORKERS = SQL.read("without-workers");
    private static final String DECLARE = "declare-cursor";
    /** The number of bytes of a COPY's header: a signature, flags, and the length of an empty extension. */
    private static final int COPY_HEADER = 19;

    private final boolean reading;
    private final Portions.PageCursor cursor = new Portions.PageCursor();

    /** @param reading whether each call is its own transaction, which begins as READ ONLY */
    private PostgresqlSession(RunConnection connection, boolean reading) {
        super(connection);
        this.reading = reading;
    }

    /** Returns a search's statement for a class of page. */
    abstract Asked asked(Search search, PageClass page);

    abstract PlanReader planReader(Connection open) throws SQLException;

    /** Closes the cursor before any other call. The work may end the transaction itself. */
    @Override
    protected <T> T answer(Work<T> work) {
        cursor.close();
        return !reading
                ? super.answer(work)
                : super.answer(open -> {
                    open.setReadOnly(true);
                    connection().begin();
                    T result = work.on(open);
                    if (!open.getAutoCommit()) {
                        connection().commit();
                    }
                    return result;
                });
    }

    private PreparedStatement prepared(Asked sql) throws SQLException {
        return connection().statement(sql.sql(), sql.values());
    }

    @Override
    public long search(Search search, RowReader rows) {
        Asked sql = asked(search, PageClass.FIRST);
        if (sql.reading() == Reading.WRITE) {
            return connection().transaction(open -> {
                open.setReadOnly(false);
                return change(prepared(sql), rows);
            });
        }
        return answer(open -> switch (sql.reading()) {
            case PAGE, WRITE -> readAll(prepared(sql), rows);
            case STREAM -> stream(prepared(sql), rows);
            case CURSOR -> {
                declare(sql);
                long fetched = fetch(Integer.MAX_VALUE, rows);
                connection().commit();
                yield fetched;
            }
            case COPY -> {
                canceller().scheduleDeadline();
                yield copied(open, sql, canceller().checked(rows));
            }
        });
    }

    private long change(PreparedStatement statement, RowReader rows) throws SQLException {
        if (!statement.execute()) {
            return Math.max(0L, statement.getLargeUpdateCount());
        }
        try (ResultSet result = statement.getResultSet()) {
            return readAll(result, rows);
        }
    }

    /** Opens the session's only cursor on the server, in a transaction. */
    private void declare(Asked sql) throws SQLException {
        connection().begin();
        connection().statement(written(DECLARE, sql.sql()), sql.values()).execute();
    }

    /** Passes on the next rows of the cursor; between two portions only the client can notice the timeout. */
    private long fetch(int size, RowReader rows) throws SQLException {
        boolean inPortions = Portions.make(size);
        if (inPortions) {
            canceller().scheduleDeadline();
        }
        RowReader checked = inPortions ? canceller().checked(rows) : rows;
        long count = 0;
        long came;
        long asked;
        do {
            asked = Math.min(Portions.of(size), size - count);
            String portion = SQL.part("fetch-page", Map.of("size", Long.toString(asked)));
            came = readAll(connection().statement(portion), checked);
            count += came;
        } while (came == asked && count < size);
        return count;
    }

    /**
     * Reads a result through COPY in its binary form, row by row as the server finds the rows. Only COPY can stream the rows of parallel
     * workers. COPY accepts no bound values, so the values become literals in the statement.
     */
    private long copied(Connection open, Asked sql, RowReader rows) throws SQLException {
        PGConnection driver = open.unwrap(PGConnection.class);
        String literal = SqlStatement.written(
                sql.sql(),
                place -> PostgresqlConnections.PostgresqlErrors.INSTANCE.answering(
                        NO_TIMEOUT,
                        () -> "'" + driver.escapeLiteral(sql.values().get(place).toString()) + "'"));
        CopyOut out = driver.getCopyAPI().copyOut(written("copy-rows", literal));
        long count = 0;
        try {
            // Each message is a row or the end; a header comes before the row in the first message.
            for (byte[] message = out.readFromCopy(); message != null; message = out.readFromCopy()) {
                ByteBuffer row = ByteBuffer.wrap(message).position(count == 0 ? COPY_HEADER : 0);
                if (row.getShort() > 0) {
                    String id = new String(column(row), StandardCharsets.UTF_8);
                    Instant time = SqlText.time(ByteBuffer.wrap(column(row)).getLong());
                    rows.row(new DetachedRow(id, time, column(row)));
                    count++;
                }
            }
            return count;
        } catch (RuntimeException e) {
            // Close the connection: the driver would stop reading while the server still sends. The next search opens
            // another connection.
            connection().close();
            throw e;
        }
    }

    private static byte[] column(ByteBuffer row) {
        byte[] bytes = new byte[row.getInt()];
        row.get(bytes);
        return bytes;
    }

    @Override
    public Plan explain(Search search) {
        Asked sql = asked(search, PageClass.SUMMARY);
        return plan(sql.reading() == Reading.WRITE ? "expect" : "explain", sql);
    }

    @Override
    public Plan expect(Search search) {
        return plan("expect", asked(search, PageClass.SUMMARY));
    }

    private Plan plan(String how, Asked sql) {
        String asked = sql.reading() == Reading.CURSOR ? written(DECLARE, sql.sql()) : sql.sql();
        return answer(open -> {
            connection().begin();
            try {
                PlanReader reader = planReader(open);
                if (sql.reading() == Reading.STREAM) {
                    WITHOUT_WORKERS.execute(open);
                }
                return reader.read(explained(how, asked, sql.values()));
            } finally {
                connection().rollBack();
            }
        });
    }

    /** The server's plan of a statement with these values, under the connection's current settings. */
    private String explained(String how, String sql, List<Object> values) throws SQLException {
        return SqlStatement.row(connection().statement(written(how, sql), values), row -> row.getString(1));
    }

    private static String written(String block, String sql) {
        return SQL.part(block, Map.of("statement", sql));
    }

    @Override
    public Optional<String> statement(Search search, PageClass page) {
        Asked sql = asked(search, page);
        // The server counts the FETCH or COPY as the statement, and not the query in it.
        return sql.reading() == Reading.CURSOR || sql.reading() == Reading.COPY
                ? Optional.empty()
                : answer(open -> PlanReader.queryIdentifier(explained("explain-verbose", sql.sql(), sql.values())));
    }

    /** Makes the server publish the counts of this session. */
    @Override
    public boolean handInCounts() {
        return !cursor.isThere()
                && answer(open -> connection().statement(HAND_IN.sql()).execute());
    }

    @Override
    public ResultCursor open(Search search) {
        Asked sql = asked(search.with(new Page.Whole()), PageClass.WHOLE);
        return cursor.open(() -> connection().answer(open -> {
            declare(sql);
            return new ResultCursor() {
                @Override
                public long next(int size, RowReader rows) {
                    return connection().answer(fetched -> fetch(size, rows));
                }

                @Override
                public void close() {
                    connection().rollBack();
                }
            };
        }));
    }

    /** Searches events, each search outside a transaction where possible. */
    static final class OfEvents extends PostgresqlSession {
        private final PostgresqlSearchStatements searches;

        OfEvents(RunConnection connection, PostgresqlSearchStatements searches, boolean reading) {
            super(connection, reading);
            this.searches = searches;
        }

        @Override
        protected PostgresqlSearchStatements searches() {
            return searches;
        }

        @Override
        Asked asked(Search search, PageClass page) {
            return searches.asked(search, page);
        }

        @Override
        PlanReader planReader(Connection open) throws SQLException {
            return PlanReader.of(searches.layout(), open);
        }

        @Override
        protected String id(ResultSet row) throws SQLException {
            return row.getString(1);
        }

        @Override
        protected Instant detectTime(ResultSet row) throws SQLException {
            return time(row, 2);
        }

        private static Instant time(ResultSet row, int column) throws SQLException {
            return row.getObject(column, OffsetDateTime.class).toInstant();
        }

        @Override
        public void store(Search search, Summary.Hours summary, String trend) {
            Asked sql = searches.storing(search, summary, trend);
            int unused = answer(
                    open -> connection().statement(sql.sql(), sql.values()).executeUpdate());
        }

        @Override
        protected Summary.Line line(ResultSet row, Search search, Summary summary) throws SQLException {
            return summary instanceof Summary.OverTime
                    ? line(row, summary.field())
                    : new Summary.Line(search.window().start(), value(row, 1, summary.field()), row.getLong(2));
        }

        static Summary.Line line(ResultSet row, Field field) throws SQLException {
            return new Summary.Line(time(row, 1), value(row, 2, field), row.getLong(3));
        }

        private static String value(ResultSet row, int column, Field field) throws SQLException {
            String value = row.getString(column);
            return switch (field) {
                case SOURCE -> SqlText.readAddress(value).toString();
                case CATEGORY, DETECTOR, PORT, HOUR -> value;
            };
        }
    }

    /**
     * Executes users' statements, each in its own transaction. Unless the statement is marked as writing, the transaction begins as READ
     * ONLY, which no function of the statement can change. The rows of an answer are received all at once, so that parallel workers can
     * find them. Large answers are received in portions, which rules out parallel workers.
     */
    static final class OfStatements extends PostgresqlSession {
        private final Map<SearchName, Known> statements;

        /** @param statements shared by all sessions of a store */
        OfStatements(RunConnection connection, Map<SearchName, Known> statements) {
            super(connection, true);
            this.statements = statements;
        }

        /** A statement in the driver's form, with {@code ?} for each parameter, and whether its answers are large. Thread-safe. */
        static final class Known {
            private final Statement statement;
            private final String sql;
            /** Whether any answer had more rows than may be in memory at once. */
            private volatile boolean large;

            Known(Statement statement) {
                this.statement = statement;
                this.sql = sql(statement.text());
            }

            /** The reason why the statement cannot be executed, or empty if it can. Nothing is executed. */
            Optional<String> refusal(Connection open) throws SQLException {
                boolean writes;
                try (PreparedStatement explaining = open.prepareStatement(written("explain-verbose", sql))) {
                    for (int i = 1; i <= statement.text().places().size(); i++) {
                        explaining.setNull(i, Types.NULL);
                    }
                    writes = SqlStatement.row(explaining, row -> PlanReader.writes(row.getString(1)));
                }
                if (statement.writes()) {
                    return Optional.empty();
                } else if (writes) {
                    return Optional.of("it writes or locks rows, but is not marked with writes: true");
                }
                try (PreparedStatement asked = open.prepareStatement(sql)) {
                    return asked.getMetaData() != null
                            ? Optional.empty()
                            : Optional.of("it returns no rows (allowed: statements that only read, such as SELECT)");
                }
            }
        }

        /**
         * Writes question marks twice: the driver takes a single one for a parameter, and two for the operator {@code ?}. A blank keeps the
         * operator apart from a parameter before it.
         */
        static String sql(StatementText text) {
            return text.written(code -> (code.startsWith("?") ? " " : "") + code.replace("?", "??"), parameter -> "?");
        }

        private Known known(Search search) {
            return Objects.requireNonNull(statements.get(search.name()), "a statement of another run");
        }

        @Override
        Asked asked(Search search, PageClass page) {
            Known known = known(search);
            Reading rows = known.large ? Reading.STREAM : Reading.PAGE;
            return new Asked(
                    known.sql,
                    List.copyOf(known.statement.values(search)),
                    known.statement.writes() ? Reading.WRITE : rows);
        }

        @Override
        PlanReader planReader(Connection open) {
            return PlanReader.OF_OTHERS;
        }

        /** Executes a search's statement. After a large answer, the statement's later answers are received in portions. */
        @Override
        public long search(Search search, RowReader rows) {
            long count = super.search(search, rows);
            boolean unused = isLargeNow(known(search), count);
            return count;
        }

        @Override
        public Plan explain(Search search) {
            Plan plan = super.explain(search);
            return isLargeNow(known(search), PlanReader.rows(plan.text())) ? super.explain(search) : plan;
        }

        private static boolean isLargeNow(Known known, long rows) {
            boolean isNew = !known.large && rows > Portions.LARGEST_AT_ONCE;
            if (isNew) {
                known.large = true;
            }
            return isNew;
        }

        /**
         * The columns as text: {@code 17 | NULL | ann}; bytes as {@code \x} and hexadecimal digits. A NUL character, which no text can
         * hold, precedes each separator and each NULL, so that different rows have different bytes. NUL is shown as a blank.
         */
        @Override
        protected byte[] idea(ResultSet row) throws SQLException {
            StringBuilder text = new StringBuilder(128);
            for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
                String value = row.getString(column);
                text.append(column == 1 ? "" : value == null ? "\0|" : "\0| ");
                text.append(value == null ? "\0NULL" : value);
            }
            return text.toString().getBytes(StandardCharsets.UTF_8);
        }
    }

    /**
     * Reads plans from {@code EXPLAIN (FORMAT JSON)}, with {@code ANALYZE} or without. Immutable and thread-safe.
     *
     * @param tables the searched tables, the events first; empty for existing tables, whose columns have an unknown meaning, so that each
     *     index counts as the index of a field
     * @param indexes the access of each index by its name; a partition's index counts as its table's index
     * @param partitions the table of each partition, by the partition's name
     */
    record PlanReader(List<String> tables, Map<String, Access> indexes, Map<String, String> partitions) {
        static final PlanReader OF_OTHERS = new PlanReader(List.of(), Map.of(), Map.of());

        private static final ObjectMapper JSON = new ObjectMapper();
        private static final SqlStatement INDEXES = SQL.read("indexes");
        private static final SqlStatement PARTITIONS = SQL.read("partitions");

        static PlanReader of(Layout layout, Connection connection) throws SQLException {
            List<String> tables =
                    layout.searchedTables().stream().map(LayoutTable::name).toList();
            return new PlanReader(
                    tables,
                    INDEXES.map(
                            connection,
                            index -> new Access(Access.Kind.valueOf(index.getString(3)), index.getString(2)),
                            columns(layout, EventField.DETECT_TIME),
                            columns(layout, EventField.ID),
                            SqlText.of(tables)),
                    PARTITIONS.map(connection, part -> part.getString(2), SqlText.of(tables)));
        }

        private static String columns(Layout layout, EventField field) {
            return SqlText.of(layout.searchedTables().stream()
                    .flatMap(table -> table.columns().entrySet().stream())
                    .filter(column -> column.getValue() == field)
                    .map(Map.Entry::getKey)
                    .toList());
        }

        Plan read(String text) {
            List<JsonNode> nodes = nodesOf(parsed(text));
            List<Access> accesses =
                    nodes.stream().flatMap(node -> access(node).stream()).toList();
            boolean sorted = nodes.stream()
                    .anyMatch(node -> node.path("Node Type").asText().endsWith("Sort"));
            // Planned workers may not start, because none is free or rows are fetched in portions. Only the plan of an
            // executed statement has the number of workers that started.
            boolean parallel = nodes.stream()
                    .map(node -> node.path(node.has("Workers Launched") ? "Workers Launched" : "Workers Planned"))
                    .anyMatch(workers -> workers.asInt() > 0);
            return new Plan(text, "json", accesses, sorted, parallel, Optional.empty(), partitionsRead(nodes));
        }

        /** Returns how many of the events' partitions have a step that was executed, or would be, and how many there are in all. */
        private Optional<PartitionsRead> partitionsRead(List<JsonNode> nodes) {
            List<String> all = partitions.keySet().stream()
                    .filter(part -> tables.get(0).equals(partitions.get(part)))
                    .toList();
            long read = nodes.stream()
                    .filter(node -> node.path("Actual Loops").asDouble(1) > 0)
                    .map(node -> node.path("Relation Name").asText())
                    .filter(all::contains)
                    .distinct()
                    .count();
            return all.isEmpty() ? Optional.empty() : Optional.of(new PartitionsRead((int) read, all.size()));
        }

        private Optional<Access> access(JsonNode node) {
            String index = node.path("Index Name").asText();
            if (indexes.containsKey(index) || (tables.isEmpty() && !index.isEmpty())) {
                return Optional.of(indexes.getOrDefault(index, new Access(Access.Kind.FIELD_INDEX, index)));
            }
            String name = node.path("Relation Name").asText();
            String table = partitions.getOrDefault(name, name);
            boolean whole =
                    node.path("Node Type").asText().equals("Seq Scan") && (tables.isEmpty() || tables.contains(table));
            // An empty partition, such as that of a day to come, has no page, so that the estimated cost of reading it
            // is 0.
            boolean isEmpty =
                    partitions.containsKey(name) && node.path("Total Cost").asDouble(1) == 0;
            return whole && !isEmpty ? Optional.of(new Access(Access.Kind.TABLE, table)) : Optional.empty();
        }

        /** The query identifier of a statement whose plan was made with VERBOSE; empty if the server does not compute it. */
        static Optional<String> queryIdentifier(String text) {
            return Optional.of(parsed(text).path("Query Identifier").asText())
                    .filter(identifier -> !identifier.isEmpty());
        }

        static long rows(String text) {
            return Math.round(parsed(text).path("Plan").path("Actual Rows").asDouble());
        }

        /** Returns whether the planned statement would write or lock rows. */
        static boolean writes(String text) {
            return nodesOf(parsed(text)).stream()
                    .anyMatch(node -> node.path("Node Type").asText().matches("ModifyTable|LockRows"));
        }

        /** All nodes of the plan, in depth-first order. */
        private static List<JsonNode> nodesOf(JsonNode document) {
            return document.path("Plan").findParents("Node Type");
        }

        private static JsonNode parsed(String text) {
            try {
                return JSON.readTree(text).path(0);
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("the server's plan is not JSON: " + JsonFault.words(e), e);
            }
        }
    }
}
