package siemload.database.postgresql.load;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import siemload.database.Store.DayRemoval;
import siemload.database.TargetException;
import siemload.database.layout.LayoutTable;
import siemload.database.postgresql.layout.DayPartition;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.layout.SqlText;
import siemload.database.postgresql.layout.StoredField;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlStatement;
import siemload.query.Window;

/**
 * Drops the partitions of a day, for which all tables are locked, or deletes its rows, for which nobody waits. Detaching a
 * partition without that lock is not possible beside one for all other days.
 */
public record PostgresqlDayRemoval(SqlAccess access, Layout layout) implements DayRemoval {

    @Override
    public Removed remove(Window day) {
        return access.get("remove the events of " + DayPartition.at(day.from()).name(), connection -> {
            connection.setAutoCommit(false);
            Removed removed =
                    layout.isByDay() ? drop(DayPartition.at(day.from()), connection) : delete(day, connection);
            connection.commit();
            return removed;
        });
    }

    private Removed drop(DayPartition day, Connection connection) throws SQLException {
        List<String> partitions = layout.tableNames().stream().map(day::of).toList();
        long start = System.nanoTime();
        layout.read("lock-tables", Map.of("tables", locked())).execute(connection);
        Duration waited = Duration.ofNanos(System.nanoTime() - start);
        if (layout.read("find-partition")
                .rows(connection, row -> row.getString(1), partitions.get(0))
                .isEmpty()) {
            throw new TargetException("there is no partition " + partitions.get(0) + " to drop");
        }
        for (String partition : partitions) {
            layout.read("drop-partition", Map.of("partition", partition)).execute(connection);
        }
        return new Removed(Means.PARTITION, waited);
    }

    private String locked() {
        return layout.tableNames().stream().map(table -> "ONLY " + table).collect(Collectors.joining(", "));
    }

    /** What refers to the events comes first. */
    private Removed delete(Window day, Connection connection) throws SQLException {
        List<LayoutTable<StoredField>> tables = new ArrayList<>(layout.tables());
        Collections.reverse(tables);
        for (LayoutTable<StoredField> table : tables) {
            SqlStatement delete = layout.deleteDay(table);
            try (PreparedStatement statement = connection.prepareStatement(delete.sql())) {
                for (int i = 0; i < delete.values().size(); i++) {
                    boolean isStart = delete.values().get(i).equals("from");
                    statement.setString(i + 1, SqlText.timestamp(isStart ? day.from() : day.until()));
                }
                statement.executeUpdate();
            }
        }
        return new Removed(Means.ROWS, Duration.ZERO);
    }
}
