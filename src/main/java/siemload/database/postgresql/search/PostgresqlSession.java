package siemload.database.postgresql.search;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import siemload.database.Plan;
import siemload.database.ResultCursor;
import siemload.database.RowReader;
import siemload.database.SearchSession;
import siemload.database.postgresql.connection.SqlTemplate;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * Runs searches over one connection. A page is one round trip outside a transaction; a whole result is streamed inside
 * one, in portions.
 */
public final class PostgresqlSession implements SearchSession {
    private static final int PORTION = 1_000;
    private static final String INDEXES = SqlTemplate.read("server/indexes.sql").sql();
    private static final int HANDS_IN_SINCE = 15;
    private static final String HAND_IN =
            SqlTemplate.read("server/hand-in-counts.sql").sql();
    private static final String WITHOUT_WORKERS =
            SqlTemplate.read("server/without-workers.sql").sql();

    private final SearchConnection connection;
    private final PostgresqlSearchStatements statements;
    private @Nullable PlanReader plans;
    private @Nullable PostgresqlCursor cursor;

    public PostgresqlSession(SearchConnection connection, PostgresqlSearchStatements statements) {
        this.connection = connection;
        this.statements = statements;
    }

    public void connect() throws SQLException {
        connection.connect();
    }

    @Override
    public long search(Search search, RowReader rows) {
        closeCursor();
        PostgresqlSearchSql sql = statements.of(search);
        return connection.answer(() -> switch (sql.reading()) {
            case PAGE -> PostgresqlRow.readAll(connection.prepare(sql.text(), sql.values()), rows);
            case PAGE_BACKWARDS -> backwards(connection.prepare(sql.text(), sql.values()), rows);
            case STREAM -> stream(connection.prepare(sql.text(), sql.values()), rows);
            case COPY -> connection.copy(sql, rows);
        });
    }

    @Override
    public long count(Search search) {
        closeCursor();
        PostgresqlSearchSql sql = statements.count(search);
        return connection.answer(() -> {
            try (ResultSet row = connection.prepare(sql.text(), sql.values()).executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        });
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        closeCursor();
        PostgresqlSearchSql sql = statements.of(search, summary);
        Instant from = search.window().from();
        Instant start = search.window().isAlways() ? from : from.truncatedTo(ChronoUnit.MICROS);
        return connection.answer(() -> {
            List<Summary.Line> lines = new ArrayList<>();
            try (ResultSet row = connection.prepare(sql.text(), sql.values()).executeQuery()) {
                while (row.next()) {
                    lines.add(
                            summary instanceof Summary.Timeline
                                    ? new Summary.Line(
                                            row.getObject(1, OffsetDateTime.class)
                                                    .toInstant(),
                                            row.getString(2),
                                            row.getLong(3))
                                    : new Summary.Line(start, row.getString(1), row.getLong(2)));
                }
            }
            return lines;
        });
    }

    @Override
    public ResultCursor open(Search search) {
        closeCursor();
        PostgresqlCursor opened = PostgresqlCursor.declare(connection, statements.of(search.with(new Page.Whole())));
        cursor = opened;
        return opened;
    }

    @Override
    public Plan explain(Search search) {
        closeCursor();
        PostgresqlSearchSql sql = statements.of(search);
        String explain = SqlTemplate.read("server/explain.sql", Map.of("statement", sql.text()))
                .sql();
        return connection.answer(() -> {
            connection.begin();
            try {
                PlanReader reader = planReader();
                if (sql.reading() == PostgresqlSearchSql.Reading.STREAM) {
                    connection.execute(WITHOUT_WORKERS);
                }
                return reader.read(onlyValue(connection.prepare(explain, sql.values())));
            } finally {
                connection.rollBack();
            }
        });
    }

    @Override
    public boolean handInCounts() {
        return cursor == null
                && connection.answer(() -> {
                    if (connection.serverVersion() < HANDS_IN_SINCE) {
                        return false;
                    }
                    return connection.prepare(HAND_IN, List.of()).execute();
                });
    }

    @Override
    public void cancel() {
        connection.cancel();
    }

    public void endSilence(long nowNanos, Duration longest) {
        connection.endSilence(nowNanos, longest);
    }

    @Override
    public void close() {
        connection.close();
    }

    private void closeCursor() {
        PostgresqlCursor open = cursor;
        cursor = null;
        if (open != null) {
            open.close();
        }
    }

    private static long backwards(PreparedStatement statement, RowReader rows) throws SQLException {
        ArrayDeque<DetachedRow> page = new ArrayDeque<>();
        PostgresqlRow.readAll(statement, row -> page.push(new DetachedRow(row)));
        page.forEach(rows::row);
        return page.size();
    }

    private long stream(PreparedStatement statement, RowReader rows) throws SQLException {
        connection.begin();
        try {
            statement.setFetchSize(PORTION);
            connection.scheduleDeadline();
            long count = PostgresqlRow.readAll(statement, row -> {
                connection.check();
                rows.row(row);
            });
            connection.commit();
            return count;
        } catch (SQLException | RuntimeException e) {
            connection.rollBack();
            throw e;
        }
    }

    /** The indexes of a run's copy stay as they are: they are read once. */
    private PlanReader planReader() throws SQLException {
        PlanReader reader = plans;
        if (reader == null) {
            Map<String, String> firstColumns = new HashMap<>();
            try (ResultSet index = connection.prepare(INDEXES, List.of()).executeQuery()) {
                while (index.next()) {
                    firstColumns.put(index.getString(1), index.getString(2));
                }
            }
            reader = new PlanReader(firstColumns);
            plans = reader;
        }
        return reader;
    }

    private static String onlyValue(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getString(1);
        }
    }
}
