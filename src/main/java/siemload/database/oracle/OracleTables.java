package siemload.database.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import siemload.database.IndexSet;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.PreparedEvents;
import siemload.database.Store.StoreKind;
import siemload.database.TargetException;
import siemload.database.registry.Claim;
import siemload.database.server.BuildStep;
import siemload.database.server.EventTables;
import siemload.database.server.ParallelLoad;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.layout.LayoutTable;
import siemload.event.SecurityEvent;

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
        for (LayoutTable<OracleField> table : tables.layout().tables()) {
            tables.create(table).execute(connection);
        }
        claim.made(RegisteredTables.identity(tables.prefix(), connection));
    }

    @Override
    public StoreKind copyFrom(String kept, Claim claim) {
        TableGroup others = new TableGroup(kept, tables.tablespaces(), tables.layout());
        LayoutTable<OracleField> events = tables.layout().events();
        connections.maintenance().run("copy the tables " + kept + "_...", connection -> {
            create(connection, claim);
            for (LayoutTable<OracleField> table : tables.layout().tables()) {
                String portion = tables.isByDay() && table.equals(events) ? portion("days") : "";
                tables.copy(table, others, portion).execute(connection);
            }
            if (tables.isByDay() && late(others, connection) > 0) {
                addLatePartition(connection);
                tables.copy(events, others, portion("late")).execute(connection);
            }
        });
        return StoreKind.COPY;
    }

    private String portion(String file) {
        return tables.ofEvents(file).sql();
    }

    private long late(TableGroup others, Connection connection) throws SQLException {
        Map<String, String> more = Map.of("kept", others.events(), "portion", portion("late"));
        return tables.ofAny("count-late", tables.layout().events(), more).number(connection);
    }

    /** Makes room for the events that the days do not reach, unless there is some. */
    void addLatePartition(Connection connection) throws SQLException {
        if (tables.isByDay() && tables.ofEvents("find-late-partition").number(connection, tables.events()) == 0) {
            for (SqlFiles.Step step : tables.latePartition()) {
                SqlStatement.execute(connection, step.sql());
            }
        }
    }

    @Override
    public long events() {
        return connections
                .maintenance()
                .get("count the events in " + tables.events(), tables.ofEvents("events")::number);
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
        String table = OracleFiles.longest(tables.layout().tableNames(), object).orElseThrow();
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

    /** Inserts batches into the tables over several connections at once; events beyond the days' partitions come last. */
    private static final class OracleBulkLoad implements BulkLoad {
        private static final int LOADERS = 3;
        /** The first instant that has no partition of a day; {@code late.sql} knows it too. */
        private static final Instant LATE = Instant.parse("4000-01-01T00:00:00Z");

        private static final int MOST_LATE = 100_000;

        private final OracleTables tables;
        private final String label;
        private final ParallelLoad events;
        private final LateEvents lateEvents;
        private final List<SecurityEvent> late = new ArrayList<>();

        private OracleBulkLoad(OracleTables tables, String label, ParallelLoad events, LateEvents lateEvents) {
            this.tables = tables;
            this.label = label;
            this.events = events;
            this.lateEvents = lateEvents;
        }

        /** What becomes of events beyond the days' partitions. */
        enum LateEvents {
            LAST,
            REFUSED
        }

        static OracleBulkLoad start(OracleTables tables, String label, LateEvents lateEvents) {
            ParallelLoad events = ParallelLoad.start(label, LOADERS, () -> Loader.open(tables, label));
            return new OracleBulkLoad(tables, label, events, lateEvents);
        }

        @Override
        public PreparedEvents prepare(List<SecurityEvent> batch) {
            return new PreparedEvents(batch, this::add);
        }

        private void add(List<SecurityEvent> batch) {
            List<SecurityEvent> usual = new ArrayList<>(batch);
            usual.removeIf(event -> !event.detectTime().isBefore(LATE) && late.add(event));
            if (!late.isEmpty() && lateEvents == LateEvents.REFUSED) {
                throw new TargetException(
                        label + " has an event of " + late.get(0).detectTime() + ", for which tables cut into"
                                + " days have room only when all others are stored, so that several processes cannot load it; give"
                                + " -Dinjectors=1 or -Dpartitions=none, or put its detect time right");
            }
            if (late.size() > MOST_LATE) {
                throw new TargetException("more than " + MOST_LATE + " events of " + label + " were detected after "
                        + LATE + "; put their detect times right");
            }
            events.write(usual);
        }

        @Override
        public long store() {
            long bytes = events.store();
            if (!late.isEmpty()) {
                tables.connections().maintenance().run("store the events after " + LATE, tables::addLatePartition);
                events.write(late);
                late.clear();
                bytes = events.store();
            }
            return bytes;
        }

        @Override
        public void close() {
            events.close();
        }

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
}
