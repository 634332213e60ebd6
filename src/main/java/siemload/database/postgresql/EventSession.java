package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

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
import java.util.ArrayList;
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
import siemload.database.server.Canceller;
import siemload.database.server.PageCursor;
import siemload.database.server.Portions;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SearchRows;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.SqlStatement.RowReading;
import siemload.query.Field;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * Searches events over one connection. A page is one round trip outside a transaction; a whole result, and a page that is too
 * large to be received at once, is streamed inside one, in portions.
 */
final class EventSession extends PostgresqlSession {
    static final SearchRows ROWS =
            new SearchRows(row -> row.getString(1), row -> time(row, 2), PostgresqlErrors.INSTANCE);

    private final PostgresqlSearchStatements statements;
    private final ServerCursor onServer;
    private @Nullable PlanReader plans;
    private final PageCursor.OfSession cursor = new PageCursor.OfSession();

    EventSession(RunConnection connection, PostgresqlSearchStatements statements, Transactions transactions) {
        super(connection, transactions);
        this.statements = statements;
        this.onServer = new ServerCursor(connection, canceller());
    }

    @Override
    Asked asked(Search search, PageClass page) {
        return statements.asked(search, page);
    }

    @Override
    long readAll(PreparedStatement statement, RowReader rows) throws SQLException {
        return ROWS.readAll(statement, rows);
    }

    @Override
    public long search(Search search, RowReader rows) {
        cursor.close();
        Asked sql = statements.found(search);
        return answer(open -> switch (sql.reading()) {
            case PAGE -> ROWS.readAll(prepared(sql), rows);
            case PAGE_BACKWARDS -> backwards(prepared(sql), rows);
            case STREAM -> stream(prepared(sql), rows);
            case CURSOR -> {
                connection().begin();
                onServer.open(sql);
                long count = onServer.readInPortions(Integer.MAX_VALUE, rows);
                connection().commit();
                yield count;
            }
            case COPY -> {
                canceller().scheduleDeadline();
                yield new CopiedRows(open, canceller()::check).readAll(sql, rows);
            }
        });
    }

    @Override
    public long count(Search search) {
        cursor.close();
        Asked sql = statements.asked(search, PageClass.COUNT);
        return answer(open -> SqlStatement.row(prepared(sql), row -> row.getLong(1)));
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        cursor.close();
        Asked sql = Asked.atOnce(statements.of(search, summary));
        Instant start = search.window().start();
        RowReading<Summary.Line> line = summary instanceof Summary.OverTime
                ? row -> line(row, summary.field())
                : row -> new Summary.Line(start, value(row, 1, summary.field()), row.getLong(2));
        return answer(open -> SqlStatement.rows(prepared(sql), line));
    }

    @Override
    public void store(Search search, Summary.Hours summary, String trend) {
        cursor.close();
        Asked sql = statements.storing(search, summary, trend);
        int unused = answer(open -> prepared(sql).executeUpdate());
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

    @Override
    public ResultCursor open(Search search) {
        Asked sql = statements.found(search.with(new Page.Whole()));
        return cursor.open(() -> connection().answer(open -> {
            connection().begin();
            onServer.open(sql);
            return new Cursor();
        }));
    }

    @Override
    public Plan explain(Search search) {
        return plan("explain", statements.found(search));
    }

    @Override
    public Plan explain(Search search, Summary summary) {
        return plan("explain", Asked.atOnce(statements.of(search, summary)));
    }

    @Override
    public Plan explainStoring(Search search, Summary.Hours summary) {
        return plan("explain", statements.storing(search, summary, ""));
    }

    @Override
    public Plan expect(Search search) {
        return plan("expect", statements.asked(search, PageClass.SUMMARY));
    }

    @Override
    public Optional<String> statement(Search search, PageClass page) {
        cursor.close();
        return super.statement(search, page);
    }

    private Plan plan(String how, Asked sql) {
        cursor.close();
        String asked = sql.reading() == Reading.CURSOR ? ServerCursor.declaring(sql) : sql.sql();
        return answer(open -> {
            connection().begin();
            try {
                PlanReader reader = planReader();
                if (sql.reading() == Reading.STREAM) {
                    WITHOUT_WORKERS.execute(open);
                }
                return reader.read(explained(how, asked, sql.values()));
            } finally {
                connection().rollBack();
            }
        });
    }

    @Override
    public boolean handInCounts() {
        return !cursor.isThere() && super.handInCounts();
    }

    private static long backwards(PreparedStatement statement, RowReader rows) throws SQLException {
        ArrayDeque<RowReader.Row> page = new ArrayDeque<>();
        ROWS.readAll(statement, row -> page.push(DetachedRow.of(row)));
        page.forEach(rows::row);
        return page.size();
    }

    /** Tables and indexes of a run's copy stay as they are while a session asks for plans: they are read once. */
    private PlanReader planReader() throws SQLException {
        PlanReader reader = plans;
        if (reader == null) {
            reader = PlanReader.of(statements.layout(), connection().get());
            plans = reader;
        }
        return reader;
    }

    /** A cursor of the server in a transaction of its own, which stays open between two pages. */
    private final class Cursor extends PageCursor {
        @Override
        protected long page(int size, RowReader rows) {
            return answer(
                    open -> Portions.make(size) ? onServer.readInPortions(size, rows) : onServer.read(size, rows));
        }

        @Override
        protected void release() {
            connection().rollBack();
        }
    }

    /**
     * The cursor of a session on the server. It lives in a transaction, which whoever uses it begins and ends; there is one at a
     * time. Used by one thread.
     */
    private record ServerCursor(RunConnection connection, Canceller canceller) {
        private static final String NEXT_PORTION = fetch(Portions.ROWS);

        /** The statement that opens a cursor for the rows of another one. */
        static String declaring(Asked sql) {
            return FILES.read("server/declare-cursor.sql", Map.of("statement", sql.sql()))
                    .sql();
        }

        private static String fetch(int rows) {
            return FILES.read("server/fetch-page.sql", Map.of("size", Integer.toString(rows)))
                    .sql();
        }

        void open(Asked sql) throws SQLException {
            connection.statement(declaring(sql), sql.values()).execute();
        }

        /** Hands over the next rows, received at once. @return how many there were */
        long read(int size, RowReader rows) throws SQLException {
            return ROWS.readAll(connection.statement(fetch(size)), rows);
        }

        /** The same in portions; between two of them only the client can see that time is up. */
        long readInPortions(int size, RowReader rows) throws SQLException {
            canceller.scheduleDeadline();
            RowReader checked = canceller.checked(rows);
            long count = 0;
            long came;
            int asked;
            do {
                asked = (int) Math.min(Portions.ROWS, size - count);
                String fetch = asked == Portions.ROWS ? NEXT_PORTION : fetch(asked);
                came = ROWS.readAll(connection.statement(fetch), checked);
                count += came;
            } while (came == asked && count < size);
            return count;
        }
    }

    /**
     * A whole result by COPY, row by row as the server finds them: the one way of streaming rows that several workers found.
     * COPY takes no bound values, so they stand in the statement as literals.
     *
     * @param check is run before each row and may throw; the rest of the result is given up then
     */
    private record CopiedRows(Connection connection, Runnable check) {
        private static final int SIGNATURE_AND_FLAGS = 15;
        private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

        /** Hands over all rows. @return how many there were */
        long readAll(Asked sql, RowReader rows) throws SQLException {
            PGConnection driver = connection.unwrap(PGConnection.class);
            String copy = FILES.read("server/copy-rows.sql", Map.of("statement", withLiterals(sql, driver)))
                    .sql();
            CopyOut out = driver.getCopyAPI().copyOut(copy);
            long count = 0;
            try {
                for (byte[] message = out.readFromCopy(); message != null; message = out.readFromCopy()) {
                    ByteBuffer row = ByteBuffer.wrap(message);
                    if (count == 0) {
                        skipHeader(row);
                    }
                    if (row.getShort() > 0) {
                        check.run();
                        rows.row(row(row));
                        count++;
                    }
                }
                return count;
            } catch (RuntimeException e) {
                giveUp(out, driver);
                throw e;
            }
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

        private static String withLiterals(Asked sql, PGConnection driver) throws SQLException {
            List<String> literals = new ArrayList<>();
            for (Object value : sql.values()) {
                literals.add("'" + driver.escapeLiteral(value.toString()) + "'");
            }
            return SqlStatement.written(sql.sql(), literals::get);
        }

        /** It comes with the first row, or with the end if there is none. */
        private static void skipHeader(ByteBuffer message) {
            message.position(SIGNATURE_AND_FLAGS);
            int extension = message.getInt();
            message.position(message.position() + extension);
        }

        private static RowReader.Row row(ByteBuffer columns) {
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
