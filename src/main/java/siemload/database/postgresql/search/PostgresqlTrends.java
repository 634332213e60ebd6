package siemload.database.postgresql.search;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.util.List;
import siemload.database.Store.Trends;
import siemload.database.sql.SqlAccess;
import siemload.query.Field;
import siemload.query.Summary;

/** A table in the database of a run, which goes with it. */
public record PostgresqlTrends(SqlAccess access) implements Trends {
    @Override
    public void create() {
        access.run("make the table of trends", FILES.read("trends/table-trend-line.sql")::execute);
    }

    @Override
    public List<Summary.Line> lines(String trend, Field field) {
        return access.get(
                "read the trend " + trend,
                connection -> FILES.read("trends/lines.sql")
                        .rows(connection, row -> PostgresqlSession.line(row, field), trend));
    }
}
