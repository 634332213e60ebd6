package siemload.database.postgresql.load;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import siemload.database.BulkLoad;
import siemload.database.IndexSet;
import siemload.database.Maintenance;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.connection.SqlTemplate;
import siemload.database.postgresql.layout.Layout;

/** The database of one run as a whole. */
public final class PostgresqlMaintenance implements Maintenance {
    private final PostgresqlConnections connections;
    private final String database;
    private final Layout layout;
    private final List<IndexStep> steps;

    public PostgresqlMaintenance(PostgresqlConnections connections, String database, Layout layout, IndexSet indexes) {
        this.connections = connections;
        this.database = database;
        this.layout = layout;
        this.steps = IndexStep.of(layout, indexes);
    }

    @Override
    public BulkLoad openLoad() {
        return PostgresqlBulkLoad.start(connections, database, layout);
    }

    /** In one transaction. The tables that refer to the events come first; else each event would look for its rows. */
    @Override
    public long deleteAll() {
        List<String> tables = new ArrayList<>(layout.tables());
        Collections.reverse(tables);
        try (Connection connection = connections.openMaintenance(database);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            long deleted = 0;
            for (String table : tables) {
                deleted = statement.executeLargeUpdate(SqlTemplate.read("server/delete-all.sql", Map.of("table", table))
                        .sql());
            }
            connection.commit();
            return deleted;
        } catch (SQLException e) {
            throw PostgresqlErrors.outsideRun("cannot delete the events in the database " + database, e);
        }
    }

    @Override
    public List<String> indexSteps() {
        return steps.stream().map(IndexStep::name).toList();
    }

    @Override
    public void build(String step) {
        IndexStep named = steps.stream()
                .filter(one -> one.name().equals(step))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no step '" + step + "' (" + indexSteps() + ")"));
        try (Connection connection = connections.openMaintenance(database);
                Statement statement = connection.createStatement()) {
            named.run(statement);
        } catch (SQLException e) {
            throw PostgresqlErrors.outsideRun("cannot build '" + step + "' in the database " + database, e);
        }
    }

    @Override
    public void dropIndexes() {
        try (Connection connection = connections.openMaintenance(database);
                Statement statement = connection.createStatement()) {
            for (String drop : drops(statement)) {
                statement.execute(drop);
            }
        } catch (SQLException e) {
            throw PostgresqlErrors.outsideRun("cannot drop the indexes in the database " + database, e);
        }
    }

    @Override
    public void gatherStatistics() {
        run(
                "ANALYZE " + String.join(", ", layout.tables()),
                "cannot gather the statistics of the database " + database);
    }

    @Override
    public void checkpoint() {
        run("CHECKPOINT", "cannot take a checkpoint (it takes a member of pg_checkpoint, or a superuser)");
    }

    private void run(String sql, String failure) {
        try (Connection connection = connections.openMaintenance(database);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw PostgresqlErrors.outsideRun(failure, e);
        }
    }

    private static List<String> drops(Statement statement) throws SQLException {
        List<String> drops = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(
                SqlTemplate.read("server/index-drops.sql").sql())) {
            while (rows.next()) {
                drops.add(rows.getString(1));
            }
        }
        return drops;
    }
}
