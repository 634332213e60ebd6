package siemload.database.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import siemload.database.CounterReading.Category;
import siemload.database.CounterReading.Io;
import siemload.database.OwnCounts;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlStatement;

/**
 * The statistics of the session itself, as differences. They have tables and indexes in one number, which counts as the rest.
 * Temporary files are told in blocks alone.
 */
final class OracleOwnCounts implements OwnCounts {
    private static final SqlStatement SESSION = TableGroup.FILES.read("server/own-session.sql");

    private final RunConnection connection;
    private Map<String, Long> before = Map.of();
    private boolean refused;

    OracleOwnCounts(RunConnection connection) {
        this.connection = connection;
    }

    @Override
    public boolean reset() {
        if (refused) {
            return false;
        }
        return connection.answer(open -> {
            try {
                before = statistics(open);
                return true;
            } catch (SQLException e) {
                if (OracleErrors.INSTANCE.isLost(e)) {
                    throw e;
                }
                refused = true; // A right that is missing is missing for the whole run.
                return false;
            }
        });
    }

    /** They are counted in any case. */
    @Override
    public void start() {}

    @Override
    public Map<Category, Io> take() {
        return connection.answer(open -> {
            Map<String, Long> then = before;
            before = statistics(open);
            return byCategory(then, before);
        });
    }

    private static Map<String, Long> statistics(Connection open) throws SQLException {
        Map<String, Long> statistics = new HashMap<>();
        SESSION.rows(open, row -> statistics.put(row.getString(1), row.getLong(2)));
        return statistics;
    }

    /** What the differences of the statistics come to. */
    static Map<Category, Io> byCategory(Map<String, Long> before, Map<String, Long> now) {
        Map<String, Long> counted = new HashMap<>();
        now.forEach((name, value) -> counted.put(name, value - before.getOrDefault(name, 0L)));
        long tempRead = counted.getOrDefault("physical reads direct temporary tablespace", 0L);
        long read = Math.max(0, counted.getOrDefault("physical reads", 0L) - tempRead);
        long hit = Math.max(0, counted.getOrDefault("session logical reads", 0L) - read);
        Map<Category, Io> io = new EnumMap<>(Category.class);
        io.put(Category.REST, new Io(read, 0, 0, 0, hit));
        io.put(Category.REDO, new Io(0, 0, 0, counted.getOrDefault("redo size", 0L), 0));
        io.put(Category.UNDO, new Io(0, 0, 0, counted.getOrDefault("undo change vector size", 0L), 0));
        long tempWritten = counted.getOrDefault("physical writes direct temporary tablespace", 0L);
        io.put(Category.TEMP, new Io(tempRead, 0, tempWritten, 0, 0));
        return io;
    }
}
