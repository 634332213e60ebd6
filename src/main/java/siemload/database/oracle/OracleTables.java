package siemload.database.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import siemload.database.IndexSet;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.StoreKind;
import siemload.database.layout.LayoutTable;
import siemload.database.registry.Claim;
import siemload.database.server.EventTables;
import siemload.database.server.EventTables.BuildStep;
import siemload.database.server.ParallelLoad;
import siemload.database.sql.SqlFiles;
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
        for (LayoutTable<OracleField> table : tables.layout().tables()) {
            tables.create(table).execute(connection);
        }
        claim.made(RegisteredTables.identity(tables.prefix(), connection));
    }

    @Override
    public StoreKind copyFrom(String kept, Claim claim) {
        TableGroup others = new TableGroup(kept, tables.tablespaces(), tables.layout());
        connections.maintenance().run("copy the tables " + kept + "_...", connection -> {
            create(connection, claim);
            for (LayoutTable<OracleField> table : tables.layout().tables()) {
                tables.copy(table, others).execute(connection);
            }
        });
        return StoreKind.COPY;
    }

    @Override
    public long events() {
        return connections
                .maintenance()
                .get("count the events in " + tables.events(), tables.ofEvents("events")::number);
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
            for (SqlFiles.Step step : tables.indexSteps(indexSet)) {
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

    /** @param step what it makes: {@code index event_time} */
    private SqlStatement dropping(String step) {
        String object = step.substring(step.lastIndexOf(' ') + 1);
        if (step.startsWith("index ")) {
            return TableGroup.FILES.read("tables/drop-index.sql", Map.of("index", tables.name(object)));
        }
        String table =
                OracleFormat.longest(tables.layout().tableNames(), object).orElseThrow();
        return TableGroup.FILES.read("tables/drop-key.sql", Map.of("table", tables.name(table)));
    }

    @Override
    public void gatherStatistics() {
        connections.maintenance().run("gather the statistics of " + tables.events(), connection -> {
            try (PreparedStatement gather =
                    connection.prepareStatement(tables.ofEvents("statistics").sql())) {
                for (String table : tables.layout().tableNames()) {
                    gather.setString(1, tables.name(table));
                    gather.execute();
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
                        tables.lastFirst().stream()
                                .map(table -> tables.ofAny("delete-all", table))
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
