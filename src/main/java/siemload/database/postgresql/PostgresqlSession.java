package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.SQL;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;
import siemload.database.Plan;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.SearchSession.RowReader;
import siemload.database.SearchSession.RowReader.DetachedRow;
import siemload.database.postgresql.PostgresqlSearchStatements.Asked;
import siemload.database.postgresql.PostgresqlSearchStatements.Reading;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.server.PageCursor;
import siemload.database.server.Portions;
import siemload.database.sql.JdbcSession;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlAccess.Work;
import siemload.database.sql.SqlSearches.Compiled;
import siemload.database.sql.SqlStatement;
import siemload.query.Field;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * Searches events, or asks statements of users. A page is one round trip outside a transaction; a whole result, and a page that is too
 * large to be received at once, is streamed inside one, in portions.
 */
final class PostgresqlSession extends JdbcSession {
    private static final String NEXT_PORTION = fetching(Portions.ROWS);
    private static final SqlStatement WITHOUT_WORKERS = SQL.read("without-workers");
    private static final int HANDS_IN_SINCE = 15;
    private static final SqlStatement HAND_IN = SQL.read("hand-in-counts");

    private final Questions questions;
    private @Nullable PlanReader plans;
    private final PageCursor.OfSession cursor = new PageCursor.OfSession();
    private final Map<String, Optional<String>> identifiers = new HashMap<>();

    PostgresqlSession(RunConnection connection, Questions questions, Transactions transactions) {
        super(connection, transactions);
        this.questions = questions;
    }

    /** What is asked, and how its rows are read. Thread-safe. */
    interface Questions {
        /** Writes searches. @throws UnsupportedOperationException if there are none */
        PostgresqlSearchStatements searches();

        /** The statement of a search that users come to in this way. */
        Asked asked(Search search, PageClass page);

        /** Hands over the rows of a statement. @return how many there were */
        long readAll(ResultSet result, RowReader rows) throws SQLException;

        /** Hears how many rows a whole answer had. */
        default void answered(Search search, long rows) {}

        /** What reads plans in this database. */
        PlanReader planReader(Connection open) throws SQLException;
    }

    /** Searches of a layout. */
    record EventQuestions(PostgresqlSearchStatements searches) implements Questions {
        private static final EventColumns ROWS =
                new EventColumns(row -> row.getString(1), row -> time(row, 2), PostgresqlErrors.INSTANCE);

        @Override
        public Asked asked(Search search, PageClass page) {
            return searches.asked(search, page);
        }

        @Override
        public long readAll(ResultSet result, RowReader rows) throws SQLException {
            return ROWS.readAll(result, rows);
        }

        @Override
        public PlanReader planReader(Connection open) throws SQLException {
            return PlanReader.of(searches.layout(), open);
        }
    }

    @Override
    protected PostgresqlSearchStatements searches() {
        return questions.searches();
    }

    @Override
    protected long readAll(ResultSet result, RowReader rows) throws SQLException {
        return questions.readAll(result, rows);
    }

    /** Whatever is done closes the cursor. */
    @Override
    protected <T> T answer(Work<T> work) {
        cursor.close();
        return super.answer(work);
    }

    private PreparedStatement prepared(Asked sql) throws SQLException {
        return connection().statement(sql.sql(), sql.values());
    }

    @Override
    public long search(Search search, RowReader rows) {
        Asked sql = questions.asked(search, PageClass.FIRST);
        if (sql.reading() == Reading.WRITE) {
            return connection().writing(open -> written(prepared(sql), rows));
        }
        long count = answer(open -> switch (sql.reading()) {
            case PAGE, WRITE -> readAll(prepared(sql), rows);
            case PAGE_BACKWARDS -> backwards(prepared(sql), rows);
            case STREAM -> stream(prepared(sql), rows);
            case CURSOR -> {
                declare(sql);
                long fetched = fetchInPortions(Integer.MAX_VALUE, rows);
                connection().commit();
                yield fetched;
            }
            case COPY -> {
                canceller().scheduleDeadline();
                yield copied(open, sql, rows);
            }
        });
        questions.answered(search, count);
        return count;
    }

    /** How many rows were written, or returned where some are. */
    private long written(PreparedStatement statement, RowReader rows) throws SQLException {
        if (!statement.execute()) {
            return Math.max(0L, statement.getLargeUpdateCount());
        }
        try (ResultSet result = statement.getResultSet()) {
            return readAll(result, rows);
        }
    }

    @Override
    public void store(Search search, Summary.Hours summary, String trend) {
        Asked sql = searches().storing(search, summary, trend);
        int unused = answer(open -> prepared(sql).executeUpdate());
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

    private static Instant time(ResultSet row, int column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    /** An answer that turns out to be large comes in portions from then on. */
    @Override
    public Plan explain(Search search) {
        Asked sql = questions.asked(search, PageClass.FIRST);
        if (sql.reading() == Reading.WRITE) {
            return plan("expect", sql);
        }
        Plan plan = plan("explain", sql);
        questions.answered(search, PlanReader.rows(plan.text()));
        Asked again = questions.asked(search, PageClass.FIRST);
        return again.reading() == sql.reading() ? plan : plan("explain", again);
    }

    @Override
    protected Plan plan(Compiled sql) {
        return plan("explain", Asked.atOnce(sql));
    }

    @Override
    public Plan explainStoring(Search search, Summary.Hours summary) {
        return plan("explain", searches().storing(search, summary, ""));
    }

    @Override
    public Plan expect(Search search) {
        return plan("expect", questions.asked(search, PageClass.SUMMARY));
    }

    /** Tables and indexes of a run's copy stay as they are while a session asks for plans: they are read once. */
    private Plan plan(String how, Asked sql) {
        String asked = sql.reading() == Reading.CURSOR ? declaring(sql) : sql.sql();
        return answer(open -> {
            connection().begin();
            try {
                PlanReader reader = plans == null ? questions.planReader(open) : plans;
                plans = reader;
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
        PreparedStatement explaining = connection().statement(explaining(how, sql), values);
        return SqlStatement.row(explaining, row -> row.getString(1));
    }

    static String explaining(String how, String sql) {
        return SQL.part(how, Map.of("statement", sql));
    }

    @Override
    public Optional<String> statement(Search search, PageClass page) {
        cursor.close();
        Asked sql = questions.asked(search, page);
        if (sql.reading() == Reading.CURSOR || sql.reading() == Reading.COPY) {
            // The server counts FETCH and COPY, whoever's rows they read.
            return Optional.empty();
        }
        return identifiers.computeIfAbsent(
                sql.sql(),
                text -> answer(open -> PlanReader.queryIdentifier(explained("explain-verbose", text, sql.values()))));
    }

    /** Has the server count for everybody what this session did. */
    @Override
    public boolean handInCounts() {
        return !cursor.isThere()
                && answer(open -> open.getMetaData().getDatabaseMajorVersion() >= HANDS_IN_SINCE
                        && connection().statement(HAND_IN.sql()).execute());
    }

    private long backwards(PreparedStatement statement, RowReader rows) throws SQLException {
        ArrayDeque<RowReader.Row> page = new ArrayDeque<>();
        readAll(statement, row -> page.push(DetachedRow.of(row)));
        page.forEach(rows::row);
        return page.size();
    }

    /** It stays open in a transaction between two pages. */
    @Override
    public ResultCursor open(Search search) {
        Asked sql = searches().found(search.with(new Page.Whole()));
        return cursor.open(() -> connection().answer(open -> {
            declare(sql);
            return new PageCursor() {
                @Override
                protected long page(int size, RowReader rows) {
                    return connection()
                            .answer(fetched -> Portions.make(size)
                                    ? fetchInPortions(size, rows)
                                    : readAll(connection().statement(fetching(size)), rows));
                }

                @Override
                protected void release() {
                    connection().rollBack();
                }
            };
        }));
    }

    /** Opens the cursor of this session on the server, in a transaction: one at a time. */
    private void declare(Asked sql) throws SQLException {
        connection().begin();
        connection().statement(declaring(sql), sql.values()).execute();
    }

    private static String declaring(Asked sql) {
        return SQL.read("declare-cursor", Map.of("statement", sql.sql())).sql();
    }

    private static String fetching(int rows) {
        return SQL.read("fetch-page", Map.of("size", Integer.toString(rows))).sql();
    }

    /** Hands over the next rows of the cursor; between two portions only the client can see that time is up. */
    private long fetchInPortions(int size, RowReader rows) throws SQLException {
        canceller().scheduleDeadline();
        RowReader checked = canceller().checked(rows);
        long count = 0;
        long came;
        int asked;
        do {
            asked = (int) Math.min(Portions.ROWS, size - count);
            String fetch = asked == Portions.ROWS ? NEXT_PORTION : fetching(asked);
            came = readAll(connection().statement(fetch), checked);
            count += came;
        } while (came == asked && count < size);
        return count;
    }

    /**
     * A whole result by COPY, row by row as the server finds them: the one way of streaming rows that several workers found.
     * COPY takes no bound values, so they stand in the statement as literals.
     */
    private long copied(Connection open, Asked sql, RowReader rows) throws SQLException {
        PGConnection driver = open.unwrap(PGConnection.class);
        String written = SqlStatement.written(
                sql.sql(), place -> literal(driver, sql.values().get(place)));
        CopyOut out = driver.getCopyAPI()
                .copyOut(SQL.read("copy-rows", Map.of("statement", written)).sql());
        RowReader checked = canceller().checked(rows);
        try {
            long count = 0;
            for (byte[] message = out.readFromCopy(); message != null; message = out.readFromCopy()) {
                ByteBuffer row = CopiedRow.begin(message, count == 0);
                if (row.getShort() > 0) {
                    checked.row(CopiedRow.read(row));
                    count++;
                }
            }
            return count;
        } catch (RuntimeException e) {
            giveUp(out, driver);
            throw e;
        }
    }

    private static String literal(PGConnection driver, Object value) {
        return PostgresqlErrors.INSTANCE.attemptInRun(() -> "'" + driver.escapeLiteral(value.toString()) + "'");
    }

    /** By hand: the driver's own {@code cancelCopy} stops reading before the server has stopped sending. */
    private static void giveUp(CopyOut out, PGConnection driver) throws SQLException {
        driver.cancelQuery();
        try {
            while (out.readFromCopy() != null) {
                // What was under way.
            }
        } catch (SQLException cancelled) {
            if (PostgresqlErrors.INSTANCE.isLost(cancelled)) {
                throw cancelled;
            }
        }
    }

    /** A row in the binary form of COPY: a count of columns, and each with its length before it. Stateless. */
    private static final class CopiedRow {
        private static final int SIGNATURE_AND_FLAGS = 15;
        private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

        /** The first message, of a row or of the end, has a header before it. */
        static ByteBuffer begin(byte[] message, boolean isFirst) {
            ByteBuffer row = ByteBuffer.wrap(message);
            if (isFirst) {
                row.position(SIGNATURE_AND_FLAGS);
                int extension = row.getInt();
                row.position(row.position() + extension);
            }
            return row;
        }

        static RowReader.Row read(ByteBuffer columns) {
            String id = new String(bytes(columns), StandardCharsets.UTF_8);
            columns.getInt(); // the length of the time
            long micros = columns.getLong();
            return new DetachedRow(id, time(micros), bytes(columns));
        }

        private static Instant time(long micros) {
            if (micros == Long.MAX_VALUE || micros == Long.MIN_VALUE) {
                return (micros > 0 ? OffsetDateTime.MAX : OffsetDateTime.MIN).toInstant();
            }
            return EPOCH.plus(micros, ChronoUnit.MICROS);
        }

        private static byte[] bytes(ByteBuffer columns) {
            byte[] bytes = new byte[columns.getInt()];
            columns.get(bytes);
            return bytes;
        }
    }
}
