package siemload.database.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import siemload.database.IndexSet;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.StoreKind;
import siemload.database.registry.Claim;
import siemload.database.server.EventTables;
import siemload.database.server.EventTables.BuildStep;
import siemload.database.server.ParallelLoad;
import siemload.database.sql.SqlStatement;
import siemload.event.SecurityEvent;

/** The tables of one data set, or of one run's copy of it, as a whole. */
record OracleTables(OracleConnections connections, TableGroup tables, IndexSet indexSet) implements EventTables {
    private static final int LOADERS = 3;

    @Override
    public String place() {
        return "the tables " + tables.prefix() + "_...";
    }

    @Override
    public void create(Claim claim) {
        connections.maintenance().run("create " + place(), connection -> create(connection, claim));
    }

    private void create(Connection connection, Claim claim) throws SQLException {
        for (String table : TableGroup.TABLES) {
            tables.statement("table-" + table).execute(connection);
        }
        claim.made(RegisteredTables.identity(tables.prefix(), connection));
    }

    @Override
    public StoreKind copyFrom(String kept, Claim claim) {
        TableGroup others = new TableGroup(kept, tables.partitions());
        connections.maintenance().run("copy the tables " + kept + "_...", connection -> {
            create(connection, claim);
            for (String table : TableGroup.TABLES) {
                Map<String, String> names = Map.of("table", tables.name(table), "kept", others.name(table));
                TableGroup.FILES.read("tables/copy.sql", names).execute(connection);
            }
        });
        return StoreKind.COPY;
    }

    @Override
    public long events() {
        return connections
                .maintenance()
                .get("count the events in " + tables.events(), tables.ofTable("events", TableGroup.EVENT)::number);
    }

    @Override
    public BulkLoad openLoad(String label) {
        return ParallelLoad.start(label, LOADERS, () -> Loader.open(this, label));
    }

    /** Oracle makes the partition of a day by itself for whoever meets its first event. */
    @Override
    public boolean areLoadedTogether() {
        return true;
    }

    @Override
    public void complete(Consumer<String> step) {
        EventTables.super.complete(step);
        step.accept("statistics");
        gatherStatistics();
    }

    @Override
    public List<BuildStep> indexes() {
        return tables.indexSteps(indexSet).stream()
                .map(step -> new BuildStep(
                        step.name(),
                        () -> connections
                                .maintenance()
                                .execute("build '" + step.name() + "' of " + tables.events(), step.sql())))
                .toList();
    }

    @Override
    public void dropIndexes() {
        connections.maintenance().run("drop the indexes of " + tables.events(), connection -> {
            for (SqlStatement.Step step : tables.indexSteps(indexSet)) {
                try {
                    dropping(step.name()).execute(connection);
                } catch (SQLException e) {
                    if (!OracleErrors.isMissingIndex(e)) {
                        throw e;
                    }
                }
            }
        });
    }

    /** @param step what it makes: {@code index event_time}, or the primary key of the events */
    private SqlStatement dropping(String step) {
        return step.startsWith("index ")
                ? TableGroup.FILES.read(
                        "tables/drop-index.sql", Map.of("index", tables.name(step.substring("index ".length()))))
                : tables.ofTable("drop-key", TableGroup.EVENT);
    }

    @Override
    public void gatherStatistics() {
        connections.maintenance().run("gather the statistics of " + tables.events(), connection -> {
            SqlStatement gather = TableGroup.FILES.read("tables/statistics.sql");
            for (String table : TableGroup.TABLES) {
                try (PreparedStatement statement = connection.prepareStatement(gather.sql())) {
                    SqlStatement.bound(statement, List.of(tables.name(table))).execute();
                }
            }
        });
    }

    /** In one transaction. */
    @Override
    public long deleteAll() {
        return connections
                .maintenance()
                .change(
                        "delete the events in " + tables.events(),
                        Stream.of("list", "addr", TableGroup.EVENT)
                                .map(table -> tables.ofTable("delete-all", table))
                                .toList());
    }

    @Override
    public void checkpoint() {
        connections
                .maintenance()
                .execute("take a checkpoint (it takes the right ALTER SYSTEM)", "ALTER SYSTEM CHECKPOINT");
    }

    /** Inserts batches into the tables, each in one transaction. */
    private record Loader(Connection connection, EventInsert events, String label) implements ParallelLoad.Writer {

        static Loader open(OracleTables tables, String label) {
            return OracleErrors.INSTANCE.attempt("load " + label, () -> {
                Connection connection =
                        tables.connections().maintenance().opening().open();
                connection.setAutoCommit(false);
                return new Loader(connection, new EventInsert(connection, tables.tables()), label);
            });
        }

        @Override
        public long write(List<SecurityEvent> batch) {
            return OracleErrors.INSTANCE.attempt("load " + label, () -> {
                long bytes = events.insert(batch);
                connection.commit();
                return bytes;
            });
        }

        @Override
        public void close() {
            try {
                connection.rollback();
                connection.close();
            } catch (SQLException alreadyBroken) {
                // Then the server has rolled back.
            }
        }
    }
}
