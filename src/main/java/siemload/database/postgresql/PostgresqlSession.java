package siemload.database.postgresql;

import static siemload.database.postgresql.PostgresqlConnections.SQL;

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
import siemload.database.Plan;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.SearchSession.RowReader;
import siemload.database.SearchSession.RowReader.DetachedRow;
import siemload.database.postgresql.PostgresqlSearchStatements.Asked;
import siemload.database.postgresql.PostgresqlSearchStatements.Reading;
import siemload.database.server.PageCursor;
import siemload.database.server.Portions;
import siemload.database.sql.JdbcSession;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlAccess.Work;
import siemload.database.sql.SqlStatement;
import siemload.query.Field;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.query.Summary;

/**
 * What sessions have in common that search events, and those that ask statements of users. A page is one round trip; a whole result, and a
 * page that is too large to be received at once, is streamed inside a transaction, in portions.
 */
abstract class PostgresqlSession extends JdbcSession {
    static final SqlStatement HAND_IN = SQL.read("hand-in-counts");
    private static final SqlStatement WITHOUT_WORKERS = SQL.read("without-workers");
    private static final String DECLARE = "declare-cursor";
    /** A signature, flags, and the length of an extension that there is not. */
    private static final int COPY_HEADER = 19;

    private final boolean reading;
    private final PageCursor cursor = new PageCursor();

    /** @param reading whether whatever is done is a transaction of its own, which begins as READ ONLY */
    private PostgresqlSession(RunConnection connection, boolean reading) {
        super(connection);
        this.reading = reading;
    }

    /** The statement of a search that users come to in this way. */
    abstract Asked asked(Search search, PageClass page);

    /** What reads plans in this database. */
    abstract PlanReader planReader(Connection open) throws SQLException;

    /** Whatever is done closes the cursor. The work may end its transaction itself. */
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

    /** How many rows were written, or returned where some are. */
    private long change(PreparedStatement statement, RowReader rows) throws SQLException {
        if (!statement.execute()) {
            return Math.max(0L, statement.getLargeUpdateCount());
        }
        try (ResultSet result = statement.getResultSet()) {
            return readAll(result, rows);
        }
    }

    /** Opens the cursor of this session on the server, in a transaction: one at a time. */
    private void declare(Asked sql) throws SQLException {
        connection().begin();
        connection().statement(written(DECLARE, sql.sql()), sql.values()).execute();
    }

    /** Hands over the next rows of the cursor; between two portions only the client can see that time is up. */
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
     * A whole result by COPY in its binary form, row by row as the server finds them: the one way of streaming rows that several workers
     * found. COPY takes no bound values, so they stand in the statement as literals.
     */
    private long copied(Connection open, Asked sql, RowReader rows) throws SQLException {
        PGConnection driver = open.unwrap(PGConnection.class);
        String literal = SqlStatement.written(
                sql.sql(),
                place -> PostgresqlErrors.INSTANCE.answering(
                        NO_TIMEOUT,
                        () -> "'" + driver.escapeLiteral(sql.values().get(place).toString()) + "'"));
        CopyOut out = driver.getCopyAPI().copyOut(written("copy-rows", literal));
        long count = 0;
        try {
            // Each message is a row, or the end; the first one has a header before it.
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
            // The driver would stop reading before the server has stopped sending; the next search opens another one.
            connection().close();
            throw e;
        }
    }

    /** A column of a row stands behind its length. */
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

    /** What the server says of a statement with these values, on the connection as it is. */
    private String explained(String how, String sql, List<Object> values) throws SQLException {
        return SqlStatement.row(connection().statement(written(how, sql), values), row -> row.getString(1));
    }

    /** The block with a statement in it. */
    private static String written(String block, String sql) {
        return SQL.part(block, Map.of("statement", sql));
    }

    @Override
    public Optional<String> statement(Search search, PageClass page) {
        Asked sql = asked(search, page);
        // The server counts FETCH and COPY, whoever's rows they read.
        return sql.reading() == Reading.CURSOR || sql.reading() == Reading.COPY
                ? Optional.empty()
                : answer(open -> PlanReader.queryIdentifier(explained("explain-verbose", sql.sql(), sql.values())));
    }

    /** Has the server count for everybody what this session did. */
    @Override
    public boolean handInCounts() {
        return !cursor.isThere()
                && answer(open -> connection().statement(HAND_IN.sql()).execute());
    }

    /** The cursor stays open in a transaction between two pages. */
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

    /** Searches events, each search outside a transaction where it can be. */
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

        /** A line that has a time of its own. */
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
     * Asks statements of users. Each is a transaction of its own that begins as READ ONLY, which the server lets nobody change, whatever a
     * function of the statement sets; that of one that says that it writes begins without. Its rows come at once, so that several workers of
     * the server can find them; those of a statement whose answers are large come in portions, for which it takes none.
     */
    static final class OfStatements extends PostgresqlSession {
        private final Map<SearchName, Known> statements;

        /** @param statements are known to all sessions of a store */
        OfStatements(RunConnection connection, Map<SearchName, Known> statements) {
            super(connection, true);
            this.statements = statements;
        }

        /** A statement as the driver takes it, with {@code ?} in the place of each parameter, and what is known of its answers. Thread-safe. */
        static final class Known {
            private final Statement statement;
            private final String sql;
            /** Whether an answer had more rows than are taken into memory at once. */
            private volatile boolean large;

            Known(Statement statement) {
                this.statement = statement;
                this.sql = sql(statement.text());
            }

            /** Why it cannot be asked; empty if it can. Nothing is executed. */
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
                    return Optional.of("it writes or locks rows, but is not marked by writes: true");
                }
                try (PreparedStatement asked = open.prepareStatement(sql)) {
                    return asked.getMetaData() != null
                            ? Optional.empty()
                            : Optional.of("it gives no rows (allowed: what can only read, such as SELECT)");
                }
            }
        }

        /** To the driver a question mark is a place for a value, and two of them are the operator of that name. */
        static String sql(StatementText text) {
            return text.written(code -> code.replace("?", "??"), parameter -> "?");
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

        /** An answer that turns out to be large comes in portions from then on. */
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
         * The columns as text: {@code 17 | NULL | ann}; bytes as {@code \x} and their digits. No text holds a NUL, which is shown as a
         * blank: so no two rows have the same bytes.
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
}
