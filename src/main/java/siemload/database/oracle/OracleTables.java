package siemload.database.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import siemload.database.BulkLoad;
import siemload.database.IndexSet;
import siemload.database.StoreKind;
import siemload.database.registry.Claim;
import siemload.database.server.BuildStep;
import siemload.database.server.EventTables;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;

/** The tables of one data set, or of one run's copy of it, as a whole. */
record OracleTables(OracleConnections connections, TableGroup tables, IndexSet indexSet) implements EventTables {

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
        TableGroup others = new TableGroup(kept, tables.tablespaces(), tables.partitions());
        Map<String, String> more = new HashMap<>();
        TableGroup.TABLES.forEach(table -> more.put("kept_" + table, others.name(table)));
        connections.maintenance().run("copy the tables " + kept + "_...", connection -> {
            create(connection, claim);
            for (String table : TableGroup.TABLES) {
                tables.statement("copy-" + table, more).execute(connection);
            }
            if (tables.statement("count-late", more).number(connection) > 0) {
                addLatePartition(connection);
                tables.statement("copy-late", more).execute(connection);
            }
        });
        return StoreKind.COPY;
    }

    /** Makes room for the events that the days do not reach, unless there is some. */
    void addLatePartition(Connection connection) throws SQLException {
        if (tables.isByDay() && tables.statement("find-late-partition").number(connection, tables.name("event")) == 0) {
            for (SqlFiles.Step step : tables.steps("late-partition")) {
                SqlStatement.execute(connection, step.sql());
            }
        }
    }

    @Override
    public long events() {
        return connections
                .maintenance()
                .get("count the events in " + tables.name("event"), tables.statement("events")::number);
    }

    @Override
    public BulkLoad openLoad(String label) {
        return OracleBulkLoad.start(this, label, OracleBulkLoad.LateEvents.LAST);
    }

    /** Oracle makes the partition of a day by itself for whoever meets its first event. */
    @Override
    public boolean areLoadedTogether() {
        return true;
    }

    /** No partition of a day is made any more when there is one for late events; and none of several processes knows when all are. */
    @Override
    public BulkLoad openPart(String label) {
        return OracleBulkLoad.start(
                this, label, tables.isByDay() ? OracleBulkLoad.LateEvents.REFUSED : OracleBulkLoad.LateEvents.LAST);
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
                                .execute("build '" + step.name() + "' of " + tables.name("event"), step.sql())))
                .toList();
    }

    @Override
    public void dropIndexes() {
        connections.maintenance().run("drop the indexes of " + tables.name("event"), connection -> {
            for (SqlFiles.Step step : tables.indexSteps(indexSet)) {
                String object = step.name().substring(step.name().lastIndexOf(' ') + 1);
                String file = step.name().startsWith("index ") ? "drop-index" : "drop-key";
                try {
                    tables.statement(file, Map.of("index", tables.name(object))).execute(connection);
                } catch (SQLException e) {
                    if (!OracleErrors.isMissingIndex(e)) {
                        throw e;
                    }
                }
            }
        });
    }

    @Override
    public void gatherStatistics() {
        connections.maintenance().run("gather the statistics of " + tables.name("event"), connection -> {
            try (PreparedStatement gather =
                    connection.prepareStatement(tables.statement("statistics").sql())) {
                for (String table : TableGroup.TABLES) {
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
                        "delete the events in " + tables.name("event"),
                        Stream.of("list", "addr", "event")
                                .map(table -> tables.statement("delete-all", Map.of("table", tables.name(table))))
                                .toList());
    }

    @Override
    public void checkpoint() {
        connections
                .maintenance()
                .execute("take a checkpoint (it takes the right ALTER SYSTEM)", "ALTER SYSTEM CHECKPOINT");
    }
}
