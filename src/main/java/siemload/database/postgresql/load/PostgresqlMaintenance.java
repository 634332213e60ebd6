package siemload.database.postgresql.load;

import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import siemload.database.BulkLoad;
import siemload.database.IndexSet;
import siemload.database.Maintenance;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.SqlTemplate;
import siemload.database.postgresql.layout.Layout;
import siemload.database.sql.SqlAccess;

/** The database of one run as a whole. */
public final class PostgresqlMaintenance implements Maintenance {
    private final PostgresqlConnections connections;
    private final String database;
    private final SqlAccess access;
    private final Layout layout;
    private final List<IndexStep> steps;

    public PostgresqlMaintenance(PostgresqlConnections connections, String database, Layout layout, IndexSet indexes) {
        this.connections = connections;
        this.database = database;
        this.access = connections.maintenance(database);
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
        return access.get("delete the events in the database " + database, connection -> {
            connection.setAutoCommit(false);
            long deleted = 0;
            try (Statement statement = connection.createStatement()) {
                for (String table : tables) {
                    deleted = statement.executeLargeUpdate(
                            SqlTemplate.read("server/delete-all.sql", Map.of("table", table))
                                    .sql());
                }
            }
            connection.commit();
            return deleted;
        });
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
        access.run("build '" + step + "' in the database " + database, named::run);
    }

    @Override
    public void dropIndexes() {
        access.run("drop the indexes in the database " + database, connection -> {
            for (String drop : SqlTemplate.read("server/index-drops.sql").rows(connection, row -> row.getString(1))) {
                SqlTemplate.execute(connection, drop);
            }
        });
    }

    @Override
    public void gatherStatistics() {
        access.run(
                "gather the statistics of the database " + database,
                connection -> SqlTemplate.execute(connection, "ANALYZE " + String.join(", ", layout.tables())));
    }

    @Override
    public void checkpoint() {
        access.run(
                "take a checkpoint (it takes a member of pg_checkpoint, or a superuser)",
                connection -> SqlTemplate.execute(connection, "CHECKPOINT"));
    }
}
