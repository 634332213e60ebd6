package siemload.database.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import siemload.database.StatementStore.StatementTime;
import siemload.database.sql.SqlStatement;

/**
 * Reads how long the instance has worked on each statement of a run. Used by one thread at a time.
 *
 * <p>A statement goes by its text: in place of our question marks the driver sends numbered values, with or without spaces
 * behind them.
 */
final class OracleStatementTimes {
    private static final Pattern VALUE = Pattern.compile(":\\d+|\\?");
    private static final Pattern SPACE = Pattern.compile("\\s+");

    private final CountedObjects.Question question;
    private final Map<String, String> namesById = new HashMap<>();

    OracleStatementTimes(CountedObjects.Question question) {
        this.question = question;
    }

    /** What a statement goes by, whether as we write it or as the driver sends it. */
    static String name(String sql) {
        return SPACE.matcher(VALUE.matcher(sql).replaceAll("?")).replaceAll("");
    }

    /** Those of all statements since the instance keeps them. */
    Map<String, StatementTime> read(Connection open) throws SQLException {
        Map<String, StatementTime> times = new HashMap<>();
        List<Counted> counted = question.statement()
                .rows(open, row -> new Counted(row.getString(1), row.getLong(2), row.getLong(3)), question.given());
        for (Counted one : counted) {
            long nanos = TimeUnit.MICROSECONDS.toNanos(one.micros);
            times.merge(name(open, one.id), new StatementTime(one.executions, 0, nanos), StatementTime::plus);
        }
        return times;
    }

    private record Counted(String id, long executions, long micros) {}

    /** Texts are long, and never change. */
    private String name(Connection open, String id) throws SQLException {
        String known = namesById.get(id);
        if (known != null) {
            return known;
        }
        SqlStatement text = TableGroup.FILES.read("server/counters-statement-text.sql");
        List<String> texts = text.rows(open, row -> row.getString(1), id);
        // It may have been thrown away meanwhile.
        String name = texts.isEmpty() ? id : name(texts.get(0));
        namesById.put(id, name);
        return name;
    }
}
