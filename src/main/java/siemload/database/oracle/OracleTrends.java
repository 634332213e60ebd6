package siemload.database.oracle;

import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import siemload.database.Store.Trends;
import siemload.database.server.RunCopy;
import siemload.database.sql.SqlStatement;
import siemload.query.Field;
import siemload.query.Summary;

/** A table beside those of a run's events, whose name begins alike and which is dropped with them. */
record OracleTrends(OracleConnections connections, RunCopy copy, TableGroup tables) implements Trends {
    private static final List<String> OBJECTS = List.of("trend_line", "trend_line_pk");

    @Override
    public void create() {
        connections
                .maintenance()
                .run("make the table of trends beside " + copy.tables().place(), connection -> {
                    statement(tables, "table-trend-line").execute(connection);
                    copy.made(RegisteredTables.identity(tables.prefix(), connection));
                    statement(tables, "key-trend-line").execute(connection);
                });
    }

    @Override
    public List<Summary.Line> lines(String trend, Field field) {
        return connections
                .maintenance()
                .get(
                        "read the trend " + trend + " beside " + copy.tables().place(),
                        connection -> statement(tables, "lines")
                                .rows(
                                        connection,
                                        row -> new Summary.Line(
                                                ColumnValues.readTime(row.getObject(1, LocalDateTime.class)),
                                                ColumnValues.readValue(field, row.getString(2)),
                                                row.getLong(3)),
                                        trend));
    }

    private static SqlStatement statement(TableGroup tables, String file) {
        return TableGroup.FILES.read("trends/" + file + ".sql", parts(tables));
    }

    /** The names and clauses that the files leave open. */
    static Map<String, String> parts(TableGroup tables) {
        return tables.parts(OBJECTS);
    }
}
