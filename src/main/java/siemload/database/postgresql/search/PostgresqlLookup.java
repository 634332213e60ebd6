package siemload.database.postgresql.search;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import siemload.database.PlainLookup;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/** The driver's prepared statement with the text of the search by id, and nothing else. */
public final class PostgresqlLookup implements PlainLookup {
    private static final int EVENT = 3;

    private final Connection connection;
    private final PreparedStatement statement;

    public PostgresqlLookup(Connection connection, PostgresqlSearchStatements statements) throws SQLException {
        Search search = new Search(
                SearchName.DETAIL,
                Window.ALWAYS,
                List.of(new Criterion.IdIs("")),
                Order.NEWEST_FIRST,
                new Page.Numbered(1, 1));
        this.connection = connection;
        this.statement = connection.prepareStatement(statements.of(search).text());
    }

    @Override
    public int lookUp(String id) {
        try {
            statement.setString(1, id);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getBytes(EVENT).length : 0;
            }
        } catch (SQLException e) {
            throw PostgresqlErrors.INSTANCE.inRun(e, Duration.ZERO, Duration.ofNanos(1));
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException alreadyBroken) {
            // The driver has let go of the socket in any case.
        }
    }
}
