package siemload.database.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Map;
import siemload.database.DayRemoval;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.layout.LayoutTable;
import siemload.query.Window;

/**
 * Drops the partition of a day and then deletes what lies beside it in tables that are not cut, which no search finds any more; or
 * deletes all rows of the day in one transaction.
 */
record OracleDayRemoval(OracleConnections connections, TableGroup tables) implements DayRemoval {
    private static final SqlStatement PATIENCE = TableGroup.FILES.read("server/wait-for-locks.sql");

    @Override
    public Removed remove(Window day) {
        return connections.maintenance().get("remove the day from " + day.from() + " of " + tables.events(), open -> {
            open.setAutoCommit(false);
            Removed removed = tables.isByDay() ? drop(day, open) : delete(day, open);
            open.commit();
            return removed;
        });
    }

    /** The lock is given back by the drop, which begins with a commit; but whoever held one until then has ended. */
    private Removed drop(Window day, Connection open) throws SQLException {
        PATIENCE.execute(open);
        long start = System.nanoTime();
        SqlStatement.execute(open, written("lock-day", day));
        Duration waited = Duration.ofNanos(System.nanoTime() - start);
        SqlStatement.execute(open, written("drop-day", day));
        for (LayoutTable<OracleField> table : tables.lastFirst()) {
            if (!table.equals(tables.layout().events())) {
                tables.ofAny("delete-orphans", table).execute(open);
            }
        }
        return new Removed(Means.PARTITION, waited);
    }

    /** No value can be bound there. */
    private String written(String file, Window day) {
        LocalDateTime midnight = ColumnValues.time(day.from());
        return new OracleSearchSql(tables.ofEvents(file), Map.of("day", midnight), 1).text();
    }

    private Removed delete(Window day, Connection open) throws SQLException {
        for (LayoutTable<OracleField> table : tables.lastFirst()) {
            SqlStatement delete = tables.ofAny("delete-day", table);
            try (PreparedStatement statement = open.prepareStatement(delete.sql())) {
                statement.setObject(1, ColumnValues.time(day.from()));
                statement.setObject(2, ColumnValues.time(day.until()));
                statement.executeUpdate();
            }
        }
        return new Removed(Means.ROWS, Duration.ZERO);
    }
}
